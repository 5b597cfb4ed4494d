// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/table/rank.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "compat/pages.h"

int rs_rank_build(struct rs_rank *rank, uint32_t *list, uint32_t count, uint64_t extra, struct rossym_error *err)
{
	enum { SIZE_OF_ENTRY = 6 };
	/* The first block is an empty one, unless the first listed address is below 64.  The last block is empty. */
	uint64_t begin = list[0] < 64 ? 0 : list[0] / 64 * 64 - 64,
		 end = ((uint64_t)list[count - 1] / 64 + 1) * 64 - begin;
	uint64_t size = (end / 64 + 1) * sizeof(struct rs_rank_block);
	*rank = (struct rs_rank){ .begin = begin, .end = end, .list = list, .count = count };
	if (size > (uint64_t)count * SIZE_OF_ENTRY + extra)
		return 0;
	rank->blocks = rs_alloc((size_t)(end / 64 + 1), sizeof *rank->blocks);
	if (!rank->blocks)
		return rs_fail_memory(err);
	rs_huge(rank->blocks, (size_t)size);
	uint32_t next = 0;
	for (uint64_t i = 0; i <= end / 64; i++) {
		struct rs_rank_block block = { .below = next, .last = next > 0 ? list[next - 1] : 0 };
		for (; next < count && list[next] - begin < (i + 1) * 64; next++)
			block.bits |= UINT64_C(1) << list[next] % 64;
		rank->blocks[i] = block;
	}
	rs_free(list);
	rank->list = NULL;
	return 0;
}

void rs_rank_clear(struct rs_rank *rank)
{
	rs_free(rank->blocks);
	rs_free(rank->list);
}

uint32_t rs_rank_in_list(const struct rs_rank *rank, uint64_t address, uint32_t *at)
{
	/* A bisection without a branch that depends on a comparison, because processors cannot predict that: compilers
	   turn the conditional addition into a conditional move. */
	const uint32_t *first = rank->list;
	uint32_t left = rank->count;
	while (left > 1) {
		uint32_t half = left / 2;
		first += first[half] <= address ? half : 0;
		left -= half;
	}
	*at = *first;
	return (uint32_t)(first - rank->list) + (*first <= address);
}
