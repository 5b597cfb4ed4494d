/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mutate-embed - images that are wrong in some bytes, given to the writing half of the library; to be run
 * under sanitizers
 *
 *	mutate-embed [-d] COUNT SEED IMAGE...
 *	mutate-embed -p COUNT SEED IMAGE PDB [IMAGE PDB]...
 *
 * Each mutation changes a few bytes of an image (tests/tools/mutate.h).  A table is embedded into each of them; with -d, one made of its
 * debug information; with -p, one made of its PDB file, of which a few bytes are changed instead in three of four mutations.  What comes out must be an image whose checksum is right, with a table that is
 * sound.  Prints how many were refused and how many written; what breaks something can be repeated by its number.
 */
#include "rossym-write.h"
#include "debuginfo/read-rows.h"
#include "tests/fuzz/pe.h"
#include "tests/tools/mutate.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	if (!pe_checksum_is_right(image, size))
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

/* A copy of SEED of exactly its size, changed if it IS_CHANGED, so that a sanitizer sees each byte too far. */
static uint8_t *copy_of(const struct mutate_seed *seed, bool is_changed, size_t *size)
{
	if (is_changed)
		return mutate_bytes(seed, size);
	uint8_t *copy = malloc(*size = seed->size);
	if (!copy)
		exit(99);
	return memcpy(copy, seed->bytes, seed->size);
}

static void try_pair(const struct mutate_seed *pair, unsigned long number, const struct rossym_built *table)
{
	const bool in_pdb = random_below(4) > 0;
	size_t image_size, pdb_size;
	uint8_t *image = copy_of(&pair[0], !in_pdb, &image_size), *pdb = copy_of(&pair[1], in_pdb, &pdb_size);
	const struct debuginfo_file file = { .path = "x.pdb", .source = rs_source_in(pdb, pdb_size) };
	try_image(image, image_size, &file, number, table);
	free(image);
	free(pdb);
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
	struct mutate_seed *input = calloc(inputs, sizeof *input);
	if (!input)
		return 99;
	for (unsigned long i = 0; i < inputs; i++)
		mutate_load(&input[i], argv[3 + i], true);

	for (unsigned long number = 0; number < count; number++) {
		const struct mutate_seed *next = &input[number % (inputs / files) * files];
		random_start(seed * 1000003 + number);
		if (with_pdb) {
			try_pair(next, number, &table);
			continue;
		}
		size_t size;
		uint8_t *mutant = mutate_bytes(next, &size);
		try_image(mutant, size, NULL, number, &table);
		free(mutant);
	}
	printf("%u written, %u refused, rows read from %u\n", written, refused, rows_read);
	rossym_free(table.bytes);
	rossym_builder_destroy(builder);
	for (unsigned long i = 0; i < inputs; i++)
		free(input[i].bytes);
	free(input);
	return wrong > 0;
}
