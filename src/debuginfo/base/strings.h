/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strings.h - each distinct string once, under a number
 *
 * Equal strings have equal numbers, so strings are compared by comparing numbers.  Number 0 is "" from the start.  The
 * others are numbered from 1 in the order in which they were first added.
 */
#ifndef DEBUGINFO_BASE_STRINGS_H
#define DEBUGINFO_BASE_STRINGS_H

#include <stddef.h>
#include <stdint.h>

struct strings {
	char *bytes; /* all strings, each with its NUL */
	uint32_t length, room;
	uint32_t *offsets; /* where string number n begins */
	uint32_t count, offsets_room;
	uint32_t *slots;     /* a hash table of numbers; 0 = free slot */
	uint32_t slot_count; /* a power of two */
	/* differs from run to run, so that no file can be prepared to make all strings collide */
	uint64_t seed;
	uint32_t limit; /* the most bytes */
};

/* LIMIT is the most bytes that the strings may have together.  A small hostile file can refer to the same bytes so
   often, as parts of different paths, that the paths fill the memory. */
int strings_init(struct strings *strings, uint32_t limit);
void strings_clear(struct strings *strings);

/* Store in *RET the number of the LENGTH bytes at TEXT, which contain no NUL.  TEXT may be part of a string that
   STRINGS has.  Returns -1 without memory or beyond the limit. */
int strings_add(struct strings *strings, const char *text, size_t length, uint32_t *ret);

/* The string with this NUMBER.  The pointer is valid until the next strings_add(). */
static inline const char *strings_get(const struct strings *strings, uint32_t number)
{
	return strings->bytes + strings->offsets[number];
}

#endif
