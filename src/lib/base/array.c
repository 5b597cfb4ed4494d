// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/array.h"
#include "lib/base/alloc.h"

#include <string.h>

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
	void *grown = larger <= UINT32_MAX ? rs_resize(old, (size_t)larger, size) : NULL;
	if (!grown)
		return -1;
	*room = (uint32_t)larger;
	memcpy(items, &grown, sizeof grown);
	return 0;
}
