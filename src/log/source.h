/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.h - lines of source text, below a directory and nowhere else
 *
 * Which file is wanted comes out of a symbol table.  ".." is taken literally only inside the path, what would lead above
 * the directory is dropped; of an absolute path, from the machine of whoever built the image, the longest tail that
 * exists below the directory is taken.  What has been read stays for a while.
 */
#ifndef LOG_SOURCE_H
#define LOG_SOURCE_H

#include "tool/text.h"

struct sources;

struct sources *sources_new(const char *root);	/* NULL: no memory.  ROOT stays the caller's */
void sources_free(struct sources *sources);

/* Add BEFORE lines of FILE, the last of them LINE, a rule, and AFTER more, as log2lines does: "| 0123  text".  Adds
   nothing if the file cannot be read, and says why; if it is not there, only if VERBOSE. */
void sources_show(struct sources *sources, struct text *text, const char *file, uint32_t line, unsigned before,
		  unsigned after, bool verbose);

/* Whether what begins with LINE is a line that sources_show() made; *MORE: if no, then because there is not enough of it. */
bool sources_is_line(const char *line, size_t length, bool *more);

#endif
