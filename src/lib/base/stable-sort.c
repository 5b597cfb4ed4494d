// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/stable-sort.h"
#include "lib/base/alloc.h"

#include <stdbool.h>
#include <string.h>

int rs_stable_sort(void *items, uint32_t count, size_t size, int (*compare)(const void *, const void *))
{
	uint32_t sorted = 1;
	while (sorted < count && compare((char *)items + (sorted - 1) * size, (char *)items + sorted * size) <= 0)
		sorted++;
	if (sorted >= count)
		return 0;
	char *other = rs_alloc(count, size), *from = items, *to = other;
	if (!other)
		return -1;
	/* Bottom-up: merge neighbouring sorted parts of WIDTH elements, then of twice as many. */
	for (uint64_t width = 1; width < count; width *= 2) {
		for (uint64_t left = 0; left < count; left += 2 * width) {
			uint64_t middle = left + width < count ? left + width : count;
			uint64_t end = middle + width < count ? middle + width : count, a = left, b = middle;
			for (uint64_t at = left; at < end; at++) {
				bool is_left = b == end ||
					       (a < middle && compare(from + a * size, from + b * size) <= 0);
				memcpy(to + at * size, from + (is_left ? a++ : b++) * size, size);
			}
		}
		char *swap = from;
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, count * size);
	rs_free(other);
	return 0;
}
