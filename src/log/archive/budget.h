/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget.h - how much work untrusted files may cost in one run
 *
 * A small archive can hold many gigabytes, and a log can name modules in an order that makes the program unpack them
 * again and again.  So all archives together have one budget: of bytes, and of steps; each entry that a reader passes
 * is a step.  A byte counts each time that it is read from an archive, unpacked, or put into memory, on each level of
 * archives in archives; a byte of a name counts more (archive-stream.c).  The budget counts work, not time, so that a
 * log has the same answers on a slow machine.
 *
 * A second budget is for debug information (asked-image.h): its bytes are those of the files that are read, and its
 * steps are milliseconds, because the work of another process shows only in time.
 *
 * Each file has a share.  The bytes that budget_add_for_size() adds for its size are for it alone.  Of the rest, it may
 * take no more than it leaves to the others.  So one file that costs much, or whose worker lies about its cost, never
 * uses up the whole budget.
 *
 * budget_take() may subtract more than is left.  Then the budget is overdrawn: a negative number is left, to which
 * refilling adds.
 */
#ifndef LOG_ARCHIVE_BUDGET_H
#define LOG_ARCHIVE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

enum {
	BUDGET_ARCHIVES = 6, /* GiB of the budget for archives */
	/* bytes that each byte of an archive's file adds to the budget: honest archives expand less than this */
	BUDGET_A_BYTE = 64,
	BUDGET_DEBUG_INFO = 16, /* GiB of the budget for debug information */
	BUDGET_STEPS = 1000000, /* steps of each full budget */
};

struct budget {
	int64_t bytes, steps; /* what is left of the budget */
	int64_t most;	      /* bytes of a full budget */
	uint64_t filled;      /* the time of the last refill */
	/* true: refill the budget as time passes.  The log comes through a pipe or terminal, and may go on for days. */
	bool live;
	void (*taken)(void *context, uint64_t bytes, uint64_t steps); /* called by budget_take(); or NULL */
	void *context;
};

/* What a file may take from a budget.  All zeros: it has taken nothing, and budget_add_for_size() has added nothing. */
struct budget_share {
	int64_t own;			/* bytes that budget_add_for_size() has added for the file's size */
	int64_t bytes, steps;		/* what the file has taken */
	int64_t patience, patience_all; /* ms that the program may still wait for workers of the file; and ms in all */
	uint64_t filled;		/* the time of the last refill */
};

/* Fill the budget with GIB gibibytes and BUDGET_STEPS steps.  NOW is the time, like all times here in ms of
   wait_clock_milliseconds().  Leaves `live`, `taken` and `context` as they are. */
void budget_fill_up(struct budget *budget, int gib, uint64_t now);

/* Add SIZE times BUDGET_A_BYTE bytes to what is left, and to a full budget.  Returns how many bytes were added. */
int64_t budget_add_for_size(struct budget *budget, uint64_t size);

/* Whether both bytes and steps are left. */
static inline bool budget_has_left(const struct budget *budget)
{
	return budget->bytes > 0 && budget->steps > 0;
}

/* Subtract BYTES and STEPS from what is left. */
void budget_take(struct budget *budget, uint64_t bytes, uint64_t steps);

/* Store in *BYTES and *STEPS what the file of SHARE may take.  budget_share_has_left() returns whether both are > 0. */
void budget_share_left(const struct budget *budget, const struct budget_share *share, int64_t *bytes, int64_t *steps);
bool budget_share_has_left(const struct budget *budget, const struct budget_share *share);

/* Subtract BYTES and STEPS from what is left of the budget, and add them to what SHARE has taken. */
void budget_share_take(struct budget *budget, struct budget_share *share, uint64_t bytes, uint64_t steps);

/* If the budget is live: add 1/60 of a full budget for each minute since its last refill, but no more than makes it
   full; and for each minute since the last refill of SHARE, subtract 1/60 of a full budget from what SHARE has taken,
   and add 1/60 of its full patience to its patience. */
void budget_share_refill(struct budget *budget, struct budget_share *share, uint64_t now);

#endif
