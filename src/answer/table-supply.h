/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table-supply.h - opens an image that has no table, with tables that rossym-embed makes from the image's debug
 * information
 *
 * rossym-embed runs as a helper process (tables.h).  It makes the first table when the image is opened, so that
 * opening fails if the image has no debug information; it makes further tables when look-ups need them.  Open the
 * image before privileges are dropped, because the helper must be started.
 */
#ifndef ANSWER_TABLE_SUPPLY_H
#define ANSWER_TABLE_SUPPLY_H

#include "rossym.h"
#include "tool/process/tables.h"

struct table_supply {
	const char *const *options; /* options for rossym-embed, and a NULL after the last; or NULL: none */
	/* Called after the image has been opened: does the first look-up, for which the first table is made.  Returns
	   0 or more; or -1, and the reason in *ERR. */
	int (*first)(void *context, struct rossym_image *image, struct rossym_error *err);
	void *context;

	/* The caller sets the following to zeros: */
	bool open;	/* table_supply_open() has succeeded */
	bool from_file; /* a table was made from a PDB or debug file */
	struct tables tables;
	struct tables_kept kept;
	char why[160]; /* why there is no table, such as where the symbols are instead; "": the helper has failed */
};

/* Open the image PATH, which has no table, with FLAGS for rossym_open().  False: the image has no debug information,
   and supply->why has the reason; or the helper has failed, and the helper or this function has printed a message. */
bool table_supply_open(struct table_supply *supply, const char *path, unsigned flags, struct rossym_image **ret);

/* Free the tables, and end the helper, after the image has been closed.  May also be called if no image was opened. */
void table_supply_close(struct table_supply *supply);

#endif
