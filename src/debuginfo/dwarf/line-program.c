// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * line-program.c - runs the program of a line table (DWARF 5, 6.2.5)
 *
 * A line table is a program for a simple machine, which makes rows: an address, a file and a line that hold up to the
 * next row.  Rows come in sequences of ascending addresses, one for each stretch of code.  Real tables have sequences
 * that overlap and rows out of order; here they become disjoint segments, in the way BFD chooses.
 */
#include "config.h"
#include "debuginfo/dwarf/constants.h"
#include "debuginfo/dwarf/unit.h"
#include "lib/base/array.h"
#include "lib/base/alloc.h"
#include "lib/base/stable-sort.h"

#include "compat/release.h"

#include <stdlib.h>

/* Rows are sorted stably, since of those with one address the last counts. */
static int by_address(const void *a, const void *b)
{
	const struct line_row *x = a, *y = b;
	return x->address < y->address ? -1 : x->address > y->address;
}

#define NO_END "the line program ends too early"
#define NO_RANGE "a special opcode, but no range of lines for it"

/* Reject the unit for the opcode that is being run. */
static enum outcome reject(struct line_rows *table, const char *why)
{
	return unit_reject(table->unit, DW_LINE, table->at, why);
}

/* Keep the current sequence, which ends at END, unless it does not begin in code: then the linker has discarded the
   code, and put 0 in place of the address. */
static enum outcome end_sequence(struct line_rows *table, uint64_t end)
{
	struct reading *reading = table->unit->reader->reading;
	uint32_t first = table->first, count = table->row_count - first;
	struct line_sequence sequence = { .first = first, .count = count, .order = table->sequence_count };
	if (count == 0)
		return UNIT_OK;
	if (rs_stable_sort(table->rows + first, count, sizeof *table->rows, by_address) < 0)
		return reading_memory(reading);
	if (!reading_clip(reading, table->rows[first].address, end, &sequence.begin, &sequence.end)) {
		reading->di->counts.outside += count;
		table->row_count = first;
		return UNIT_OK;
	}
	if (rs_array_grow(&table->sequences, &table->sequence_room, table->sequence_count, sizeof *table->sequences) <
	    0)
		return reading_memory(reading);
	table->sequences[table->sequence_count++] = sequence;
	table->first = table->row_count;
	return UNIT_OK;
}

/* The registers of the machine. */
struct line_state {
	uint64_t address;
	uint64_t operation; /* within the instruction at that address, on VLIW processors */
	uint64_t file, line;
};

/* Add a row for the current state of the machine. */
static enum outcome add_row(struct line_rows *table, const struct line_state *state)
{
	struct reading *reading = table->unit->reader->reading;
	struct line_row row = {
		reading_without_thumb_bit(reading, state->address),
		state->file < UINT32_MAX ? (uint32_t)state->file : UINT32_MAX,
		state->line < UINT32_MAX ? (uint32_t)state->line : 0,
	};
	reading->di->counts.dwarf_rows++;
	/* Of rows with one address the last counts. */
	if (table->row_count > table->first && table->rows[table->row_count - 1].address == row.address) {
		table->rows[table->row_count - 1] = row;
		return UNIT_OK;
	}
	if (table->row_count == table->row_room)
		return reject(table, UNIT_TOO_LARGE);
	table->rows[table->row_count++] = row;
	return UNIT_OK;
}

/* Advance the address by OPERATIONS.  On x86 and ARM an instruction is one operation; the other case is for
   VLIW processors. */
static void advance(const struct line_table *header, struct line_state *state, uint64_t operations)
{
	if (header->operations == 1) {
		state->address += header->least_length * operations;
		return;
	}
	operations += state->operation;
	state->address += header->least_length * (operations / header->operations);
	state->operation = operations % header->operations;
}

/* Run an opcode that advances both address and line by fixed amounts, which the opcode's number encodes, and makes a
   row.  Most rows are made by these. */
