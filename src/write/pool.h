/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool.h - which strings a part of a table has, and at which offsets
 *
 * The strings of rows are in the table itself; all others are in its block.  There is a pool for each of these two
 * parts.  When all strings of a pool are known, rs_pool_lay_out() gives each its offset, the `place`.  The places
 * depend on which strings there are, not on the order in which they were added.
 */
#ifndef RS_POOL_H
#define RS_POOL_H

#include "write/strings.h"

#include <stdbool.h>

struct rs_pool_string {
	uint32_t at, length; /* offset and length in the bytes of `strings` */
	uint32_t written_as; /* index of the string that is written for this one: itself, or its short form */
	uint32_t place;	     /* offset in the part of the table, from rs_pool_lay_out() */
	bool is_short_form;  /* it is the short form of a longer string (build.c) */
	bool is_in_rows;     /* a row has this string */
	bool unshared;	     /* the string does not share its bytes with an equal one */
};

/* All zeros but for `strings`: the pool has no strings. */
struct rs_pool {
	struct rs_string_table *strings; /* where the bytes of the strings are */
	struct rs_pool_string *items;	 /* from index 1 on */
	uint32_t count, room;		 /* of items, the unused item 0 included */
	uint32_t *indexes;		 /* by a string's number: its index in items; 0: it is not in the pool, or "" */
	uint32_t index_count;
};

void rs_pool_clear(struct rs_pool *pool);

/* Add the string with this NUMBER, unless the pool has it, and store its index in *RET.  Returns 0,
   or -1 without memory. */
int rs_pool_add(struct rs_pool *pool, uint32_t number, uint32_t *ret, struct rossym_error *err);

/* Add a string that the pool has already: a second copy, with a place of its own.  Stores the index of the copy in
   *RET.  Returns 0, or -1: ROSSYM_ENOMEM. */
int rs_pool_add_unshared(struct rs_pool *pool, uint32_t number, uint32_t *ret, struct rossym_error *err);

/* Returns the index of the string with this NUMBER; 0 if it is not in the pool, or is "". */
static inline uint32_t rs_pool_index(const struct rs_pool *pool, uint32_t number)
{
	return number < pool->index_count ? pool->indexes[number] : 0;
}

/* Returns the place of the string with this NUMBER, which is in the pool; 0 for "".  Call rs_pool_lay_out() before. */
static inline uint32_t rs_pool_place(const struct rs_pool *pool, uint32_t number)
{
	const uint32_t index = rs_pool_index(pool, number);
	return index ? pool->items[index].place : 0;
}

/* Give each string its place, and store the number of bytes of the part in *RET_SIZE.  For real strings, the time is in
   proportion to their bytes.  Returns 0, or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for 4 GiB or more. */
int rs_pool_lay_out(struct rs_pool *pool, uint32_t *ret_size, struct rossym_error *err);

/* Write the strings to TO, which has as many bytes, all zero, as rs_pool_lay_out() has stored. */
void rs_pool_write(const struct rs_pool *pool, uint8_t *to);

#endif
