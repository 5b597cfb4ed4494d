// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * annotations.c - decodes which ranges of code belong to an inlined call, and which lines they have
 *
 * An inlined call has "binary annotations": a program, which consists of instructions and their operands.  Instructions
 * change a state, which is an offset from the procedure's start, a line and a file.  Three instructions begin a row: a
 * range of code with the state's line and file, up to the next row, unless an instruction ends it earlier.
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"

enum operation {		 /* instructions; the others up to OP_MAX, such as those for columns, are skipped */
		 OP_END = 0,	 /* ends the program */
		 OP_OFFSET = 1,	 /* sets the offset */
		 OP_BASE = 2,	 /* offsets become relative to another part of the code; no known compiler writes it */
		 OP_ADVANCE = 3, /* adds to the offset and begins a row */
		 OP_LENGTH = 4,	 /* adds to the offset, and ends the row there */
		 OP_FILE = 5,	 /* sets the file */
		 OP_LINE = 6,	 /* adds to the line */
		 OP_ADVANCE_LINE = 11, /* adds to offset and line, and begins a row */
		 OP_LENGTH_ADVANCE =
			 12, /* adds to the offset, and begins a row of a given length, without moving to its end */
		 OP_MAX = 13,
};

enum { LINE_NUMBER_MAX = 0xffffff }; /* line numbers of CodeView have 24 bits */

/* Mark the program as damaged, and end it. */
static void stop_program(struct decoder *program)
{
	program->bad = true;
	program->at = program->end;
}

/* Read a big-endian number.  Its first byte begins with the bits 0, 10 or 110 if it has 1, 2 or 4 bytes. */
static uint32_t read_compressed_number(struct decoder *c)
{
	uint32_t first = decoder_u8(c);
	if (first < 0x80)
		return first;
	if (first < 0xc0)
		return (first & 0x3f) << 8 | decoder_u8(c);
	const uint8_t *rest = decoder_take(c, 3);
	if (!rest || first >= 0xe0) {
		stop_program(c);
		return 0;
	}
	return (first & 0x1f) << 24 | (uint32_t)rest[0] << 16 | (uint32_t)rest[1] << 8 | rest[2];
}

/* Returns NUMBER, which has its sign in bit 0 and its absolute value in the other bits, as two's complement. */
static uint32_t decode_signed_number(uint32_t number)
{
	return number & 1 ? 0 - (number >> 1) : number >> 1;
}

/* Add DELTA to the offset.  If the sum does not fit in 32 bits, as offsets in all other records do, end the program. */
static void advance_offset(struct pdb_annotations *annotations, uint32_t delta)
{
	annotations->offset += delta;
	if (annotations->offset > UINT32_MAX)
		stop_program(&annotations->program);
}

/* If a row is open, end it at offset BY, or at its own end if that is lower, and store it in *ROW.  Returns whether
   there was an open row that is not empty. */
static bool close_row(struct pdb_annotations *annotations, uint64_t by, struct pdb_annotation_row *row)
{
	struct pdb_annotation_row *open = &annotations->open;
	*row = *open;
	if (row->end > by)
		row->end = (uint32_t)by;
	const bool found = row->end > row->begin;
	open->begin = open->end = found ? row->end : row->begin;
	return found;
}

/* Add DELTA to the offset, end the open row there, if there is one, and begin a row.  LENGTH is the length of the new
   row, or UINT32_MAX if that is unknown.  Returns whether the row before it was stored in *ROW. */
static bool begin_row(struct pdb_annotations *annotations, uint32_t delta, uint32_t length,
		      struct pdb_annotation_row *row)
{
	advance_offset(annotations, delta);
	uint64_t offset = annotations->offset;
	if (offset < annotations->open.begin)
		stop_program(&annotations->program);
	if (annotations->program.bad)
		return false;
	bool closed = close_row(annotations, offset, row);
	annotations->open = (struct pdb_annotation_row){
		.begin = (uint32_t)offset,
		.end = length < UINT32_MAX - offset ? (uint32_t)offset + length : UINT32_MAX,
		.line = annotations->line <= LINE_NUMBER_MAX ? annotations->line : 0,
		.file = annotations->file,
	};
	return closed;
}

/* Run the next instruction.  Returns whether it has stored a row in *ROW. */
static bool run_instruction(struct pdb_annotations *annotations, struct pdb_annotation_row *row)
{
	struct decoder *program = &annotations->program;
	uint32_t operation = read_compressed_number(program), value;
	if (operation == OP_END) {
		program->at = program->end;
		return false;
	}
	value = read_compressed_number(program);
	switch (operation) {
	case OP_OFFSET:
		annotations->offset = value;
		return false;
	case OP_ADVANCE:
		return begin_row(annotations, value, UINT32_MAX, row);
	case OP_LENGTH:
		advance_offset(annotations, value);
		return close_row(annotations, annotations->offset, row);
	case OP_FILE:
		annotations->file = value;
		return false;
	case OP_LINE:
		annotations->line += decode_signed_number(value);
		return false;
	case OP_ADVANCE_LINE:
		annotations->line += decode_signed_number(value >> 4);
		return begin_row(annotations, value & 15, UINT32_MAX, row);
	case OP_LENGTH_ADVANCE:
		return begin_row(annotations, read_compressed_number(program), value, row);
	default:
		if (operation == OP_BASE || operation > OP_MAX)
			stop_program(&annotations->program);
		return false;
	}
}

bool rs_pdb_annotations_next(struct pdb_annotations *annotations, struct pdb_annotation_row *row)
{
	struct decoder *program = &annotations->program;
	while (decoder_left(program) > 0)
		if (run_instruction(annotations, row))
			return true;
	/* No row follows, so the last row must have an end of its own.  Without one, the program is damaged. */
	if (annotations->open.end == UINT32_MAX && annotations->open.begin < UINT32_MAX) {
		annotations->open.end = annotations->open.begin;
		program->bad = true;
	}
	return close_row(annotations, UINT32_MAX, row);
}