static enum outcome special_opcode(struct line_rows *table, struct line_state *state, unsigned opcode)
{
	const struct line_table *header = &table->unit->table;
	if (header->line_range == 0)
		return reject(table, NO_RANGE);
	opcode -= header->opcode_base;
	advance(header, state, opcode / header->line_range);
	state->line += (uint64_t)(header->line_base + (int)(opcode % header->line_range));
	return add_row(table, state);
}

/* Run an opcode that begins with 0 and its length. */
static enum outcome extended_opcode(struct line_rows *table, struct decoder *c, struct line_state *state)
{
	static const struct line_state start = { .file = 1, .line = 1 };
	uint64_t length = decoder_uleb(c);
	const uint8_t *bytes = decoder_take(c, length);
	enum outcome outcome = UNIT_OK;
	if (!bytes || length == 0)
		return reject(table, NO_END);
	struct decoder operand = { bytes + 1, bytes + length, false };
	switch (bytes[0]) {
	case DW_LNE_end_sequence:
		outcome = end_sequence(table, state->address);
		*state = start;
		break;
	case DW_LNE_set_address:
		if (length > 9)
			return reject(table, "an address has more than 8 bytes");
		state->address = decoder_uint(&operand, (unsigned)(length - 1));
		state->operation = 0;
		break;
	case DW_LNE_define_file:
		return unit_define_file(table->unit, &operand);
	default:
		break; /* discriminators and unknown opcodes */
	}
	return outcome;
}

/* Run one of the opcodes below opcode_base.  The header says how many operands each has, so unknown ones can
   be skipped. */
