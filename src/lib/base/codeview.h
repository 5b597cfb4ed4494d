/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * codeview.h - the CodeView records of an image's debug directory, and the section .gnu_debuglink
 *
 * Such a record names a PDB file, and has the GUID and the age that the right PDB file has, too.  GNU ld --build-id
 * writes a record without a name: its GUID is the build-id.
 */
#ifndef RS_CODEVIEW_H
#define RS_CODEVIEW_H

#include "lib/base/pe-memory.h"

/*
 * Decode record *NUMBER, counted from 0, into *REFERENCE, all fields but `size`.  LOADED: SOURCE is a loaded image.
 * Records of unknown kinds, damaged ones, and those with too long names are not counted.  Returns 1.  If there are not
 * so many records, subtracts their count from *NUMBER, and returns 0.  Returns -1 on an error.
 */
int rs_codeview_get(const struct rs_pe *pe, const struct rs_source *source, bool loaded, uint32_t *number,
		    struct rossym_debug_reference *reference, struct rossym_error *err);

/* Returns what is wrong with the debug directory of an image file, or with a record there that should name a PDB file,
   and stores the file offset of that place in *AT.  Returns NULL if nothing is wrong. */
const char *rs_codeview_fault(const struct rs_pe *pe, const struct rs_source *source, uint64_t *at);

/* Decode the section .gnu_debuglink of the image PE, whose bytes SOURCE has, into *REFERENCE.  Returns 1; 0 if there is
   no such section; 0, with ROSSYM_REFERENCE_DEBUGLINK in reference->kind, if it is damaged; or -1. */
int rs_debuglink_read(struct rs_pe *pe, const struct rs_source *source, struct rossym_debug_reference *reference,
		      struct rossym_error *err);

#endif
