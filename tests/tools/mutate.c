/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mutate - does to images what broken disks and hostile people do, and looks whether the library notices
 *
 *	mutate FILE...		the images to begin with
 *
 * Environment: MUTATIONS=N how many in all (1000), SEED=N another sequence (1), ONLY=N just that one of the sequence,
 * KEEP=FILE write the mutated image there (with ONLY).  The same arguments always give the same mutations.
 *
 * Each mutation changes or cuts the headers, the section table or .rossym, in an exact-size heap block, so that
 * AddressSanitizer sees one byte too far.  Then everything is called.  No answer is expected, but:
 *	what tests/fuzz/promises.h says holds;
 *	memory is a small multiple of the file, and all of it is freed;
 *	the kernel's reader accepts what rossym_check() finds sound, and has the same answers (tests/lib/kernel.h).
 */
#include "config.h"

#include "tests/fuzz/promises.h"
#include "tests/lib/failing.h"
#include "tests/lib/files.h"
#include "tests/lib/kernel.h"
#include "tests/lib/random.h"
#include "rossym-write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANGES_MAX = 16 };

static unsigned long number; /* of the mutation */
static const char *seed_name;
static unsigned failed;
static unsigned long blocks, bad_blocks;
static unsigned long accepted[3]; /* by the kernel's reader: files, loaded images, raw tables */

static void complain(const char *what, long long a, long long b)
{
	if (failed++ < 20)
		printf("mutation %lu of %s: %s (%lld, %lld)\n", number, seed_name, what, a, b);
}

/* ----------------------------------------------------------------------------------------------- mutations */

struct range {
	size_t begin, end;
};

struct seed {
	const char *path;
	uint8_t *bytes;
	size_t size;
	struct range ranges[RANGES_MAX]; /* where a change can matter */
	size_t range_count;
	uint64_t table, block; /* of the .rossym content, and in it; 0: no block */
	bool packed;
};

static uint64_t get(const struct seed *seed, uint64_t at, unsigned length)
{
	uint64_t value = 0;

	for (unsigned i = length; i-- > 0;)
		value = value << 8 | (at + i < seed->size ? seed->bytes[at + i] : 0u);
	return value;
}

static void add_range(struct seed *seed, uint64_t begin, uint64_t length)
{
	if (begin >= seed->size || length == 0 || seed->range_count == RANGES_MAX)
		return;
	struct range *range = &seed->ranges[seed->range_count++];
	range->begin = (size_t)begin;
	range->end = (size_t)(length < seed->size - begin ? begin + length : seed->size);
}

/* Where the extension block of the .rossym content at AT stands; 0 without one. */
static uint64_t find_block(const struct seed *seed, uint64_t at)
{
	uint64_t block = at + (get(seed, at + 8, 4) + get(seed, at + 12, 4) + 3) / 4 * 4;

	return get(seed, block, 7) == UINT64_C(0x584d5953534f52) ? block : 0; /* "ROSSYMX" */
}

static void add_block(struct seed *seed, uint64_t at)
{
	uint64_t block = find_block(seed, at), length = get(seed, block + 8, 4);

	if (block == 0)
		return;
	seed->table = at;
	seed->block = block;
	seed->packed = get(seed, block + 7, 1) == '3';
	add_range(seed, block, 40);
	for (unsigned k = 0; k < 4; k++)
		add_range(seed, block, length);
}

