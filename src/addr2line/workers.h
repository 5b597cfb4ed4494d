/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers.h - threads that answer chunks of lines, each thread a chunk of its own; answers are written in the order of
 * the input
 *
 * Each chunk is a job with a batch, a style and an output of its own.  A worker answers only what needs no message.  It
 * stops at the first other line, and the main thread answers the rest of the chunk when it takes the job back.
 */
#ifndef ADDR2LINE_WORKERS_H
#define ADDR2LINE_WORKERS_H

#include "answer/batch.h"
#include "answer/thread-pool.h"
#include "tool/input.h"

struct worker_job;

/* All zeros: there are no workers, and there is nothing to close. */
struct workers {
	unsigned count; /* so many are wanted; 0: none any more */
	/* of the main thread: its rules, its style; what it has seen includes what workers saw */
	struct batch *batch;
	const struct input *input; /* whose input_lines() answers what a worker left */
	struct thread_pool *pool;  /* NULL until the first job */
	struct worker_job **jobs;  /* slots; each is used again when its job has been taken back */
	unsigned slots, next;
	bool failed; /* after a message; then nothing more is written */
};

/* Want COUNT workers.  They start with the first job.  BATCH and INPUT must live until workers_close(). */
void workers_open(struct workers *workers, unsigned count, struct batch *batch, const struct input *input);

/* Give a copy of the chunk away.  The image must have been prepared.  False: there is no thread or no memory for it, so
   the main thread must answer it. */
bool workers_give(struct workers *workers, const char *text, const char *end);

/* Write the answers of all jobs.  Returns false if anything has failed. */
bool workers_settle(struct workers *workers);

/* Before a read that may wait: write the answers that somebody may wait for.  Does nothing while there is more input
   already and a free slot for it. */
void workers_before_read(struct workers *workers);

void workers_close(struct workers *workers);

#endif
