// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/table/segments.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"

#include <string.h>

void rs_segments_clear(struct rs_segments *pool)
{
	rs_part_clear(&pool->whole);
	for (int i = 0; i < RS_SEGMENTS_COUNT; i++)
		rs_free(atomic_load_explicit(&pool->segments[i], memory_order_relaxed));
}

const char *rs_segments_whole(struct rs_segments *pool, struct rossym_error *err)
{
	return rs_part_get(&pool->whole, &pool->reader, err);
}

const char *rs_segments_padded(struct rs_segments *pool, struct rossym_error *err)
{
	return rs_part_copy(&pool->whole, &pool->reader, err);
}

/* Returns the length of a segment; the last one may be shorter.  Without `+ 1`, the remainder of the division would
   need one segment more than RS_SEGMENTS_COUNT. */
static uint32_t segment_length(const struct rs_segments *pool)
{
	uint32_t share = pool->whole.length / RS_SEGMENTS_COUNT + 1;
	return share < RS_SEGMENT_SIZE ? RS_SEGMENT_SIZE : share;
}

/* Read segment NUMBER with its overhang.  Returns 1; 0 if its last string does not end in the overhang; or -1. */
static int read_segment(struct rs_segments *pool, uint32_t number, struct rossym_error *err)
{
	uint32_t length = segment_length(pool), begin = number * length, left = pool->whole.length - begin;
	uint32_t with_overhang = left - length < RS_SEGMENTS_OVERHANG || left < length ? left
										       : length + RS_SEGMENTS_OVERHANG;
	char *own = rs_alloc((size_t)with_overhang + 1, 1);
	if (!own)
		return rs_fail_memory(err);
	if (!rs_reader_view(&pool->reader, pool->whole.offset + begin, with_overhang, own, err)) {
		rs_free(own);
		return -1;
	}
	/* The last segment needs no overhang: the buffer has a NUL after it. */
	if (with_overhang < left && !memchr(own + length, '\0', with_overhang - length)) {
		rs_free(own);
		return 0;
	}
	atomic_fetch_add_explicit(&pool->in_segments, with_overhang, memory_order_relaxed);
	/* Publish without a lock: only one thread's copy replaces NULL, the others free theirs.  The release pairs with
	   the acquire of each load, so whoever sees the pointer sees the bytes. */
	char *published = NULL;
	if (!atomic_compare_exchange_strong_explicit(&pool->segments[number], &published, own, memory_order_acq_rel,
						     memory_order_acquire))
		rs_free(own);
	return 1;
}

/* If the string at OFFSET is not in memory yet, read its segment or the whole pool.  Returns 0 or -1. */
static int find_or_read_segment(struct rs_segments *pool, uint32_t offset, struct rossym_error *err)
{
	if (pool->reader.memory || atomic_load_explicit(&pool->whole.own, memory_order_acquire))
		return rs_segments_whole(pool, err) ? 0 : -1;
	uint32_t number = offset / segment_length(pool);
	if (atomic_load_explicit(&pool->segments[number], memory_order_acquire))
		return 0;
	int r = 0;
	if (atomic_load_explicit(&pool->in_segments, memory_order_relaxed) < RS_SEGMENTS_MAX)
		r = read_segment(pool, number, err);
	if (r == 0)
		r = rs_segments_whole(pool, err) ? 0 : -1;
	return r < 0 ? -1 : 0;
}

const char *rs_segments_string(struct rs_segments *pool, uint32_t offset, struct rossym_error *err)
{
	if (find_or_read_segment(pool, offset, err) < 0)
		return NULL;
	const char *whole = rs_part_peek(&pool->whole, &pool->reader);
	if (whole)
		return whole + offset;
	uint32_t length = segment_length(pool);
	return atomic_load_explicit(&pool->segments[offset / length], memory_order_acquire) + offset % length;
}

/* The function with which the core reads strings.  CONTEXT is the pool.  The core reads at most as many bytes at once
   as the overhang has, so all of them are in the segment of the first one. */
static int read_strings(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	struct rossym_error err;
	const char *string = rs_segments_string(context, (uint32_t)offset, &err);
	if (!string)
		return rs_error_to_fault(&err, fault);
	memcpy(buffer, string, length);
	return 0;
}

void rs_segments_open(struct rs_segments *pool, struct rs_table *table)
{
	struct rs_strings *strings = &table->strings;
	pool->reader = table->reader;
	pool->whole.offset = strings->offset;
	pool->whole.length = strings->length;
	pool->whole.slack = RS_SEGMENTS_SLACK;
	if (!pool->reader.memory)
		*strings = (struct rs_strings){ .reader = { NULL, strings->length, read_strings, pool },
						.length = strings->length };
}
