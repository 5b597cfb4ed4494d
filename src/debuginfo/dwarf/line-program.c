// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * line-program.c - runs the program of a line table (DWARF 5, 6.2.5)
 *
 * unit.h describes rows and sequences.  In real tables, sequences can overlap, and rows can be out of order.  This file
 * makes disjoint segments (ranges of code with one line) of them, by the same rules as BFD.
 */
#include "config.h"
#include "debuginfo/dwarf/unit.h"
#include "lib/base/array.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"

#include "compat/pages.h"

#include <stdlib.h>

enum { /* standard and extended opcodes (DWARF 5, 7.22) */
       DW_LNS_copy = 0x01,
       DW_LNS_advance_pc = 0x02,
       DW_LNS_advance_line = 0x03,
       DW_LNS_set_file = 0x04,
       DW_LNS_set_column = 0x05,
       DW_LNS_const_add_pc = 0x08,
       DW_LNS_fixed_advance_pc = 0x09,
       DW_LNE_end_sequence = 0x01,
       DW_LNE_set_address = 0x02,
       DW_LNE_define_file = 0x03,
       DW_LNE_set_discriminator = 0x04,
};

#define PROGRAM_NO_END "the line program ends too early"

/* Reject the unit because of the opcode that is being run.  WHY, a string constant, is the reason. */
static enum outcome reject_unit_at_opcode(struct line_rows *table, const char *why)
{
	return rs_unit_reject(table->unit, DW_LINE, table->at, why);
}

static int compare_addresses(const void *a, const void *b)
{
	const struct line_row *x = a, *y = b;
	return (x->address > y->address) - (x->address < y->address);
}

/* End the current sequence at the address END, sort its rows if needed, and add it.  If it does not begin in code, drop
   it: its code was discarded by the linker, which has set its address to 0. */
static enum outcome end_sequence(struct line_rows *table, uint64_t end)
{
	struct reading *reading = table->unit->reader->reading;
	const uint32_t first = table->first, count = table->row_count - first;
	struct line_sequence sequence = { .first = first, .count = count, .order = table->sequence_count };
	if (!rs_reading_clip_to_rvas(reading, table->lowest, end, &sequence.begin, &sequence.end)) {
		reading->di->counts.outside += count;
		table->row_count = first;
	} else if (RS_ARRAY_ADD(table->sequences, table->sequence_room, table->sequence_count, reading->err, sequence) <
		   0) {
		return -1;
	} else if (table->is_unsorted) {
		rs_stable_sort(table->rows + first, count, sizeof *table->rows, compare_addresses);
	}
	table->first = table->row_count;
	table->lowest = UINT64_MAX;
	table->is_unsorted = false;
	return UNIT_OK;
}

/* What a run of the program makes: SEQUENCES only; ROWS, too; or DETAILED_ROWS, with columns and discriminators. */
enum making { SEQUENCES, ROWS, DETAILED_ROWS };

/* Makes GCC inline a function.  If GCC 12 -O2 calls add_row(), a first look-up in SQLite's image takes 8 % longer. */
#ifdef __GNUC__
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

/* The registers of the machine. */
struct line_state {
	uint64_t address;
	uint64_t operation; /* on VLIW processors, index of an operation in the instruction at ADDRESS; else 0 */
	uint64_t file, line;
	uint64_t column, discriminator; /* only if details are wanted */
};

/* Add a row with the state of the machine; if only sequences are made, only update the lowest address. */
static ALWAYS_INLINE enum outcome add_row(struct line_rows *table, struct line_state *state, const enum making making)
{
	struct reading *reading = table->unit->reader->reading;
	if (state->address < table->lowest)
		table->lowest = state->address;
	if (making == SEQUENCES)
		return UNIT_OK;
	struct line_row row = {
		rs_reading_clear_thumb_bit(reading, state->address),
		state->file < UINT32_MAX ? (uint32_t)state->file : UINT32_MAX,
		state->line < UINT32_MAX ? (uint32_t)state->line : 0,
	};
	if (making == DETAILED_ROWS) {
		const struct rs_place place = {
			.line = row.line,
			.column = state->column <= UINT32_MAX ? (uint32_t)state->column : 0,
			.discriminator = state->discriminator <= UINT32_MAX ? (uint32_t)state->discriminator : 0,
		};
		if (rs_places_add(reading->options->places, place, &row.line, reading->err) < 0)
			return UNIT_FATAL;
		state->discriminator = 0;
	}
	reading->di->counts.dwarf_rows++;
	const struct line_row *last = table->row_count > table->first ? &table->rows[table->row_count - 1] : NULL;
	if (last && last->address == row.address) /* the last of several rows with one address stays */
		table->row_count--;
	else if (table->row_count == table->row_room)
		return reject_unit_at_opcode(table, UNIT_TOO_LARGE);
	table->is_unsorted |= last && last->address > row.address;
	table->rows[table->row_count++] = row;
	return UNIT_OK;
}

