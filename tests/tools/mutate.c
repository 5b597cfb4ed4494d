/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mutate - does to images what broken disks and hostile people do, and looks whether the library notices
 *
 *	mutate FILE...				images and tables: everything is asked
 *	mutate -e IMAGE...			a table is embedded into each
 *	mutate -d IMAGE...			one that is made of its debug information
 *	mutate -p IMAGE PDB [IMAGE PDB]...	one that is made of its PDB file, which is changed in three of four mutations
 *
 * Environment: MUTATIONS=N how many in all (1000), SEED=N another sequence (1), ONLY=N just that one of the sequence,
 * KEEP=FILE write the mutated image there (with ONLY).  The same arguments always give the same mutations.
 *
 * Each mutation changes or cuts some bytes where a change can matter, in an exact-size heap block, so that AddressSanitizer sees one byte
 * too far.  No answer is expected, but:
 *	what tests/fuzz/promises.h says holds;
 *	memory is a small multiple of the file, and all of it is freed;
 *	the kernel's reader accepts what rossym_check() finds sound, and has the same answers (tests/lib/kernel.h);
 *	what comes out of embedding is an image whose checksum is right, and its table is sound if it was made of what it has.
 */
#include "config.h"

#include "debuginfo/read-rows.h"
#include "rossym-write.h"
#include "tests/fuzz/pe.h"
#include "tests/fuzz/promises.h"
#include "tests/lib/failing.h"
#include "tests/lib/files.h"
#include "tests/lib/kernel.h"
#include "tests/lib/maketable.h"
#include "tests/lib/memory.h"
#include "tests/lib/random.h"

/* ------------------------------------------------------------------------------------------------ mutations */

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

static uint64_t mutate_get(const struct mutate_seed *seed, uint64_t at, unsigned length)
{
	return kernel_get(seed->bytes, seed->size, at, length);
}

static void mutate_add_range(struct mutate_seed *seed, uint64_t begin, uint64_t length)
{
	if (begin >= seed->size || length == 0 || seed->range_count == MUTATE_RANGES_MAX)
		return;
	struct mutate_range *range = &seed->ranges[seed->range_count++];
	range->begin = (size_t)begin;
	range->end = (size_t)(length < seed->size - begin ? begin + length : seed->size);
}

/* The extension block of the .rossym content at AT, if it has one. */
static void mutate_add_block(struct mutate_seed *seed, uint64_t at)
{
	uint64_t block = at + (mutate_get(seed, at + 8, 4) + mutate_get(seed, at + 12, 4) + 3) / 4 * 4;
	uint64_t length = mutate_get(seed, block + 8, 4);
	if (mutate_get(seed, block, 7) != UINT64_C(0x584d5953534f52)) /* "ROSSYMX" */
		return;
	seed->table = at;
	seed->block = block;
	seed->packed = mutate_get(seed, block + 7, 1) == '3';
	mutate_add_range(seed, block, 40);
	for (unsigned k = 0; k < 4; k++)
		mutate_add_range(seed, block, length);
}

/* Some ranges stand here more than once: they are changed more often. */
static void mutate_find_ranges(struct mutate_seed *seed)
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

static void mutate_put(uint8_t *bytes, size_t size, size_t at, uint64_t value, unsigned length)
{
	for (unsigned i = 0; i < length && at + i < size; i++)
		bytes[at + i] = (uint8_t)(value >> (8 * i));
}

/* Make the block's checksums right again, so that what is wrong is found by somebody else. */
static void mutate_seal(const struct mutate_seed *seed, uint8_t *bytes, size_t size)
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
static void mutate_load(struct mutate_seed *seed, const char *path, bool whole)
{
	seed->whole = whole;
	seed->path = path;
	seed->bytes = files_read(path, &seed->size);
	mutate_find_ranges(seed);
	if (seed->range_count == 0)
		mutate_add_range(seed, 0, seed->size);
}

static size_t mutate_place(const struct mutate_seed *seed)
{
	if (seed->range_count == 0)
		return 0;
	const struct mutate_range *range = &seed->ranges[random_below((uint32_t)seed->range_count)];
	size_t at = range->begin + random_below((uint32_t)(range->end - range->begin));
	/* Mostly on a number, as numbers stand. */
	return random_one_in(4) ? at : range->begin + (at - range->begin) / 4 * 4;
}

