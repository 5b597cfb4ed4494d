/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget.h - how much work files may cost in one run
 *
 * A small archive can hold many gigabytes, and a log can name modules in an order that wants them unpacked again and again.  So
 * all archives together have one budget: of bytes that are unpacked, and of steps, the entries that are walked over.  It counts
 * work, not time, so that the same log has the same answers on a slow machine.  Tables that are made from debug information have
 * another budget (maker.h): of bytes that are read for them, and there a step is a millisecond, because only time tells what
 * reading costs in another process.
 *
 * What is taken last may be more than there is.  Then the budget is overdrawn, and filling it up pays that back first.
 */
#ifndef LOG_BUDGET_H
#define LOG_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

enum {
	BUDGET_GIB = 16,		/* bytes, in GiB */
	BUDGET_STEPS = 1000000
};

struct budget {
	int64_t bytes, steps;		/* that are left */
	uint64_t filled;		/* when it was filled up last: a time of budget_clock() */
	bool live;			/* the log is not a file: it may go on for days, so the budget is filled up again */
};

/* Fill the budget and leave `live` as it is.  NOW, like all times here, is in milliseconds. */
void budget_start(struct budget *budget, uint64_t now);

/* Returns the time of a clock that never goes back. */
uint64_t budget_clock(void);

static inline bool budget_has(const struct budget *budget)
{
	return budget->bytes > 0 && budget->steps > 0;
}

/* Whether it is overdrawn so far that what has begun must stop, too: by a gigabyte. */
static inline bool budget_is_far_overdrawn(const struct budget *budget)
{
	return budget->bytes < -((int64_t)1 << 30);
}

void budget_take(struct budget *budget, uint64_t bytes, uint64_t steps);

/* Add 1/60 of the whole budget for each minute from the last time until NOW, up to the whole. */
void budget_fill(struct budget *budget, uint64_t now);

#endif
