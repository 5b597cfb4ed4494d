/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maketable.h - a bare table made by the library, of a text
 *
 *	struct rossym_built built;
 *	maketable("frame outer o.c 30\n"		a caller: its function, file and line; frames are numbered from 1
 *		  "frame middle m.h 20 1\n"		... which frame 1 calls
 *		  "row 1000 inner i.h 3 2\n"		an RVA, a function, a file, a line, and the frame that calls it
 *		  "function outer 1000 14", 0, &built, &err);	an RVA and a length
 *
 * RVAs and lengths are hexadecimal.  "-" is no name; "n*300" is a name of 300 n.  Flags are those of rossym_builder_create().
 */
#ifndef TESTS_MAKETABLE_H
#define TESTS_MAKETABLE_H

#include "rossym-write.h"

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
	static char long_name[ROSSYM_LENGTH_MAX + 1], long_file[ROSSYM_LENGTH_MAX + 1];
	char text[256], verb[16] = "", a[64] = "", b[64] = "", c[64] = "", d[16] = "", e[16] = "";
	snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
	sscanf(text, "%15s %63s %63s %63s %15s %15s", verb, a, b, c, d, e);
	if (strcmp(verb, "frame") == 0 && *count < MAKETABLE_FRAMES) {
		const struct rossym_new_frame frame = { .size = sizeof frame,
							.function = maketable_name(a, long_name),
							.file = maketable_name(b, long_file),
							.line = (uint32_t)strtoul(c, NULL, 10),
							.next = frames[strtoul(d, NULL, 10) % MAKETABLE_FRAMES] };
		return rossym_builder_add_frame(builder, &frame, &frames[++*count], err);
	}
	if (strcmp(verb, "row") == 0) {
		const struct rossym_new_row row = { .size = sizeof row,
						    .rva = strtoul(a, NULL, 16),
						    .function = maketable_name(b, long_name),
						    .file = maketable_name(c, long_file),
						    .line = (uint32_t)strtoul(d, NULL, 10),
						    .outer = frames[strtoul(e, NULL, 10) % MAKETABLE_FRAMES] };
		return rossym_builder_add(builder, &row, err);
	}
	const struct rossym_new_function function = { .size = sizeof function,
						      .name = maketable_name(a, long_name),
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
	for (const char *line = text; r == 0 && line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		r = maketable_add(builder, line, frames, &count, err);
	if (r == 0)
		r = rossym_builder_finish(builder, built, err);
	rossym_builder_destroy(builder);
	return r;
}

#endif
