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
   nearest beginning of a function at or below an address.  So an address from the beginning of a function up to that of
   the next one is in that function or in none. */
static void fill_functions(struct rs_chains *chains, const struct rs_block *block)
{
	const struct rs_columns *functions = &block->parts.functions;
	const struct rs_rank *rank = &chains->index->rank;
	struct rs_block_func this, next = { .rva = 0 };
	bool many = false; /* `this` begins at the same address as the function before it */
	if (functions->count > 0)
		next = rs_block_get_function(functions, 0);
	for (uint32_t i = 1; i <= functions->count; i++) {
		this = next;
		if (i < functions->count)
			next = rs_block_get_function(functions, i);
		uint32_t end = i < functions->count ? find_first_rank_from(rank, next.rva) : rank->count + 1;
		uint32_t inside = many ? end : find_first_rank_from(rank, (uint64_t)this.rva + this.length);
		for (uint32_t k = find_first_rank_from(rank, this.rva); k < inside && k < end; k++)
			chains->function_at[k] = many ? RS_CHAINS_MANY_FUNCTIONS : i;
		many = next.rva == this.rva;
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
