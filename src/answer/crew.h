/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crew.h - threads that do jobs at the same time; jobs are taken back in the order in which they were given
 *
 * One thread, the caller's, gives jobs and takes them back.  On a host without threads, crew_open() always fails.
 */
#ifndef ANSWER_CREW_H
#define ANSWER_CREW_H

#include <stdbool.h>
#include <stddef.h>

struct crew;

extern const bool crew_available;

/* Start WORKERS threads that call WORK for each job.  At most SLOTS jobs may be unfinished.  NULL: no memory, or not a
   single thread could be started. */
struct crew *crew_open(unsigned workers, unsigned slots, void (*work)(void *job));

/* Wait until all jobs are done, and end the threads.  CREW may be NULL. */
void crew_close(struct crew *crew);

/* Give a job, which stays the caller's.  There must be a free slot. */
void crew_give(struct crew *crew, void *job);

/* How many jobs have been given and not taken back. */
unsigned crew_unfinished(const struct crew *crew);

/* Wait for the job that was given first of those, and take it back.  There must be one. */
void *crew_take(struct crew *crew);

/* Called by the worker that does JOB: wait until crew_take() waits for this job.  The worker then sees all that the
   caller of crew_take() wrote before that call. */
void crew_wait_turn(struct crew *crew, const void *job);

#endif
