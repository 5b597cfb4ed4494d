// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/same.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

/* An image, whose code sections are compared one after another. */
struct compared_image {
	struct rossym_image *image;
	uint32_t index;		       /* index of the section after the current one */
	struct rossym_section section; /* the current section */
};

/* Go to the next code section.  Returns 1; 0 if there are no more; -1 on an error. */
static int next_code_section(struct compared_image *side, struct rossym_error *err)
{
	int found;
	while ((found = rossym_get_section(side->image, side->index, &side->section, err)) > 0) {
		side->index++;
		if (rossym_section_is_code(&side->section))
			break;
	}
	return found;
}

/* Returns how many bytes of SECTION are in the file; in memory, its other bytes are zeros. */
static uint32_t size_in_file(const struct rossym_section *section)
{
	return section->size < section->raw_size ? section->size : section->raw_size;
}

/* Read LENGTH bytes at offset AT of the current section.  False after storing *ERR. */
static bool read_bytes(struct compared_image *side, uint32_t at, size_t length, uint8_t *bytes,
		       struct rossym_error *err)
{
	int r = rossym_read_section(side->image, side->index - 1, at, length, bytes, err);
	if (r == 0)
		*err = (struct rossym_error){ .code = ROSSYM_ENOTPE,
					      .offset = side->section.raw_offset,
					      .what = "a section lies past the end of the file" };
	return r > 0;
}

/* Compare the bytes of the current sections.  Returns as same_build(), like the next function. */
static int compare_section_bytes(struct compared_image *here, struct compared_image *there, char *what, size_t size,
				 struct rossym_image **failed, struct rossym_error *err)
{
	enum { WINDOW = 16384 };
	uint8_t ours[WINDOW], theirs[WINDOW];
	uint32_t length = size_in_file(&here->section), part;
	if (size_in_file(&there->section) < length)
		length = size_in_file(&there->section);
	for (uint32_t at = 0; at < length; at += part) {
		part = length - at < WINDOW ? length - at : WINDOW;
		struct compared_image *bad = !read_bytes(here, at, part, ours, err)	 ? here
					     : !read_bytes(there, at, part, theirs, err) ? there
											 : NULL;
		if (bad) {
			*failed = bad->image;
			return -1;
		}
		for (uint32_t i = 0; i < part; i++)
			if (ours[i] != theirs[i]) {
				snprintf(what, size, "the code of section %s at RVA 0x%" PRIx32 ", %02x and %02x",
					 here->section.name, here->section.rva + at + i, (unsigned)ours[i],
					 (unsigned)theirs[i]);
				return 0;
			}
	}
	return 1;
}

static int compare_sections(struct compared_image *here, struct compared_image *there, char *what, size_t size,
			    struct rossym_image **failed, struct rossym_error *err)
{
	const struct rossym_section *ours = &here->section, *theirs = &there->section;
	if (ours->rva != theirs->rva)
		snprintf(what, size, "the address of code section %s, RVA 0x%" PRIx32 " and 0x%" PRIx32 " (%s)",
			 ours->name, ours->rva, theirs->rva, theirs->name);
	else if (ours->size != theirs->size)
		snprintf(what, size, "the size of code section %s, 0x%" PRIx32 " and 0x%" PRIx32, ours->name,
			 ours->size, theirs->size);
	else
		return compare_section_bytes(here, there, what, size, failed, err);
	return 0;
}

int same_build(struct rossym_image *here, struct rossym_image *there, char *what, size_t size,
	       struct rossym_image **failed, struct rossym_error *err)
{
	struct rossym_info ours = { .size = sizeof ours }, theirs = ours;
	rossym_get_info(here, &ours, NULL);
	rossym_get_info(there, &theirs, NULL);
	if (ours.machine != theirs.machine) {
		snprintf(what, size, "the machine, 0x%x and 0x%x", (unsigned)ours.machine, (unsigned)theirs.machine);
		return 0;
	}
	if (ours.image_base != theirs.image_base) {
		snprintf(what, size, "the image base, 0x%" PRIx64 " and 0x%" PRIx64, ours.image_base,
			 theirs.image_base);
		return 0;
	}

	struct compared_image a = { .image = here }, b = { .image = there };
	for (;;) {
		int more_here = next_code_section(&a, err), more_there = more_here < 0 ? 0 : next_code_section(&b, err);
		if (more_here < 0 || more_there < 0) {
			*failed = more_here < 0 ? here : there;
			return -1;
		}
		if (!more_here && !more_there)
			return 1;
		if (!more_here || !more_there) {
			snprintf(what, size, "code section %s, which only the %s image has",
				 more_here ? a.section.name : b.section.name, more_here ? "first" : "second");
			return 0;
		}
		int r = compare_sections(&a, &b, what, size, failed, err);
		if (r <= 0)
			return r;
	}
}
