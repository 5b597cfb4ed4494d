/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crew.h - workers that do jobs at the same time and hand them back in the order in which they were given
 *
 * Without threads on the host there is no crew.
 */
#ifndef TOOL_CREW_H
#define TOOL_CREW_H

#include <stdbool.h>
#include <stddef.h>

struct crew;

extern const bool crew_available;

/* WORKERS threads that call WORK for each job.  At most SLOTS jobs may be unfinished.  NULL: not a single thread could be
   started. */
struct crew *crew_open(unsigned workers, unsigned slots, void (*work)(void *job));

/* Stop when all jobs are done.  CREW may be NULL. */
void crew_close(struct crew *crew);

/* Give a job that stays the caller's; there is a free slot. */
void crew_give(struct crew *crew, void *job);

/* How many jobs have been given and not taken back. */
unsigned crew_unfinished(const struct crew *crew);

/* Wait for the job that was given first of those, and take it back. */
void *crew_take(struct crew *crew);

/* Called by the worker that does JOB: wait until crew_take() waits for this job.  The worker then sees all that the caller
   of crew_take() wrote before that call. */
void crew_wait_turn(struct crew *crew, const void *job);

#endif
