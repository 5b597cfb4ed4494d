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

#endif
