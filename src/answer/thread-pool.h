/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread-pool.h - threads that do jobs at the same time; jobs are taken back in the order in which they were given
 *
 * One thread, the caller's, gives jobs and takes them back.  On a host without threads, thread_pool_open()
 * always fails.
 */
#ifndef ANSWER_THREAD_POOL_H
#define ANSWER_THREAD_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct thread_pool;

extern const bool thread_pool_available;

/* Start WORKERS threads that call WORK for each job.  At most SLOTS jobs may be unfinished.  NULL: no memory, or not a
   single thread could be started. */
struct thread_pool *thread_pool_open(unsigned workers, unsigned slots, void (*work)(void *job));

/* Wait until all jobs are done, and end the threads.  POOL may be NULL. */
void thread_pool_close(struct thread_pool *pool);

/* Give a job, which stays the caller's.  There must be a free slot. */
void thread_pool_give(struct thread_pool *pool, void *job);

/* How many jobs have been given and not taken back. */
unsigned thread_pool_unfinished(const struct thread_pool *pool);

/* Wait for the job that was given first of those, and take it back.  There must be one. */
void *thread_pool_take(struct thread_pool *pool);

/* Called by the worker that does JOB: wait until thread_pool_take() waits for this job.  The worker then sees all that
   the caller of thread_pool_take() wrote before that call. */
void thread_pool_wait_turn(struct thread_pool *pool, const void *job);

#endif
