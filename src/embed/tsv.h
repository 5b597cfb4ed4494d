/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tsv.h - reads rows in the form that `rossym-addr2line --dump' prints: address, size, function, file, line, depth */
#ifndef EMBED_TSV_H
#define EMBED_TSV_H

#include "rossym-write.h"
#include "tool/paths.h"

#include <stdbool.h>
#include <stddef.h>

/* Add the lines in the SIZE bytes at TEXT to BUILDER, with paths as PATHS shows them.  TEXT is changed, and a NUL must
   follow it.  Lines of depth 0 are rows; lines of depth 1, 2 ... after a row are the frames around it; lines of depth
   -1 are functions.  The field "size" is used in lines of functions only.  False: *ERR is the error, and err->offset
   the number of the line. */
bool tsv_add_lines(char *text, size_t size, struct rossym_builder *builder, struct paths *paths,
		   struct rossym_error *err);

#endif
