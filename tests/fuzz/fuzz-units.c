// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DWARF that units.c makes.  If it is sound, each address gets the answer that was put into it: from a table of all code, and
 * from tables for one address each, made one after the other.
 */
#include "config.h"
#include "fuzz.h"
#include "sections.h"
#include "tests/lib/maketable.h"
#include "units.h"

static char warning[256];

static void keep_warning(void *context, const char *text)
{
	(void)context;
	snprintf(warning, sizeof warning, "%s", text);
}

static void broken(const struct units *units, unsigned at, const struct rossym_frame *frames, unsigned count)
{
	fprintf(stderr, "broken: the answer for 0x%x is\n", UNITS_FIRST + at);
	for (unsigned i = 0; i < count; i++)
		fprintf(stderr, "\t%s %s:%u\n", frames[i].function ? frames[i].function : "??",
			frames[i].file ? frames[i].file : "??", (unsigned)frames[i].line);
	fprintf(stderr, "and should be\n");
	for (unsigned i = 0; i < units->counts[at]; i++)
		fprintf(stderr, "\t%s %s:%u\n", units->frames[at][i].function, units->frames[at][i].file,
			(unsigned)units->frames[at][i].line);
	fprintf(stderr, "last warning: %s\n", warning);
	abort();
}

/* Whether the answer for address AT is the right one. */
static void check(const struct units *units, struct rossym_image *image, unsigned at)
{
	struct rossym_frame frames[ROSSYM_FRAMES_MAX];
	struct rossym_error err;
	const uint64_t rva = UNITS_FIRST + at;
	uint32_t end;
	must(rossym_lookup_frames(image, &rva, 1, 0, frames, ROSSYM_FRAMES_MAX, &end, &err) == 1);
	if (units->counts[at] == 0) {
		if (end != 1 || frames[0].function || frames[0].file)
			broken(units, at, frames, end);
		return;
	}
	if (end != units->counts[at])
		broken(units, at, frames, end);
	for (unsigned i = 0; i < end; i++) {
		const struct units_frame *want = &units->frames[at][i];
		if (!frames[i].function || strcmp(frames[i].function, want->function) != 0 || !frames[i].file ||
		    strcmp(frames[i].file, want->file) != 0 || frames[i].line != want->line)
			broken(units, at, frames, end);
	}
}

/* Make a table of IMAGE, and check the answers for the addresses from FIRST up to END, unless UNITS are bent. */
static void try_table(const struct units *units, const uint8_t *image, size_t size, struct debuginfo_options *options,
		      unsigned first, unsigned end)
{
	struct rossym_built built;
	struct rossym_image *table;
	struct rossym_error err;
	must(maketable_of_image(image, size, options, &built, &err) == 0);
	if (built.rows > 0) {
		must(rossym_open_memory(built.bytes, built.bytes_size, NULL, &table, &err) == 0);
		for (unsigned i = first; i < end && !units->bent; i++)
			check(units, table, i);
		rossym_close(table);
	} else {
		must(units->bent);
	}
	rossym_free(built.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct units units;
	struct debuginfo_options options = { .warn = keep_warning };
	struct debuginfo_keep keep = { .dwarf = NULL };
	size_t image_size;
	units_make(&units, data, size);
	uint8_t *image = units.size > 0 ? sections_image(units.sections, units.size, &image_size) : NULL;
	if (!image)
		return 0;
	sections_guard(image);
	warning[0] = '\0';
	try_table(&units, image, image_size, &options, 0, UNITS_CODE);
	options.keep = &keep;
	for (unsigned i = 0; i < 4; i++) {
		const unsigned at = size > i ? (data[size - 1 - i] * 3U) % UNITS_CODE : i;
		const uint32_t wanted = UNITS_FIRST + at;
		options.wanted = &wanted;
		options.wanted_count = 1;
		try_table(&units, image, image_size, &options, at, at + 1);
	}
	rs_debuginfo_keep_clear(&keep);
	free(image);
	return 0;
}
