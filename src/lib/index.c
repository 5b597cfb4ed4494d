// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/index.h"
#include "lib/alloc.h"
#include "lib/error.h"
#include "lib/huge.h"
#include "lib/prefetch.h"

#ifdef HAVE_BIT_INSTRUCTIONS
#include <cpuid.h>
#endif

/* ------------------------------------------------------------------------------------------------ building */

/* Neighbours mostly have the same strings, so the last length that was measured is the next one too. */
struct measure {
	uint32_t offset;
	uint8_t length;
};

static uint8_t measure(struct measure *last, const char *strings, uint32_t offset)
{
	if (offset != last->offset) {
		const char *string = strings + offset, *end = memchr(string, '\0', RS_SAID_LONG);
		last->offset = offset;
		last->length = end ? (uint8_t)(end - string) : RS_SAID_LONG;
	}
	return last->length;
}

/* Most rows are alone at their address, and but for the line say what the one before them does: so the last such row is
   the model for the next. */
struct model {
	struct rs_row row;
	struct rs_said said;		/* without a line there is no model */
	uint64_t end;			/* no model for addresses from there on: they have 32 bits, and lie in its section */
};

struct builder {
	struct rs_said *said;
	uint32_t *addresses;		/* addresses[i] is where what said[i + 1] says begins */
	uint32_t count;
	struct rs_view view;
	const struct rs_section *sections;
	uint32_t edge, edge_count;	/* where sections begin and end, by turns; those before edge have been passed */
	bool everywhere;		/* there are no sections, or they are not to be asked */
	bool silent;			/* what was added last says nothing, or there is nothing yet */
	struct measure function, file;
	struct model model;

	struct rs_row before;		/* the row before; what all rows of its address say, unless it has been added; */
	struct rs_answer answer;
	bool alone;			/* whether it is the only one of them */
};

static uint64_t edge_at(const struct builder *b, uint32_t edge)
{
	const struct rs_section *section = &b->sections[edge / 2];
	return edge % 2 ? (uint64_t)section->rva + section->size : section->rva;
}

/* SAID: NULL for nothing. */
static void add(struct builder *b, uint64_t address, const struct rs_said *said)
{
	b->addresses[b->count++] = (uint32_t)address;
	if (said)
		b->said[b->count] = *said;
	b->silent = !said;
}

/* From the edges before ADDRESS on nothing is said, if it is not already so, and no row speaks there. */
static void pass_edges(struct builder *b, uint64_t address)
{
	for (uint64_t at; b->edge < b->edge_count && (at = edge_at(b, b->edge)) < address; b->edge++)
		if (!b->silent && at <= UINT32_MAX && at > b->addresses[b->count - 1])
			add(b, at, NULL);
}

/* The number of the first edge behind ADDRESS, where edges have been passed up to. */
static uint32_t edge_behind(const struct builder *b, uint64_t address)
{
	uint32_t edge = b->edge;
	while (edge < b->edge_count && edge_at(b, edge) == address)
		edge++;
	return edge;
}

/* Add what the rows of the address say that has been passed. */
static void add_answer(struct builder *b)
{
	uint64_t address = b->before.address;
	/* Addresses are 32-bit numbers, in a bare table too. */
	if (b->answer.rank == RS_ANSWER_NONE || address > UINT32_MAX)
		return;
	pass_edges(b, address);
	uint32_t edge = edge_behind(b, address);
	const struct rs_section *section = edge % 2 ? &b->sections[edge / 2] : NULL;
	if (!section && !b->everywhere)
		return;
	struct rs_payload payload = rs_answer_payload(&b->answer, &b->view);
	struct rs_said said = { .function = payload.function, .file = payload.file, .line = payload.line };
	if (payload.function)
		said.function_length = measure(&b->function, b->view.strings, payload.function);
	if (payload.file)
		said.file_length = measure(&b->file, b->view.strings, payload.file);
	said.data = section && !rs_section_is_code(section->characteristics);
	said.plain = !said.data && payload.function && payload.file && said.function_length < RS_SAID_LONG &&
		     said.file_length < RS_SAID_LONG;
	add(b, address, &said);
	if (b->alone) {
		const uint64_t most = (uint64_t)UINT32_MAX + 1, end = edge < b->edge_count ? edge_at(b, edge) : most;
		b->model = (struct model){ b->before, said, end < most ? end : most };
	}
}

/* The same for a row that is alone, quickly.  False: it is not like the model. */
static bool add_like_model(struct builder *b, const struct rs_row *row)
{
	struct model *model = &b->model;
	if (!row->line || !model->said.line || row->function != model->row.function || row->file != model->row.file ||
	    row->address >= model->end)
		return false;
	model->said.line = row->line;
	add(b, row->address, &model->said);
	return true;
}

/* False: the rows are not in order. */
static bool add_some(struct builder *b, const struct rs_row *rows, uint32_t count)
{
	for (uint32_t i = 0; i < count; b->before = rows[i++]) {
		if (rows[i].address < b->before.address)
			return false;
		bool same = rows[i].address == b->before.address;
		if (!same && b->answer.rank != RS_ANSWER_NONE) {
			add_answer(b);
			rs_answer_start(&b->answer);
		}
		if (!same && i + 1 < count && rows[i].address < rows[i + 1].address && add_like_model(b, &rows[i]))
			continue;
		b->alone = !same;
		rs_answer_add(&b->answer, &rows[i], &b->view);
	}
	return true;
}

