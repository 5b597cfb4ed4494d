// SPDX-License-Identifier: GPL-2.0-or-later
/* DWARF, in the form of sections.h.  The two walks through the entries of units must agree. */
#include "config.h"
#include "fuzz.h"
#include "sections.h"
#include "tests/lib/twins.h"

static void compare_walks(const uint8_t *data, size_t size)
{
	static struct twin fast, plain;
	const struct debuginfo_options options = { .no_inlines = data[0] & SECTIONS_NO_INLINES };
	size_t image_size;
	uint8_t *image = sections_image(data, size, &image_size);
	if (!image)
		return;
	twin_read(&fast, image, image_size, options, false);
	twin_read(&plain, image, image_size, options, true);
	const char *difference = twins_difference(&fast, &plain);
	if (difference)
		fprintf(stderr, "%s differ; fast: %s plain: %s\n", difference, fast.warnings, plain.warnings);
	must(!difference);
	debuginfo_clear(&fast.di);
	debuginfo_clear(&plain.di);
	free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	sections_try(data, size);
	compare_walks(data, size);
	return 0;
}
