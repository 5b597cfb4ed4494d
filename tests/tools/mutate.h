/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mutate.h - images, tables and PDB files of which some bytes are changed, where a change can matter
 *
 *	struct mutate_seed seed = { .path = NULL };
 *	mutate_load(&seed, path, false);
 *	random_start(number);
 *	uint8_t *bytes = mutate_bytes(&seed, &size);	to be freed; not a byte longer than that
 */
#ifndef TESTS_MUTATE_H
#define TESTS_MUTATE_H

#include "rossym.h"
#include "tests/lib/files.h"
#include "tests/lib/random.h"

#include <stdlib.h>
#include <string.h>

enum { MUTATE_RANGES_MAX = 64 };

struct mutate_range {
	size_t begin, end;
};

struct mutate_seed {
	const char *path;
	uint8_t *bytes;
	size_t size;
	struct mutate_range ranges[MUTATE_RANGES_MAX]; /* where a change can matter */
	size_t range_count;
	uint64_t table, block; /* of the .rossym content, and in it; 0: no block */
	bool packed;
	bool whole; /* all sections, and PDB files; otherwise what matters is the table */
};

static inline uint64_t mutate_get(const struct mutate_seed *seed, uint64_t at, unsigned length)
{
	uint64_t value = 0;

	for (unsigned i = length; i-- > 0;)
		value = value << 8 | (at + i < seed->size ? seed->bytes[at + i] : 0u);
	return value;
}

static inline void mutate_add_range(struct mutate_seed *seed, uint64_t begin, uint64_t length)
{
	if (begin >= seed->size || length == 0 || seed->range_count == MUTATE_RANGES_MAX)
		return;
	struct mutate_range *range = &seed->ranges[seed->range_count++];
	range->begin = (size_t)begin;
	range->end = (size_t)(length < seed->size - begin ? begin + length : seed->size);
}

/* Where the extension block of the .rossym content at AT stands; 0 without one. */
static inline uint64_t mutate_find_block(const struct mutate_seed *seed, uint64_t at)
{
	uint64_t block = at + (mutate_get(seed, at + 8, 4) + mutate_get(seed, at + 12, 4) + 3) / 4 * 4;

	return mutate_get(seed, block, 7) == UINT64_C(0x584d5953534f52) ? block : 0; /* "ROSSYMX" */
}

static inline void mutate_add_block(struct mutate_seed *seed, uint64_t at)
{
	uint64_t block = mutate_find_block(seed, at), length = mutate_get(seed, block + 8, 4);

	if (block == 0)
		return;
	seed->table = at;
	seed->block = block;
	seed->packed = mutate_get(seed, block + 7, 1) == '3';
	mutate_add_range(seed, block, 40);
	for (unsigned k = 0; k < 4; k++)
		mutate_add_range(seed, block, length);
}

/* Some ranges stand here more than once: they are changed more often. */
static inline void mutate_find_ranges(struct mutate_seed *seed)
{
	for (unsigned k = 0; k < 4 && seed->whole; k++)
		mutate_add_range(seed, 0, seed->size);
	if (seed->whole && mutate_get(seed, 0, 2) != 0x5a4d) { /* a PDB file: its superblock */
		mutate_add_range(seed, 32, 24);
		return;
	}
	if (mutate_get(seed, 0, 4) == 16) {
		mutate_add_range(seed, 0, 16);
		mutate_add_range(seed, 16, mutate_get(seed, 4, 4));
		mutate_add_range(seed, mutate_get(seed, 8, 4), mutate_get(seed, 12, 4));
		mutate_add_block(seed, 0);
		return;
	}
	uint64_t pe = mutate_get(seed, 60, 4), count = mutate_get(seed, pe + 6, 2),
		 headers = pe + 24 + mutate_get(seed, pe + 20, 2);
	mutate_add_range(seed, pe, 24);
	mutate_add_range(seed, pe + 24, 64);
	mutate_add_range(seed, 0, 64);
	mutate_add_range(seed, headers, 40 * count);
	mutate_add_range(seed, mutate_get(seed, pe + 12, 4) + 18 * mutate_get(seed, pe + 16, 4), 64);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t header = headers + 40 * i, at = mutate_get(seed, header + 20, 4);

		if (mutate_get(seed, header, 8) != UINT64_C(0x006d7973736f722e)) { /* ".rossym" */
			if (seed->whole)
				mutate_add_range(seed, at, 64);
			continue;
		}
		mutate_add_range(seed, header, 40);
		mutate_add_range(seed, header, 40);
		for (unsigned k = 0; k < 3; k++)
			mutate_add_range(seed, at, 16);
		for (unsigned k = 0; k < 2; k++) {
			mutate_add_range(seed, at + mutate_get(seed, at, 4), mutate_get(seed, at + 4, 4));
			mutate_add_range(seed, at + mutate_get(seed, at + 8, 4), mutate_get(seed, at + 12, 4));
		}
		mutate_add_block(seed, at);
		if (!seed->whole)
			break;
	}
}

