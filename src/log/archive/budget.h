/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget.h - how much work files may cost in one run
 *
 * A small archive can hold many gigabytes, and a log can name modules in an order that wants them unpacked again and
 * again.  So all archives together have one budget: of bytes, and of steps, the entries that are walked over.  A byte
 * counts each time that it is read from an archive, unpacked, or put into memory, on every level of archives in
 * archives; a byte of a name counts more (archive-stream.c).  It counts work, not time, so that the same log has the same
 * answers on a slow machine.  Tables that are made from debug information have another budget (table-maker.h): of
 * bytes that are read for them, and there a step is a millisecond, because only time tells what reading costs in
 * another process.
 *
 * What is taken last may be more than there is.  Then the budget is overdrawn, and filling it up pays that back first.
 */
#ifndef LOG_ARCHIVE_BUDGET_H
#define LOG_ARCHIVE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

enum {
	BUDGET_ARCHIVES = 6, /* GiB for archives ... */
	/* ... and so many bytes for each byte of an archive, more than honest archives unpack to */
	BUDGET_A_BYTE = 64,
	BUDGET_DEBUG_INFO = 16, /* GiB for tables */
	BUDGET_STEPS = 1000000,
};

struct budget {
	int64_t bytes, steps; /* that are left */
	int64_t most;	      /* bytes when it is full */
	uint64_t filled;      /* when it was filled up last: on wait_clock() */
	/* the log is not a file: it may go on for days, so the budget is filled up again */
	bool live;
	void (*taken)(void *context, uint64_t bytes, uint64_t steps); /* told what budget_take() takes; or NULL */
	void *context;
};

/* Fill the budget with GIB and all steps, and leave `live` and `taken` as they are.  NOW, like all times here, is
   of wait_clock(). */
void budget_start(struct budget *budget, int gib, uint64_t now);

/* Add SIZE times BUDGET_A_BYTE bytes, also to what it has when it is full. */
void budget_grant(struct budget *budget, uint64_t size);

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
