/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.h - blocks of memory for tests: if no memory is left, the test program ends at once */
#ifndef TESTS_MEMORY_H
#define TESTS_MEMORY_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Returns MEMORY, the result of malloc() or the like; ends the test if it is NULL. */
static inline void *needed(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

/* Returns a copy of the SIZE bytes at BYTES, to be freed, in a block that is not a byte longer: so a sanitizer reports
   each read after their end. */
static inline void *exact_copy(const void *bytes, size_t size)
{
	void *copy = needed(malloc(size ? size : 1));
	if (size)
		memcpy(copy, bytes, size);
	return copy;
}

#endif
