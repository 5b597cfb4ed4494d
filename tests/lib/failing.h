/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * failing.h - allocations of the library that fail when a test says so
 *
 * A test includes this once.  The functions replace those of src/lib/base/alloc.c, because the linker
 * then takes no alloc.o out of the archive.
 */
#ifndef TEST_FAILING_H
#define TEST_FAILING_H

#include "lib/base/alloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static atomic_ulong allocations; /* how many were asked for so far, also those that failed */
static unsigned long fail_at;	 /* the number of the one that fails, from 1; 0: none */
static atomic_size_t live;	 /* blocks that are not freed */
static atomic_size_t allocated;	 /* bytes so far, also those that were freed or moved since */

void *rs_alloc(size_t count, size_t size)
{
	if (++allocations == fail_at)
		return NULL;
	void *memory = calloc(count ? count : 1, size ? size : 1);
	live += memory != NULL;
	allocated += count * size;
	return memory;
}

void *rs_resize(void *memory, size_t count, size_t size)
{
	if (++allocations == fail_at)
		return NULL;
	void *grown = realloc(memory, count * size);
	live += grown && !memory;
	allocated += count * size;
	return grown;
}

void rs_free(void *memory)
{
	live -= memory != NULL;
	free(memory);
}

/* Tries, in each of which the next allocation fails, until none does:
   for (struct sweep sweep = { 0 }; sweep_next(&sweep);) ... */
struct sweep {
	unsigned long at; /* the allocation that fails */
	bool failed;
	size_t before, leaks; /* blocks before this try; tries after which there were more or fewer */
};

/* The rest of the try has all the memory that it needs. */
static inline void sweep_stop(struct sweep *s)
{
	s->failed |= fail_at > 0 && allocations >= fail_at;
	fail_at = 0;
}

static inline bool sweep_next(struct sweep *s)
{
	sweep_stop(s);
	s->leaks += s->at > 0 && live != s->before;
	if (s->at > 0 && !s->failed)
		return false;
	*s = (struct sweep){ .at = s->at + 1, .before = live, .leaks = s->leaks };
	allocations = 0;
	fail_at = s->at;
	return true;
}

#endif
