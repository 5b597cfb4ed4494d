/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers.h - threads that answer chunks of lines; answers are written in the order of the input
 *
 * Each chunk is a job with a batch, a style and an output of its own.  A worker stops at the first line that may need a
 * message, because messages must be in order, too.  The main thread takes the jobs back in order, writes their answers,
 * and answers the rest of a chunk itself.
 */
#ifndef ADDR2LINE_WORKERS_H
#define ADDR2LINE_WORKERS_H

#include "answer/batch.h"
#include "tool/input.h"

/* Whether this system has threads.  If not, workers_give() returns false. */
extern const bool workers_available;

struct chunk_job;
struct worker_thread;

/* All zeros: there are no workers, and there is nothing to close. */
struct workers {
	unsigned count;		   /* how many threads to start; 0: none, or they could not be started */
	struct batch *batch;	   /* the batch of the main thread; its `seen` includes what the workers have seen */
	const struct input *input; /* input_lines(input, ...) answers the lines that a worker has left */
	struct chunk_job **jobs;   /* SLOTS jobs, which are used again and again */
	unsigned slots;
	struct worker_thread *threads;
	unsigned running; /* how many threads there are; none before the first job */
	/* Jobs are numbered from 0; job N is jobs[N % slots].  These are the numbers of the next job to be given, begun and
	   taken back: taken <= begun <= given <= taken + slots. */
	unsigned long taken, begun, given;
	bool taking;  /* the main thread waits for job `taken` */
	bool closing; /* threads end when there is no job left */
	bool failed;  /* there was an error and a message; write nothing more */
};

/* Set WORKERS up for COUNT threads, which start with the first job.  BATCH and INPUT must
   stay valid until workers_close(). */
void workers_open(struct workers *workers, unsigned count, struct batch *batch, const struct input *input);

/* Give a copy of the chunk from TEXT up to END to a worker.  The image must have been prepared.  False: there is no
   thread or no memory, so the caller must answer the chunk. */
bool workers_give(struct workers *workers, const char *text, const char *end);

/* Write the answers of all jobs.  Returns false after a message.  A write error gets no message here: it only sets
   `error` of the output. */
bool workers_settle(struct workers *workers);

/* Call this before a read.  If the read will wait for input, writes all answers, because somebody may be waiting for
   them.  Else writes only as many as are needed to free a slot. */
void workers_before_read(struct workers *workers);

/* End the threads.  Answers that have not been written are dropped. */
void workers_close(struct workers *workers);

#endif
