/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inputs of several parts: a byte of options, then for each part a mark, which ends in the part's letter, and its
 * content.  A mark that moves takes nothing else with it, which lengths would.
 */
#ifndef FUZZ_PARTS_H
#define FUZZ_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PARTS_MARK "\365RS" /* and a letter */
enum { PARTS_MARK_SIZE = 4 };

struct part {
	const uint8_t *bytes; /* NULL: there is none */
	size_t size;
};

/* The number of the letter that a mark at P has, or -1. */
static inline int parts_kind(const uint8_t *p, const char *letters)
{
	const char *letter = p[PARTS_MARK_SIZE - 1] ? strchr(letters, p[PARTS_MARK_SIZE - 1]) : NULL;
	return letter && memcmp(p, PARTS_MARK, PARTS_MARK_SIZE - 1) == 0 ? (int)(letter - letters) : -1;
}

/* Where the parts begin and end, PARTS[i] with LETTERS[i]; of several with one letter the last counts.  False: none. */
static inline bool parts_cut(const uint8_t *data, size_t size, const char *letters, struct part *parts)
{
	struct part *open = NULL;
	memset(parts, 0, strlen(letters) * sizeof *parts);
	for (size_t at = 0; at + PARTS_MARK_SIZE <= size; at++) {
		int kind = parts_kind(data + at, letters);
		if (kind < 0)
			continue;
		if (open)
			open->size = (size_t)(data + at - open->bytes);
		open = &parts[kind];
		open->bytes = data + at + PARTS_MARK_SIZE;
	}
	if (open)
		open->size = (size_t)(data + size - open->bytes);
	return open != NULL;
}

#endif
