// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/dwarf-unit.h"
#include "debuginfo/array.h"
#include "lib/alloc.h"

#include <stdlib.h>

struct line_row {
	uint64_t address;
	uint32_t file;		/* in the unit's file table */
	uint32_t line;
};

struct sequence {
	uint32_t begin, end;	/* RVAs */
	uint32_t first, count;	/* rows */
	uint32_t index;		/* in the table */
};

struct table {
	struct dwarf_unit *unit;
	struct line_row *rows;
	uint32_t row_count;
	struct sequence *sequences;
	uint32_t sequence_count, sequence_room;
};


/* A merge sort from below: qsort() need not keep the order of rows with one address, and here the last of them counts. */
static int sort_rows(struct line_row *rows, uint32_t count)
{
	uint32_t i = 1;
	while (i < count && rows[i - 1].address <= rows[i].address)
		i++;
	if (i >= count)
		return 0;	/* as nearly always */
	struct line_row *other = rs_alloc(count, sizeof *other), *from = rows, *to = other;
	if (!other)
		return -1;
	for (uint64_t width = 1; width < count; width *= 2) {
		for (uint64_t low = 0; low < count; low += 2 * width) {
			uint64_t middle = low + width < count ? low + width : count;
			uint64_t high = low + 2 * width < count ? low + 2 * width : count;
			for (uint64_t a = low, b = middle, at = low; at < high; at++)
				to[at] = b >= high || (a < middle && from[a].address <= from[b].address) ? from[a++] : from[b++];
		}
		struct line_row *swap = from;
		from = to;
		to = swap;
	}
	if (from != rows)
		for (uint32_t n = 0; n < count; n++)
			rows[n] = from[n];
	rs_free(other);
	return 0;
}

/* A sequence that does not begin in code was discarded by the linker, which leaves address 0. */
static enum outcome end_sequence(struct table *table, uint32_t first, uint64_t end)
{
	struct reading *reading = table->unit->reader->reading;
	uint32_t count = table->row_count - first;
	struct sequence sequence = { .first = first, .count = count, .index = table->sequence_count };
	if (count == 0)
		return UNIT_OK;
	if (sort_rows(table->rows + first, count) < 0)
		return reading_memory(reading);
	if (!reading_clip(reading, table->rows[first].address, end, &sequence.begin, &sequence.end)) {
		reading->di->counts.outside += count;
		table->row_count = first;
		return UNIT_OK;
	}
	struct sequence *sequences = array_grow(table->sequences, &table->sequence_room, table->sequence_count,
						sizeof *sequences);
	if (!sequences)
		return reading_memory(reading);
	table->sequences = sequences;
	sequences[table->sequence_count++] = sequence;
	return UNIT_OK;
}

static enum outcome read_line(struct table *table, Dwarf_Line line, uint32_t *first)
{
	struct dwarf_unit *unit = table->unit;
	Dwarf_Addr address = 0;
	Dwarf_Unsigned number = 0, file = 0;
	Dwarf_Bool end = 0;
	if (dwarf_lineaddr(line, &address, &unit->error) != DW_DLV_OK ||
	    dwarf_lineendsequence(line, &end, &unit->error) != DW_DLV_OK)
		return unit_reject(unit, "line table");
	if (end) {
		enum outcome outcome = end_sequence(table, *first, address);
		*first = table->row_count;
		return outcome;
	}
	if (dwarf_lineno(line, &number, &unit->error) != DW_DLV_OK ||
	    dwarf_line_srcfileno(line, &file, &unit->error) != DW_DLV_OK)
		return unit_reject(unit, "line table");
	table->rows[table->row_count++] = (struct line_row){
		address, file < UINT32_MAX ? (uint32_t)file : UINT32_MAX, number < UINT32_MAX ? (uint32_t)number : 0,
	};
	return UNIT_OK;
}

/* By where they begin; then the longest first; then the last in the table first: so does BFD. */
static int by_begin(const void *a, const void *b)
{
	const struct sequence *x = a, *y = b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->index > y->index ? -1 : x->index < y->index;
}

