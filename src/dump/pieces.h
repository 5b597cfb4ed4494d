/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pieces.h - pieces of memory that are in a file: by virtual addresses, or by physical ones */
#ifndef DUMP_PIECES_H
#define DUMP_PIECES_H

#include "dump/dump-input.h"

struct dump_piece {
	uint64_t address, size, offset; /* offset: in the file */
};

/* All zeros: none. */
struct dump_pieces {
	struct dump_piece *pieces; /* by address, without overlap */
	size_t count;
	uint64_t file; /* its size */
};

/* Begin to collect at most MOST pieces of the memory in a FILE of this size.  False: no memory is left for it.
   rs_dump_pieces_close() frees it in any case. */
bool rs_dump_pieces_begin(struct dump_pieces *all, uint64_t file, size_t most);
/* Add PIECE, but what is past the end of the file or of the address space. */
void rs_dump_pieces_add(struct dump_pieces *all, struct dump_piece piece);
/* All pieces have been added. */
void rs_dump_pieces_end(struct dump_pieces *all);
void rs_dump_pieces_close(struct dump_pieces *all);

/* Find the bytes at ADDRESS: store at which offset they are, and return how many there are.  0: there are none, and none
   before ADDRESS + *GAP either. */
uint64_t rs_dump_pieces_find(const struct dump_pieces *all, uint64_t address, uint64_t *offset, uint64_t *gap);

#endif
