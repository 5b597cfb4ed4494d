// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/table/index.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "compat/pages.h"
#include "lib/table/table-rows.h"

/* ------------------------------------------------------------------------------------------------ building */

/* A cache with the length of one string: neighbouring rows mostly have the same strings. */
struct measure {
	uint32_t offset;
	uint8_t length;
};

/* Returns the length of the string at OFFSET; RS_ENTRY_LONG for a string of that length or more. */
static uint8_t measure_string(struct measure *last, const char *strings, uint32_t offset)
{
	if (offset != last->offset) {
		const char *string = strings + offset, *end = memchr(string, '\0', RS_ENTRY_LONG);
		last->offset = offset;
		last->length = end ? (uint8_t)(end - string) : RS_ENTRY_LONG;
	}
	return last->length;
}

/* Most rows are the only one at their address, and differ from the row before only in address and line.  So the answer
   of such a row is kept as a model: a copy of it with another line is the answer of the next row. */
struct answer_model {
	struct rs_row row;
	struct rs_entry_answer entry; /* its line is 0 if there is no model */
	uint64_t end; /* the model is only for rows below this address: the next edge of a section, at most 4 GiB */
};

struct builder {
	struct rs_entry_answer *entries;
	uint32_t *addresses; /* the answer entries[i + 1] begins at addresses[i] */
	uint32_t *rows;	     /* as in struct rs_index */
	uint32_t count;
	const char *strings;
	struct rs_words words;
	const struct rs_section *sections;
	/* Edges are the beginning and the end of each section, in turn.  Those below number `edge` have been added. */
	uint32_t edge, edge_count;
	bool ignores_sections; /* rows answer even outside of sections */
	bool is_unknown;       /* the last entry says "unknown", or there is no entry yet */
	struct measure function, file;
	struct answer_model model;

	struct rs_row before;	 /* the row before the current one */
	struct rs_answer answer; /* the answer of the rows at the address of `before`, if it is still to be added */
	bool is_single;		 /* no other row so far has the address of `before` */
};

/* Returns the address of edge number EDGE: the first address of a section, or the first one after a section. */
static uint64_t get_edge_address(const struct builder *b, uint32_t edge)
{
	const struct rs_section *section = &b->sections[edge / 2];
	return edge % 2 ? (uint64_t)section->rva + section->size : section->rva;
}

/* Add ENTRY, the answer of row ROW, for the addresses from ADDRESS on.  If ENTRY is NULL, add "unknown". */
static void add_entry(struct builder *b, uint64_t address, const struct rs_entry_answer *entry, uint32_t row)
{
	b->addresses[b->count++] = (uint32_t)address;
	b->rows[b->count] = row;
	if (entry)
		b->entries[b->count] = *entry;
	b->is_unknown = !entry;
}

/* Add an "unknown" entry at each edge below ADDRESS, unless the last entry is "unknown" already or is at that edge. */
static void add_edge_entries_below(struct builder *b, uint64_t address)
{
	for (uint64_t at; b->edge < b->edge_count && (at = get_edge_address(b, b->edge)) < address; b->edge++)
		if (!b->is_unknown && at <= UINT32_MAX && at > b->addresses[b->count - 1])
			add_entry(b, at, NULL, 0);
}

/* Returns the number of the first edge above ADDRESS, after add_edge_entries_below() for ADDRESS.  If it is odd, the
   edge is the end of a section, and ADDRESS is in that section; if it is even, the edge is the beginning of a section,
   and ADDRESS is in no section. */
static uint32_t find_first_edge_above(const struct builder *b, uint64_t address)
{
	uint32_t edge = b->edge;
	while (edge < b->edge_count && get_edge_address(b, edge) == address)
		edge++;
	return edge;
}

/* Add the combined answer of the rows at the address of b->before, unless core/answer.h ignores all of them. */
static void add_answer(struct builder *b)
{
	uint64_t address = b->before.address;
	/* An RVA has 32 bits, but the rows of a bare table can have addresses of 64 bits. */
	if (b->answer.rank == RS_ANSWER_NONE || address > UINT32_MAX)
		return;
	add_edge_entries_below(b, address);
	uint32_t edge = find_first_edge_above(b, address);
	const struct rs_section *section = edge % 2 ? &b->sections[edge / 2] : NULL;
	if (!section && !b->ignores_sections)
		return;
	struct rs_payload payload = rs_answer_make_payload(&b->answer, &b->words);
	struct rs_entry_answer entry = { .function = payload.function, .file = payload.file, .line = payload.line };
	if (payload.function)
		entry.function_length = measure_string(&b->function, b->strings, payload.function);
	if (payload.file)
		entry.file_length = measure_string(&b->file, b->strings, payload.file);
	entry.data = section && !rs_section_is_code(section->characteristics);
	entry.plain = !entry.data && payload.function && payload.file && entry.function_length < RS_ENTRY_LONG &&
		      entry.file_length < RS_ENTRY_LONG;
	add_entry(b, address, &entry, b->answer.number);
	if (b->is_single) {
		const uint64_t most = (uint64_t)UINT32_MAX + 1,
			       end = edge < b->edge_count ? get_edge_address(b, edge) : most;
		b->model = (struct answer_model){ b->before, entry, end < most ? end : most };
	}
}

