/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maketable.h - a bare table made by the library, of a text
 *
 *	struct rossym_built built;
 *	maketable("frame outer o.c 30; "		a caller: its function, file and line; frames are numbered from 1
 *		  "frame middle m.h 20 1; "		... which frame 1 calls
 *		  "row 1000 inner i.h 3 2; "		an RVA, a function, a file, a line, and the frame that calls it
 *		  "function outer 1000 14", 0, &built, &err);	an RVA and a length
 *
 *	uint8_t *table = full_table(flags, &size);	a table with all that an extension block can have: inlined calls, names
 *		that were cut, functions.  The rows begin at 0x1000 and end at 0x1018; rows 0x1008 and 0x1016 have two callers
 *	uint8_t *image = random_table(&m, MAKEPE_32, 16, &size);	a table by chance; rows and sections begin near address 0
 *
 * The last two are to be freed; they are not a byte longer than the table.  RVAs and lengths are hexadecimal.  "-" is no name; "n*300" is a name of 300 n.  Flags are those of rossym_builder_create().
 */
#ifndef TESTS_MAKETABLE_H
#define TESTS_MAKETABLE_H

#include "debuginfo/read-rows.h"
#include "rossym-write.h"
#include "tests/lib/makepe.h"
#include "tests/lib/memory.h"
#include "tests/lib/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAKETABLE_FRAMES = 8 };

/* The name that WORD stands for; ROOM has space for long ones. */
static inline const char *maketable_name(const char *word, char room[ROSSYM_LENGTH_MAX + 1])
{
	if (word[0] == '\0' || strcmp(word, "-") == 0)
		return NULL;
	if (word[1] != '*')
		return word;
	const size_t length = strtoul(word + 2, NULL, 10) % (ROSSYM_LENGTH_MAX + 1);
	memset(room, word[0], length);
	room[length] = '\0';
	return room;
}

/* Add what LINE says.  FRAMES has the numbers of frames, and *COUNT how many there are. */
static inline int maketable_add(struct rossym_builder *builder, const char *line, uint32_t *frames, unsigned *count,
				struct rossym_error *err)
{
	static char maketable_long_name[ROSSYM_LENGTH_MAX + 1], long_file[ROSSYM_LENGTH_MAX + 1];
	char text[256], verb[16] = "", a[64] = "", b[64] = "", c[64] = "", d[16] = "", e[16] = "";
	snprintf(text, sizeof text, "%.*s", (int)strcspn(line, ";\n"), line);
	sscanf(text, "%15s %63s %63s %63s %15s %15s", verb, a, b, c, d, e);
	if (strcmp(verb, "frame") == 0 && *count < MAKETABLE_FRAMES) {
		const struct rossym_new_frame frame = { .size = sizeof frame,
							.function = maketable_name(a, maketable_long_name),
							.file = maketable_name(b, long_file),
							.line = (uint32_t)strtoul(c, NULL, 10),
							.next = frames[strtoul(d, NULL, 10) % MAKETABLE_FRAMES] };
		return rossym_builder_add_frame(builder, &frame, &frames[++*count], err);
	}
	if (strcmp(verb, "row") == 0) {
		const struct rossym_new_row row = { .size = sizeof row,
						    .rva = strtoul(a, NULL, 16),
						    .function = maketable_name(b, maketable_long_name),
						    .file = maketable_name(c, long_file),
						    .line = (uint32_t)strtoul(d, NULL, 10),
						    .outer = frames[strtoul(e, NULL, 10) % MAKETABLE_FRAMES] };
		return rossym_builder_add(builder, &row, err);
	}
	const struct rossym_new_function function = { .size = sizeof function,
						      .name = maketable_name(a, maketable_long_name),
						      .rva = (uint32_t)strtoul(b, NULL, 16),
						      .length = (uint32_t)strtoul(c, NULL, 16) };
	if (strcmp(verb, "function") != 0)
		abort();
	return rossym_builder_add_function(builder, &function, err);
}