/* Advance the address by OPERATIONS.  On x86 and ARM an instruction is one operation; VLIW processors have several. */
static inline void advance_address(const struct line_table *header, struct line_state *state, uint64_t operations)
{
	if (header->operations == 1) {
		state->address += header->least_length * operations;
		return;
	}
	operations += state->operation;
	state->address += header->least_length * (operations / header->operations);
	state->operation = operations % header->operations;
}

/* Run an extended opcode.  Its first byte, 0, was read; its length and then its number are next in *C. */
static ALWAYS_INLINE enum outcome run_extended_opcode(struct line_rows *table, struct decoder *c,
						      struct line_state *state, const enum making making)
{
	static const struct line_state start = { .file = 1, .line = 1 };
	uint64_t length = decoder_uleb(c);
	const uint8_t *bytes = decoder_take(c, length);
	enum outcome outcome = UNIT_OK;
	if (!bytes || length == 0)
		return reject_unit_at_opcode(table, PROGRAM_NO_END);
	struct decoder operand = { bytes + 1, bytes + length, false };
	switch (bytes[0]) {
	case DW_LNE_end_sequence:
		outcome = end_sequence(table, state->address);
		*state = start;
		break;
	case DW_LNE_set_address:
		if (length > 9)
			return reject_unit_at_opcode(table, "an address has more than 8 bytes");
		state->address = decoder_uint(&operand, (unsigned)(length - 1));
		state->operation = 0;
		break;
	case DW_LNE_define_file:
		return making != SEQUENCES ? rs_unit_define_file(table->unit, &operand) : UNIT_OK;
	case DW_LNE_set_discriminator:
		state->discriminator = decoder_uleb(&operand);
		break;
	default:
		break; /* unknown opcodes */
	}
	return outcome;
}

/* operands_to_skip() returns RUN_IT if OPCODE must be run, because what is made (MAKING) depends on it; else how many
   LEB128 operands of OPCODE to skip.  For unknown opcodes, the header has this number. */
enum { RUN_IT = UINT16_MAX };
static uint16_t operands_to_skip(const struct line_table *header, unsigned opcode, enum making making)
{
	if (opcode >= header->opcode_base)
		return RUN_IT;
	switch (opcode) {
	case 0:
	case DW_LNS_copy:
	case DW_LNS_advance_pc:
	case DW_LNS_const_add_pc:
	case DW_LNS_fixed_advance_pc:
		return RUN_IT;
	case DW_LNS_advance_line:
	case DW_LNS_set_file:
		return making != SEQUENCES ? RUN_IT : 1;
	case DW_LNS_set_column:
		/* If a damaged header has another number of operands for it, skip them, as if no details were made. */
		return making == DETAILED_ROWS && header->operands[opcode] == 1 ? RUN_IT : header->operands[opcode];
	default: /* statements, blocks and unknown opcodes */
		return header->operands[opcode];
	}
}

