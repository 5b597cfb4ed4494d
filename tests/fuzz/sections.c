// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "fuzz.h"
#include "parts.h"
#include "pe.h"
#include "sections.h"
#include "table.h"
#include "core/bytes.h"
#include "debuginfo/read-rows.h"

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define HAVE_ASAN
#endif
#endif
#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#endif

enum {
	SYMBOL_SIZE = 18,
	/* room in the string table for long names, in front of DATA's strings */
	NAMES_SIZE = 16 * SECTIONS_KINDS,
	/* bytes after each section, which belong to none */
	GAP = 128,
};

uint8_t *sections_image(const uint8_t *data, size_t size, size_t *ret_size)
{
	struct part parts[SECTIONS_KINDS];
	bool wide = size > 0 && (data[0] & SECTIONS_WIDE);
	const size_t headers = MAKEPE_HEADERS + 40 * (PE_FIXED + SECTIONS_KINDS);
	size_t total = headers + 4 + NAMES_SIZE, count = PE_FIXED, names = 4;
	if (!parts_cut(data, size, SECTIONS_LETTERS, parts))
		return NULL;
	for (int i = 0; i < SECTIONS_KINDS; i++)
		total += parts[i].size + GAP;
	uint8_t *image = calloc(1, total);
	if (!image)
		return NULL;
	pe_start(image, wide);

	/* Contents, then symbols, then strings: the image ends with the last of them. */
	const struct part *symbols = &parts[SECTIONS_SYMBOLS], *strings = &parts[SECTIONS_STRINGS];
	size_t at = headers, table = total - strings->size - NAMES_SIZE - 4;
	for (int i = 0; i < SECTIONS_KINDS; i++) {
		if (!sections_kinds[i].name || !parts[i].bytes)
			continue;
		char name[8];
		snprintf(name, sizeof name, "/%u", (unsigned)names);
		strcpy((char *)image + table + names, sections_kinds[i].name);
		names += strlen(sections_kinds[i].name) + 1;
		pe_section(image, count++, name, 0x1000000 + at, parts[i].size, at, PE_INITIALIZED);
		if (parts[i].size)
			memcpy(image + at, parts[i].bytes, parts[i].size);
		at += parts[i].size;
		memset(image + at, 'g', GAP);
		at += GAP;
	}
	if (symbols->size) {
		memcpy(image + at, symbols->bytes, symbols->size);
		/* A part of a symbol at the end would move the strings. */
		table = at + symbols->size / SYMBOL_SIZE * SYMBOL_SIZE;
		memmove(image + table, image + at + symbols->size, 4 + NAMES_SIZE);
	}
	makepe_put(image + MAKEPE_PE + 12, table - symbols->size / SYMBOL_SIZE * SYMBOL_SIZE, 4);
	makepe_put(image + MAKEPE_PE + 16, symbols->size / SYMBOL_SIZE, 4);
	makepe_put(image + table, 4 + NAMES_SIZE + strings->size, 4);
	if (strings->size)
		memcpy(image + table + 4 + NAMES_SIZE, strings->bytes, strings->size);
	*ret_size = table + 4 + NAMES_SIZE + strings->size;
	return image;
}

void sections_guard(const uint8_t *image)
{
#ifdef HAVE_ASAN
	const size_t count = rs_le16(image + MAKEPE_PE + 6);
	for (size_t i = PE_FIXED; i < count; i++) {
		const uint8_t *header = image + MAKEPE_HEADERS + 40 * i;
		ASAN_POISON_MEMORY_REGION(image + rs_le32(header + 20) + rs_le32(header + 16), GAP);
	}
#else
	(void)image;
#endif
}

/* Go through the details of all rows. */
static void try_details(const struct rs_details *details)
{
	for (uint32_t i = 0; details && i < details->row_count; i++) {
		const struct rs_place *place;
		struct rs_detail_walk walk;
		must(i == 0 || details->rows[i - 1].rva < details->rows[i].rva);
		rs_details_begin_walk(details, details->rows[i].rva, &walk);
		do {
			place = rs_details_next_place(&walk);
			must(!place || strlen(details->strings + place->start_file) < SIZE_MAX);
		} while (place || walk.frame.place || walk.frame.next);
	}
}

/* Make a table with OPTIONS. */
static void make_table(const uint8_t *image, size_t size, struct debuginfo_options *options)
{
	struct rs_details *details = NULL;
	options->details = &details;
	table_try_debuginfo(image, size, options);
	try_details(details);
	rs_details_free(details);
}

static void make_some(const uint8_t *image, size_t size, struct debuginfo_options *options)
{
	static const uint32_t wanted[][2] = { { 0x1000, 0x1010 }, { 0x1004, 0x1100 }, { 0x1000, 0x2000 } };
	struct debuginfo_keep keep = { .dwarf = NULL };
	options->keep = &keep;
	options->wanted_count = 2;
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		options->wanted = wanted[i];
		make_table(image, size, options);
	}
	rs_debuginfo_keep_clear(&keep);
}

void sections_try(const uint8_t *data, size_t size)
{
	struct debuginfo_options options = { .map_path = NULL };
	struct rs_places places = { .count = 0 };
	size_t image_size;
	uint8_t *image = sections_image(data, size, &image_size);
	if (!image)
		return;
	uint8_t *exact = realloc(image, image_size);
	if (exact)
		image = exact;
	sections_guard(image);
	options.decorated = data[0] & SECTIONS_DECORATED;
	options.data = data[0] & SECTIONS_DATA;
	options.no_inlines = data[0] & SECTIONS_NO_INLINES;
	options.places = data[0] & SECTIONS_DETAILS ? &places : NULL;
	if (data[0] & SECTIONS_WANTED)
		make_some(image, image_size, &options);
	else
		make_table(image, image_size, &options);
	rs_places_clear(&places);
	free(image);
}
