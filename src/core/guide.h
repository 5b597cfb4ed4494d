/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guide.h - look-ups in a kept table that touch few cache lines and few pages
 *
 * The guide divides the addresses of a table into buckets of equal size, and says for each how many rows, or groups of
 * packed rows, are before it.  So an address leads at once to the few rows or groups that can be its own.
 * rossym_core_keep() makes the guide.
 *
 * With cold caches a look-up waits for memory: for the rows that it meets in a bisection of the whole table, and for
 * the code that handles every case.  So usual rows are answered here, and rs_lookup() answers for the others.
 */
#ifndef RS_GUIDE_H
#define RS_GUIDE_H

#include "core/table.h"

enum { RS_GUIDE_CODE = 3 };

/* What look-ups need, beside each other. */
struct rs_guide {
	const uint8_t *content; /* of .rossym, and eight bytes that can be read after it */
	const uint32_t *before; /* for each bucket how many items are before it; then how many there are */
	uint32_t size;		/* bytes of the content */
	uint32_t first;		/* the address of the first item */
	uint32_t buckets;
	uint8_t shift; /* a bucket has 1 << SHIFT addresses */
	uint8_t packed;
	uint8_t item_size; /* bytes of a row, or of a group's record */
	uint8_t context_size;
	uint32_t items; /* offset of the first row, or of the first group's record */
	uint32_t rows;	/* how many */
	uint32_t strings, strings_length;
	struct rs_code {
		uint32_t begin, size;
	} code[RS_GUIDE_CODE]; /* sections of code; of size 0: none */
	/* of a packed table */
	uint32_t contexts, context_count, data;
	uint32_t phrases;
	uint8_t group_widths[RS_WIDTHS_SIZE], context_widths[RS_WIDTHS_SIZE];
};

/*@ predicate guided{L}(struct rs_guide *g) =
      \valid_read(g) && \valid_read(g->content + (0 .. g->size + 7)) && 0 < g->buckets < 0x80000000 &&
      g->shift < 32 && \valid_read(g->before + (0 .. g->buckets)); */

/* The eight bytes at offset AT of the content. */
/*@ requires guided(guide);
    assigns \nothing; */
static inline uint64_t rs_guide_word(const struct rs_guide *guide, uint32_t at)
{
	return at < guide->size ? rs_le64(guide->content + at) : 0;
}

/* The address of item NUMBER. */
/*@ requires guided(guide);
    assigns \nothing; */
static inline uint32_t rs_guide_address(const struct rs_guide *guide, uint32_t number)
{
	const uint32_t address = (uint32_t)rs_guide_word(guide, guide->items + number * guide->item_size);
	const uint32_t width = guide->packed ? guide->group_widths[RS_GROUP_ADDRESS] : 32;
	return address & (uint32_t)((UINT64_C(1) << width % 64) - 1);
}

/* Returns how many bytes the guide to TABLE has, a multiple of 8; 0 for tables that get none. */
size_t rs_guide_size(const struct rs_table *table);

/* Make GUIDE the guide to the table of CORE, which is in memory, eight bytes after it, too, and whose sections are in an
   array.  GUIDE has as many bytes as rs_guide_size() says. */
void rs_guide_make(const struct rossym_core *core, struct rs_guide *guide);

/*
 * As rossym_core_lookup() for a usual row: the only one at its address, in the same section of code as RVA, with a
 * line, a file, and a function that does not begin with an underscore.  Returns true and fills *ANSWER then.
 * Otherwise, or if CORE has no guide, returns false: rs_core_lookup() has the answer.
 */
bool rs_guide_lookup(const struct rossym_core *core, uint64_t rva, struct rossym_core_answer *answer);

#endif