/* Some ranges stand here more than once: they are changed more often. */
static void find_ranges(struct seed *seed)
{
	if (get(seed, 0, 4) == 16) {
		add_range(seed, 0, 16);
		add_range(seed, 16, get(seed, 4, 4));
		add_range(seed, get(seed, 8, 4), get(seed, 12, 4));
		add_block(seed, 0);
		return;
	}
	uint64_t pe = get(seed, 60, 4), count = get(seed, pe + 6, 2), headers = pe + 24 + get(seed, pe + 20, 2);
	add_range(seed, pe, 24);
	add_range(seed, pe + 24, 64);
	add_range(seed, 0, 64);
	add_range(seed, headers, 40 * count);
	add_range(seed, get(seed, pe + 12, 4) + 18 * get(seed, pe + 16, 4), 64);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t header = headers + 40 * i, at = get(seed, header + 20, 4);

		if (get(seed, header, 8) != UINT64_C(0x006d7973736f722e)) /* ".rossym" */
			continue;
		add_range(seed, header, 40);
		add_range(seed, header, 40);
		for (unsigned k = 0; k < 3; k++)
			add_range(seed, at, 16);
		for (unsigned k = 0; k < 2; k++) {
			add_range(seed, at + get(seed, at, 4), get(seed, at + 4, 4));
			add_range(seed, at + get(seed, at + 8, 4), get(seed, at + 12, 4));
		}
		add_block(seed, at);
		break;
	}
}

static void put(uint8_t *bytes, size_t size, size_t at, uint64_t value, unsigned length)
{
	for (unsigned i = 0; i < length && at + i < size; i++)
		bytes[at + i] = (uint8_t)(value >> (8 * i));
}

/* Make the block's checksums right again, so that what is wrong is found by somebody else. */
static void seal(const struct seed *seed, uint8_t *bytes, size_t size)
{
	const struct seed as_it_is = { .bytes = bytes, .size = size };
	uint64_t block = seed->block, length = get(&as_it_is, block + 8, 4);
	uint64_t table = get(&as_it_is, seed->table + 8, 4) + get(&as_it_is, seed->table + 12, 4);

	if (block == 0 || block + 24 > size || length < 24 || length > size - block || table > size - seed->table)
		return;
	put(bytes, size, block + 20, rossym_debuglink_crc(0, bytes + seed->table, table), 4);
	put(bytes, size, block + 12, rossym_debuglink_crc(0, bytes + block + 16, length - 16), 4);
}

static void load(struct seed *seed, const char *path)
{
	seed->path = path;
	seed->bytes = files_read(path, &seed->size);
	find_ranges(seed);
	if (seed->range_count == 0)
		add_range(seed, 0, seed->size);
}

static size_t random_place(const struct seed *seed)
{
	if (seed->range_count == 0)
		return 0;
	const struct range *range = &seed->ranges[random_below((uint32_t)seed->range_count)];
	size_t at = range->begin + random_below((uint32_t)(range->end - range->begin));

	/* Mostly on a number, as numbers stand. */
	return random_one_in(4) ? at : range->begin + (at - range->begin) / 4 * 4;
}

static uint64_t random_value(const struct seed *seed, uint64_t old)
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

static void change(const struct seed *seed, uint8_t *bytes, size_t size)
{
	static const unsigned lengths[] = { 4, 4, 4, 2, 1, 8 };
	size_t at = random_place(seed), from = random_place(seed), length = 1 + random_below(48);
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
		put(bytes, size, at, random_value(seed, old), wide);
	}
	}
}

/* The mutated image, in a block of exactly *SIZE bytes. */
static uint8_t *mutate(const struct seed *seed, size_t *size)
{
	*size = seed->size;
	if (random_one_in(5)) {
		size_t at = random_place(seed);
		*size = random_one_in(4) ? random_below((uint32_t)seed->size + 1) : at + random_below(3);
		if (*size > seed->size)
			*size = seed->size;
	}
	uint8_t *bytes = malloc(*size ? *size : 1);
	if (!bytes)
		abort();
	memcpy(bytes, seed->bytes, *size);
	for (uint32_t n = random_one_in(3) ? 1 + random_below(6) : *size == seed->size; n > 0; n--)
		change(seed, bytes, *size);
	if (!random_one_in(4))
		seal(seed, bytes, *size);
	return bytes;
}

/* --------------------------------------------------------------------------------------------- everything */

