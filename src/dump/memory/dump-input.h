/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-input.h - reads the bytes of a dump, and reports problems with them; makes sorted lists of the pieces of memory,
   virtual or physical, that are in the file, with their offsets */
#ifndef DUMP_MEMORY_DUMP_INPUT_H
#define DUMP_MEMORY_DUMP_INPUT_H

#include "core/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dump_input {
	/* Read SIZE bytes at OFFSET, which are within the file.  False: they cannot be read. */
	bool (*read)(void *context, uint64_t offset, void *bytes, size_t size);
	void *context;
	uint64_t size; /* of the file, in bytes */
};

/* Returns the little-endian number at BYTES, which has 64 bits if WIDE, else 32. */
static inline uint64_t rs_dump_parse_pointer(bool wide, const uint8_t *bytes)
{
	return wide ? rs_le64(bytes) : rs_le32(bytes);
}

/* Read SIZE bytes at OFFSET.  False: some of them are past the end of the file, or cannot be read. */
bool rs_dump_read(const struct dump_input *input, uint64_t offset, void *bytes, size_t size);

enum { DUMP_KNOWN_PROBLEMS_MAX = 64 };

struct dump_problem {
	const char *what, *wrong;
	uint64_t number;
};

/* Where problems of a dump are reported.  A problem is found again whenever its bytes are read again, but each of the
   first DUMP_KNOWN_PROBLEMS_MAX is reported and counted once.  Later ones are reported and counted each time. */
struct dump_problems {
	/* Report a problem in static strings: WHAT, such as "the header", and what is WRONG, such as "is too short".
	   WHAT is at offset NUMBER of the file or, if IN_MEMORY, at address NUMBER of the memory that was dumped.
	   say() may be NULL: problems are then only counted. */
	void (*say)(void *context, const char *what, bool in_memory, uint64_t number, const char *wrong);
	void *context;
	uint32_t count;					    /* how many problems there were */
	struct dump_problem known[DUMP_KNOWN_PROBLEMS_MAX]; /* the first problems */
};

/* The text for WRONG if WHAT does not end within the file. */
extern const char rs_dump_past_end[];

/* Report that WHAT, at OFFSET of the file or at ADDRESS of the memory that was dumped, is WRONG. */
void rs_dump_add_problem(struct dump_problems *problems, const char *what, uint64_t offset, const char *wrong);
void rs_dump_add_problem_in_memory(struct dump_problems *problems, const char *what, uint64_t address,
				   const char *wrong);

/* A list of entries in the file, as a header describes it. */
struct dump_list_claim {
	const char *what;     /* what the list is called when a problem is reported, at offset AT */
	uint64_t at, offset;  /* `offset` is where the first entry is */
	uint64_t count, room; /* how many entries the header claims, and for how many there is room */
	uint32_t size, most;  /* bytes of an entry; the most entries that are read */
};

/* Returns how many entries of LIST can be read.  If not all can be read, reports a problem. */
uint32_t rs_dump_count_entries(const struct dump_input *input, struct dump_problems *problems,
			       const struct dump_list_claim *list);

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
/* Sort the pieces for rs_dump_pieces_find(), after all have been added, and remove overlaps. */
void rs_dump_pieces_sort_and_cut(struct dump_pieces *all);
void rs_dump_pieces_clear(struct dump_pieces *all);

/* Find the bytes at ADDRESS: store their offset in the file, and return how many bytes their piece has from there on.
   If no piece has ADDRESS, return 0: the next piece, if there is one, begins at ADDRESS + *GAP. */
uint64_t rs_dump_pieces_find(const struct dump_pieces *all, uint64_t address, uint64_t *offset, uint64_t *gap);

#endif