static uint64_t mutate_value(const struct mutate_seed *seed, uint64_t old)
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

static void mutate_change(const struct mutate_seed *seed, uint8_t *bytes, size_t size)
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
	default:
		mutate_put(bytes, size, at, mutate_value(seed, kernel_get(bytes, size, at, wide)), wide);
		break;
	}
}

/* The mutated image, in a block of exactly *SIZE bytes. */
static uint8_t *mutate_bytes(const struct mutate_seed *seed, size_t *size)
{
	*size = seed->size;
	if (random_one_in(5)) {
		size_t at = mutate_place(seed);
		*size = random_one_in(4) ? random_below((uint32_t)seed->size + 1) : at + random_below(3);
		if (*size > seed->size)
			*size = seed->size;
	}
	uint8_t *bytes = exact_copy(seed->bytes, *size);
	for (uint32_t n = random_one_in(3) ? 1 + random_below(6) : *size == seed->size; n > 0; n--)
		mutate_change(seed, bytes, *size);
	if (!random_one_in(4))
		mutate_seal(seed, bytes, *size);
	return bytes;
}

/* ------------------------------------------------------------------------------------------------ reading */

static enum mode { READ, EMBED = 'e', DEBUG_INFORMATION = 'd', PDB = 'p' } mode;
static unsigned long number; /* of the mutation */
static const char *seed_name;
static unsigned failed;
static unsigned long blocks, bad_blocks, images_opened;
static unsigned long accepted[3]; /* by the kernel's reader: files, loaded images, raw tables */

static void complain(const char *what, const char *why)
{
	if (failed++ < 20)
		printf("mutation %lu of %s: %s%s\n", number, seed_name, what, why);
}

