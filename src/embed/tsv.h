/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tsv.h - reads rows in the form that `rossym-addr2line --dump' prints: address, size, function, file, line, depth */
#ifndef EMBED_TSV_H
#define EMBED_TSV_H

#include "rossym-write.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns the path to store in place of PATH, valid until the next call; NULL: there is no memory. */
typedef const char *tsv_path_fn(void *context, const char *path);

/* Add the lines in the SIZE bytes at TEXT to BUILDER.  This changes TEXT; a NUL must follow it.  Lines of depth 0 are
   rows; lines of depth 1, 2 ... after a row are the frames around it; lines of depth -1 are functions.  The field
   "size" is used in lines of functions only.  False: *ERR says what is wrong, and its offset is the number
   of the line. */
bool tsv_add_lines(char *text, size_t size, struct rossym_builder *builder, tsv_path_fn *map_path, void *context,
		   struct rossym_error *err);

#endif
