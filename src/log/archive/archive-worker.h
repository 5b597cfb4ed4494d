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

struct archive_worker;

/* What archive_worker_start() needs besides the file.  The structure is copied; what its pointers point to must stay
   valid until archive_worker_end(). */
struct archive_worker_config {
	struct worker_table *workers;
	/* Its visit() is called only with arguments that have been checked: the name has at most
	   ARCHIVES_NAME_LENGTH_MAX bytes, and place->archive is below the MOST of archive_worker_list(). */
	struct archive_host host;
	struct budget *budget;	    /* of all archives */
	struct budget_share *share; /* what this archive may take from it */
	/* The tree of archives, which an earlier worker has listed (archive_nodes()); or NULL. */
	const struct archive_node *nodes;
	uint32_t node_count;
};

/* Start a worker for the open file FILE, which the caller may close afterwards.  NULL: an error. */
struct archive_worker *archive_worker_start(int file, const struct archive_worker_config *config,
					    struct archives_error *err);
void archive_worker_end(struct archive_worker *worker);

/* Whether WORKER, which may be NULL, still runs.  It does not if another archive needed its slot. */
bool archive_worker_runs(const struct archive_worker *worker);

/* archive_worker_list() and archive_worker_read() do what archive_list() and archive_read() do.  The first one also
   stores a copy of the tree of archives (archive_nodes()), of *COUNT elements, in *NODES, which the caller frees.  If
   there is no memory for the copy, *NODES is NULL, and the result is an error.  If err->broken is set, only
   archive_worker_end() may follow; then the elements of *NODES are zeros, one for each archive up to the last one of
   which visit() got a file. */
int archive_worker_list(struct archive_worker *worker, uint32_t most, struct archive_node **nodes, uint32_t *count,
			struct archives_error *err);
int archive_worker_read(struct archive_worker *worker, const struct archives_place *place, size_t room, void **bytes,
			size_t *size, struct archives_error *err);

/* Returns archive_held_bytes() of the worker, as it was after the last call. */
size_t archive_worker_held_bytes(const struct archive_worker *worker);

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
