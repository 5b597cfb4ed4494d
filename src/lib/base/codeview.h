/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * codeview.h - the CodeView records of an image's debug directory
 *
 * Such a record names a PDB file, and has the GUID and the age by which the right one is known.  GNU ld --build-id
 * writes a record without a name, for its GUID.
 */
#ifndef RS_CODEVIEW_H
#define RS_CODEVIEW_H

#include "lib/base/pe-memory.h"

/*
 * Decode record *NUMBER, counted from 0, into *REFERENCE, all but its size.  LOADED: SOURCE is a loaded image.  Records
 * of unknown kinds, damaged ones, and names that are too long are not counted.  Returns 1; 0 if there are not so many,
 * and the number of those that there are has been subtracted from *NUMBER; or -1.
 */
int rs_codeview_get(const struct rs_pe *pe, const struct rs_source *source, bool loaded, uint32_t *number,
		    struct rossym_debug_reference *reference, struct rossym_error *err);

/*
 * For messages: find the first record that names a PDB file, with a name that has a last part, and decode it into
 * *REFERENCE, all but its size.  Returns 1; 0 if there is none, or if the image may have other debug information too;
 * or -1.
 */
int rs_codeview_named(const struct rs_pe *pe, const struct rs_source *source, bool loaded,
		      struct rossym_debug_reference *reference, struct rossym_error *err);

/* Store the last part of PATH, cut to SIZE bytes with its NUL and without control characters, in NAME.  False if it
   is empty. */
bool rs_codeview_last_part(const char *path, char *name, size_t size);

#endif
