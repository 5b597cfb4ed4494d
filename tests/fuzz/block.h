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
enum { BLOCK_ROWS, BLOCK_STRINGS, BLOCK_OWN, BLOCK_OUTER, BLOCK_INNER, BLOCK_RUNS };
enum { BLOCK_FUNCTIONS = 6, BLOCK_LONGS, BLOCK_NAMES, BLOCK_BEHIND, BLOCK_DAMAGE, BLOCK_PARTS };

/* Options.  MOVE: all numbers are moved to where they are allowed, and nothing stands behind the chunks; DAMAGE comes
   after that.  Without IMAGE the table is a bare one.  SECOND: a block whose numbers were moved is put into the
   second form before DAMAGE. */
enum { BLOCK_IMAGE = 1, BLOCK_WIDE = 2, BLOCK_MOVE = 4, BLOCK_SECOND = 8 };

/* Returns a block of memory of exactly *RET_SIZE bytes, to be freed; NULL if DATA has no parts.  *SOUND: the numbers were moved and
   nothing was damaged after that, so that the table and its block must be taken. */
uint8_t *block_make(const uint8_t *data, size_t size, size_t *ret_size, bool *sound);

#endif
