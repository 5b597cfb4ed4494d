/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table-maker.h - tables for images that have none, made from their debug information by workers
 *
 * Each image gets a worker of its own (image-worker.h), which the fork server starts when the first table is needed.  A
 * worker has its image in memory, so there are only a few: the least recently used one is ended when there are too many.
 * A worker gets files as descriptors, and the bytes of files in archives.  The work is limited by a budget of bytes and
 * time for each run.  On systems without fork() the library reads the debug information in this process.
 */
#ifndef LOG_FIND_TABLE_MAKER_H
#define LOG_FIND_TABLE_MAKER_H

#include "log/archive/archive-worker.h"
#include "log/find/debug-files.h"

struct made_image;

struct table_maker {
	/* the last table was not made because the budget is used up; the caller must set this to
	   false before a look-up */
	bool over_budget;
	bool reported_over_budget;
	struct budget budget; /* of bytes that workers get and send, and of their time: its steps are milliseconds */
	struct worker_table *workers;
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

/* Let the workers be of WORKERS. */
void table_maker_start(struct table_maker *maker, struct worker_table *workers);

/*
 * Open the image FROM, which has no table; WHY is the error that says so.  The library gets tables from a worker when
 * it looks addresses up in the image.  Everything to which FROM points must stay valid until made_image_free().
 * Returns the grade of the image (struct rossym_opened), and stores *IMAGE and *MADE, which must be freed in this
 * order.  Returns 0, with *WHY in *ERR, if there is nothing from which a table could be made; -1 with
 * *ERR on other failures.
 */
int table_maker_open(struct table_maker *maker, const struct table_subject *from, const struct rossym_error *why,
		     struct rossym_image **image, struct made_image **made, struct rossym_error *err);

void made_image_free(struct made_image *made);

#endif
