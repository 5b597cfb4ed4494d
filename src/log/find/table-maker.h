/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table-maker.h - tables for images that have none, made from their debug information by a helper: rossym-embed
 *
 * The helper's process is forked before this program drops its privileges, but executes rossym-embed only when the
 * first table is needed (tool/process/tables.h).  It gets the bytes of an image and of its debug files (debug-files.h),
 * also of files in archives.  Its work is limited by a budget of bytes and time for each run, and by the size of one
 * request.  If the helper does not start, or fails, that is reported once, and images without a table have no answers.
 */
#ifndef LOG_FIND_TABLE_MAKER_H
#define LOG_FIND_TABLE_MAKER_H

#include "log/find/debug-files.h"
#include "tool/process/tables.h"

struct table_maker {
	bool started; /* the helper has been started */
	bool failed;  /* the helper has failed, so no more tables are requested */
	/* the last table was not made because the budget is used up; the caller must set this to
	   false before a look-up */
	bool over_budget;
	bool reported_over_budget;
	struct budget budget; /* of bytes that are sent, and of the helper's time: its steps are milliseconds */
	struct tables tables; /* the connection to the helper */
	uint64_t images;      /* the number of the last image that was sent to the helper */
};

/* Called when no table can be made for FILE.  ERR says why: as a rule, that it has no table
   and no debug information. */
typedef void table_maker_nothing(void *context, struct file *file, const struct rossym_error *err);

/* FILE is an image without a table.  If it is in an archive, CONTENT has its bytes; else CONTENT is NULL.  INDEX is
   where its debug files are searched for. */
struct table_subject {
	struct index *index;
	struct file *file;
	const struct content *content;
	table_maker_nothing *nothing;
	void *context; /* passed to nothing() */
};

/* An image without a table, for which tables are made. */
struct made_image;

/* Start the helper's process, which waits for the first request.  Call this before privileges are dropped.  On systems
   without fork(), the helper starts when the first table is needed. */
void table_maker_start(struct table_maker *maker);
void table_maker_end(struct table_maker *maker);

/*
 * Open the image FROM, which has no table; WHY is the error that says so.  The library gets tables from the helper when
 * it looks addresses up in the image.  Everything to which FROM points must stay valid until made_image_free().
 * Returns the grade of the image (struct rossym_opened), and stores *IMAGE and *MADE, which must be freed in this
 * order.  Returns 0, with *WHY in *ERR, if there is nothing from which a table could be made; -1 with
 * *ERR on other failures.
 */
int table_maker_open(struct table_maker *maker, const struct table_subject *from, const struct rossym_error *why,
		     struct rossym_image **image, struct made_image **made, struct rossym_error *err);

void made_image_free(struct made_image *made);

#endif