/* Run OPCODE, for which operands_to_skip() has returned RUN_IT; its operands are next in *C. */
static ALWAYS_INLINE enum outcome run_opcode(struct line_rows *table, struct decoder *c, struct line_state *state,
					     unsigned opcode, const enum making making)
{
	const struct line_table *header = &table->unit->table;
	if (header->line_range == 0 && (opcode == DW_LNS_const_add_pc || opcode >= header->opcode_base))
		return reject_unit_at_opcode(table, "a special opcode, but no range of lines for it");
	switch (opcode) {
	case 0:
		return run_extended_opcode(table, c, state, making);
	case DW_LNS_copy:
		return add_row(table, state, making);
	case DW_LNS_advance_pc:
		advance_address(header, state, decoder_uleb(c));
		break;
	case DW_LNS_advance_line:
		state->line += decoder_sleb(c);
		break;
	case DW_LNS_set_file:
		state->file = decoder_uleb(c);
		break;
	case DW_LNS_set_column:
		state->column = decoder_uleb(c);
		break;
	case DW_LNS_const_add_pc:
		advance_address(header, state, (255u - header->opcode_base) / header->line_range);
		break;
	default: /* DW_LNS_fixed_advance_pc */
		state->address += decoder_u16(c);
		state->operation = 0;
		break;
	}
	return UNIT_OK;
}

/* Run the program of the line table, and make what MAKING says.  Each caller passes a constant, so that the compiler
   makes a version for each: one that makes no rows has much less to do. */
static ALWAYS_INLINE enum outcome run_program(struct line_rows *table, const enum making making)
{
	const struct line_table *header = &table->unit->table;
	/* For speed, a table of what opcodes do.  Opcodes from SPECIAL on advance address and line, and make a row. */
	const unsigned special = header->line_range > 0 ? header->opcode_base : 256;
	struct {
		/* what operands_to_skip() returns; for a special opcode, by how many operations the address advances */
		uint16_t skip;
		int16_t line; /* for a special opcode, how far the line advances */
	} opcodes[256];
	for (unsigned opcode = 0; opcode < special; opcode++)
		opcodes[opcode].skip = operands_to_skip(header, opcode, making);
	for (unsigned opcode = special, line = 0, operations = 0; opcode < 256; opcode++) {
		opcodes[opcode].skip = (uint16_t)operations;
		opcodes[opcode].line = (int16_t)(header->line_base + (int)line);
		line = line + 1 < header->line_range ? line + 1 : 0;
		operations += line == 0;
	}
	struct decoder c = header->program;
	struct line_state state = { .file = 1, .line = 1 };
	enum outcome outcome = UNIT_OK;
	while (outcome == UNIT_OK && c.at < c.end) {
		table->at = c.at;
		const unsigned opcode = *c.at++;
		unsigned skip = opcodes[opcode].skip;
		if (opcode >= special) {
			advance_address(header, &state, skip);
			if (making != SEQUENCES)
				state.line += (uint64_t)opcodes[opcode].line;
			outcome = add_row(table, &state, making);
			continue;
		}
		if (skip == RUN_IT)
			outcome = run_opcode(table, &c, &state, opcode, making);
		else
			for (; skip > 0; skip--)
				decoder_skip_leb(&c);
		if (outcome == UNIT_OK && c.bad)
			outcome = reject_unit_at_opcode(table, PROGRAM_NO_END);
	}
	return outcome;
}

/* For qsort(): by beginning.  Of sequences that begin together, the longest comes first; of equally long ones, the last
   in the table, as in BFD. */
static int compare_sequences(const void *a, const void *b)
{
	const struct line_sequence *x = a, *y = b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->order > y->order ? -1 : x->order < y->order;
}

/* Add SEGMENT; or if the last segment ends where SEGMENT begins and has the same answer, extend the last segment. */
static enum outcome add_segment(struct dw_unit *unit, struct line_segment segment)
{
	struct known_unit *known = &unit->known;
	struct line_segment *last = known->segment_count ? &known->segments[known->segment_count - 1] : NULL;
	if (last && last->end == segment.begin && last->file == segment.file && last->line == segment.line &&
	    last->sequence == segment.sequence) {
		last->end = segment.end;
		return UNIT_OK;
	}
	return RS_ARRAY_ADD(known->segments, known->segment_room, known->segment_count, unit->reader->reading->err,
			    segment);
}

