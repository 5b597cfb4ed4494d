/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asked-image.h - images without a .rossym table, for which worker processes answer from the debug information
 *
 * Each image gets a worker of its own (tool/process/worker.h), which the fork server starts when the first address is
 * looked up.  A worker has its image in memory, so only a few run: when there are too many, the least recently used one
 * is ended.  A malicious image may control its worker; but the worker can give wrong answers about that image only,
 * because it is asked about no other.  It gets the descriptors of files, or the bytes of files in archives.  It is
 * asked only once for an address, because this process keeps the answers.  If an image has many addresses, or its
 * worker has been started several times, the worker sends a table of all addresses and ends.  Then this process answers
 * from the table.  The work is limited by a budget of bytes and time for each run.  On systems without fork() the
 * library reads the debug information in this process.
 */
#ifndef LOG_FIND_ASKED_IMAGE_H
#define LOG_FIND_ASKED_IMAGE_H

#include "log/archive/archives.h"
#include "log/find/debug-files.h"
#include "rossym-set.h"

struct asked_image;

struct image_asker {
	/* the last address was not looked up because the budget is used up; the caller must set this to
	   false before a look-up */
	bool over_budget;
	bool reported_over_budget;
	struct budget budget; /* of bytes that workers get and send, and of their time: its steps are milliseconds */
	struct worker_table *workers;
};

/* Reports that nothing can answer for FILE: ERR says why, usually that FILE has no table and no debug information. */
typedef void image_asker_report(void *context, struct file *file, const struct rossym_error *err);

/* `file` is an image without a table.  If it is in an archive, `content` has its bytes; else `content` is NULL.  The
   debug files of the image are searched for in `index`. */
struct asked_subject {
	struct index *index;
	struct file *file;
	const struct content *content;
	image_asker_report *report_no_answer;
	void *context; /* passed to report_no_answer() */
};

/* Fill the budget of ASKER, which will start workers in the table WORKERS. */
void image_asker_init(struct image_asker *asker, struct worker_table *workers);

/*
 * Open the image FROM, which has no table; WHY is the error that says so.  Everything to which FROM points must stay
 * valid until asked_image_free().  Returns the grade of the image (struct rossym_opened), and stores *IMAGE, which has
 * only headers, and *ASKED.  The caller must close *IMAGE before it frees *ASKED.  Returns 0, with *WHY in *ERR, if
 * nothing can answer; or -1 with *ERR after any other error.
 */
int asked_image_open_and_grade(struct image_asker *asker, const struct asked_subject *from,
			       const struct rossym_error *why, struct rossym_image **image, struct asked_image **asked,
			       struct rossym_error *err);

/* Look up RVA, which is in a section of the image ASKED, and store the frames, valid until asked_image_free(), in
   *FOUND.  If RVA was not looked up before, sets *KEPT to the memory that all answers of ASKED take.  Returns 0; or -1
   with the reason in *ERR (rossym-set.h explains them at `look_up`). */
int asked_image_look_up(struct asked_image *asked, uint32_t rva, struct rossym_found *found, size_t *kept,
			struct rossym_error *err);

void asked_image_free(struct asked_image *asked);

/* Run in a worker (worker_table_start()): read the image that the first request announces, and answer requests. */
void image_serve_requests(struct channel *channel);

#endif
