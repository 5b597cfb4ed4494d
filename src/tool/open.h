/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open.h - open the image of a command line, and say in GNU addr2line's words why that is not possible */
#ifndef TOOL_OPEN_H
#define TOOL_OPEN_H

#include "rossym.h"
#include "tool/fallback.h"

#include <stdbool.h>

/* TARGET is the BFD target that was asked for, or NULL.  On failure says why, as GNU does for an empty file: not
   at all, and returns false.  EXPLAIN: where GNU only says that it does not know the format, say also what is wrong.
   FALLBACK, or NULL, gets a file that is there but has nothing to answer from, and targets that are not for PE. */
bool open_image(const char *path, const char *target, bool explain, const struct fallback *fallback,
		struct rossym_image **ret);

/* Read the block of IMAGE, for those who want inlined calls.  1: it has one; 0: it has none, or, after a warning, one that
   is damaged; -1 after a message. */
int open_block(struct rossym_image *image, const char *path);

/* Let look-ups of IMAGE answer with whole names, for programs that print functions.  False after a message. */
bool open_whole_names(struct rossym_image *image, const char *path);

/* Warn if an answer has a short name because the block cannot be used. */
void warn_short_names(const struct rossym_image *image, const char *path);

/* Open PATH for reading, as bytes.  Without WAIT a FIFO that nobody writes to is empty, and does not keep us for ever.
   A descriptor, or -1 and errno: EISDIR, for one, where directories cannot be opened. */
int open_file(const char *path, bool wait);

#endif
