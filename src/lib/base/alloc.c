// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/alloc.h"

#include <stdint.h>
#include <stdlib.h>

void *rs_alloc(size_t count, size_t size)
{
	/* calloc() checks the product, and for large blocks gets zero pages without writing them.  For a block of no
	   bytes it may return NULL; but here, NULL means that there is no memory. */
	if (count == 0 || size == 0)
		count = size = 1;
	return calloc(count, size);
}

void *rs_resize(void *memory, size_t count, size_t size)
{
	/* For large blocks, realloc() can move pages instead of copying bytes. */
	return count > 0 && size > 0 && count <= SIZE_MAX / size ? realloc(memory, count * size) : NULL;
}

void rs_free(void *memory)
{
	free(memory);
}
