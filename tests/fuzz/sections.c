// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "fuzz.h"
#include "sections.h"
#include "table.h"
#include "debuginfo/rows.h"

#include <stdbool.h>
#include <string.h>

enum {
	PE = 64, OPTIONAL = PE + 24, OPTIONAL_SIZE = 240, HEADERS = OPTIONAL + OPTIONAL_SIZE, HEADER_SIZE = 40,
	FIXED = 2,		/* sections that are always there */
	SYMBOL_SIZE = 18,
	NAMES_SIZE = 16 * SECTIONS_KINDS	/* room in the string table for long names, in front of DATA's strings */
};

struct part {
	const uint8_t *bytes;
	size_t size;
};

static void put(uint8_t *p, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

static int kind_of(const uint8_t *p)
{
	if (memcmp(p, SECTIONS_MARK, SECTIONS_MARK_SIZE - 1) == 0)
		for (int i = 0; i < SECTIONS_KINDS; i++)
			if (p[SECTIONS_MARK_SIZE - 1] == (uint8_t)sections_kinds[i].letter)
				return i;
	return -1;
}

/* Where the parts begin and end; of several with one letter the last counts. */
static bool cut(const uint8_t *data, size_t size, struct part parts[SECTIONS_KINDS])
{
	struct part *open = NULL;
	memset(parts, 0, SECTIONS_KINDS * sizeof *parts);
	for (size_t at = 0; at + SECTIONS_MARK_SIZE <= size; at++) {
		int kind = kind_of(data + at);
		if (kind < 0)
			continue;
		if (open)
			open->size = (size_t)(data + at - open->bytes);
		open = &parts[kind];
		open->bytes = data + at + SECTIONS_MARK_SIZE;
	}
	if (open)
		open->size = (size_t)(data + size - open->bytes);
	return open != NULL;
}

static void put_header(uint8_t *header, const char *name, size_t rva, size_t size, size_t offset, uint32_t flags)
{
	memcpy(header, name, strlen(name));
	put(header + 8, size, 4);
	put(header + 12, rva, 4);
	put(header + 16, offset ? size : 0, 4);
	put(header + 20, offset, 4);
	put(header + 36, flags, 4);
}

uint8_t *sections_image(const uint8_t *data, size_t size, size_t *ret_size)
{
	enum { CODE = 0x60000020, INITIALIZED = 0x40000040 };
	struct part parts[SECTIONS_KINDS];
	bool wide = size > 0 && (data[0] & SECTIONS_WIDE);
	size_t total = HEADERS + HEADER_SIZE * (FIXED + SECTIONS_KINDS) + 4 + NAMES_SIZE, count = FIXED, names = 4;
	if (!cut(data, size, parts))
		return NULL;
	for (int i = 0; i < SECTIONS_KINDS; i++)
		total += parts[i].size;
	uint8_t *image = calloc(1, total), *header = image + HEADERS;
	if (!image)
		return NULL;
	memcpy(image, "MZ", 2);
	put(image + 60, PE, 4);
	memcpy(image + PE, "PE\0\0", 4);
	put(image + PE + 4, wide ? 0x8664 : 0x14c, 2);
	put(image + PE + 20, OPTIONAL_SIZE, 2);
	put(image + PE + 22, 0x102, 2);
	put(image + OPTIONAL, wide ? 0x20b : 0x10b, 2);
	put(image + OPTIONAL + (wide ? 24 : 28), 0x400000, 4);
	put(image + OPTIONAL + 56, 0x10000000, 4);
	put_header(header, ".text", 0x1000, 0x10000, 0, CODE);
	put_header(header + HEADER_SIZE, ".data", 0x20000, 0x1000, 0, INITIALIZED);

	/* Contents, then symbols, then strings: the image ends with the last of them. */
	const struct part *symbols = &parts[SECTIONS_SYMBOLS], *strings = &parts[SECTIONS_STRINGS];
	size_t at = HEADERS + HEADER_SIZE * (FIXED + SECTIONS_KINDS), table = total - strings->size - NAMES_SIZE - 4;
	for (int i = 0; i < SECTIONS_KINDS; i++) {
		if (!sections_kinds[i].name || !parts[i].bytes)
			continue;
		char name[8];
		snprintf(name, sizeof name, "/%u", (unsigned)names);
		strcpy((char *)image + table + names, sections_kinds[i].name);
		names += strlen(sections_kinds[i].name) + 1;
		put_header(header + HEADER_SIZE * count++, name, 0x1000000 + at, parts[i].size, at, INITIALIZED);
		if (parts[i].size)
			memcpy(image + at, parts[i].bytes, parts[i].size);
		at += parts[i].size;
	}
	if (symbols->size) {
		memcpy(image + at, symbols->bytes, symbols->size);
		/* A part of a symbol at the end would move the strings. */
		table = at + symbols->size / SYMBOL_SIZE * SYMBOL_SIZE;
		memmove(image + table, image + at + symbols->size, 4 + NAMES_SIZE);
	}
	put(image + PE + 6, count, 2);
	put(image + PE + 12, table, 4);
	put(image + PE + 16, symbols->size / SYMBOL_SIZE, 4);
	put(image + table, 4 + NAMES_SIZE + strings->size, 4);
	if (strings->size)
		memcpy(image + table + 4 + NAMES_SIZE, strings->bytes, strings->size);
	*ret_size = table + 4 + NAMES_SIZE + strings->size;
	return image;
}

void sections_try(const uint8_t *data, size_t size)
{
	struct debuginfo_options options = { .map_path = NULL };
	struct debuginfo_counts counts;
	struct rossym_builder *builder = NULL;
	struct rossym_error err;
	size_t image_size;
	uint8_t *image = sections_image(data, size, &image_size);
	if (!image)
		return;
	uint8_t *exact = realloc(image, image_size);
	if (exact)
		image = exact;
	options.decorated = data[0] & SECTIONS_DECORATED;
	options.data = data[0] & SECTIONS_DATA;
	options.no_inlines = data[0] & SECTIONS_NO_INLINES;
	must(rossym_builder_create(&builder, &err) == 0);
	if (debuginfo_add_rows(image, image_size, &options, builder, &counts, &err) == 0)
		table_try(builder);
	else
		must(err.code == ROSSYM_ENOMEM);
	rossym_builder_destroy(builder);
	free(image);
}