static void try_kernel(const uint8_t *bytes, size_t size)
{
	struct kernel_test test = { .most = 30 };
	const char *what = kernel_differs(&test, bytes, size);

	if (what) {
		complain(what, (long long)test.rva, (long long)size);
		printf("the kernel's reader, %s\n", test.way);
	}
	accepted[0] += test.file;
	accepted[1] += test.loaded;
	accepted[2] += test.raw;
}

/* Memory is a small multiple of the file, and all of it is freed.  A packed table is unpacked: 32 rows of 16 bytes can be in as few
   as 5 bytes, and a phrase of 255 in two. */
static void try_memory(const uint8_t *bytes, size_t size, bool packed)
{
	struct rossym_report report = { .size = sizeof report };
	struct rossym_function function;
	struct rossym_image *image;
	const uint64_t unpacking = packed ? 256 : 4;
	allocated = 0;
	if (rossym_open_memory(bytes, size, NULL, &image, NULL) == 0) {
		rossym_read_block(image, NULL, NULL);
		rossym_prepare(image, NULL);
		rossym_find_function(image, "main", &function, NULL);
		rossym_check(image, &report, NULL);
		rossym_close(image);
	}
	/* The check of a block computes a CRC.  The tables for that have 8 KiB, whatever the size of the file. */
	if (allocated > unpacking * size + 4096 + 8192)
		complain("more memory than the file justifies", (long long)allocated, (long long)size);
}

/* True if the image could be opened. */
static bool try_one(const uint8_t *bytes, size_t size, bool packed)
{
	struct promises seen;
	const char *broken = promises_broken(bytes, size, &seen);
	if (broken)
		complain(broken, 0, 0);
	blocks += seen.block > 0;
	bad_blocks += seen.block < 0;
	try_memory(bytes, size, packed);
	if (live != 0)
		complain("memory is left", (long long)live, 0);
	try_kernel(bytes, size);
	live = 0;
	return seen.opened;
}

static unsigned long setting(const char *name, unsigned long otherwise)
{
	const char *value = getenv(name);

	return value && *value ? strtoul(value, NULL, 0) : otherwise;
}

static void keep(const uint8_t *bytes, size_t size)
{
	const char *path = getenv("KEEP");
	if (path)
		files_write(path, bytes, size);
}

int main(int argc, char **argv)
{
	unsigned long mutations = setting("MUTATIONS", 1000), start = setting("SEED", 1), only = setting("ONLY", 0);
	unsigned long tried = 0, opened = 0;
	struct seed *seeds = calloc((size_t)argc, sizeof *seeds);

	if (argc < 2 || !seeds) {
		fputs("Usage: mutate FILE...\n", stderr);
		return 2;
	}
	for (int i = 1; i < argc; i++) {
		load(&seeds[i], argv[i]);
		seed_name = argv[i];
		try_one(seeds[i].bytes, seeds[i].size, seeds[i].packed); /* number 0: as it is */
	}
	for (number = only ? only : 1; number <= (only ? only : mutations); number++) {
		const struct seed *seed = &seeds[1 + (number - 1) % (unsigned long)(argc - 1)];
		size_t size;

		seed_name = seed->path;
		random_start(start * 1000003 + number);
		for (unsigned i = 0; i < 4; i++)
			random_u32();
		uint8_t *bytes = mutate(seed, &size);
		if (only)
			keep(bytes, size);
		opened += try_one(bytes, size, seed->packed);
		tried++;
		free(bytes);
	}
	for (int i = 1; i < argc; i++)
		free(seeds[i].bytes);
	free(seeds);
	printf("%lu mutations of %d images tried: %lu opened, %lu refused, %u findings; "
	       "%lu good blocks, %lu bad ones; the kernel's reader took %lu files, %lu loaded images, %lu raw tables\n",
	       tried, argc - 1, opened, tried - opened, failed, blocks, bad_blocks, accepted[0], accepted[1],
	       accepted[2]);
	return failed != 0;
}
