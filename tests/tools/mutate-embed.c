/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mutate-embed - images that are wrong in some bytes, given to the writing half of the library; to be run under
 * sanitizers
 *
 *	mutate-embed [-d] COUNT SEED IMAGE...
 *
 * Each mutation changes a few bytes of an image: more often in the headers, the section table, and what the data
 * directories point to than elsewhere, and often to values at which sums overflow.  A table is embedded into each of them;
 * with -d, one made of its debug information.  What comes out must be an image whose checksum is right.  Prints how many
 * were refused and how many written; what breaks something can be repeated by its number.
 */
#include "rossym-write.h"
#include "debuginfo/rows.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint32_t next_random(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return below ? (uint32_t)(state >> 33) % below : 0;
}

static uint32_t u32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

static void mutate_number(uint8_t *p, uint32_t size)
{
	static const uint32_t values[] = {
		0, 1, 3, 0xff, 0x100, 0x200, 0x1000, 0xfff, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0xfffff000,
		0xffffff00,
	};
	switch (next_random(4)) {
	case 0:
		put32(p, values[next_random(sizeof values / sizeof *values)]);
		break;
	case 1:
		put32(p, size - next_random(64) + 32);
		break;
	case 2:
		put32(p, u32(p) + next_random(0x3000) - 0x1000);
		break;
	default:
		p[next_random(4)] = (uint8_t)next_random(256);
	}
}

static void mutate(uint8_t *image, uint32_t size)
{
	uint32_t pe = u32(image + 60), table = pe + 24 + (image[pe + 20] | (uint32_t)image[pe + 21] << 8);
	uint32_t sections = image[pe + 6];
	for (uint32_t i = 1 + next_random(4); i > 0; i--) {
		uint32_t at;
		switch (next_random(8)) {
		case 0:
			at = pe + next_random(24);
			break;
		case 1:
			at = pe + 24 + 4 * next_random((table - pe - 24) / 4);
			break;
		case 2:
		case 3:
			at = table + 40 * next_random(sections + 1) + 8 + 4 * next_random(8);
			break;
		case 4:		/* a section's name */
			at = table + 40 * next_random(sections + 1) + next_random(4);
			break;
		case 5:		/* a section's beginning */
			at = u32(image + table + 40 * next_random(sections) + 20) + next_random(64);
			break;
		case 6:		/* symbols, strings */
			at = u32(image + pe + 12) + u32(image + pe + 16) * 18 + next_random(64);
			break;
		default:
			at = next_random(size);
		}
		if (at <= size - 4)
			mutate_number(image + at, size);
	}
}

static int checksum_is_right(const uint8_t *image, size_t size)
{
	size_t at = u32(image + 60) + 24 + 64;
	uint64_t sum = 0;
	for (size_t i = 0; i < size; i += 2) {
		uint32_t word = image[i] | (i + 1 < size ? (uint32_t)image[i + 1] << 8 : 0);
		for (size_t j = 0; j < 2; j++)
			if (i + j >= at && i + j < at + 4)
				word &= j ? 0xff : 0xff00;
		sum += word;
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return at + 4 <= size && u32(image + at) == sum + size;
}

static bool with_debug_information;
static unsigned written, refused, rows_read, wrong;

static void try_image(const uint8_t *image, size_t size, unsigned long number, const struct rossym_built *table)
{
	struct rossym_embed_options options = {
		.size = sizeof options,
		.flags = number % 3 == 0 ? ROSSYM_EMBED_KEEP_DEBUG : 0,
		.debuglink = number % 3 == 1 ? "x.debug" : NULL,
	};
	struct rossym_built built = *table;
	struct rossym_embed_report report = { .size = sizeof report };
	struct rossym_error err;
	void *new;
	size_t new_size;
	if (with_debug_information) {
		struct rossym_builder *builder = NULL;
		struct debuginfo_options none;
		struct debuginfo_counts counts;
		memset(&none, 0, sizeof none);
		built.bytes = NULL;
		if (rossym_builder_create(NULL, &builder, NULL) == 0 &&
		    debuginfo_add_rows(image, size, &none, builder, &counts, NULL) == 0 &&
		    rossym_builder_finish(builder, &built, NULL) == 0)
			rows_read += built.rows > 0;
		rossym_builder_destroy(builder);
	}
	if (built.bytes && rossym_embed(image, size, built.bytes, built.bytes_size, &options, &new, &new_size, &report, &err) == 0) {
		struct rossym_image *opened = NULL;
		written++;
		if (!checksum_is_right(new, new_size)) {
			printf("mutation %lu: the checksum is wrong\n", number);
			wrong++;
		}
		if (rossym_open_memory(new, new_size, NULL, &opened, &err) < 0) {
			printf("mutation %lu: the new image cannot be opened: %s\n", number, err.what);
			wrong++;
		}
		rossym_close(opened);
		rossym_free(new);
	} else {
		refused++;
	}
	if (built.bytes != table->bytes)
		rossym_free(built.bytes);
}

static uint8_t *load(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = malloc(1 << 23);
	if (!file || !bytes) {
		perror(path);
		exit(99);
	}
	*size = fread(bytes, 1, 1 << 23, file);
	fclose(file);
	return bytes;
}

int main(int argc, char **argv)
{
	struct rossym_builder *builder = NULL;
	struct rossym_built table = { .size = sizeof table };
	struct rossym_new_row row = { .size = sizeof row, .rva = 0x1000, .function = "f", .file = "f.c", .line = 1 };
	if (argc > 1 && strcmp(argv[1], "-d") == 0) {
		with_debug_information = true;
		argv++;
		argc--;
	}
	if (argc < 4 || rossym_builder_create(NULL, &builder, NULL) < 0 || rossym_builder_add(builder, &row, NULL) < 0 ||
	    rossym_builder_finish(builder, &table, NULL) < 0)
		return 99;
	unsigned long count = strtoul(argv[1], NULL, 10), seed = strtoul(argv[2], NULL, 10);
	int images = argc - 3;
	uint8_t **bytes = calloc((size_t)images, sizeof *bytes);
	size_t *sizes = calloc((size_t)images, sizeof *sizes);
	for (int i = 0; i < images; i++)
		bytes[i] = load(argv[3 + i], &sizes[i]);

	for (unsigned long number = 0; number < count; number++) {
		int i = (int)(number % (unsigned long)images);
		state = seed * 1000003 + number;
		next_random(1);
		/* Of exactly its size, so that a sanitizer sees each byte too far. */
		size_t size = next_random(16) ? sizes[i] : 1 + next_random((uint32_t)sizes[i]);
		uint8_t *copy = malloc(sizes[i]), *exact = malloc(size);
		memcpy(copy, bytes[i], sizes[i]);
		mutate(copy, (uint32_t)sizes[i]);
		memcpy(exact, copy, size);
		free(copy);
		try_image(exact, size, number, &table);
		free(exact);
	}
	printf("%u written, %u refused, rows read from %u\n", written, refused, rows_read);
	rossym_free(table.bytes);
	rossym_builder_destroy(builder);
	for (int i = 0; i < images; i++)
		free(bytes[i]);
	free(bytes);
	free(sizes);
	return wrong > 0;
}
