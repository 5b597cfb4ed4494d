/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.h - blocks of memory, without which a test ends */
#ifndef TESTS_MEMORY_H
#define TESTS_MEMORY_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* MEMORY, which malloc() or the like has returned. */
static inline void *needed(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

/* A copy of BYTES in a block that is not a byte longer, so that a sanitizer sees what is read behind them; to be freed. */
static inline void *exact_copy(const void *bytes, size_t size)
{
	void *copy = needed(malloc(size ? size : 1));
	if (size)
		memcpy(copy, bytes, size);
	return copy;
}

#endif