/* Add segments for the part of SEQUENCE at or above the RVA FROM.  Frees the memory pages of its rows. */
static enum outcome add_sequence_segments(struct line_rows *table, const struct line_sequence *sequence, uint32_t from)
{
	struct dw_unit *unit = table->unit;
	const uint64_t base = unit->reader->reading->symbols.base;
	struct line_row *rows = table->rows + sequence->first;
	uint32_t file = 0; /* string number of the path of row I */
	for (uint32_t i = 0; i < sequence->count; i++) {
		enum outcome outcome = UNIT_OK;
		if (i == 0 || rows[i].file != rows[i - 1].file)
			outcome = rs_unit_find_path_of_file(unit, rows[i].file, &file);
		/* No row is below the sequence's beginning, so none is below the image base. */
		uint64_t begin = rows[i].address - base;
		uint64_t end = i + 1 < sequence->count ? rows[i + 1].address - base : sequence->end;
		if (begin < from)
			begin = from;
		if (end > sequence->end)
			end = sequence->end;
		if (outcome == UNIT_OK && begin < end)
			outcome = add_segment(unit, (struct line_segment){ (uint32_t)begin, (uint32_t)end, file,
									   rows[i].line, sequence->begin });
		if (outcome != UNIT_OK)
			return outcome;
	}
	rs_release_pages(rows, sequence->count * sizeof *rows);
	return UNIT_OK;
}

/* Make segments of all sequences.  Where sequences overlap, the sequence that begins first counts, as in BFD. */
static enum outcome add_all_segments(struct line_rows *table)
{
	struct dw_reader *reader = table->unit->reader;
	struct known_unit *known = &table->unit->known;
	uint32_t done = 0;
	if (rs_array_reserve(&known->segments, &known->segment_room, 0, table->row_count, sizeof *known->segments) < 0)
		return rs_fail_memory(reader->reading->err);
	rs_sort(table->sequences, table->sequence_count, sizeof *table->sequences, compare_sequences);
	for (uint32_t i = 0; i < table->sequence_count; i++) {
		const struct line_sequence *sequence = &table->sequences[i];
		if (sequence->end <= done) {
			reader->reading->di->counts.duplicates += sequence->count;
			continue;
		}
		enum outcome outcome = add_sequence_segments(table, sequence,
							     sequence->begin > done ? sequence->begin : done);
		if (outcome != UNIT_OK)
			return outcome;
		done = sequence->end;
	}
	return UNIT_OK;
}

/* Run the program and make all rows, with details if these are wanted. */
static enum outcome make_unit_rows(struct dw_unit *unit)
{
	struct line_rows *table = &unit->rows;
	const uint64_t left = decoder_left(&unit->table.program);
	rs_unit_free_line_rows(unit);
	if (!rs_unit_spend_work(unit, WORK_LINES * left))
		return reject_unit_at_opcode(table, "line tables are read too often");
	/* Allocate as many rows as there can be, one for each byte of the program.  Memory pages that are never written
	   cost nothing, whereas an array that grows would be in memory twice. */
	if (rs_array_reserve(&table->rows, &table->row_room, 0,
			     left < unit->reader->spans_left ? left : unit->reader->spans_left,
			     sizeof *table->rows) < 0)
		return rs_fail_memory(unit->reader->reading->err);
	return unit->reader->reading->options->places ? run_program(table, DETAILED_ROWS) : run_program(table, ROWS);
}

enum outcome rs_unit_run_line_program(struct dw_unit *unit)
{
	const struct dw_reader *reader = unit->reader;
	/* If the table may have too many rows, make them now, because only make_unit_rows() then rejects the unit. */
	if (rs_reading_is_any_wanted(reader->reading, reader->extents, reader->extent_count) ||
	    decoder_left(&unit->table.program) > reader->spans_left)
		return make_unit_rows(unit);
	rs_unit_free_line_rows(unit);
	return run_program(&unit->rows, SEQUENCES);
}

enum outcome rs_unit_make_segments(struct dw_unit *unit)
{
	enum outcome outcome = UNIT_OK;
	if (unit->rows.sequence_count && !unit->rows.rows)
		outcome = make_unit_rows(unit);
	if (outcome == UNIT_OK && unit->rows.sequence_count)
		outcome = add_all_segments(&unit->rows);
	rs_unit_free_line_rows(unit);
	return outcome;
}

void rs_unit_free_line_rows(struct dw_unit *unit)
{
	rs_free(unit->rows.rows);
	rs_free(unit->rows.sequences);
	unit->rows = (struct line_rows){ .unit = unit, .lowest = UINT64_MAX };
}
