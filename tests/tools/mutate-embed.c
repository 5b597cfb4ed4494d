/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mutate-embed - images that are wrong in some bytes, given to the writing half of the library; to be run
 * under sanitizers
 *
 *	mutate-embed [-d] COUNT SEED IMAGE...
 *	mutate-embed -p COUNT SEED IMAGE PDB [IMAGE PDB]...
 *
 * Each mutation changes a few bytes of an image: more often in the headers, the section table, and what the data
 * directories point to than elsewhere, and often to values at which sums overflow.  A table is embedded into each of
 * them; with -d, one made of its debug information; with -p, one made of its PDB file, of which a few bytes are changed
 * instead in three of four mutations.  What comes out must be an image whose checksum is right, with a table that is
 * sound.  Prints how many were refused and how many written; what breaks something can be repeated by its number.
 */
#include "rossym-write.h"
#include "core/bytes.h"
#include "debuginfo/read-rows.h"
#include "tests/lib/files.h"
#include "tests/lib/random.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void mutate_number(uint8_t *p, uint32_t size)
{
	static const uint32_t values[] = {
		0,     1,	   3,	       0xff,	   0x100,      0x200,	   0x1000,
		0xfff, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0xfffff000, 0xffffff00,
	};
	switch (random_below(4)) {
	case 0:
		rs_put32(p, values[random_below(sizeof values / sizeof *values)]);
		break;
	case 1:
		rs_put32(p, size - random_below(64) + 32);
		break;
	case 2:
		rs_put32(p, rs_le32(p) + random_below(0x3000) - 0x1000);
		break;
	default:
		p[random_below(4)] = (uint8_t)random_below(256);
	}
}

static void mutate(uint8_t *image, uint32_t size)
{
	uint32_t pe = rs_le32(image + 60), table = pe + 24 + (image[pe + 20] | (uint32_t)image[pe + 21] << 8);
	uint32_t sections = image[pe + 6];
	for (uint32_t i = 1 + random_below(4); i > 0; i--) {
		uint32_t at;
		switch (random_below(8)) {
		case 0:
			at = pe + random_below(24);
			break;
		case 1:
			at = pe + 24 + 4 * random_below((table - pe - 24) / 4);
			break;
		case 2:
		case 3:
			at = table + 40 * random_below(sections + 1) + 8 + 4 * random_below(8);
			break;
		case 4: /* a section's name */
			at = table + 40 * random_below(sections + 1) + random_below(4);
			break;
		case 5: /* a section's beginning */
			at = rs_le32(image + table + 40 * random_below(sections) + 20) + random_below(64);
			break;
		case 6: /* symbols, strings */
			at = rs_le32(image + pe + 12) + rs_le32(image + pe + 16) * 18 + random_below(64);
			break;
		default:
			at = random_below(size);
		}
		if (at <= size - 4)
			mutate_number(image + at, size);
	}
}

/* Anywhere in a PDB file but in padding. */
static void mutate_pdb(uint8_t *pdb, uint32_t size)
{
	for (uint32_t i = 1 + random_below(4); i > 0; i--) {
		uint32_t at = 32 + random_below(24);
		for (int k = 0; k < 8 && (k == 0 || rs_le32(pdb + at) == 0) && random_below(8); k++)
			at = random_below(size - 3);
		mutate_number(pdb + at, size);
	}
}

