/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread-pool.h - threads that do jobs at the same time; the caller takes the jobs back in the order in which it gave
 * them
 *
 * Only one thread may give jobs and take them back.  On a system without threads, thread_pool_open() always fails.
 */
#ifndef ANSWER_THREAD_POOL_H
#define ANSWER_THREAD_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct thread_pool;

/* Whether this system has threads. */
extern const bool thread_pool_available;

/* Start up to WORKERS threads, which call WORK for each job.  At most SLOTS jobs may be given and not taken back.
   NULL: no memory, or no thread could be started. */
struct thread_pool *thread_pool_open(unsigned workers, unsigned slots, void (*work)(void *job));

/* Wait until all jobs are done, and end the threads.  POOL may be NULL. */
void thread_pool_close(struct thread_pool *pool);

/* Give JOB to the threads.  The caller owns it, and must not touch it until thread_pool_take() returns it.  There must
   be a free slot. */
void thread_pool_give(struct thread_pool *pool, void *job);

/* Returns how many jobs have been given and not taken back. */
unsigned thread_pool_unfinished(const struct thread_pool *pool);

/* Wait for the oldest job that has not been taken back, and take it back.  There must be such a job. */
void *thread_pool_take(struct thread_pool *pool);

/* The thread that does JOB calls this to wait until thread_pool_take() waits for JOB.  The thread then sees all writes
   that the caller of thread_pool_take() has made before. */
void thread_pool_wait_turn(struct thread_pool *pool, const void *job);

#endif
