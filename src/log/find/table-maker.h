/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table-maker.h - tables for images that have none, made from their debug information by a helper: rossym-embed
 *
 * The helper starts before this program gives up its rights, but it only becomes a program when the first table is
 * wanted (tool/process/tables.h).  It gets an image and its debug files (debug-files.h) as bytes, wherever they are.
 * Work for it is limited: by a budget of bytes and of time in each run, and by the size of one request.  If there is no
 * helper, or it fails, one warning says so, and images without a table have no answers.
 */
#ifndef LOG_FIND_TABLE_MAKER_H
#define LOG_FIND_TABLE_MAKER_H

#include "log/find/debug-files.h"
#include "tool/process/tables.h"

struct table_maker {
	bool started, failed;
	/* the last table was not made because the budget is used up; the caller resets this */
	bool put_off;
	bool reported_put_off;
	struct budget budget; /* its steps are milliseconds */
	struct tables tables;
	uint64_t images; /* how many images have got a number */
};

/* Called when no table can be made for FILE.  ERR says what it has instead of a table. */
typedef void table_maker_nothing(void *context, struct file *file, const struct rossym_error *err);

/* What the tables of an image are made from: FILE, or its CONTENT if that is not NULL, and debug files of INDEX. */
struct table_subject {
	struct index *index;
	struct file *file;
	const struct content *content;
	table_maker_nothing *nothing;
	void *context; /* for nothing() */
};

/* An image whose tables are made. */
struct made_image;

/* Start the helper as a waiting process, where the system has fork(): call this before rights are given up.  On other
   systems it starts when the first table is needed. */
void table_maker_start(struct table_maker *maker);
void table_maker_end(struct table_maker *maker);

/*
 * Open an image that has no table.  What FROM points to must stay until made_image_free().  WHY says that it has none.  Returns the grade of the image for rossym-set.h, and *IMAGE and
 * *MADE, which must be freed in this order; or 0 if there is nothing that a table could be made from; or -1 and *ERR,
 * which may be WHY.
 */
int table_maker_open(struct table_maker *maker, const struct table_subject *from, const struct rossym_error *why,
		     struct rossym_image **image, struct made_image **made, struct rossym_error *err);

void made_image_free(struct made_image *made);

#endif
