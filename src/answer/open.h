/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open.h - open the image that a command line names; failures have the messages of GNU addr2line */
#ifndef ANSWER_OPEN_H
#define ANSWER_OPEN_H

#include "rossym.h"
#include "answer/fallback.h"
#include "answer/supply.h"

#include <stdbool.h>

/* Open the image.  TARGET is the BFD target that the user named, or NULL.  False after a message, without one if the
   file is empty: so does GNU.  EXPLAIN: where GNU only says that it does not know the format, also say what is wrong.
   FALLBACK, if not NULL, takes the file over if it is readable but has nothing to answer from, or if TARGET is not for
   PE.  FLAGS are those of rossym_open().  SUPPLY, if not NULL, is asked for the tables of an image without one. */
bool open_image(const char *path, const char *target, bool explain, const struct fallback *fallback, unsigned flags,
		struct supply *supply, struct rossym_image **ret);

/* Read the extension block of IMAGE, which knows inlined calls.  Returns 1 if there is one; 0 if there is none, or
   after a warning if it is damaged; -1 after a message. */
int open_block(struct rossym_image *image, const char *path);

#endif
