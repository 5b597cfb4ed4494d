// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/archive/budget.h"

enum {
	STEP = 1000,		/* ms; the shortest time for a refill: rounding would lose much of a shorter one */
	WHOLE = 60 * 60 * 1000, /* ms; the time that fills an empty budget */
};

void budget_start(struct budget *budget, int gib, uint64_t now)
{
	budget->bytes = budget->most = (int64_t)gib << 30;
	budget->steps = BUDGET_STEPS;
	budget->filled = now;
}

void budget_grant(struct budget *budget, uint64_t size)
{
	const int64_t largest = (int64_t)1 << 50; /* a PiB: refill_one() could overflow with more */
	uint64_t most = (uint64_t)(largest - budget->most) / BUDGET_A_BYTE;
	int64_t more = (int64_t)(size < most ? size : most) * BUDGET_A_BYTE;
	budget->most += more;
	budget->bytes += more;
}

/* Subtract AMOUNT from *LEFT, which never falls below -ALL, so that no subtraction overflows. */
static void subtract(int64_t *left, uint64_t amount, int64_t all)
{
	*left -= amount < (uint64_t)all ? (int64_t)amount : all;
	if (*left < -all)
		*left = -all;
}

void budget_take(struct budget *budget, uint64_t bytes, uint64_t steps)
{
	subtract(&budget->bytes, bytes, budget->most);
	subtract(&budget->steps, steps, BUDGET_STEPS);
	if (budget->taken)
		budget->taken(budget->context, bytes, steps);
}

/* Add to *LEFT what ELAPSED ms refill; ALL is the most that it can have.  ELAPSED is at most 2 * WHOLE, and ALL at most
   2^50, so the product is below 2^63. */
static void refill_one(int64_t *left, uint64_t elapsed, int64_t all)
{
	*left += (int64_t)((uint64_t)all / STEP * elapsed / (WHOLE / STEP));
	if (*left > all)
		*left = all;
}

void budget_fill(struct budget *budget, uint64_t now)
{
	uint64_t elapsed = now > budget->filled ? now - budget->filled : 0;
	if (elapsed < STEP)
		return;
	budget->filled = now;
	/* What is left is at least -most, from which it takes twice WHOLE to refill.  More time has no effect. */
	if (elapsed > 2 * (uint64_t)WHOLE)
		elapsed = 2 * (uint64_t)WHOLE;
	refill_one(&budget->bytes, elapsed, budget->most);
	refill_one(&budget->steps, elapsed, BUDGET_STEPS);
}
