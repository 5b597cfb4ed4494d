/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strings.h - each distinct string once, under a number
 *
 * Equal strings have equal numbers, so that comparing two is comparing numbers.  Number 0 is "", from the start;
 * the others count up in the order in which they were first added.
 */
#ifndef DEBUGINFO_STRINGS_H
#define DEBUGINFO_STRINGS_H

#include <stddef.h>
#include <stdint.h>

struct strings {
	char *bytes;		/* NUL-terminated, one after the other */
	uint32_t length, room;
	uint32_t *offsets;	/* of string number n in bytes */
	uint32_t count, offsets_room;
	uint32_t *slots;	/* a hash table of numbers; 0 = free */
	uint32_t slot_count;	/* a power of two */
	uint64_t seed;		/* differs from run to run, so that nobody can prepare collisions */
	uint32_t limit;		/* of bytes in all */
};

/* LIMIT bounds the memory that a hostile input can ask for by making long strings out of shared parts. */
int strings_init(struct strings *strings, uint32_t limit);
void strings_clear(struct strings *strings);

/* Store in *RET the number of the LENGTH bytes at TEXT, which contain no NUL.  TEXT may be part of a string that STRINGS has.
   Returns -1 without memory or beyond the limit. */
int strings_add(struct strings *strings, const char *text, size_t length, uint32_t *ret);

/* The string with a number that strings_add() gave.  Valid until the next strings_add(). */
static inline const char *strings_get(const struct strings *strings, uint32_t number)
{
	return strings->bytes + strings->offsets[number];
}

#endif