static enum outcome add_segment(struct dwarf_unit *unit, const struct line_row *row, uint32_t begin, uint32_t end,
				uint32_t sequence)
{
	struct dwarf_reader *reader = unit->reader;
	struct line_segment segment = { .begin = begin, .end = end, .line = row->line, .sequence = sequence };
	enum outcome outcome = unit_file(unit, row->file, &segment.file);
	if (outcome != UNIT_OK)
		return outcome;
	struct line_segment *last = reader->segment_count ? &reader->segments[reader->segment_count - 1] : NULL;
	if (last && last->end == begin && last->file == segment.file && last->line == segment.line &&
	    last->sequence == sequence) {
		last->end = end;
		return UNIT_OK;
	}
	struct line_segment *segments = array_grow(reader->segments, &reader->segment_room, reader->segment_count,
						   sizeof *segments);
	if (!segments)
		return reading_memory(reader->reading);
	reader->segments = segments;
	segments[reader->segment_count++] = segment;
	return UNIT_OK;
}

static enum outcome add_sequence(struct table *table, const struct sequence *sequence, uint32_t from)
{
	struct dwarf_unit *unit = table->unit;
	uint64_t base = unit->reader->reading->pe->image_base;
	const struct line_row *rows = table->rows + sequence->first;
	for (uint32_t i = 0; i < sequence->count; i++) {
		/* Rows begin at the sequence's begin or later, so above the image base. */
		uint64_t begin = rows[i].address - base;
		uint64_t end = i + 1 < sequence->count ? rows[i + 1].address - base : sequence->end;
		if (begin < from)
			begin = from;
		if (end > sequence->end)
			end = sequence->end;
		if (begin >= end)
			continue;
		enum outcome outcome = add_segment(unit, &rows[i], (uint32_t)begin, (uint32_t)end, sequence->begin);
		if (outcome != UNIT_OK)
			return outcome;
	}
	return UNIT_OK;
}

/* Of sequences that overlap the one that begins first holds, as in BFD. */
static enum outcome add_sequences(struct table *table)
{
	uint32_t done = 0;
	if (table->sequence_count)
		qsort(table->sequences, table->sequence_count, sizeof *table->sequences, by_begin);
	for (uint32_t i = 0; i < table->sequence_count; i++) {
		const struct sequence *sequence = &table->sequences[i];
		if (sequence->end <= done) {
			table->unit->reader->reading->di->counts.duplicates += sequence->count;
			continue;
		}
		enum outcome outcome = add_sequence(table, sequence, sequence->begin > done ? sequence->begin : done);
		if (outcome != UNIT_OK)
			return outcome;
		done = sequence->end;
	}
	return UNIT_OK;
}

enum outcome unit_read_lines(struct dwarf_unit *unit)
{
	Dwarf_Line *lines = NULL;
	Dwarf_Signed count = 0;
	struct table table = { .unit = unit };
	enum outcome outcome = UNIT_OK;
	uint32_t first = 0;

	unit->reader->segment_count = 0;
	if (!unit->lines)
		return UNIT_OK;
	int res = dwarf_srclines_from_linecontext(unit->lines, &lines, &count, &unit->error);
	if (res == DW_DLV_NO_ENTRY || (res == DW_DLV_OK && count <= 0))
		return UNIT_OK;
	if (res != DW_DLV_OK || count > INT32_MAX || !unit_work(unit, (uint64_t)count))
		return unit_reject(unit, "line table");
	table.rows = rs_alloc((size_t)count, sizeof *table.rows);
	if (!table.rows)
		return reading_memory(unit->reader->reading);
	for (Dwarf_Signed i = 0; i < count && outcome == UNIT_OK; i++)
		outcome = read_line(&table, lines[i], &first);
	if (outcome == UNIT_OK)
		outcome = add_sequences(&table);
	unit->reader->reading->di->counts.dwarf_rows += table.row_count;
	rs_free(table.rows);
	rs_free(table.sequences);
	return outcome;
}
