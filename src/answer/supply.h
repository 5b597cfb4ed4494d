/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * supply.h - opens an image that has no table, with tables that rossym-embed makes of its debug information
 *
 * rossym-embed runs as a helper (tables.h).  It makes the first table when the image is opened, so that an image about
 * which nothing is known is refused there; it makes further tables when look-ups need them.  Open the image before
 * rights are given up.
 */
#ifndef ANSWER_SUPPLY_H
#define ANSWER_SUPPLY_H

#include "rossym.h"
#include "tool/process/tables.h"

struct supply {
	const char *const *options; /* for rossym-embed, NULL at the end; NULL: none */
	/* Look up what will be needed first, in one call if possible.  Returns 0 or more; or -1 with *ERR. */
	int (*first)(void *context, struct rossym_image *image, struct rossym_error *err);
	void *context;

	/* All zeros at the start: */
	bool open;
	struct tables tables;
	struct tables_kept kept;
	char why[160]; /* what the image has instead, in words; "": the helper failed */
};

/* Open the image in the file PATH, which has no table, with FLAGS as rossym_open().  False: nothing is known about
   it, and supply->why says what it has instead; or after a warning, if the helper failed, which it may have
   reported itself. */
bool supply_open(struct supply *supply, const char *path, unsigned flags, struct rossym_image **ret);

/* Free the tables and let the helper end.  Close the image before.  May be called for one that was not opened. */
void supply_close(struct supply *supply);

#endif
