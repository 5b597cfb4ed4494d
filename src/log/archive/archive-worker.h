/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive-worker.h - reads an archive in a worker (tool/process/worker.h)
 *
 * libarchive and the libraries below it parse untrusted bytes, and a hostile archive may take control of them.  So each
 * archive has a worker of its own, and its answers are checked.  A worker that an archive has taken over can make up
 * names and contents of that archive, but not of others, and it gets no more memory, time or budget than an honest one.
 * Where there is no fork(), this program reads the archive itself.
 */
#ifndef LOG_ARCHIVE_ARCHIVE_WORKER_H
#define LOG_ARCHIVE_ARCHIVE_WORKER_H

#include "log/archive/archive.h"
#include "tool/process/worker.h"

/* The worker table has a slot for each worker that may run at the same time: the first slots are for archives, then one
   is for dumps, and the others are for images. */
enum {
	ARCHIVE_WORKERS = 4,
	DUMP_SLOT = ARCHIVE_WORKERS,
	IMAGE_SLOT,
	IMAGE_WORKERS = FORKSERVER_CHILDREN_MAX - IMAGE_SLOT
};

/* The numbers of the jobs. */
enum { JOB_ARCHIVE = 1, JOB_DUMP, JOB_IMAGE };

/* An archive, and the worker that reads it.  The caller sets the first four.  It must stay in place while the worker
   runs. */
struct archive_worker {
	struct worker_table *workers;
	/* Its visit() is called only with arguments that have been checked: the name has at most
	   ARCHIVES_NAME_LENGTH_MAX bytes, and place->archive is below the MOST of archive_worker_list(). */
	struct archive_host host;
	struct budget *budget;	   /* of all archives */
	struct budget_share share; /* what this archive may take from it */
	/* The tree of archives (archive_nodes()), to be freed.  NULL: it was not listed, or there was no memory for it. */
	struct archive_node *nodes;
	uint32_t count;
	size_t held; /* archive_held_bytes() after the last request */
#ifdef HAVE_FORK
	struct worker worker;
	bool has_tree; /* the worker knows the tree of archives: it has listed or received it */
	/* What the worker says that it took from the budget, less what its results must have cost. */
	int64_t credit_bytes, credit_steps;
#else
	struct archive *archive; /* NULL: it is not open */
	int file;
#endif
};

/* Start a worker for the open file FILE, which the caller may close afterwards.  False: an error. */
bool archive_worker_start(struct archive_worker *worker, int file, struct archives_error *err);

/* End the worker, if it runs. */
void archive_worker_end(struct archive_worker *worker);

/* Whether the worker still runs.  It does not if another archive needed its slot. */
bool archive_worker_runs(const struct archive_worker *worker);

/* archive_worker_list() and archive_worker_read() do what archive_list() and archive_read() do.  The first one also
   stores the tree of archives in WORKER; if there is no memory for it, the result is an error.  If err->broken is set,
   only archive_worker_end() may follow; then the elements of worker->nodes are zeros, one for each archive up to the
   last one of which visit() got a file. */
int archive_worker_list(struct archive_worker *worker, uint32_t most, struct archives_error *err);
int archive_worker_read(struct archive_worker *worker, const struct archives_place *place, size_t room, void **bytes,
			size_t *size, struct archives_error *err);

/* What the worker does, for forkserver_start(): drop all privileges, then answer requests about the archive in
   FILES[0]. */
void archive_serve(const int *files, size_t count, int reading, int writing);

/* ------------------------------------------------------------------------------------------------ messages */

enum archive_request_kind { ARCHIVE_LIST = 1, ARCHIVE_READ };

struct archive_request {
	uint32_t kind;
	uint32_t most; /* ARCHIVE_LIST: list at most so many archives */
	/* ARCHIVE_READ: how many struct archive_node follow; 0 if the worker has listed or received them before */
	uint32_t nodes;
	struct archives_place place; /* ARCHIVE_READ */
	uint64_t room;		     /* ARCHIVE_READ: the limit for archive_held_bytes() */
	int64_t bytes, steps;	     /* what this archive may still take from the budget */
};

/* An item of a list: where a file is; its name follows. */
typedef struct archives_place archive_item;

/* A question: the limit for archive_held_bytes() that the worker wants; the reply is the new limit.  To open one inner
   archive can take several questions. */
typedef uint64_t archive_question;
enum { ARCHIVE_QUESTIONS_MAX = 8 * ARCHIVES_MAX };

/* The answer.  After a list, each struct archive_node follows; after reading, the bytes of the file. */
struct archive_answer {
	uint32_t failed;       /* 1: an error */
	uint32_t over_budget;  /* 1: the error is that the budget is used up (struct archives_error) */
	uint64_t held;	       /* archive_held_bytes() */
	uint64_t bytes, steps; /* what it took from the budget */
	char what[sizeof((struct archives_error *)0)->what];
};

#endif