static enum outcome standard_opcode(struct line_rows *table, struct decoder *c, struct line_state *state,
				    unsigned opcode)
{
	const struct line_table *header = &table->unit->table;
	switch (opcode) {
	case 0:
		return extended_opcode(table, c, state);
	case DW_LNS_copy:
		return add_row(table, state);
	case DW_LNS_advance_pc:
		advance(header, state, decoder_uleb(c));
		break;
	case DW_LNS_advance_line:
		state->line += decoder_sleb(c);
		break;
	case DW_LNS_set_file:
		state->file = decoder_uleb(c);
		break;
	case DW_LNS_const_add_pc:
		if (header->line_range == 0)
			return reject(table, NO_RANGE);
		advance(header, state, (255u - header->opcode_base) / header->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		state->address += decoder_u16(c);
		state->operation = 0;
		break;
	default: /* columns, statements, blocks and unknown opcodes */
		for (unsigned i = 0; i < header->operands[opcode]; i++)
			decoder_uleb(c);
		break;
	}
	return UNIT_OK;
}

/* Run the program: collect the rows and sequences. */
static enum outcome run(struct line_rows *table)
{
	struct dw_unit *unit = table->unit;
	struct decoder *c = &unit->table.program;
	struct line_state state = { .file = 1, .line = 1 };
	enum outcome outcome = UNIT_OK;
	table->at = c->at;
	uint64_t most = decoder_left(c) < unit->reader->room ? decoder_left(c) : unit->reader->room;
	if (!unit_work(unit, WORK_LINES * (uint64_t)decoder_left(c)))
		return reject(table, "line tables are read too often");
	/* Make room for as many rows as there can be, since each takes at least a byte.  Memory that is never
	   touched costs nothing, whereas an array that grows is in memory twice. */
	if (rs_array_reserve(&table->rows, &table->row_room, 0, most, sizeof *table->rows) < 0)
		return reading_memory(unit->reader->reading);
	while (outcome == UNIT_OK && c->at < c->end) {
		table->at = c->at;
		unsigned opcode = decoder_u8(c);
		outcome = opcode >= unit->table.opcode_base ? special_opcode(table, &state, opcode)
							    : standard_opcode(table, c, &state, opcode);
		if (outcome == UNIT_OK && c->bad)
			outcome = reject(table, NO_END);
	}
	return outcome;
}

/* Order by beginning, then the longest first, then the last in the table first, as BFD does. */
static int by_begin(const void *a, const void *b)
{
	const struct line_sequence *x = a, *y = b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->order > y->order ? -1 : x->order < y->order;
}

/* Add a segment from BEGIN up to END; one that continues the last with the same answer only makes that longer. */
static enum outcome add_segment(struct dw_unit *unit, const struct line_row *row, uint32_t begin, uint32_t end,
				uint32_t sequence)
{
	struct dw_reader *reader = unit->reader;
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
	if (rs_array_grow(&reader->segments, &reader->segment_room, reader->segment_count, sizeof *reader->segments) <
	    0)
		return reading_memory(reader->reading);
	reader->segments[reader->segment_count++] = segment;
	return UNIT_OK;
}

/* Add segments for what SEQUENCE has at or above the RVA FROM.  Its rows are lost. */
static enum outcome add_sequence(struct line_rows *table, const struct line_sequence *sequence, uint32_t from)
{
	struct dw_unit *unit = table->unit;
	uint64_t base = unit->reader->reading->symbols.base;
	struct line_row *rows = table->rows + sequence->first;
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
	rs_release(rows, sequence->count * sizeof *rows);
	return UNIT_OK;
}

/* Make segments of all sequences.  Where they overlap, the one that begins first counts, as in BFD. */
static enum outcome add_sequences(struct line_rows *table)
{
	struct dw_reader *reader = table->unit->reader;
	uint32_t done = 0;
	if (rs_array_reserve(&reader->segments, &reader->segment_room, 0, table->row_count, sizeof *reader->segments) <
	    0)
		return reading_memory(reader->reading);
	if (table->sequence_count)
		qsort(table->sequences, table->sequence_count, sizeof *table->sequences, by_begin);
	for (uint32_t i = 0; i < table->sequence_count; i++) {
		const struct line_sequence *sequence = &table->sequences[i];
		if (sequence->end <= done) {
			reader->reading->di->counts.duplicates += sequence->count;
			continue;
		}
		enum outcome outcome = add_sequence(table, sequence, sequence->begin > done ? sequence->begin : done);
		if (outcome != UNIT_OK)
			return outcome;
		done = sequence->end;
	}
	return UNIT_OK;
}

/* The state of scan(). */
struct line_scan {
	struct decoder c;
	uint64_t address, begin; /* the current one; that of the sequence's first row */
	bool has_rows;
};

/* An opcode that begins with 0 and its length.  Returns false as scan() does. */
static bool scan_extended(struct line_rows *table, struct line_scan *scan)
{
	uint64_t length = decoder_uleb(&scan->c);
	const uint8_t *bytes = decoder_take(&scan->c, length);
	if (!bytes || length == 0 || length > 9)
		return bytes && length > 9 && bytes[0] != DW_LNE_set_address && bytes[0] != DW_LNE_end_sequence;
	struct decoder operand = { bytes + 1, bytes + length, false };
	if (bytes[0] == DW_LNE_set_address) {
		uint64_t address = decoder_uint(&operand, (unsigned)(length - 1));
		bool ascends = !scan->has_rows || address >= scan->address;
		scan->address = address;
		return ascends;
	}
	if (bytes[0] != DW_LNE_end_sequence)
		return true;
	struct line_sequence sequence = { .count = 1 };
	if (scan->has_rows &&
	    reading_clip(table->unit->reader->reading, scan->begin, scan->address, &sequence.begin, &sequence.end)) {
		if (rs_array_grow(&table->sequences, &table->sequence_room, table->sequence_count, sizeof sequence) < 0)
			return false;
		table->sequences[table->sequence_count++] = sequence;
	}
	scan->has_rows = false;
	scan->address = 0;
	return true;
}

static void scan_row(struct line_scan *scan)
{
	if (!scan->has_rows)
		scan->begin = scan->address;
	scan->has_rows = true;
}

/* An opcode below opcode_base that scan() does not do itself.  Returns false as scan() does. */
static bool scan_standard(struct line_rows *table, struct line_scan *scan, unsigned opcode)
{
	const struct line_table *header = &table->unit->table;
	uint64_t advance;
	switch (opcode) {
	case 0:
		return scan_extended(table, scan);
	case DW_LNS_copy:
		scan_row(scan);
		return true;
	case DW_LNS_advance_pc:
		advance = decoder_uleb(&scan->c);
		scan->address += header->least_length * advance;
		return advance <= UINT32_MAX;
	case DW_LNS_const_add_pc:
		scan->address += (uint64_t)header->least_length * ((255u - header->opcode_base) / header->line_range);
		return true;
	case DW_LNS_fixed_advance_pc:
		scan->address += decoder_u16(&scan->c);
		return true;
	default:
		for (unsigned i = 0; i < header->operands[opcode]; i++)
			decoder_uleb(&scan->c);
		return true;
	}
}

/* Whether OPCODE does nothing but skip one number, as far as addresses matter: most opcodes that are not
   special ones. */
static bool skips_number(const struct line_table *header, unsigned opcode)
{
	return opcode < header->opcode_base && (opcode == DW_LNS_advance_line || opcode == DW_LNS_set_file ||
						(opcode == DW_LNS_set_column && header->operands[opcode] == 1));
}

/*
 * Find the sequences without making rows, for units that may not be needed.  Replaces run(), which takes 5 times as
 * long.  Returns false if the table is damaged or unusual, above all if addresses do not ascend; then run() decides.
 */
static bool scan(struct line_rows *table)
{
	enum { OTHER, SKIP };
	const struct line_table *header = &table->unit->table;
	struct line_scan scan = { .c = header->program };
	uint64_t advance[256];
	if (header->operations != 1 || header->line_range == 0 || decoder_left(&scan.c) > table->unit->reader->room)
		return false;
	/* Without a division, which each of many short tables would pay for. */
	for (unsigned opcode = header->opcode_base, line = 0, steps = 0; opcode < 256; opcode++) {
		advance[opcode] = (uint64_t)header->least_length * steps;
		if (++line == header->line_range) {
			line = 0;
			steps++;
		}
	}
	for (unsigned opcode = 0; opcode < header->opcode_base; opcode++)
		advance[opcode] = skips_number(header, opcode) ? SKIP : OTHER;
	while (scan.c.at < scan.c.end) {
		unsigned opcode = *scan.c.at++;
		if (opcode >= header->opcode_base) {
			scan.address += advance[opcode];
			scan_row(&scan);
		} else if (advance[opcode] == SKIP) {
			while (scan.c.at < scan.c.end && *scan.c.at & 0x80)
				scan.c.at++;
			if (scan.c.at++ >= scan.c.end)
				return false;
		} else if (!scan_standard(table, &scan, opcode) || scan.address >= UINT64_MAX / 2) {
			return false;
		}
	}
	return !scan.c.bad;
}

enum outcome unit_run_lines(struct dw_unit *unit)
{
	unit_close_rows(unit);
	return run(&unit->rows);
}

enum outcome unit_scan_lines(struct dw_unit *unit)
{
	unit_close_rows(unit);
	return scan(&unit->rows) ? UNIT_OK : unit_run_lines(unit);
}

enum outcome unit_read_lines(struct dw_unit *unit)
{
	enum outcome outcome = UNIT_OK;
	unit->reader->segment_count = 0;
	if (unit->rows.sequence_count && !unit->rows.rows)
		outcome = unit_run_lines(unit);
	if (outcome == UNIT_OK && unit->rows.sequence_count)
		outcome = add_sequences(&unit->rows);
	unit_close_rows(unit);
	return outcome;
}

void unit_close_rows(struct dw_unit *unit)
{
	rs_free(unit->rows.rows);
	rs_free(unit->rows.sequences);
	unit->rows = (struct line_rows){ .unit = unit };
}
