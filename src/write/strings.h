/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strings.h - stores each distinct string once, and numbers the strings
 *
 * Equal strings have equal numbers, so strings are compared by comparing numbers.  Number 0 is "" from the start.  The
 * others are numbered from 1 in the order in which they were first added.
 */
#ifndef RS_STRINGS_H
#define RS_STRINGS_H

#include "compat/hash.h"
#include "rossym.h"

#include <stddef.h>
#include <stdint.h>

struct rs_string_table {
	char *bytes; /* all strings, each with its NUL */
	uint32_t length, room;
	uint32_t *offsets; /* by a string's number: where it begins in `bytes`; after the last one, `length` */
	uint32_t count, offsets_room;
	struct hash_table table; /* finds the number of a string */
	/* the seed of hashes, which differs from run to run, so that no file can have strings that all hash alike */
	uint64_t seed;
	uint32_t limit; /* the most bytes that all strings may have together */
};

/* Make STRINGS a table with the string "" only.  All strings may have LIMIT bytes together.  Without a limit, a small
   hostile file whose paths all have one long directory could fill the memory.  Returns 0, or -1: ROSSYM_ENOMEM. */
int rs_strings_open(struct rs_string_table *strings, uint32_t limit, struct rossym_error *err);

/* Free all strings.  STRINGS may also be all zeros, if it was never opened. */
void rs_strings_clear(struct rs_string_table *strings);

/* Store in *RET the number of the string of LENGTH bytes at TEXT, without NUL; add it if it is new.  TEXT may be part
   of a string that STRINGS has.  Returns 0, or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED beyond the limit. */
int rs_strings_add(struct rs_string_table *strings, const char *text, size_t length, uint32_t *ret,
		   struct rossym_error *err);

/* Do what rs_strings_add() does, for a TEXT that ends with a NUL.  If TEXT is NULL, it counts as "". */
int rs_strings_add_text(struct rs_string_table *strings, const char *text, uint32_t *ret, struct rossym_error *err);

/* Returns the string with this NUMBER, valid until the next string is added. */
static inline const char *rs_string(const struct rs_string_table *strings, uint32_t number)
{
	return strings->bytes + strings->offsets[number];
}

/* Returns the length of the string with this NUMBER, without its NUL. */
static inline uint32_t rs_string_length(const struct rs_string_table *strings, uint32_t number)
{
	return strings->offsets[number + 1] - strings->offsets[number] - 1;
}

#endif
