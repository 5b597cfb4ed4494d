/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool.h - the strings of a table that is being made
 *
 * Each string has a number; equal strings have the same one, and number 0 is "".  When all strings are known,
 * rs_pool_lay_out() gives each its place.  The places depend on which strings there are, not on the order in which
 * they came.
 */
#ifndef RS_POOL_H
#define RS_POOL_H

#include "rossym.h"

#include <stdbool.h>

struct rs_pool_string {
	uint32_t at, length; /* in the pool's text */
	uint32_t hash;
	uint32_t next;	     /* in the same bucket; 0 = last */
	uint32_t stands_for; /* number of the string that is laid out for it: its own or another; 0: none */
	uint32_t place;	     /* its offset in the result */
	bool named;	     /* short-strings.c: a row has this string */
	bool taken;	     /* short-strings.c: a longer string stands for it */
	bool apart;	     /* has a place of its own, even if another string is equal */
};

struct rs_pool {
	char *text;
	uint32_t text_size, text_room;
	struct rs_pool_string *strings;
	uint32_t count, room;
	uint32_t *buckets;     /* number of the first string, or 0 */
	uint32_t bucket_count; /* a power of two */
	uint64_t seed;	       /* of the hashes */
};

/* rs_pool_clear() also accepts a pool of zeros that was never opened. */
int rs_pool_open(struct rs_pool *pool, struct rossym_error *err);
void rs_pool_clear(struct rs_pool *pool);

/* Store the number of TEXT in *RET, and whether it is new in *ADDED, which may be NULL.  Returns 0, or -1:
   ROSSYM_ENOMEM, or ROSSYM_EREFUSED for too many strings. */
int rs_pool_add(struct rs_pool *pool, const char *text, uint32_t length, uint32_t *ret, int *added,
		struct rossym_error *err);

/* As rs_pool_add(), for a string with a NUL after it, or NULL, which is "". */
int rs_pool_add_text(struct rs_pool *pool, const char *text, uint32_t *ret, int *added, struct rossym_error *err);

/* Store a new number for TEXT, which has one already: a second string that is equal, with a place of its own. */
int rs_pool_add_again(struct rs_pool *pool, const char *text, uint32_t length, uint32_t *ret, struct rossym_error *err);

/* Return the number of TEXT, or 0 if it is not in the pool. */
uint32_t rs_pool_find(const struct rs_pool *pool, const char *text, uint32_t length);

/* Give each string its place, and store the number of bytes in *RET_SIZE.  In practice the time is linear in
   the text. */
int rs_pool_lay_out(struct rs_pool *pool, uint32_t *ret_size, struct rossym_error *err);

/* Write the strings to TO, zeroed bytes of the size that rs_pool_lay_out() stored. */
void rs_pool_write(const struct rs_pool *pool, uint8_t *to);

#endif
