/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guide.h - an index of a kept table, for look-ups that touch few cache lines and few pages
 *
 * rossym_core_keep() copies a table into memory, and makes a guide to this copy, the kept table.  The guide divides the
 * addresses of the table into buckets of equal size.  For each bucket it has the number of items before the bucket:
 * an item is a row or, in a packed table, a group of rows.  So a look-up bisects only the few items of one bucket.
 *
 * With cold caches, a look-up spends its time on waiting for memory: for the rows that a bisection of the whole table
 * reads, and for code.  So the code here is small: it answers for usual rows only (rs_guide_lookup()).  For all other
 * rows, rs_lookup() answers.
 */
#ifndef RS_GUIDE_H
#define RS_GUIDE_H

#include "core/table.h"

enum { RS_GUIDE_CODE = 3 }; /* the most sections of code that a guide has */

/* All that look-ups by the guide need, in as few cache lines as possible.  Offsets count from `content`. */
struct rs_guide {
	const uint8_t *content; /* the bytes of .rossym, and eight more that can be read */
	const uint32_t *before; /* for each bucket the number of items before it; at the end, the number of all items */
	uint32_t size;		/* of the content, in bytes */
	uint32_t first;		/* the address of the first item */
	uint32_t buckets;
	uint8_t shift; /* a bucket has 1 << `shift` addresses */
	uint8_t packed;
	uint8_t item_size; /* bytes of a row, or of a group's record in the list of groups */
	uint8_t context_size;
	uint32_t items;			  /* offset of the first item */
	uint32_t rows;			  /* number of rows */
	uint32_t strings, strings_length; /* offset of the strings, and their size in bytes */
	struct rs_code {
		uint32_t begin, size; /* RVA, and size in bytes; size 0: there is no such section */
	} code[RS_GUIDE_CODE];	      /* sections of code */
	/* Of a packed table: */
	uint32_t contexts, context_count;
	uint32_t data;	  /* offset of the data of groups */
	uint32_t phrases; /* number of phrases */
	uint8_t group_widths[RS_WIDTHS_SIZE], context_widths[RS_WIDTHS_SIZE];
};

/*@ predicate has_content{L}(struct rs_guide *g) = \valid_read(g) && bytes(g->content, g->size + 8);
    predicate guided{L}(struct rs_guide *g) =
      has_content(g) && 0 < g->buckets < 0x80000000 && g->shift < 32 && \valid_read(g->before + (0 .. g->buckets)); */

/* Returns the eight bytes at offset AT of the content as a number; 0 if AT is outside of the content. */
/*@ requires has_content(guide);
    assigns \nothing; */
static inline uint64_t rs_guide_read_word(const struct rs_guide *guide, uint32_t at)
{
	return at < guide->size ? rs_le64(guide->content + at) : 0;
}

/* Returns the address of item NUMBER: its first 32 bits; in a packed table, the first column of a group's record. */
/*@ requires has_content(guide);
    assigns \nothing; */
static inline uint32_t rs_guide_read_address(const struct rs_guide *guide, uint32_t number)
{
	const uint32_t address = (uint32_t)rs_guide_read_word(guide, guide->items + number * guide->item_size);
	const uint32_t width = guide->packed ? guide->group_widths[RS_GROUP_ADDRESS] : 32;
	return address & (uint32_t)((UINT64_C(1) << width % 64) - 1);
}

/* Returns how many bytes the guide to TABLE takes, a multiple of 8; 0 for tables that get none: those without rows, and
   those whose rows have 20 or 24 bytes. */
/*@ requires opened(table);
    assigns \nothing; */
size_t rs_guide_size(const struct rs_table *table);

/* Fill GUIDE, the guide to the table of CORE.  The content of CORE's .rossym must be in memory, with eight readable
   bytes after it, and its sections in an array.  GUIDE must have as many bytes as rs_guide_size() returns. */
void rs_guide_make(const struct rossym_core *core, struct rs_guide *guide);

/*
 * Do what rossym_core_lookup() does, but only for usual rows.  A row is usual if it is the only one at its address, in
 * the same section of code as RVA, and has a line, a file, and a function that does not begin with an underscore, so
 * that it is neither a linker constant nor a terminator.  Returns true and fills *ANSWER if the row for RVA is found to
 * be usual.  Returns false for other rows, for some usual ones, and if CORE has no guide: then call rs_core_lookup().
 */
bool rs_guide_lookup(const struct rossym_core *core, uint64_t rva, struct rossym_core_answer *answer);

#endif