/* Add the answer of ROW, which is row NUMBER and the only row at its address, as a copy of the model with the line of
   ROW.  False: the model is not for ROW. */
static bool add_like_model(struct builder *b, const struct rs_row *row, uint32_t number)
{
	struct answer_model *model = &b->model;
	if (!row->line || !model->entry.line || row->function != model->row.function || row->file != model->row.file ||
	    row->address >= model->end)
		return false;
	model->entry.line = row->line;
	add_entry(b, row->address, &model->entry, number);
	return true;
}

/* Add COUNT rows, the first of which is row FIRST.  The answer of an address is added at the first row of the next
   address.  False: the rows are not in order. */
static bool add_row_batch(struct builder *b, const struct rs_row *rows, uint32_t first, uint32_t count)
{
	for (uint32_t i = 0; i < count; b->before = rows[i++]) {
		if (rows[i].address < b->before.address)
			return false;
		bool same = rows[i].address == b->before.address;
		if (!same && b->answer.rank != RS_ANSWER_NONE) {
			add_answer(b);
			rs_answer_start(&b->answer);
		}
		if (!same && i + 1 < count && rows[i].address < rows[i + 1].address &&
		    add_like_model(b, &rows[i], first + i))
			continue;
		b->is_single = !same;
		rs_answer_offer_row(&b->answer, &rows[i], first + i, &b->words);
	}
	return true;
}

/* Add all rows of TABLE, and entries for the edges after the last row.  Reads 64 KiB at a time.  Returns 0 or -1. */
static int add_rows(struct builder *b, const struct rs_table *table, struct rossym_error *err)
{
	enum { AT_ONCE = 65536 };
	struct rs_row rows[RS_ROWS_MAX];
	uint32_t most = AT_ONCE / table->row_size < table->row_count ? AT_ONCE / table->row_size : table->row_count,
		 have, step;
	uint8_t *buffer = rs_alloc(most, table->row_size);
	int result = buffer ? 0 : rs_fail_memory(err);
	rs_answer_start(&b->answer);
	for (uint32_t first = 0; first < table->row_count && result == 0; first += have) {
		have = table->row_count - first < most ? table->row_count - first : most;
		const uint8_t *bytes = rs_table_view_rows(table, first, have, buffer, b->words.fault);
		result = bytes ? 0 : rs_fail_fault(err, b->words.fault);
		for (uint32_t done = 0; bytes && done < have && result == 0; done += step) {
			step = have - done < RS_ROWS_MAX ? have - done : RS_ROWS_MAX;
			for (uint32_t i = 0; i < step; i++)
				rows[i] = rs_table_decode_row(table, bytes + (size_t)(done + i) * table->row_size);
			if (!add_row_batch(b, rows, first + done, step))
				result = rs_table_fail_unordered(table, err);
		}
	}
	rs_free(buffer);
	add_answer(b);
	add_edge_entries_below(b, UINT64_MAX);
	if (b->count == 0)
		add_entry(b, 0, NULL, 0);
	return result;
}

struct rs_index *rs_index_build(const struct rs_table *table, const char *strings, const struct rs_pe *pe,
				struct rossym_error *err)
{
	/* Allocate memory for the most entries there can be: one for each row; after it one for an edge, because
	   add_edge_entries_below() never adds two "unknown" entries in succession; one for an empty table. */
	const uint32_t edge_count = pe ? pe->section_count * 2 : 0;
	const size_t most = (size_t)table->row_count + (edge_count < table->row_count ? edge_count : table->row_count) +
			    1;
	const struct rs_strings all = rs_strings_at(table, strings);
	struct rossym_fault fault;
	struct builder b = { .strings = strings,
			     .words = rs_words_make(&all, &fault),
			     .sections = pe ? pe->sections : NULL,
			     .edge_count = edge_count,
			     .ignores_sections = !pe,
			     .is_unknown = true };
	struct rs_index *index = rs_alloc(1, sizeof *index);
	b.addresses = index ? rs_alloc(most, sizeof *b.addresses) : NULL;
	b.rows = b.addresses ? rs_alloc(most + 1, sizeof *b.rows) : NULL;
	b.entries = b.rows ? rs_alloc(most + 1, sizeof *b.entries) : NULL;
	if (!b.entries) {
		rs_fail_memory(err);
		goto fail;
	}
	rs_request_huge_pages(b.addresses, most * sizeof *b.addresses);
	rs_request_huge_pages(b.entries, most * sizeof *b.entries);
	*index = (struct rs_index){ .entries = b.entries, .rows = b.rows, .strings = strings };
	/* The blocks of a rank take memory for the whole range of addresses, however few rows are in it.  Besides the
	   bytes for each address, allow rs_rank_build() a quarter of the file's size, at most 1 MiB, so that a few rows
	   far apart cannot make the rank take much memory. */
	enum { EXTRA_MAX = 1 << 20 };
	uint64_t extra = table->reader.size / 4 < EXTRA_MAX ? table->reader.size / 4 : EXTRA_MAX;
	if (add_rows(&b, table, err) < 0 || rs_rank_build(&index->rank, b.addresses, b.count, extra, err) < 0)
		goto fail;
	return index;
fail:
	rs_free(b.addresses);
	rs_free(b.rows);
	rs_free(b.entries);
	rs_free(index);
	return NULL;
}

