/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool.h - the strings that a part of a table holds, and where
 *
 * A table has one part for the strings of rows, and its block has one for all others.  When all strings of a part are
 * known, rs_pool_lay_out() gives each its place.  The places depend on which strings there are, not on the order in
 * which they came.
 */
#ifndef RS_POOL_H
#define RS_POOL_H

#include "write/strings.h"

#include <stdbool.h>

struct rs_pool_string {
	uint32_t at, length; /* in the bytes of the strings */
	uint32_t stands_for; /* index of the string that is laid out for it: its own or another */
	uint32_t place;	     /* its offset in the result */
	bool taken;	     /* short-strings.c: a longer string stands for it */
	bool named;	     /* short-strings.c: a row has this string */
	bool unshared;	     /* has a place of its own, even if another string is equal */
};

/* All zeros but for the pointer to the strings: none. */
struct rs_pool {
	struct rs_string_table *strings;
	struct rs_pool_string *items; /* from index 1 on */
	uint32_t count, room;
	uint32_t *indexes; /* of each string, by its number: its index here; 0: it is not in the pool, or "" */
	uint32_t index_count;
};

void rs_pool_clear(struct rs_pool *pool);

/* Store in *RET the index of the string with this NUMBER, which is added if it is new.  Returns 0, or -1: ROSSYM_ENOMEM. */
int rs_pool_add(struct rs_pool *pool, uint32_t number, uint32_t *ret, struct rossym_error *err);

/* Store a new index for a string that has one already: a second string that is equal, with a place of its own. */
int rs_pool_add_again(struct rs_pool *pool, uint32_t number, uint32_t *ret, struct rossym_error *err);

/* The index of the string with this NUMBER; 0 if it is not in the pool, or "". */
static inline uint32_t rs_pool_index(const struct rs_pool *pool, uint32_t number)
{
	return number < pool->index_count ? pool->indexes[number] : 0;
}

/* The place of the string with this NUMBER, which is in the pool that has been laid out; 0 for "". */
static inline uint32_t rs_pool_place(const struct rs_pool *pool, uint32_t number)
{
	const uint32_t index = rs_pool_index(pool, number);
	return index ? pool->items[index].place : 0;
}

/* Give each string its place, and store the number of bytes in *RET_SIZE.  In practice the time is linear in
   the text. */
int rs_pool_lay_out(struct rs_pool *pool, uint32_t *ret_size, struct rossym_error *err);

/* Write the strings to TO, zeroed bytes of the size that rs_pool_lay_out() stored. */
void rs_pool_write(const struct rs_pool *pool, uint8_t *to);

#endif
