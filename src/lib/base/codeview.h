/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * codeview.h - the CodeView records of an image's debug directory, and the section .gnu_debuglink
 *
 * A CodeView record has the name of a PDB file, and the GUID and the age by which the right PDB file is recognised.
 * GNU ld --build-id writes a record without a name, whose GUID is the build-id.
 */
#ifndef RS_CODEVIEW_H
#define RS_CODEVIEW_H

#include "lib/base/pe-memory.h"

/*
 * Decode record *NUMBER, counted from 0, into *REFERENCE, except the field `size`.  LOADED: SOURCE is a loaded image,
 * not a file.  Records that are damaged, of an unknown kind or with too long a name do not count.  Returns 1; 0 if
 * there is no record *NUMBER, after subtracting the number of records from *NUMBER; or -1 on an error.
 */
int rs_codeview_read_record(const struct rs_pe *pe, const struct rs_source *source, bool loaded, uint32_t *number,
			    struct rossym_debug_reference *reference, struct rossym_error *err);

/* Returns a text that says what is wrong with the debug directory of an image file, or with the first CodeView record
   that cannot be decoded, and stores in *AT the offset of the damage in the file.  Returns NULL if nothing is wrong. */
const char *rs_codeview_find_fault(const struct rs_pe *pe, const struct rs_source *source, uint64_t *at);

/* Decode the section .gnu_debuglink of the image PE, whose bytes SOURCE has, into *REFERENCE.  Returns 1; 0 if there is
   no such section; 0 with ROSSYM_REFERENCE_DEBUGLINK in reference->kind if it is damaged; or -1 on an error. */
int rs_debuglink_read(struct rs_pe *pe, const struct rs_source *source, struct rossym_debug_reference *reference,
		      struct rossym_error *err);

#endif
