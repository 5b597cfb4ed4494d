/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.h - line tables: .debug_line and .debug_line_str (DWARF 5, 6.2)
 *
 * A line table is a header with directories and files, and a program for a simple machine, which makes rows.  A row
 * has an address, and the file and line of the code from there up to the next row.  Rows come in sequences of
 * ascending addresses, one for each stretch of code.
 */
#ifndef DEBUGINFO_DWARF_LINE_H
#define DEBUGINFO_DWARF_LINE_H

#include "debuginfo/base/decoder.h"
#include "debuginfo/dwarf/forms.h"

struct line_path {	  /* a directory or a file of a line table */
	const char *name; /* NULL = unknown */
	uint32_t dir;	  /* for a file, index of its directory */
	uint32_t string;  /* 1 + string number of the file's full path; 0 = not made yet */
};

struct line_paths {
	struct line_path *items;
	uint32_t count, room;
};

struct line_table {	 /* the header of a line table, and where its program is */
	uint64_t offset; /* where the table begins in .debug_line */
	struct unit_encoding encoding;
	uint8_t least_length, operations, line_range, opcode_base;
	int8_t line_base;
	uint8_t operands[256]; /* how many operands each opcode below opcode_base has */
	struct line_paths dirs, files;
	uint64_t strings_bias; /* subtracted from references to .debug_line_str: read_new_tables() */
	uint32_t mid_string;   /* how many references do not lead to the start of a string */
	uint32_t out_of_range; /* how many of these references lead out of the section */
	struct decoder program;
};

struct line_row {
	uint64_t address;
	uint32_t file; /* index in the table's files */
	uint32_t line; /* with details, as for rs_places_get() */
};

struct line_sequence {
	uint32_t begin, end;   /* RVAs */
	uint32_t first, count; /* its rows: COUNT of them, from index FIRST on */
	uint32_t order;	       /* how many sequences come before it in the table */
};

struct line_rows { /* what the program of a line table makes */
	struct dw_unit *unit;
	const uint8_t *at;     /* the opcode that is being run, for messages */
	struct line_row *rows; /* NULL: only the sequences are made */
	uint32_t row_count, row_room;
	uint32_t first;	  /* index of the first row of the current sequence */
	uint64_t lowest;  /* lowest address in the current sequence */
	bool is_unsorted; /* the rows of the current sequence do not ascend */
	struct line_sequence *sequences;
	uint32_t sequence_count, sequence_room;
};

struct line_segment { /* a range of code with one line */
	uint32_t begin, end;
	uint32_t file, line;
	uint32_t sequence; /* RVA at which its sequence of the line table begins */
};

/* ---------------------------------------------------------------------------------- line-header.c */

/* Read the header of the line table at OFFSET of .debug_line into the unit's table, which rs_unit_close_files() frees. */
enum outcome rs_unit_open_files(struct dw_unit *unit, uint64_t offset);
void rs_unit_close_files(struct dw_unit *unit);

/* Add the file whose description is next in *C, in the form of headers up to DWARF 4. */
enum outcome rs_unit_define_file(struct dw_unit *unit, struct decoder *c);

/* Set *RET to the string number of the path of file INDEX; 0 if the table has no such file, or its name is unknown. */
enum outcome rs_unit_file(struct dw_unit *unit, uint64_t index, uint32_t *ret);

/* --------------------------------------------------------------------------------- line-program.c */

/* Run the program of the unit's line table: make unit->rows, which rs_unit_close_rows() frees.  If only some code is
   wanted, and none of it is in the reader's extents, which are the ranges of the first entry, makes only the sequences,
   unless there may be too many rows; rs_unit_read_lines() then makes the rows if they are needed. */
enum outcome rs_unit_run_lines(struct dw_unit *unit);
void rs_unit_close_rows(struct dw_unit *unit);

/* Make the reader's segments from the unit's rows: ascending and disjoint.  If rs_unit_run_lines() has made only the
   sequences, run the program again to make the rows.  Frees the rows. */
enum outcome rs_unit_read_lines(struct dw_unit *unit);

enum outcome {
	UNIT_OK = 0,
	UNIT_REJECTED = 1, /* it cannot be used; unit->fault has the reason */
	UNIT_FATAL = -1,   /* the reading must end; reading->err has the error */
};

#endif