static int add_rows(struct builder *b, const struct rs_table *table, const struct rs_source *source,
		    struct rossym_error *err)
{
	enum { AT_ONCE = 65536 };
	struct rs_row rows[RS_ROWS_MAX];
	uint32_t most = AT_ONCE / table->row_size < table->row_count ? AT_ONCE / table->row_size : table->row_count, have, step;
	uint8_t *buffer = rs_alloc(most, table->row_size);
	int result = buffer ? 0 : rs_fail_memory(err);
	rs_answer_start(&b->answer);
	for (uint32_t first = 0; first < table->row_count && result == 0; first += have) {
		have = table->row_count - first < most ? table->row_count - first : most;
		const uint8_t *bytes = rs_table_bytes(table, source, first, have, buffer, err);
		result = bytes ? 0 : -1;
		for (uint32_t done = 0; done < have && result == 0; done += step) {
			step = have - done < RS_ROWS_MAX ? have - done : RS_ROWS_MAX;
			rs_table_decode(table, bytes + (size_t)done * table->row_size, step, rows);
			if (!add_some(b, rows, step))
				result = rs_table_fail_order(table, source, err);
		}
	}
	rs_free(buffer);
	add_answer(b);
	pass_edges(b, UINT64_MAX);
	if (b->count == 0)
		add(b, 0, NULL);
	return result;
}

/* Asked here, and not by a compiler's own way at the start of each program: where the processor is a virtual one, to ask
   takes as long as a thousand look-ups. */
static bool has_bit_instructions(void)
{
#ifdef HAVE_BIT_INSTRUCTIONS
	unsigned a, b, c, d;
	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_BMI2) && __get_cpuid(1, &a, &b, &c, &d) && (c & bit_POPCNT);
#else
	return false;
#endif
}

int rs_index_build(struct rs_index *index, struct rs_table *table, const struct rs_source *source, const struct rs_pe *pe,
		   struct rossym_error *err)
{
	/* Rows, and the edges behind them. */
	const uint32_t edge_count = pe ? pe->section_count * 2 : 0;
	const size_t most = (size_t)table->row_count + (edge_count < table->row_count ? edge_count : table->row_count) + 1;
	struct builder b = { .sections = pe ? pe->sections : NULL, .edge_count = edge_count,
			     .everywhere = !pe, .silent = true };
	const char *strings = rs_segments_padded(&table->strings, source, err);
	if (!strings)
		return -1;
	b.view = rs_table_view(table, strings);
	b.addresses = rs_alloc(most, sizeof *b.addresses);
	b.said = rs_alloc(most + 1, sizeof *b.said);
	if (!b.addresses || !b.said) {
		rs_fail_memory(err);
		goto fail;
	}
	rs_huge(b.addresses, most * sizeof *b.addresses);
	rs_huge(b.said, most * sizeof *b.said);
	*index = (struct rs_index){ .said = b.said, .strings = strings, .bit_instructions = has_bit_instructions() };
	/* Blocks are for code, and of that most files have more than of rows: a quarter of a byte for each of their bytes. */
	enum { MOST_SPARE = 1 << 20 };
	uint64_t spare = source->size / 4 < MOST_SPARE ? source->size / 4 : MOST_SPARE;
	if (add_rows(&b, table, source, err) < 0 || rs_rank_build(&index->rank, b.addresses, b.count, spare, err) < 0)
		goto fail;
	return 0;
fail:
	rs_free(b.addresses);
	rs_free(b.said);
	*index = (struct rs_index){ .said = NULL };
	return -1;
}

void rs_index_mark(struct rs_index *index, const struct rs_longs *longs)
{
	for (uint32_t i = 1; i <= index->rank.count; i++) {
		struct rs_said *said = &index->said[i];
		said->plain = said->plain && !rs_longs_may_have(longs, said->function) &&
			      !rs_longs_may_have(longs, said->file);
	}
}

void rs_index_clear(struct rs_index *index)
{
	rs_rank_clear(&index->rank);
	rs_free(index->said);
}

/* ------------------------------------------------------------------------------------------------ searching */

#ifdef HAVE_BIT_INSTRUCTIONS
#define INLINED inline __attribute__((always_inline))
#else
#define INLINED inline
#endif

static INLINED void find_in_blocks(const struct rs_index *index, const uint64_t *addresses, size_t count, uint32_t *ranks,
				   uint32_t *rows)
{
	/* Of its own: then it is known that nothing that is stored changes it. */
	const struct rs_rank rank = index->rank;
	const struct rs_said *said = index->said;
	uint64_t positions[RS_INDEX_BATCH];
	for (size_t i = 0; i < count; i++) {
		positions[i] = rs_rank_position(&rank, addresses[i]);
		rs_prefetch(rs_rank_block(&rank, positions[i]));
	}
	for (size_t i = 0; i < count; i++) {
		ranks[i] = rs_rank_in_block(&rank, positions[i], &rows[i]);
		rs_prefetch(&said[ranks[i]]);
	}
}

#ifdef HAVE_BIT_INSTRUCTIONS
/* The same with bits counted and shifted by an instruction each. */
__attribute__((target("bmi,bmi2,popcnt")))
static void find_quickly(const struct rs_index *index, const uint64_t *addresses, size_t count, uint32_t *ranks,
			 uint32_t *rows)
{
	find_in_blocks(index, addresses, count, ranks, rows);
}
#endif

void rs_index_find(const struct rs_index *index, const uint64_t *addresses, size_t count, uint32_t *ranks, uint32_t *rows)
{
	if (!index->rank.blocks) {
		for (size_t i = 0; i < count; i++)
			ranks[i] = rs_rank_in_list(&index->rank, addresses[i], &rows[i]);
		return;
	}
#ifdef HAVE_BIT_INSTRUCTIONS
	if (index->bit_instructions) {
		find_quickly(index, addresses, count, ranks, rows);
		return;
	}
#endif
	find_in_blocks(index, addresses, count, ranks, rows);
}
