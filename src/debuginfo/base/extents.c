// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/base/extents.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"

static int compare_begins(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->what < y->what ? -1 : x->what > y->what;
}

/* The extents that have begun and have not been removed yet, as a binary heap: no item has a higher rank than the two
   below it, so the lowest rank is on top.  Item N has items 2N+1 and 2N+2 below it. */
struct extent_heap {
	const struct extent **items;
	uint32_t count;
};

static void push_extent(struct extent_heap *heap, const struct extent *extent)
{
	uint32_t at = heap->count++;
	while (at > 0 && heap->items[(at - 1) / 2]->rank > extent->rank) {
		heap->items[at] = heap->items[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap->items[at] = extent;
}

/* Remove the top of the heap. */
static void pop_extent(struct extent_heap *heap)
{
	const struct extent *last = heap->items[--heap->count];
	uint32_t at = 0;
	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child >= heap->count)
			break;
		if (child + 1 < heap->count && heap->items[child + 1]->rank < heap->items[child]->rank)
			child++;
		if (heap->items[child]->rank >= last->rank)
			break;
		heap->items[at] = heap->items[child];
		at = child;
	}
	heap->items[at] = last;
}

/* Store in OUT the flat extents for the COUNT sorted extents IN; returns how many.  Goes up through the addresses at
   which the result may change: where an extent begins, or where the top of the heap ends.  An extent that has ended
   below the top stays in the heap until it comes to the top.  Each is added and removed once, so the time
   is that of sorting. */
static uint32_t sweep_extents(const struct extent *in, uint32_t count, struct extent_heap *heap, struct extent *out)
{
	uint32_t n = 0, next = 0, at = 0;
	while (next < count || heap->count > 0) {
		if (heap->count == 0)
			at = in[next].begin;
		while (next < count && in[next].begin == at)
			push_extent(heap, &in[next++]);
		while (heap->count > 0 && heap->items[0]->end <= at)
			pop_extent(heap);
		if (heap->count == 0)
			continue;
		uint32_t until = heap->items[0]->end;
		if (next < count && in[next].begin < until)
			until = in[next].begin;
		if (n > 0 && out[n - 1].end == at && out[n - 1].what == heap->items[0]->what) {
			out[n - 1].end = until;
		} else {
			out[n] = *heap->items[0];
			out[n].begin = at;
			out[n++].end = until;
		}
		at = until;
	}
	return n;
}

int rs_extents_flatten(struct extent *extents, uint32_t count, struct extent **ret, uint32_t *ret_count)
{
	struct extent_heap heap = { rs_alloc(count, sizeof *heap.items), 0 };
	struct extent *out = count <= UINT32_MAX / 2 ? rs_resize(NULL, (size_t)count * 2 + 1, sizeof *out) : NULL;
	if (!heap.items || !out) {
		rs_free(heap.items);
		rs_free(out);
		return -1;
	}
	rs_sort(extents, count, sizeof *extents, compare_begins);
	*ret_count = sweep_extents(extents, count, &heap, out);
	*ret = out;
	rs_free(heap.items);
	return 0;
}
