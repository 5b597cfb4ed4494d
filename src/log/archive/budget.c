// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/archive/budget.h"

enum {
	REFILL_MIN = 1000,	      /* ms; no refill for a shorter time: rounding would lose much of it */
	FULL_REFILL = 60 * 60 * 1000, /* ms; the time that fills an empty budget */
};

void budget_fill_up(struct budget *budget, int gib, uint64_t now)
{
	budget->bytes = budget->most = (int64_t)gib << 30;
	budget->steps = BUDGET_STEPS;
	budget->filled = now;
}

int64_t budget_add_for_size(struct budget *budget, uint64_t size)
{
	const int64_t largest = (int64_t)1 << 50; /* a PiB: refill_amount() could overflow with more */
	uint64_t most = (uint64_t)(largest - budget->most) / BUDGET_A_BYTE;
	int64_t more = (int64_t)(size < most ? size : most) * BUDGET_A_BYTE;
	budget->most += more;
	budget->bytes += more;
	return more;
}

/* Subtract AMOUNT from *LEFT, which never falls below -ALL, so that no subtraction overflows. */
static void subtract_bounded(int64_t *left, uint64_t amount, int64_t all)
{
	*left -= amount < (uint64_t)all ? (int64_t)amount : all;
	if (*left < -all)
		*left = -all;
}

void budget_take(struct budget *budget, uint64_t bytes, uint64_t steps)
{
	subtract_bounded(&budget->bytes, bytes, budget->most);
	subtract_bounded(&budget->steps, steps, BUDGET_STEPS);
	if (budget->taken)
		budget->taken(budget->context, bytes, steps);
}

/* Add to *LEFT the amount that ELAPSED ms refill.  ALL: the most that *LEFT can be.  ELAPSED is at most 2 * FULL_REFILL
   and ALL at most 2^50, so the product is below 2^63. */
static void refill_amount(int64_t *left, uint64_t elapsed, int64_t all)
{
	*left += (int64_t)((uint64_t)all / REFILL_MIN * elapsed / (FULL_REFILL / REFILL_MIN));
	if (*left > all)
		*left = all;
}

/* Returns how many ms have passed since *FILLED, at most twice FULL_REFILL, and sets *FILLED to NOW.  If they are fewer
   than REFILL_MIN, returns 0, and leaves *FILLED as it is. */
static uint64_t take_elapsed_time(uint64_t *filled, uint64_t now)
{
	/* An amount is never below minus its maximum: after 2 * FULL_REFILL ms, it is full in any case. */
	const uint64_t longest = 2 * (uint64_t)FULL_REFILL, elapsed = now > *filled ? now - *filled : 0;
	if (elapsed < REFILL_MIN)
		return 0;
	*filled = now;
	return elapsed < longest ? elapsed : longest;
}

/* ----------------------------------------------------------------------------------- the shares of files */

/* Returns how much of LEFT a file may still take.  OWN of LEFT is for this file alone.  The rest is for all files.
   This file has taken BORROWED of the rest, and may take more until it has taken as much as it leaves to the others. */
static int64_t compute_share_left(int64_t left, int64_t own, int64_t borrowed)
{
	const int64_t more = left - own - borrowed;
	const int64_t all = own + (more > 0 ? more / 2 : 0);
	return all < left ? all : left > 0 ? left : 0;
}

void budget_share_left(const struct budget *budget, const struct budget_share *share, int64_t *bytes, int64_t *steps)
{
	const int64_t own = share->own > share->bytes ? share->own - share->bytes : 0;
	*bytes = compute_share_left(budget->bytes, own, share->bytes > share->own ? share->bytes - share->own : 0);
	*steps = compute_share_left(budget->steps, 0, share->steps);
}

bool budget_share_has_left(const struct budget *budget, const struct budget_share *share)
{
	int64_t bytes, steps;
	budget_share_left(budget, share, &bytes, &steps);
	return bytes > 0 && steps > 0;
}

/* Add AMOUNT to *TAKEN, which never exceeds 2^60, so that no sum overflows. */
static void add_bounded(int64_t *taken, uint64_t amount)
{
	const int64_t most = (int64_t)1 << 60;
	*taken = amount < (uint64_t)(most - *taken) ? *taken + (int64_t)amount : most;
}

void budget_share_take(struct budget *budget, struct budget_share *share, uint64_t bytes, uint64_t steps)
{
	budget_take(budget, bytes, steps);
	add_bounded(&share->bytes, bytes);
	add_bounded(&share->steps, steps);
}

/* Subtract from *TAKEN the amount that ELAPSED ms refill in a budget of ALL, but leave at least 0. */
static void subtract_refill(int64_t *taken, uint64_t elapsed, int64_t all)
{
	int64_t left = -*taken;
	refill_amount(&left, elapsed, all);
	*taken = left < 0 ? -left : 0;
}

void budget_share_refill(struct budget *budget, struct budget_share *share, uint64_t now)
{
	if (!budget->live)
		return;
	uint64_t elapsed = take_elapsed_time(&budget->filled, now);
	refill_amount(&budget->bytes, elapsed, budget->most);
	refill_amount(&budget->steps, elapsed, BUDGET_STEPS);
	elapsed = take_elapsed_time(&share->filled, now);
	subtract_refill(&share->bytes, elapsed, budget->most);
	subtract_refill(&share->steps, elapsed, BUDGET_STEPS);
	refill_amount(&share->patience, elapsed, share->patience_all);
}