void rs_index_free(struct rs_index *index)
{
	if (!index)
		return;
	rs_rank_clear(&index->rank);
	rs_free(index->entries);
	rs_free(index->rows);
	rs_free(index);
}

/* ------------------------------------------------------------------------------------------------ searching */

/* Where the loader can choose between versions of a function, GCC compiles find_ranks_in_blocks() twice.  The version
   for processors with an instruction that counts bits takes 0.96 of the time for a million addresses. */
#if defined __x86_64__ && defined __GLIBC__ && defined __GNUC__ && !defined __clang__ && \
	!defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define FOR_EACH_PROCESSOR __attribute__((target_clones("default", "popcnt")))
#else
#define FOR_EACH_PROCESSOR
#endif

/* Do what rs_index_find_ranks() does, for a rank with blocks (rank.h).  Each loop does one step for all addresses, and
   prefetches what the next loop reads (index.h).  Without prefetching, a million addresses take 1.3 times as long in a
   table of 100,000 rows, and 1.5 times in one of a million. */
FOR_EACH_PROCESSOR
static void find_ranks_in_blocks(const struct rs_index *index, const uint64_t *addresses, size_t count, uint32_t *ranks,
				 uint32_t *rows)
{
	/* Copy the rank, so that the compiler can assume that the stores to RANKS and ROWS do not change it. */
	const struct rs_rank rank = index->rank;
	const struct rs_entry_answer *entries = index->entries;
	uint64_t positions[RS_INDEX_BATCH];
	for (size_t i = 0; i < count; i++) {
		positions[i] = rs_rank_get_position(&rank, addresses[i]);
		rs_prefetch(rs_rank_get_block(&rank, positions[i]));
	}
	for (size_t i = 0; i < count; i++) {
		ranks[i] = rs_rank_find_in_block(&rank, positions[i], &rows[i]);
		rs_prefetch(&entries[ranks[i]]);
	}
}

void rs_index_find_ranks(const struct rs_index *index, const uint64_t *addresses, size_t count, uint32_t *ranks,
			 uint32_t *rows)
{
	if (!index->rank.blocks) {
		for (size_t i = 0; i < count; i++)
			ranks[i] = rs_rank_find_in_list(&index->rank, addresses[i], &rows[i]);
		return;
	}
	find_ranks_in_blocks(index, addresses, count, ranks, rows);
}

/* ------------------------------------------------------------------------------------------------ ranks */

int rs_rank_build(struct rs_rank *rank, uint32_t *list, uint32_t count, uint64_t extra, struct rossym_error *err)
{
	enum { BYTES_PER_ADDRESS = 6 };
	/* Begin one block below that of the first listed address, if possible, and end one block above that of the
	   last: both are empty, as rs_rank_get_position() requires. */
	uint64_t begin = list[0] < 64 ? 0 : list[0] / 64 * 64 - 64,
		 end = ((uint64_t)list[count - 1] / 64 + 1) * 64 - begin;
	uint64_t size = (end / 64 + 1) * sizeof(struct rs_rank_block);
	*rank = (struct rs_rank){ .begin = begin, .end = end, .list = list, .count = count };
	if (size > (uint64_t)count * BYTES_PER_ADDRESS + extra)
		return 0;
	rank->blocks = rs_alloc((size_t)(end / 64 + 1), sizeof *rank->blocks);
	if (!rank->blocks)
		return rs_fail_memory(err);
	rs_request_huge_pages(rank->blocks, (size_t)size);
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

uint32_t rs_rank_find_in_list(const struct rs_rank *rank, uint64_t address, uint32_t *at)
{
	/* Bisect without a branch that depends on a comparison, because processors cannot predict such a branch:
	   compilers turn the conditional addition into a conditional move. */
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
