/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/lib/table/rank.c and the bits of rank.h against counting one by one, where addresses crowd and where they are far apart. */
#include "config.h"

#include "lib/base/alloc.h"
#include "tests/lib/random.h"
#include "lib/table/rank.h"
#include "tests/lib/tap.h"

enum { MOST = 3000 };

/* Ascending, from FIRST on, in steps up to GAP; what is beyond 32 bits is left out. */
static uint32_t make_list(uint32_t *list, uint32_t first, uint32_t count, uint32_t gap)
{
	uint64_t address = first;
	uint32_t n = 0;
	for (; n < count && address <= UINT32_MAX; n++, address += 1 + random_below(gap))
		list[n] = (uint32_t)address;
	return n;
}

static unsigned wrong_at(const struct rs_rank *rank, const uint32_t *list, uint32_t count, uint64_t address)
{
	uint32_t below = 0, at = 0, seen = rs_rank_find(rank, address, &at);
	while (below < count && list[below] <= address)
		below++;
	return seen != below || (below > 0 && at != list[below - 1]);
}

static void check(const char *name, uint32_t first, uint32_t most, uint32_t gap, uint64_t spare, bool blocks)
{
	static uint32_t list[MOST];
	struct rossym_error err;
	struct rs_rank rank;
	uint32_t count = make_list(list, first, most, gap), *own = rs_alloc(count, sizeof *own);
	unsigned wrong = 0;
	if (!own)
		abort();
	memcpy(own, list, count * sizeof *own);
	is_int(rs_rank_build(&rank, own, count, spare, &err), 0, name);
	ok((rank.blocks != NULL) == blocks, blocks ? "in blocks" : "as a list");
	for (uint32_t i = 0; i < count; i++)
		for (uint64_t address = list[i] - (list[i] > 0); address <= (uint64_t)list[i] + 1; address++)
			wrong += wrong_at(&rank, list, count, address);
	for (int i = 0; i < 3000; i++)
		wrong += wrong_at(&rank, list, count, (uint64_t)list[0] + random_below(list[count - 1] - list[0] + 1));
	for (uint64_t address = 0; address < 200; address++)
		wrong += wrong_at(&rank, list, count, address) + wrong_at(&rank, list, count, UINT32_MAX - address);
	is_uint(wrong, 0, "the same as counting");
	/* What is no address of 32 bits is behind all. */
	wrong = wrong_at(&rank, list, count, UINT64_C(1) << 32) + wrong_at(&rank, list, count, UINT64_MAX);
	is_uint(wrong, 0, "nor is anything behind the last one lost");
	rs_rank_clear(&rank);
}

static void check_bits(void)
{
	unsigned wrong = 0;
	for (int i = 0; i < 10000; i++) {
		uint64_t x = ((uint64_t)random_below(UINT32_MAX) << 32 | random_below(UINT32_MAX)) >> random_below(64);
		unsigned set = 0, zeros = 64;
		for (uint64_t y = x; y; y >>= 1) {
			set += y & 1;
			zeros--;
		}
		wrong += count_one_bits(x) != set || (x && count_leading_zeros(x) != zeros);
	}
	is_uint(wrong, 0, "bits of numbers of all lengths");
	is_uint(count_one_bits(0), 0, "none");
	is_uint(count_one_bits(UINT64_MAX), 64, "all");
}

int main(void)
{
	random_start(1);
	check_bits();
	check("one", 0x1000, 1, 1, 1 << 19, true);
	check("0 alone", 0, 1, 1, 1 << 19, true);
	check("the greatest alone", UINT32_MAX, 1, 1, 1 << 19, true);
	check("every address", 0x1000, MOST, 1, 0, true);
	check("from 0 on", 0, MOST, 4, 0, true);
	check("from the first block's end on", 63, MOST, 4, 0, true);
	check("from the second block on", 64, MOST, 4, 0, true);
	check("rows of code", 0x401000, MOST, 16, 0, true);
	check("up to the greatest", UINT32_MAX - 9000, MOST, 16, 0, true);
	check("some gaps", 0x1000, MOST, 300, 1 << 19, true);
	check("some gaps, and no memory for them", 0x1000, MOST, 300, 0, false);
	check("one, and no memory for it", 0x1000, 1, 1, 0, false);
	check("far apart", 0x1000, MOST, 1000000, 0, false);
	check("far apart, from 0 on", 0, MOST, 1000000, 0, false);
	check("as far apart as can be", 0, MOST, UINT32_MAX, 0, false);
	return done_testing();
}
