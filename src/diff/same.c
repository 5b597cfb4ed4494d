// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/same.h"
#include "tool/diag.h"

#include <inttypes.h>

/* Print a message that HERE and THERE differ in what FORMAT says.  False. */
#define DIFFER(format, ...) \
	(diag("%s and %s are not the same build: they differ in " format, here->path, there->path, __VA_ARGS__), false)

/* Go to the next code section.  Returns 1; 0 if there are no more; -1 after a message. */
static int next_code_section(struct compared_image *side)
{
	struct rossym_error err;
	int found;
	do
		found = rossym_get_section(side->image, side->next++, &side->section, &err);
	while (found > 0 && !rossym_section_is_code(&side->section));
	if (found < 0)
		diag_image(side->path, &err);
	return found;
}

/* Returns how many bytes of SECTION are in the file; in memory, its other bytes are zeros. */
static uint32_t size_in_file(const struct rossym_section *section)
{
	return section->size < section->raw_size ? section->size : section->raw_size;
}

/* Read LENGTH bytes at offset AT of the current section.  False after a message. */
static bool read_bytes(const struct compared_image *side, uint32_t at, size_t length, uint8_t *bytes)
{
	struct rossym_error err;
	int r = rossym_read_section(side->image, side->next - 1, at, length, bytes, &err);
	if (r == 0)
		err = (struct rossym_error){ .code = ROSSYM_ENOTPE,
					     .offset = side->section.raw_offset,
					     .what = "a section lies past the end of the file" };
	if (r <= 0)
		diag_image(side->path, &err);
	return r > 0;
}

/* Compare the current sections.  False after a message. */
static bool have_same_sections(const struct compared_image *here, const struct compared_image *there)
{
	enum { WINDOW = 16384 };
	const struct rossym_section *a = &here->section, *b = &there->section;
	uint8_t ours[WINDOW], theirs[WINDOW];
	if (a->rva != b->rva)
		return DIFFER("the address of code section %s, RVA 0x%" PRIx32 " and 0x%" PRIx32 " (%s)", a->name,
			      a->rva, b->rva, b->name);
	if (a->size != b->size)
		return DIFFER("the size of code section %s, 0x%" PRIx32 " and 0x%" PRIx32, a->name, a->size, b->size);
	uint32_t length = size_in_file(a) < size_in_file(b) ? size_in_file(a) : size_in_file(b), part;
	for (uint32_t at = 0; at < length; at += part) {
		part = length - at < WINDOW ? length - at : WINDOW;
		if (!read_bytes(here, at, part, ours) || !read_bytes(there, at, part, theirs))
			return false;
		for (uint32_t i = 0; i < part; i++)
			if (ours[i] != theirs[i])
				return DIFFER("the code of section %s at RVA 0x%" PRIx32 ", %02x and %02x", a->name,
					      a->rva + at + i, (unsigned)ours[i], (unsigned)theirs[i]);
	}
	return true;
}

/* Compare two images of the same machine and image base.  False after a message. */
static bool have_same_code(struct compared_image *here, struct compared_image *there)
{
	for (;;) {
		int more_here = next_code_section(here), more_there = more_here < 0 ? 0 : next_code_section(there);
		if (more_here < 0 || more_there < 0)
			return false;
		if (more_here != more_there)
			return DIFFER("code section %s, which only the %s image has",
				      more_here ? here->section.name : there->section.name,
				      more_here ? "first" : "second");
		if (!more_here || !have_same_sections(here, there))
			return !more_here;
	}
}

bool is_same_build(struct compared_image *here, struct compared_image *there)
{
	struct rossym_info a = { .size = sizeof a }, b = a;
	rossym_get_info(here->image, &a, NULL);
	rossym_get_info(there->image, &b, NULL);
	if (a.machine != b.machine)
		return DIFFER("the machine, 0x%x and 0x%x", (unsigned)a.machine, (unsigned)b.machine);
	if (a.image_base != b.image_base)
		return DIFFER("the image base, 0x%" PRIx64 " and 0x%" PRIx64, a.image_base, b.image_base);
	return have_same_code(here, there);
}
