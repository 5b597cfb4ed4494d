/* SPDX-License-Identifier: GPL-2.0-or-later */
/* codeview.h - which PDB file has the symbols of an image: for messages */
#ifndef RS_CODEVIEW_H
#define RS_CODEVIEW_H

#include "lib/pe.h"

/*
 * Find the PDB file that the debug directory of an image names.  Returns 1 and stores the last part of its name, cut to
 * SIZE bytes with its NUL and without control characters, in NAME, and where the record begins in the file in *AT.
 * Returns 0 if there is none, or if the image may have other debug information too, or -1.
 */
int rs_codeview_name(const struct rs_pe *pe, const struct rs_source *source, char *name, size_t size, uint64_t *at,
		     struct rossym_error *err);

#endif
