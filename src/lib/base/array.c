// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/array.h"
#include "lib/base/alloc.h"

#include <string.h>

#include "compat/release.h"

/* Copy LENGTH bytes.  If there are many, give each piece back to the system once it is copied: otherwise both copies
   would be in memory as a whole. */
static void move(char *to, char *from, size_t length)
{
	enum { PIECE = 1 << 20 };
	for (size_t at = 0, step; at < length; at += step) {
		step = length - at < PIECE ? length - at : PIECE;
		memcpy(to + at, from + at, step);
		if (length > PIECE)
			rs_release(from + at, step);
	}
}

int rs_array_reserve(void *items, uint32_t *room, uint32_t count, uint64_t more, size_t size)
{
	void *old;
	memcpy(&old, items, sizeof old);
	if (old && more <= *room - count)
		return 0;
	uint64_t needed = count + more, larger = (uint64_t)count + count / 2;
	if (larger < needed)
		larger = needed;
	else if (larger > UINT32_MAX)
		larger = UINT32_MAX;
	if (larger == 0)
		larger = 1; /* so that NULL always means that there is no memory */
	void *copy = larger <= UINT32_MAX ? rs_alloc((size_t)larger, size) : NULL;
	if (!copy)
		return -1;
	move(copy, old, count * size);
	rs_free(old);
	*room = (uint32_t)larger;
	memcpy(items, &copy, sizeof copy);
	return 0;
}
