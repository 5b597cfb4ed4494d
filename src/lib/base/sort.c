// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/sort.h"

#include <stdlib.h>
#include <string.h>

/* Elements are nearly sorted if each moves, on average, by at most this many places. */
enum { NEARLY_SORTED = 8 };

struct sorting {
	char *items;
	size_t size; /* of an element */
	int (*compare)(const void *, const void *);
};

/* Whether the element at index A is greater than the element at index B, so that A must come after B. */
static int comes_after(const struct sorting *s, size_t a, size_t b)
{
	return s->compare(s->items + a * s->size, s->items + b * s->size) > 0;
}

/* Exchange the LEFT bytes at AT with the RIGHT bytes after them. */
static void exchange_parts(char *at, size_t left, size_t right)
{
	char moved[1024];
	while (left > sizeof moved && right > sizeof moved) {
		/* Exchange the smaller part with as many bytes of the larger one: then it is where it belongs. */
		const size_t count = left < right ? left : right;
		char *const other = at + (left < right ? right : left);
		for (size_t i = 0, part; i < count; i += part) {
			part = count - i < sizeof moved ? count - i : sizeof moved;
			memcpy(moved, at + i, part);
			memcpy(at + i, other + i, part);
			memcpy(other + i, moved, part);
		}
		at += left < right ? 0 : count;
		*(left < right ? &right : &left) -= count;
	}
	if (left <= right) {
		memcpy(moved, at, left);
		memmove(at, at + left, right);
		memcpy(at + right, moved, left);
	} else {
		memcpy(moved, at + left, right);
		memmove(at + right, at, left);
		memcpy(at, moved, right);
	}
}

/* Merge two sorted parts that follow one another: from FIRST up to MIDDLE, and from there up to END.  This is the
   method SymMerge of Kim and Kutzner.  Bisection finds LOW: the elements from LOW up to MIDDLE belong in the second
   half, and change places with those from MIDDLE up to SUM - LOW.  Then each half is merged in the same way. */
static void merge_parts(const struct sorting *s, size_t first, size_t middle, size_t end)
{
	if (first == middle || middle == end || !comes_after(s, middle - 1, middle))
		return;
	const size_t half = first + (end - first) / 2, sum = half + middle;
	size_t low = middle > half ? sum - end : first, high = middle > half ? half : middle;
	while (low < high) {
		const size_t at = low + (high - low) / 2;
		if (comes_after(s, at, sum - 1 - at))
			high = at;
		else
			low = at + 1;
	}
	exchange_parts(s->items + low * s->size, (middle - low) * s->size, (sum - low - middle) * s->size);
	merge_parts(s, first, low, half);
	merge_parts(s, half, sum - low, end);
}

void rs_stable_sort(void *items, uint32_t count, size_t size, int (*compare)(const void *, const void *))
{
	const struct sorting sorting = { items, size, compare };
	/* All parts of WIDTH elements are sorted: merge neighbouring ones, so that parts twice as long are sorted. */
	for (size_t width = 1; width < count; width *= 2)
		for (size_t left = 0; left + width < count; left += 2 * width)
			merge_parts(&sorting, left, left + width, left + 2 * width < count ? left + 2 * width : count);
}

static inline int compare_numbers(const void *a, const void *b, size_t count)
{
	const uint32_t *x = a, *y = b;
	for (size_t i = 0; i < count; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

int rs_compare_one_number(const void *a, const void *b)
{
	return compare_numbers(a, b, 1);
}

int rs_compare_two_numbers(const void *a, const void *b)
{
	return compare_numbers(a, b, 2);
}

int rs_compare_three_numbers(const void *a, const void *b)
{
	return compare_numbers(a, b, 3);
}

void rs_sort(void *items, uint32_t count, size_t size, int (*compare)(const void *, const void *))
{
	const struct sorting sorting = { items, size, compare };
	uint64_t steps = (uint64_t)count * NEARLY_SORTED;
	for (size_t i = 1, at; i < count; i++) {
		for (at = i; at > 0 && comes_after(&sorting, at - 1, i); at--) {
			if (steps-- == 0) {
				qsort(items, count, size, compare);
				return;
			}
		}
		if (at < i)
			exchange_parts(sorting.items + at * size, (i - at) * size, size);
	}
}
