// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/runs.h"
#include "lib/base/alloc.h"
#include "core/bytes.h"
#include "compat/bisect.h"
#include "lib/base/error.h"

/* Add the bytes from BEGIN up to END: as two runs if the tail begins between them. */
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

/* Returns the end of the padding at AT: zeros up to the next multiple of ALIGNMENT or up to LIMIT.  If these are not
   all zeros, returns AT. */
static uint64_t padding_end(const uint8_t *file, uint64_t at, uint64_t limit, uint64_t alignment)
{
	uint64_t end = rs_align(at, alignment);
	if (end > limit)
		end = limit;
	for (uint64_t i = at; i < end; i++)
		if (file[i] != 0)
			return at;
	return end;
}

int rs_runs_open(struct rs_runs *runs, const struct rs_runs_file *file, const struct rs_ranges *removed,
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
		begin = end >= file->tail ? padding_end(file->bytes, end, next, file->alignment) : end;
	}
	add_run(runs, begin, file->size, file->tail);
	return 0;
}

void rs_runs_clear(struct rs_runs *runs)
{
	rs_free(runs->list);
	runs->list = NULL;
}

uint64_t rs_runs_place(struct rs_runs *runs, uint64_t at, uint64_t alignment, bool fixed)
{
	for (uint32_t i = 0; i < runs->tail; i++) {
		struct rs_run *run = &runs->list[i];
		run->to = fixed ? run->from : at + ((run->from - at) & (alignment - 1));
		at = run->to + run->length;
	}
	return at;
}

uint64_t rs_runs_place_tail(struct rs_runs *runs, uint64_t at)
{
	for (uint32_t i = runs->tail; i < runs->count; i++) {
		runs->list[i].to = at;
		at += runs->list[i].length;
	}
	return at;
}

uint64_t rs_runs_map(const struct rs_runs *runs, uint64_t offset)
{
	size_t after; /* the first run that begins after OFFSET */
	BISECT(after, runs->count, runs->list[after].from <= offset);
	if (after == 0 || offset - runs->list[after - 1].from >= runs->list[after - 1].length)
		return 0;
	return runs->list[after - 1].to + (offset - runs->list[after - 1].from);
}
