// SPDX-License-Identifier: GPL-2.0-or-later
/* Which of several overlapping ranges holds where: by hand, and against trying every address.  The sort that keeps the order. */
#include "config.h"
#include "debuginfo/base/reading.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"

#include "tests/lib/tap.h"

enum { SPACE = 64 };

static bool agrees(struct extent *in, uint32_t count)
{
	struct extent copy[16], *out = NULL;
	uint32_t n = 0;
	bool good = true;
	for (uint32_t i = 0; i < count; i++)
		copy[i] = in[i];
	if (rs_extents_flatten(in, count, &out, &n) < 0)
		return false;
	for (uint32_t at = 0; at < SPACE; at++) {
		const struct extent *best = NULL, *got = NULL;
		for (uint32_t i = 0; i < count; i++)
			if (copy[i].begin <= at && at < copy[i].end && (!best || copy[i].rank < best->rank))
				best = &copy[i];
		for (uint32_t i = 0; i < n; i++)
			if (out[i].begin <= at && at < out[i].end)
				good &= !got, got = &out[i];
		good &= best ? got && got->what == best->what : !got;
	}
	for (uint32_t i = 0; i < n; i++)
		good &= out[i].begin < out[i].end && (i == 0 || out[i - 1].end <= out[i].begin) &&
			!(i > 0 && out[i - 1].end == out[i].begin && out[i - 1].what == out[i].what);
	rs_free(out);
	return good;
}

/* Sort COUNT elements with keys below KEYS.  Returns whether the keys then ascend, and equal ones are in the order of
   before.  An element has 300 bytes, so that parts of many sizes change places. */
static bool sorts(uint32_t count, uint32_t keys)
{
	struct {
		uint32_t key, number, more[73];
	} *items = rs_alloc((size_t)count + 1, sizeof *items);
	bool good = items != NULL;
	for (uint32_t i = 0; good && i < count; i++)
		items[i].key = (uint32_t)rand() % keys, items[i].number = items[i].more[72] = i;
	rs_stable_sort(items, count, sizeof *items, rs_compare_one_number);
	for (uint32_t i = 0; good && i < count; i++)
		good = items[i].number == items[i].more[72] &&
		       (i == 0 || rs_compare_two_numbers(&items[i - 1], &items[i]) < 0);
	rs_free(items);
	return good;
}

int main(void)
{
	struct extent nested[] = { { 0, 40, 1, 40 }, { 10, 20, 2, 10 }, { 12, 13, 3, 1 }, { 30, 40, 4, 10 } };
	struct extent empty[] = { { 5, 5, 1, 1 } };
	ok(agrees(nested, 4), "nested ones");
	ok(agrees(empty, 1), "an empty one");
	ok(agrees(NULL, 0), "none");

	unsigned bad = 0;
	srand(1);
	for (int round = 0; round < 20000; round++) {
		struct extent in[16];
		uint32_t count = (uint32_t)rand() % 16;
		for (uint32_t i = 0; i < count; i++) {
			uint32_t begin = (uint32_t)rand() % SPACE;
			in[i] = (struct extent){ begin, begin + (uint32_t)rand() % (SPACE - begin), i,
						 ((uint64_t)((uint32_t)rand() % 4) << 32) + i };
		}
		bad += !agrees(in, count);
	}
	is_uint(bad, 0, "20000 by chance");
	for (uint32_t count = 0; count < 200; count++)
		bad += !(sorts(count, count % 7 + 1) && sorts(count, count + 1));
	is_uint(sorts(5000, 100) ? bad : 1, 0, "sorts keep the order of equal elements");
	return done_testing();
}