static void try_kernel(const uint8_t *bytes, size_t size)
{
	struct kernel_test test = { .most = 30 };
	const char *what = kernel_differs(&test, bytes, size);
	if (what) {
		complain("the kernel's reader: ", what);
		printf("%s, at 0x%llx\n", test.way, (unsigned long long)test.rva);
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
		complain("more memory than the file justifies", "");
}

static void try_one(const uint8_t *bytes, size_t size, bool packed)
{
	struct promises seen;
	const char *broken = promises_broken(bytes, size, &seen);
	if (broken)
		complain(broken, "");
	blocks += seen.block > 0;
	bad_blocks += seen.block < 0;
	try_memory(bytes, size, packed);
	if (live != 0)
		complain("memory is left", "");
	try_kernel(bytes, size);
	live = 0;
	images_opened += seen.opened;
}

/* ------------------------------------------------------------------------------------------------ writing */

static struct rossym_built table = { .size = sizeof table };
static unsigned written, refused, rows_read;

/* SOUND: the table must have no faults, its block included. */
static void judge(const uint8_t *image, size_t size, bool sound)
{
	struct rossym_image *opened = NULL;
	struct rossym_report report = { .size = sizeof report };
	struct rossym_error err;
	if (!pe_checksum_is_right(image, size))
		complain("the checksum is wrong", "");
	if (rossym_open_memory(image, size, NULL, &opened, &err) < 0)
		complain("the new image cannot be opened: ", err.what);
	else if (sound && (rossym_check(opened, &report, &err) < 0 || rossym_read_block(opened, NULL, &err) < 0))
		complain("the table is not sound: ", err.what);
	rossym_close(opened);
}

/* PDB: the image's, or NULL. */
static void try_image(const uint8_t *image, size_t size, const struct debuginfo_file *pdb)
{
	const struct debuginfo_options read = { .files = pdb, .file_count = pdb != NULL };
	struct rossym_embed_options options = {
		.size = sizeof options,
		.flags = number % 3 == 0 ? ROSSYM_EMBED_KEEP_DEBUG : 0,
		.debuglink = number % 3 == 1 ? "x.debug" : NULL,
	};
	struct rossym_built built = table;
	struct rossym_embed_report report = { .size = sizeof report };
	struct rossym_error err;
	void *new;
	size_t new_size;
	if (mode != EMBED && maketable_of_image(image, size, &read, &built, NULL) == 0)
		rows_read += built.rows > 0;
	if (built.bytes &&
	    rossym_embed(image, size, built.bytes, built.bytes_size, &options, &new, &new_size, &report, &err) == 0) {
		written++;
		judge(new, new_size, mode != EMBED);
		rossym_free(new);
	} else {
		refused++;
	}
	if (built.bytes != table.bytes)
		rossym_free(built.bytes);
}

/* A copy of SEED of exactly its size, changed if it IS_CHANGED, so that a sanitizer sees each byte too far. */
static uint8_t *copy_of(const struct mutate_seed *seed, bool is_changed, size_t *size)
{
	if (is_changed)
		return mutate_bytes(seed, size);
	*size = seed->size;
	return exact_copy(seed->bytes, seed->size);
}

static void try_pair(const struct mutate_seed *pair)
{
	const bool in_pdb = random_below(4) > 0;
	size_t image_size, pdb_size;
	uint8_t *image = copy_of(&pair[0], !in_pdb, &image_size), *pdb = copy_of(&pair[1], in_pdb, &pdb_size);
	const struct debuginfo_file file = { .path = "x.pdb", .source = rs_source_from_memory(pdb, pdb_size) };
	try_image(image, image_size, &file);
	free(image);
	free(pdb);
}

/* ------------------------------------------------------------------------------------------------ all */

static unsigned long setting(const char *name, unsigned long otherwise)
{
	const char *value = getenv(name);
	return value && *value ? strtoul(value, NULL, 0) : otherwise;
}

static void try_mutant(const struct mutate_seed *seed, bool only)
{
	const char *path = getenv("KEEP");
	size_t size;
	if (mode == PDB) {
		try_pair(seed);
		return;
	}
	uint8_t *bytes = mutate_bytes(seed, &size);
	if (only && path)
		files_write(path, bytes, size);
	if (mode == READ)
		try_one(bytes, size, seed->packed);
	else
		try_image(bytes, size, NULL);
	free(bytes);
}

int main(int argc, char **argv)
{
	const unsigned long mutations = setting("MUTATIONS", 1000), start = setting("SEED", 1),
			    only = setting("ONLY", 0);
	if (argc > 1 && argv[1][0] == '-') {
		mode = (enum mode)argv[1][1];
		argv++;
		argc--;
	}
	const unsigned long count = (unsigned long)argc - 1, group = mode == PDB ? 2 : 1;
	struct mutate_seed *seeds = calloc(count + 1, sizeof *seeds);
	if (count < group || !seeds || (mode != READ && maketable("row 1000 f f.c 1", 0, &table, NULL) < 0)) {
		fputs("Usage: mutate [-e|-d] FILE...\n       mutate -p IMAGE PDB...\n", stderr);
		return 2;
	}
	for (unsigned long i = 0; i < count; i++) {
		mutate_load(&seeds[i], argv[1 + i], mode != READ);
		seed_name = argv[1 + i];
		if (mode == READ)
			try_one(seeds[i].bytes, seeds[i].size, seeds[i].packed); /* number 0: as it is */
	}
	images_opened = 0;
	for (number = only ? only : 1; number <= (only ? only : mutations); number++) {
		const struct mutate_seed *seed = &seeds[(number - 1) % (count / group) * group];
		seed_name = seed->path;
		random_start(start * 1000003 + number);
		for (unsigned i = 0; i < 4; i++)
			random_u32();
		try_mutant(seed, only);
	}
	for (unsigned long i = 0; i < count; i++)
		free(seeds[i].bytes);
	free(seeds);
	rossym_free(table.bytes);
	const unsigned long tried = only ? 1 : mutations;
	if (mode == READ)
		printf("%lu mutations of %lu images tried: %lu opened, %lu refused, %u findings; "
		       "%lu good blocks, %lu bad ones; the kernel's reader took %lu files, %lu loaded images, %lu raw "
		       "tables\n",
		       tried, count, images_opened, tried - images_opened, failed, blocks, bad_blocks, accepted[0],
		       accepted[1], accepted[2]);
	else
		printf("%u written, %u refused, rows read from %u\n", written, refused, rows_read);
	return failed != 0;
}
