// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/table/chains.h"
#include "lib/base/alloc.h"
#include "compat/pages.h"

/* Returns the rank of the first entry that begins at or above ADDRESS. */
static uint32_t find_first_rank_from(const struct rs_rank *rank, uint64_t address)
{
	uint32_t unused;
	return address > 0 ? rs_rank_find(rank, address - 1, &unused) + 1 : 1;
}

/* Set the elements from FIRST up to END (not included) to VALUE. */
static void fill_range(uint32_t *elements, uint32_t first, uint32_t end, uint32_t value)
{
	for (uint32_t i = first; i < end; i++)
		elements[i] = value;
}

/* Fill chains->frame_at with the first frame of each entry's chain.  A run of the block gives the chain of all rows
   from the row of the run up to that of the next run.  index->rows ascends, except that entries that say "unknown" have
   row 0; the chain of such an entry is never used. */
static void fill_first_frames(struct rs_chains *chains, const struct rs_block *block)
{
	const struct rs_columns *runs = &block->parts.runs;
	const struct rs_index *index = chains->index;
	uint32_t run = 0, frame = chains->none;
	for (uint32_t rank = 0; rank <= index->rank.count; rank++) {
		while (rank > 0 && run < runs->count) {
			struct rossym_fault unused; /* reading the block cannot fail, because it is in memory */
			uint8_t buffer[RS_RECORD_ROOM];
			const uint8_t *record = rs_read_record(runs, run, buffer, &unused);
			if (rs_read_column(runs, record, RS_RUN_ROW) > index->rows[rank])
				break;
			frame = rs_read_frame_column(runs, record, RS_RUN_FRAME);
			run++;
		}
		chains->frame_at[rank] = frame != RS_BLOCK_NONE ? frame : chains->none;
	}
}

/* Fill chains->function_at with what rs_parts_find_function_at() (core/parts.c) would find: it considers only the
   nearest beginning of a function at or below an address.  NEXT is the function after THIS in the list, so an address
   from the beginning of THIS up to that of NEXT is in THIS or in no function. */
static void fill_functions(struct rs_chains *chains, const struct rs_block *block)
{
	const uint32_t count = block->parts.functions.count, end = chains->index->rank.count + 1;
	struct rs_block_func this = { .rva = 0 }, next = this;
	uint32_t first = 0, inside = 0; /* the entries with ranks from `first` up to `inside` are in THIS */
	bool many = false;
	for (uint32_t i = 0; i <= count; i++, this = next) {
		if (i < count)
			next = rs_block_get_function(&block->parts.functions, i);
		uint32_t after = i < count ? find_first_rank_from(&chains->index->rank, next.rva) : end;
		if (i > 0)
			inside = find_first_rank_from(&chains->index->rank, (uint64_t)this.rva + this.length);
		if (inside > after)
			inside = after;
		fill_range(chains->function_at, first, inside, many ? RS_CHAINS_MANY_FUNCTIONS : i - 1);
		fill_range(chains->function_at, inside > first ? inside : first, after,
			   many ? RS_CHAINS_MANY_FUNCTIONS : RS_CHAINS_NO_FUNCTION);
		many = i > 0 && i < count && next.rva == this.rva;
		first = after;
	}
}

static void unpack_frames_and_functions(struct rs_chains *chains, const struct rs_block *block)
{
	for (uint32_t i = 0; i < block->parts.functions.count; i++)
		chains->functions[i] = rs_block_convert_function(block,
								 rs_block_get_function(&block->parts.functions, i), 1);
	for (uint32_t i = 0; i < block->parts.frames.count; i++)
		chains->frames[i].row_rva = rs_block_get_frame(block, i, &chains->frames[i]);
	chains->frames[chains->none] = (struct rossym_frame){ .row_rva = RS_BLOCK_NONE };
}

uint64_t rs_chains_get_break_even(const struct rs_block *block, uint32_t count)
{
	return (uint64_t)block->parts.frames.count + block->parts.runs.count / 4 + count / 8;
}

struct rs_chains *rs_chains_make(const struct rs_block *block, const struct rs_index *index)
{
	const size_t ranks = (size_t)index->rank.count + 1, frames = block->parts.frames.count,
		     functions = block->parts.functions.count;
	struct rs_chains *chains = frames / 2 <= ranks && functions / 2 <= ranks ? rs_alloc(1, sizeof *chains) : NULL;
	if (!chains)
		return NULL;
	*chains = (struct rs_chains){ block,
				      index,
				      (uint32_t)frames,
				      rs_alloc(ranks, sizeof *chains->frame_at),
				      rs_alloc(ranks, sizeof *chains->function_at),
				      rs_alloc(frames + 1, sizeof *chains->frames),
				      rs_alloc(functions + 1, sizeof *chains->functions) };
	if (!chains->frame_at || !chains->function_at || !chains->frames || !chains->functions) {
		rs_chains_free(chains);
		return NULL;
	}
	rs_request_huge_pages(chains->frame_at, ranks * sizeof *chains->frame_at);
	rs_request_huge_pages(chains->function_at, ranks * sizeof *chains->function_at);
	rs_request_huge_pages(chains->frames, frames * sizeof *chains->frames);
	rs_request_huge_pages(chains->functions, functions * sizeof *chains->functions);
	fill_first_frames(chains, block);
	fill_functions(chains, block);
	unpack_frames_and_functions(chains, block);
	return chains;
}

void rs_chains_free(struct rs_chains *chains)
{
	if (!chains)
		return;
	rs_free(chains->frame_at);
	rs_free(chains->function_at);
	rs_free(chains->frames);
	rs_free(chains->functions);
	rs_free(chains);
}
