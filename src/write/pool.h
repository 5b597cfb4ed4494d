/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool.h - the strings of a table that is being made
 *
 * A string is known by its number; equal strings have the same one, and number 0 is "".  When all are known they are
 * laid out, one behind the other, a string that is the end of another one inside that one.  Where each of them
 * comes to stand depends on which strings there are, and not on the order in which they came.
 */
#ifndef RS_POOL_H
#define RS_POOL_H

#include "rossym.h"

#include <stdbool.h>

struct rs_pool_string {
	uint32_t at, length;	/* in the pool's text */
	uint32_t hash;
	uint32_t next;		/* in the same bucket; 0 = last */
	uint32_t stands_for;	/* the number of the string to lay out instead; its own; 0: lay out nothing */
	uint32_t place;		/* where it was laid out */
	bool named;		/* for the user: somebody gave it, */
	bool taken;		/* another one was cut to it */
	bool apart;		/* shares no place, though it may be equal to another one */
};

struct rs_pool {
	char *text;
	uint32_t text_size, text_room;
	struct rs_pool_string *strings;
	uint32_t count, room;
	uint32_t *buckets;
	uint32_t bucket_mask;
};

/* A pool that has been zeroed is one without memory: rs_pool_clear() takes it. */
int rs_pool_open(struct rs_pool *pool, struct rossym_error *err);
void rs_pool_clear(struct rs_pool *pool);

/* The number of TEXT.  *ADDED says whether it is new.  ADDED may be NULL. */
int rs_pool_add(struct rs_pool *pool, const char *text, uint32_t length, uint32_t *ret, int *added,
		struct rossym_error *err);

/* A new number for TEXT, which is there already: a second string that is equal to it and is laid out apart from it. */
int rs_pool_add_again(struct rs_pool *pool, const char *text, uint32_t length, uint32_t *ret, struct rossym_error *err);

/* The number of TEXT, or 0 if there is none. */
uint32_t rs_pool_find(const struct rs_pool *pool, const char *text, uint32_t length);

/* Decide where each string stands; *RET_SIZE is how many bytes they take.  Time is linear in the text, in practice. */
int rs_pool_lay_out(struct rs_pool *pool, uint32_t *ret_size, struct rossym_error *err);

/* Write them TO, zeroed bytes of the size that rs_pool_lay_out() said. */
void rs_pool_write(const struct rs_pool *pool, uint8_t *to);

#endif
