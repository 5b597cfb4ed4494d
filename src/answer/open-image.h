/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open-image.h - opens the image of the command line, with the messages of GNU addr2line for failures */
#ifndef ANSWER_OPEN_IMAGE_H
#define ANSWER_OPEN_IMAGE_H

#include "rossym.h"
#include "answer/fallback.h"
#include "tool/files/search-path.h"

#include <stdbool.h>

/* Where to look for the debug information of an image without a table. */
struct debug_sources {
	unsigned flags; /* for rossym_open(), besides ROSSYM_OPEN_DEBUG_INFO */
	struct search_path directories;
	const char *chosen; /* the file that the user has chosen, or NULL */
};

/* How to open an image. */
struct open_image {
	const char *target; /* the BFD target of -b, or NULL */
	bool explain;	    /* print what is wrong where GNU addr2line only prints "file format not recognized" */
	unsigned flags;	    /* for rossym_open() */
	bool even_without;  /* also open an image without symbols, for its headers */
	/* The program to run if the file is no PE image or has no symbols, or if the target is not for PE; or NULL. */
	const struct fallback *fallback;
	const struct debug_sources *debug; /* an image without a table answers from these; NULL: it is refused */
};

/* Open the image PATH.  Returns false after a message; if PATH is an empty file, without a message,
   as GNU addr2line does. */
bool open_image(const char *path, const struct open_image *how, struct rossym_image **ret);

/* Read the extension block of IMAGE, which has the frames of inlined calls.  Returns 1; 0 if there is none; 0 after a
   warning if it is damaged; or -1 after an error message. */
int read_block_or_warn(struct rossym_image *image, const char *path);

#endif
