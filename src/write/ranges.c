// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/ranges.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "compat/bisect.h"
#include "core/bytes.h"
#include "lib/base/sort.h"

void rs_ranges_clear(struct rs_ranges *ranges)
{
	rs_free(ranges->list);
	*ranges = (struct rs_ranges){ NULL, 0 };
}

bool rs_ranges_contain(const struct rs_ranges *ranges, uint64_t at)
{
	size_t after; /* the first range that begins after AT */
	BISECT(after, ranges->count, ranges->list[after].begin <= at);
	return after > 0 && at < ranges->list[after - 1].end;
}

/* A place where a range begins or ends. */
struct rs_edge {
	uint64_t at;
	int cut;  /* 1: a range to cut begins here; -1: such a range ends here; 0: neither */
	int keep; /* as `cut`, for ranges to keep */
};

int rs_cuts_begin(struct rs_cuts *cuts, size_t room, struct rossym_error *err)
{
	*cuts = (struct rs_cuts){ .edges = rs_alloc(2 * room, sizeof *cuts->edges) };
	return cuts->edges ? 0 : rs_fail_memory(err);
}

void rs_cuts_add(struct rs_cuts *cuts, uint64_t begin, uint64_t length, bool keep)
{
	if (length == 0)
		return;
	cuts->edges[cuts->count++] = (struct rs_edge){ begin, !keep, keep };
	cuts->edges[cuts->count++] = (struct rs_edge){ begin + length, -!keep, -keep };
}

static int compare_edges(const void *a, const void *b)
{
	const struct rs_edge *x = a, *y = b;
	return x->at < y->at ? -1 : x->at > y->at;
}

int rs_cuts_end(struct rs_cuts *cuts, struct rs_ranges *ret, struct rossym_error *err)
{
	const struct rs_edge *edges = cuts->edges;
	const uint32_t count = cuts->count;
	/* Each range of the result begins at one edge and ends at another: there are at most half as many as edges. */
	*ret = (struct rs_ranges){ .list = rs_alloc(count / 2 + 1, sizeof *ret->list) };
	rs_sort(cuts->edges, count, sizeof *edges, compare_edges);

	/* Go through the edges in order, and count how many ranges of each kind contain the bytes after an edge. */
	int cut = 0, keep = 0;
	for (uint32_t i = 0; ret->list && i < count;) {
		uint64_t at = edges[i].at;
		bool was = cut > 0 && keep == 0;
		for (; i < count && edges[i].at == at; i++) {
			cut += edges[i].cut;
			keep += edges[i].keep;
		}
		bool is = cut > 0 && keep == 0;
		if (is && !was)
			ret->list[ret->count].begin = at;
		else if (was && !is)
			ret->list[ret->count++].end = at;
	}
	rs_free(cuts->edges);
	return ret->list ? 0 : rs_fail_memory(err);
}

/* ------------------------------------------------------------------------------------------------ runs */

/* Add the bytes from BEGIN up to END as a run; or as two runs if the tail begins between BEGIN and END. */
static void add_run(struct rs_runs *runs, uint64_t begin, uint64_t end, uint64_t tail)
{
	if (begin < tail && tail < end) {
		add_run(runs, begin, tail, tail);
		begin = tail;
	}
	if (begin >= end)
		return;
	runs->list[runs->count++] = (struct rs_run){ begin, end - begin, 0 };
	if (begin < tail)
		runs->tail = runs->count;
}

/* Returns the end of the padding at AT, which goes up to the next multiple of ALIGNMENT, but not beyond LIMIT.  If a
   byte there is not 0, there is no padding: returns AT. */
static uint64_t find_padding_end(const uint8_t *file, uint64_t at, uint64_t limit, uint64_t alignment)
{
	uint64_t end = rs_align(at, alignment);
	if (end > limit)
		end = limit;
	for (uint64_t i = at; i < end; i++)
		if (file[i] != 0)
			return at;
	return end;
}

int rs_runs_make(struct rs_runs *runs, const struct rs_runs_file *file, const struct rs_ranges *removed,
		 struct rossym_error *err)
{
	uint64_t begin = file->begin;
	*runs = (struct rs_runs){ .count = 0 };
	runs->list = rs_alloc((size_t)removed->count + 2, sizeof *runs->list);
	if (!runs->list)
		return rs_fail_memory(err);
	for (uint32_t i = 0; i < removed->count; i++) {
		uint64_t end = removed->list[i].end;
		uint64_t next = i + 1 < removed->count ? removed->list[i + 1].begin : file->size;
		add_run(runs, begin, removed->list[i].begin, file->tail);
		begin = end >= file->tail ? find_padding_end(file->bytes, end, next, file->alignment) : end;
	}
	add_run(runs, begin, file->size, file->tail);
	return 0;
}

void rs_runs_clear(struct rs_runs *runs)
{
	rs_free(runs->list);
	runs->list = NULL;
}

uint64_t rs_runs_place(struct rs_runs *runs, bool tail, uint64_t at, uint64_t mask)
{
	const uint32_t end = tail ? runs->count : runs->tail;
	for (uint32_t i = tail ? runs->tail : 0; i < end; i++) {
		struct rs_run *run = &runs->list[i];
		run->to = at + ((run->from - at) & mask);
		at = run->to + run->length;
	}
	return at;
}

uint64_t rs_runs_find_new_offset(const struct rs_runs *runs, uint64_t offset)
{
	size_t after; /* the first run that begins after OFFSET */
	BISECT(after, runs->count, runs->list[after].from <= offset);
	if (after == 0 || offset - runs->list[after - 1].from >= runs->list[after - 1].length)
		return 0;
	return runs->list[after - 1].to + (offset - runs->list[after - 1].from);
}
