/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index.h - the fast path of looking up: the whole table, laid out for many look-ups
 *
 * The reference path, the simpler code, is rs_core_lookup(), which reads rows from the table.  With it, 3,000 addresses
 * in a table of 100,000 rows take 8 times as long, and a million addresses 400 times.  tests/library/unit-many.c checks
 * that both give equal answers.
 *
 * The index has an entry for each address that has rows, unless core/answer.h ignores all these rows.  An entry is the
 * combined answer of the rows, in 16 bytes that never cross a cache line, with the lengths of its strings.  The rank of
 * an address (rank.h) is the number of the entry that answers for it.
 *
 * A row answers only for addresses in its own section.  So where a section begins or ends, the index has an entry that
 * says "unknown", and look-ups need not consult sections.
 *
 * A look-up waits for memory three times: for the rank, for the entry, and for the strings.  So many look-ups are
 * done together: each step is done for all of them before the next step, and prefetches the memory that the next step
 * reads.  While the memory of one look-up arrives, the others proceed.
 *
 * Building the index reads the table once, in order, and checks the order.  After that the index does not change.
 */
#ifndef RS_INDEX_H
#define RS_INDEX_H

#include "core/answer.h"
#include "lib/base/pe-memory.h"
#include "lib/table/rank.h"

#include <string.h>

/* Let the processor load a cache line that will be read soon.  ADDRESS may be invalid.  With compilers other than GCC
   and Clang, the macro does nothing. */
#if defined(__GNUC__)
#define rs_prefetch(address) __builtin_prefetch(address)
#else
#define rs_prefetch(address) ((void)(address))
#endif

/* The combined answer of the rows at an address. */
struct rs_entry_answer {
	uint32_t function, file, line; /* offsets of strings in the table's strings, and the line; 0: unknown */
	uint8_t function_length;       /* the length of each of the two strings; RS_ENTRY_LONG: that long or longer */
	uint8_t file_length;
	bool data; /* the address is in data, not code */
	/* the usual case, for which there is faster code: the address is in code, and both strings are known, shorter
	   than RS_ENTRY_LONG, and not cut (lib/image.c clears this field for cut strings) */
	bool plain;
};

enum { RS_ENTRY_LONG = 255 };

struct rs_index {
	struct rs_rank rank;
	struct rs_entry_answer *entries; /* by rank; entry 0, for addresses below all rows, says "unknown" */
	uint32_t *rows;			 /* by rank: the number of the row that gives the answer */
	const char *strings;		 /* of the table; RS_STRINGS_SLACK bytes after them can be read */
};

enum { RS_INDEX_BATCH = 64 }; /* how many look-ups are done together, step by step */

/* Build an index from all rows of TABLE.  STRINGS are from rs_table_strings_get_padded(), and must outlive the index.
   PE has the sections, in ascending order and without overlaps.  If PE is NULL, sections are ignored, and a row answers
   for all addresses up to the next row.  Returns the index; NULL if the rows cannot be read or are not in order, or if
   there is no memory. */
struct rs_index *rs_index_build(const struct rs_table *table, const char *strings, const struct rs_pe *pe,
				struct rossym_error *err);
void rs_index_free(struct rs_index *index);

/* Store in RANKS the ranks of COUNT addresses, at most RS_INDEX_BATCH: the answer for an address is
   index->entries[rank].  Store in ROWS the address at which each answer begins; for rank 0, a meaningless number. */
void rs_index_find_ranks(const struct rs_index *index, const uint64_t *addresses, size_t count, uint32_t *ranks,
			 uint32_t *rows);

/* Returns the length, at most ROSSYM_LENGTH_MAX, of the string whose OFFSET and LENGTH are in an entry of INDEX. */
static inline uint32_t rs_index_string_length(const struct rs_index *index, uint32_t offset, uint8_t length)
{
	return length < RS_ENTRY_LONG ? length
				      : RS_ENTRY_LONG + (uint32_t)strnlen(index->strings + offset + RS_ENTRY_LONG,
									  ROSSYM_LENGTH_MAX - RS_ENTRY_LONG);
}

#endif