static inline void mutate_put(uint8_t *bytes, size_t size, size_t at, uint64_t value, unsigned length)
{
	for (unsigned i = 0; i < length && at + i < size; i++)
		bytes[at + i] = (uint8_t)(value >> (8 * i));
}

/* Make the block's checksums right again, so that what is wrong is found by somebody else. */
static inline void mutate_seal(const struct mutate_seed *seed, uint8_t *bytes, size_t size)
{
	const struct mutate_seed as_it_is = { .bytes = bytes, .size = size };
	uint64_t block = seed->block, length = mutate_get(&as_it_is, block + 8, 4);
	uint64_t table = mutate_get(&as_it_is, seed->table + 8, 4) + mutate_get(&as_it_is, seed->table + 12, 4);

	if (block == 0 || block + 24 > size || length < 24 || length > size - block || table > size - seed->table)
		return;
	mutate_put(bytes, size, block + 20, rossym_debuglink_crc(0, bytes + seed->table, table), 4);
	mutate_put(bytes, size, block + 12, rossym_debuglink_crc(0, bytes + block + 16, length - 16), 4);
}

/* Read the file at PATH; if it is WHOLE, see there. */
static inline void mutate_load(struct mutate_seed *seed, const char *path, bool whole)
{
	seed->whole = whole;
	seed->path = path;
	seed->bytes = files_read(path, &seed->size);
	mutate_find_ranges(seed);
	if (seed->range_count == 0)
		mutate_add_range(seed, 0, seed->size);
}

static inline size_t mutate_place(const struct mutate_seed *seed)
{
	if (seed->range_count == 0)
		return 0;
	const struct mutate_range *range = &seed->ranges[random_below((uint32_t)seed->range_count)];
	size_t at = range->begin + random_below((uint32_t)(range->end - range->begin));

	/* Mostly on a number, as numbers stand. */
	return random_one_in(4) ? at : range->begin + (at - range->begin) / 4 * 4;
}

static inline uint64_t mutate_value(const struct mutate_seed *seed, uint64_t old)
{
	static const uint64_t values[] = {
		0,    1,    2,	  15,	  16,	      17,	  20,	      24,	  40,
		0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff,
	};

	switch (random_below(8)) {
	case 0:
		return old + 1;
	case 1:
		return old - 1;
	case 2:
		return old ^ UINT64_C(1) << random_below(32);
	case 3:
		return seed->size - random_below(3) + 1;
	case 4:
		return random_below((uint32_t)seed->size + 1);
	case 5:
		return random_u32();
	case 6:
		return old + random_below(64) - 32;
	default:
		return values[random_below(sizeof values / sizeof *values)];
	}
}

static inline void mutate_change(const struct mutate_seed *seed, uint8_t *bytes, size_t size)
{
	static const unsigned lengths[] = { 4, 4, 4, 2, 1, 8 };
	size_t at = mutate_place(seed), from = mutate_place(seed), length = 1 + random_below(48);
	unsigned wide = lengths[random_below(6)];

	if (at >= size)
		return;
	if (length > size - at)
		length = size - at;
	switch (random_below(10)) {
	case 0: /* a piece moves */
		if (from < size)
			memmove(bytes + at, bytes + from, length < size - from ? length : size - from);
		break;
	case 1:
		memset(bytes + at, random_one_in(2) ? 0 : (int)random_below(256), length);
		break;
	case 2:
		bytes[at] = (uint8_t)random_below(256);
		break;
	default: {
		uint64_t old = 0;
		for (unsigned i = wide; i-- > 0;)
			old = old << 8 | (at + i < size ? bytes[at + i] : 0u);
		mutate_put(bytes, size, at, mutate_value(seed, old), wide);
	}
	}
}

/* The mutated image, in a block of exactly *SIZE bytes. */
static inline uint8_t *mutate_bytes(const struct mutate_seed *seed, size_t *size)
{
	*size = seed->size;
	if (random_one_in(5)) {
		size_t at = mutate_place(seed);
		*size = random_one_in(4) ? random_below((uint32_t)seed->size + 1) : at + random_below(3);
		if (*size > seed->size)
			*size = seed->size;
	}
	uint8_t *bytes = malloc(*size ? *size : 1);
	if (!bytes)
		abort();
	memcpy(bytes, seed->bytes, *size);
	for (uint32_t n = random_one_in(3) ? 1 + random_below(6) : *size == seed->size; n > 0; n--)
		mutate_change(seed, bytes, *size);
	if (!random_one_in(4))
		mutate_seal(seed, bytes, *size);
	return bytes;
}

#endif