/* Returns 0 or -1; BUILT is freed with rossym_free(built->bytes). */
static inline int maketable(const char *text, unsigned flags, struct rossym_built *built, struct rossym_error *err)
{
	const struct rossym_builder_options options = { .size = sizeof options, .flags = flags };
	struct rossym_builder *builder;
	uint32_t frames[MAKETABLE_FRAMES + 1] = { 0 };
	unsigned count = 0;
	*built = (struct rossym_built){ .size = sizeof *built };
	if (rossym_builder_create(&options, &builder, err) < 0)
		return -1;
	int r = 0;
	for (const char *line = text; r == 0 && line; line = strpbrk(line, ";\n") ? strpbrk(line, ";\n") + 1 : NULL)
		r = maketable_add(builder, line, frames, &count, err);
	if (r == 0)
		r = rossym_builder_finish(builder, built, err);
	rossym_builder_destroy(builder);
	return r;
}

/* The table of an image's debug information.  Returns 0 or -1; BUILT as above. */
static inline int maketable_of_image(const void *image, size_t size, const struct debuginfo_options *options,
				     struct rossym_built *built, struct rossym_error *err)
{
	struct rossym_builder *builder = NULL;
	struct debuginfo_counts counts;
	*built = (struct rossym_built){ .size = sizeof *built };
	const bool good = rossym_builder_create(NULL, &builder, err) == 0 &&
			  rs_debuginfo_add_rows(image, size, options, builder, &counts, err) == 0 &&
			  rossym_builder_finish(builder, built, err) == 0;
	rossym_builder_destroy(builder);
	return good ? 0 : -1;
}

/* A name that is too long for rows. */
static char maketable_long_name[301];

static inline uint8_t *full_table(unsigned flags, size_t *size)
{
	struct rossym_built built;
	memset(maketable_long_name, 'n', sizeof maketable_long_name - 1);
	if (maketable("frame outer o.c 30; frame n*300 p*300 0 1; "
		      "row 1000 outer o.c 1; row 1004 middle m.h 2 1; row 1008 inner i.h 3 2; row 1010 outer o.c 5; "
		      "row 1014 n*300 p*300 6; row 1016 n*300 - 0 2; row 1018 " ROSSYM_TERMINATOR "; "
		      "function n*300 1014 4; function outer 1000 14; function alias 1000 8",
		      flags, &built, NULL) < 0)
		abort();
	uint8_t *table = exact_copy(built.bytes, built.bytes_size);
	*size = built.bytes_size;
	rossym_free(built.bytes);
	return table;
}

static inline uint8_t *random_table(struct makepe *m, enum makepe_kind kind, unsigned width, size_t *size)
{
	static const char *const functions[] = { "f", "g",	"NtClose@4",	    "_rossym_end__",
						 "",  "_dll__", "____image_base__", maketable_long_name };
	uint64_t address = random_below(0x40);
	makepe_start(m, kind);
	m->width = width;
	m->rossym_rva = 0x800;
	m->unterminated = random_one_in(3);
	for (uint32_t at = random_below(0x40), i = 0; i < 4 && kind != MAKEPE_BARE; i++) {
		uint32_t length = random_below(0x100);
		makepe_section(m, "s", at, length, 0, random_one_in(3) ? MAKEPE_DATA : MAKEPE_CODE);
		at += random_one_in(6) ? length / 2 : length + random_below(0x20);
	}
	/* The guide to a kept table has a bucket for 4 rows, but at most 700. */
	for (uint32_t i = random_below(random_one_in(100) ? MAKEPE_ROWS_MAX
				       : random_one_in(3) ? 800
							  : 60);
	     i > 0; i--) {
		makepe_row(m, address, functions[random_below(sizeof functions / sizeof *functions)],
			   random_one_in(3) ? "" : "a.c", random_one_in(3) ? 0 : random_below(9));
		address += random_one_in(2) ? 0 : random_below(12);
	}
	return makepe_build(m, size);
}

#endif
