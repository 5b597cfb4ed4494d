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
#include "tests/tools/mutate.h"
#include "rossym-write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	struct mutate_seed *seeds = calloc((size_t)argc, sizeof *seeds);

	if (argc < 2 || !seeds) {
		fputs("Usage: mutate FILE...\n", stderr);
		return 2;
	}
	for (int i = 1; i < argc; i++) {
		mutate_load(&seeds[i], argv[i], false);
		seed_name = argv[i];
		try_one(seeds[i].bytes, seeds[i].size, seeds[i].packed); /* number 0: as it is */
	}
	for (number = only ? only : 1; number <= (only ? only : mutations); number++) {
		const struct mutate_seed *seed = &seeds[1 + (number - 1) % (unsigned long)(argc - 1)];
		size_t size;

		seed_name = seed->path;
		random_start(start * 1000003 + number);
		for (unsigned i = 0; i < 4; i++)
			random_u32();
		uint8_t *bytes = mutate_bytes(seed, &size);
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