static int checksum_is_right(const uint8_t *image, size_t size)
{
	size_t at = rs_le32(image + 60) + 24 + 64;
	uint64_t sum = 0;
	for (size_t i = 0; i < size; i += 2) {
		uint32_t word = image[i] | (i + 1 < size ? (uint32_t)image[i + 1] << 8 : 0);
		for (size_t j = 0; j < 2; j++)
			if (i + j >= at && i + j < at + 4)
				word &= j ? 0xff : 0xff00;
		sum += word;
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return at + 4 <= size && rs_le32(image + at) == sum + size;
}

static bool with_debug_information, with_pdb;
static unsigned written, refused, rows_read, wrong;

static void complain(unsigned long number, const char *what, const char *why)
{
	printf("mutation %lu: %s%s\n", number, what, why);
	wrong++;
}

/* Make a table of the debug information of IMAGE and PDB, which may be NULL.  Without any, built->bytes is NULL. */
static void make_table(const uint8_t *image, size_t size, const struct debuginfo_file *pdb, struct rossym_built *built)
{
	struct rossym_builder *builder = NULL;
	struct debuginfo_options options;
	struct debuginfo_counts counts;
	memset(&options, 0, sizeof options);
	options.files = pdb;
	options.file_count = pdb != NULL;
	built->bytes = NULL;
	if (rossym_builder_create(NULL, &builder, NULL) == 0 &&
	    rs_debuginfo_add_rows(image, size, &options, builder, &counts, NULL) == 0 &&
	    rossym_builder_finish(builder, built, NULL) == 0)
		rows_read += built->rows > 0;
	rossym_builder_destroy(builder);
}

/* SOUND: the table must have no faults, its block included. */
static void judge(const uint8_t *image, size_t size, unsigned long number, bool sound)
{
	struct rossym_image *opened = NULL;
	struct rossym_report report = { .size = sizeof report };
	struct rossym_error err;
	if (!checksum_is_right(image, size))
		complain(number, "the checksum is wrong", "");
	if (rossym_open_memory(image, size, NULL, &opened, &err) < 0)
		complain(number, "the new image cannot be opened: ", err.what);
	else if (sound && (rossym_check(opened, &report, &err) < 0 || rossym_read_block(opened, NULL, &err) < 0))
		complain(number, "the table is not sound: ", err.what);
	rossym_close(opened);
}

static void try_image(const uint8_t *image, size_t size, const struct debuginfo_file *pdb, unsigned long number,
		      const struct rossym_built *table)
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
	if (with_debug_information)
		make_table(image, size, pdb, &built);
	if (built.bytes &&
	    rossym_embed(image, size, built.bytes, built.bytes_size, &options, &new, &new_size, &report, &err) == 0) {
		written++;
		judge(new, new_size, number, with_debug_information);
		rossym_free(new);
	} else {
		refused++;
	}
	if (built.bytes != table->bytes)
		rossym_free(built.bytes);
}

struct input {
	uint8_t *bytes;
	size_t size;
};

/* A copy, changed unless it is to stay as it is, of exactly its size, so that a sanitizer sees each byte too far. */
static struct input changed(const struct input *input, void (*change)(uint8_t *bytes, uint32_t size))
{
	struct input mutant = { .size = change && random_one_in(16) ? 1 + random_below((uint32_t)input->size)
								    : input->size };
	uint8_t *copy = malloc(input->size);
	mutant.bytes = malloc(mutant.size);
	if (!copy || !mutant.bytes)
		exit(99);
	memcpy(copy, input->bytes, input->size);
	if (change)
		change(copy, (uint32_t)input->size);
	memcpy(mutant.bytes, copy, mutant.size);
	free(copy);
	return mutant;
}

static void try_pair(const struct input *pair, unsigned long number, const struct rossym_built *table)
{
	bool in_pdb = random_below(4) > 0;
	struct input image = changed(&pair[0], in_pdb ? NULL : mutate),
		     pdb = changed(&pair[1], in_pdb ? mutate_pdb : NULL);
	const struct debuginfo_file file = { .path = "x.pdb", .source = rs_source_in(pdb.bytes, pdb.size) };
	try_image(image.bytes, image.size, &file, number, table);
	free(image.bytes);
	free(pdb.bytes);
}

int main(int argc, char **argv)
{
	struct rossym_builder *builder = NULL;
	struct rossym_built table = { .size = sizeof table };
	struct rossym_new_row row = { .size = sizeof row, .rva = 0x1000, .function = "f", .file = "f.c", .line = 1 };
	if (argc > 1 && argv[1][0] == '-') {
		with_pdb = strcmp(argv[1], "-p") == 0;
		with_debug_information = with_pdb || strcmp(argv[1], "-d") == 0;
		argv++;
		argc--;
	}
	if (argc < 4 + with_pdb || rossym_builder_create(NULL, &builder, NULL) < 0 ||
	    rossym_builder_add(builder, &row, NULL) < 0 || rossym_builder_finish(builder, &table, NULL) < 0)
		return 99;
	unsigned long count = strtoul(argv[1], NULL, 10), seed = strtoul(argv[2], NULL, 10), files = with_pdb ? 2 : 1;
	unsigned long inputs = (unsigned long)argc - 3;
	struct input *input = calloc(inputs, sizeof *input);
	for (unsigned long i = 0; i < inputs; i++)
		input[i].bytes = files_read(argv[3 + i], &input[i].size);

	for (unsigned long number = 0; number < count; number++) {
		const struct input *next = &input[number % (inputs / files) * files];
		random_start(seed * 1000003 + number);
		if (with_pdb) {
			try_pair(next, number, &table);
			continue;
		}
		struct input mutant = changed(next, mutate);
		try_image(mutant.bytes, mutant.size, NULL, number, &table);
		free(mutant.bytes);
	}
	printf("%u written, %u refused, rows read from %u\n", written, refused, rows_read);
	rossym_free(table.bytes);
	rossym_builder_destroy(builder);
	for (unsigned long i = 0; i < inputs; i++)
		free(input[i].bytes);
	free(input);
	return wrong > 0;
}
