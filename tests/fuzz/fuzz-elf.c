// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A byte of options, then an ELF file: the debug information of an image.  The image is made for it, with the code of
 * the file, since the reader would refuse nearly all files that a fuzzer makes for a given image.
 */
#include "config.h"
#include "fuzz.h"
#include "pe.h"
#include "table.h"
#include "debuginfo/base/elf.h"
#include "debuginfo/read-rows.h"
#include "tests/lib/memory.h"

enum { FIRST_RVA = 0x1000, RVA_MAX = 0x8000000, SECTIONS_MAX = 4, BUILD_ID_SIZE = 36 };

/* In the byte of options. */
enum { MOVED = 1, OTHER_CODE = 2, WITH_BUILD_ID = 4, WANTED = 8, DECORATED = 16, NO_INLINES = 32 };

struct image {
	uint8_t *bytes;
	size_t size;
	size_t sections;
};

/* Add a section of SIZE bytes at RVA; without BYTES, zeros. */
static void add_section(struct image *image, const char *name, size_t rva, const uint8_t *bytes, size_t size,
			uint32_t flags)
{
	uint8_t *larger = needed(realloc(image->bytes, image->size + size));
	image->bytes = larger;
	memset(larger + image->size, 0, size);
	if (bytes)
		memcpy(larger + image->size, bytes, size);
	pe_section(larger, image->sections++, name, rva, size, image->size, flags);
	image->size += size;
}

static void add_build_id(struct image *image, const struct elf *elf)
{
	uint8_t note[BUILD_ID_SIZE] = { 4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U' };
	struct rs_elf_build_id id;
	if (rs_elf_find_build_id(elf, &id) && id.size == 20)
		memcpy(note + 16, id.bytes, 20);
	add_section(image, ".bldid", RVA_MAX, note, sizeof note, PE_INITIALIZED);
}

/* Make an image with the code of ELF. */
static struct image make_image(const struct elf *elf, uint8_t flags)
{
	static const struct {
		uint16_t elf, pe;
	} machines[] = { { ELF_386, 0x14c }, { ELF_ARM, 0x1c4 }, { ELF_AARCH64, 0xaa64 } };
	struct image image = { .size = MAKEPE_HEADERS + (SECTIONS_MAX + 1) * 40 };
	uint64_t distance = 0, entry = 0;
	image.bytes = needed(calloc(1, image.size));
	pe_start(image.bytes, elf->wide);
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i].elf == elf->machine)
			makepe_put(image.bytes + MAKEPE_PE + 4, machines[i].pe, 2);
	memset(image.bytes + MAKEPE_HEADERS, 0, 2 * 40);
	for (uint32_t i = 0; i < elf->section_count && image.sections < SECTIONS_MAX; i++) {
		const struct rs_elf_section section = rs_elf_decode_section(elf, i);
		struct rs_elf_content content = { .size = section.size };
		if (!rs_elf_is_code(&section) || section.size > 1 << 20)
			continue;
		if ((flags & MOVED) && image.sections == 0)
			distance = FIRST_RVA - section.address;
		if (section.address + distance >= RVA_MAX)
			continue;
		const bool has_bytes = rs_elf_find_content(elf, &section, &content) && content.compression == 0;
		add_section(&image, ".text", (size_t)(section.address + distance),
			    has_bytes && !(flags & OTHER_CODE) ? content.bytes : NULL, (size_t)section.size,
			    MAKEPE_CODE);
	}
	entry = elf->entry + distance;
	makepe_put(image.bytes + MAKEPE_OPT + 16, entry, 4);
	if (flags & WITH_BUILD_ID)
		add_build_id(&image, elf);
	return image;
}

static void try_pair(const struct image *image, const uint8_t *data, size_t size, uint8_t flags)
{
	static const uint32_t wanted[] = { FIRST_RVA + 1, FIRST_RVA + 40 };
	const struct debuginfo_file file = { .path = "x.debug", .source = rs_source_from_memory(data, size) };
	table_try_file(image->bytes, image->size, &file, flags & WANTED ? wanted : NULL, flags & DECORATED,
		       flags & NO_INLINES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rossym_error err;
	struct elf elf;
	if (size == 0)
		return 0;
	uint8_t *file = exact_copy(data + 1, size - 1);
	const struct rs_source source = rs_source_from_memory(file, size - 1);
	if (rs_elf_open(&elf, &source, true, &err) == 0) {
		struct image image = make_image(&elf, data[0]);
		try_pair(&image, file, size - 1, data[0]);
		free(image.bytes);
	}
	free(file);
	return 0;
}
