/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pieces.h - a sorted list of pieces of memory, virtual or physical, and where their bytes are in a file */
#ifndef DUMP_MEMORY_PIECES_H
#define DUMP_MEMORY_PIECES_H

#include "dump/memory/dump-input.h"

struct dump_piece {
	uint64_t address, size, offset; /* the SIZE bytes at ADDRESS are at OFFSET of the file */
};

/* All zeros is an empty list. */
struct dump_pieces {
	struct dump_piece *pieces; /* sorted by address, without overlap */
	size_t count;
	uint64_t file_size; /* in bytes */
};

/* Begin a list of at most MOST pieces of a file of FILE_SIZE bytes.  False: no memory is left.  rs_dump_pieces_clear()
   frees the list in either case. */
bool rs_dump_pieces_begin(struct dump_pieces *all, uint64_t file_size, size_t most);
/* Add PIECE, cut at the end of the file and of the address space.  Of pieces that overlap, the one with the lower
   address keeps the bytes. */
void rs_dump_pieces_add(struct dump_pieces *all, struct dump_piece piece);
/* Call this when all pieces have been added: it sorts them for rs_dump_pieces_find(). */
void rs_dump_pieces_end(struct dump_pieces *all);
void rs_dump_pieces_clear(struct dump_pieces *all);

/* Find the bytes at ADDRESS: store their offset in the file, and return how many there are in a row.  Returns 0 if
   there are none; the next piece then begins at ADDRESS + *GAP. */
uint64_t rs_dump_pieces_find(const struct dump_pieces *all, uint64_t address, uint64_t *offset, uint64_t *gap);

#endif
