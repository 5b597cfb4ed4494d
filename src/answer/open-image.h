/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open-image.h - open the image that a command line names; failures have the messages of GNU addr2line */
#ifndef ANSWER_OPEN_IMAGE_H
#define ANSWER_OPEN_IMAGE_H

#include "rossym.h"
#include "answer/fallback.h"
#include "answer/supply.h"

#include <stdbool.h>

/* How to open an image. */
struct open_image {
	const char *target; /* the BFD target that the user named, or NULL */
	bool explain;	    /* where GNU only says that it does not know the format, also say what is wrong */
	unsigned flags;	    /* of rossym_open() */
	/* takes the file over if it is readable but has nothing to answer from, or if the target is not for PE;
	   or NULL */
	const struct fallback *fallback;
	struct supply *supply; /* is asked for the tables of an image without one; or NULL */
};

/* Open the image PATH.  False after a message, without one if the file is empty: so does GNU. */
bool open_image(const char *path, const struct open_image *how, struct rossym_image **ret);

/* Read the extension block of IMAGE, which knows inlined calls.  Returns 1 if there is one; 0 if there is none, or
   after a warning if it is damaged; -1 after a message. */
int open_block(struct rossym_image *image, const char *path);

#endif
