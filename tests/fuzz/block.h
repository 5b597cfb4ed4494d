/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables with a block behind them, made of parts (parts.h): rows, strings, chunks.  Lengths, numbers of rows and
 * checksums are made right, so that what is mutated gets behind them.
 */
#ifndef FUZZ_BLOCK_H
#define FUZZ_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows, the table's strings; the block's own; frames outside and inside the rows; runs, functions, cut strings, other
   names; what stands behind all chunks; and changes to the finished block, each in four bytes: the number of a 32-bit
   word (two bytes), how it changes, an amount. */
#define BLOCK_LETTERS "rstOIMFLNxd"
enum {
	BLOCK_ROWS,
	BLOCK_STRINGS,
	BLOCK_OWN,
	BLOCK_OUTER,
	BLOCK_INNER,
	BLOCK_RUNS,
	BLOCK_FUNCTIONS,
	BLOCK_LONGS,
	BLOCK_NAMES,
	BLOCK_BEHIND,
	BLOCK_DAMAGE,
	BLOCK_PARTS
};

/* Options.  MOVE: all numbers are moved to where they are allowed, and nothing stands behind the chunks; DAMAGE comes
   after that.  Without IMAGE the table is a bare one.  SECOND: a block that is right is put into the second form
   before DAMAGE. */
enum { BLOCK_IMAGE = 1, BLOCK_WIDE = 2, BLOCK_MOVE = 4, BLOCK_SECOND = 8 };

/* Elements of the first form's chunks, and where their numbers are. */
enum {
	FIRST_FRAME_SIZE = 16,
	FIRST_FRAME_FUNCTION = 0,
	FIRST_FRAME_FILE = 4,
	FIRST_FRAME_LINE = 8,
	FIRST_FRAME_NEXT = 12,
	FIRST_RUN_SIZE = 8,
	FIRST_RUN_ROW = 0,
	FIRST_RUN_FRAME = 4,
	FIRST_FUNCTION_SIZE = 12,
	FIRST_FUNCTION_RVA = 0,
	FIRST_FUNCTION_LENGTH = 4,
	FIRST_FUNCTION_NAME = 8,
	FIRST_LONG_SIZE = 8,
	FIRST_LONG_SHORT = 0,
	FIRST_LONG_WHOLE = 4,
};

struct block_chunk {
	uint8_t *bytes;
	uint32_t count; /* of elements; of strings, bytes */
};

struct block_file {
	uint8_t *bytes; /* a block of exactly SIZE bytes */
	size_t size;
	uint8_t *first; /* NULL, or what the parts below are in: the same with a block of the first form */
	bool inner;
	/* Judged number by number.  SOUND: table and block are right, so that answers can be compared
	   with them.  Without KNOWN it
	   cannot be said whether the block will be taken, else TAKEN says it. */
	bool sound, known, taken;
	struct block_chunk rows, strings, own, frames, runs, functions, longs, names; /* names: as functions */
};

/* To be cleared.  False: DATA has no parts. */
bool block_make(const uint8_t *data, size_t size, struct block_file *file);
void block_clear(struct block_file *file);

/* ------------------------------------------------------------- what the parts of a sound file say, without an index */

uint32_t block_get(const uint8_t *p);
const char *block_string(const struct block_file *file, uint32_t reference);

/* The string at OFFSET of the table, or the whole one that it was cut from. */
const char *block_whole(const struct block_file *file, uint32_t offset);

/* The first frame of the row, or 0xffffffff: none. */
uint32_t block_chain(const struct block_file *file, uint32_t row);

#endif
