/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tsv.h - rows as `rossym-addr2line --dump' prints them: address, size, function, file, line, depth */
#ifndef TOOL_TSV_H
#define TOOL_TSV_H

#include "rossym.h"

#include <stdbool.h>
#include <stddef.h>

/* What a file of a row becomes; NULL if there is no memory. */
typedef const char *tsv_path_fn(void *context, const char *path);

/* Add the rows of the file PATH to BUILDER: lines of depth 0, those of depth 1, 2 ... behind them being the frames around
   them.  Lines of depth -1 are functions; other lines' sizes are not looked at.  False after a message. */
bool tsv_read(const char *path, struct rossym_builder *builder, tsv_path_fn *map_path, void *context);

/* The same from memory: SIZE bytes at TEXT, which are changed, and a NUL behind them.  NAME is for messages. */
bool tsv_add(const char *name, char *text, size_t size, struct rossym_builder *builder, tsv_path_fn *map_path,
	     void *context);

#endif
