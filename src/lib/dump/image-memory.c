// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/dump/image-memory.h"
#include "core/bytes.h"
#include "lib/image.h"

#include <string.h>

/* Read those of the SIZE bytes at OFFSET that the file has.  False: reading failed. */
static bool read_file(const struct rossym_image *image, uint64_t offset, uint8_t *bytes, size_t size)
{
	const uint64_t rest = image->file.size > offset ? image->file.size - offset : 0;
	const size_t n = size < rest ? size : (size_t)rest;
	return n == 0 || rs_source_copy(&image->file, offset, n, bytes, NULL) == 0;
}

/* Returns how many bytes of the headers the loader maps: SizeOfHeaders. */
static uint32_t size_of_headers(const struct rossym_image *image)
{
	enum { AT_PE = 60, SIZE_OF_HEADERS = 24 + 60 };
	uint8_t number[4] = { 0 };
	if (!read_file(image, AT_PE, number, sizeof number) ||
	    !read_file(image, (uint64_t)rs_le32(number) + SIZE_OF_HEADERS, number, sizeof number))
		return 0;
	return rs_le32(number);
}

/* Read those of the SIZE bytes at RVA that SECTION, number INDEX, has in the file.  False: reading failed. */
static bool read_section(struct rossym_image *image, uint32_t index, const struct rossym_section *section, uint32_t rva,
			 uint8_t *bytes, size_t size)
{
	const uint32_t mapped = section->raw_size < section->size ? section->raw_size : section->size;
	const uint64_t end = (uint64_t)section->rva + mapped, wanted = (uint64_t)rva + size;
	const uint64_t first = section->rva > rva ? section->rva : rva, last = end < wanted ? end : wanted;
	return first >= last || rossym_read_section(image, index, (uint32_t)(first - section->rva),
						    (size_t)(last - first), bytes + (first - rva), NULL) > 0;
}

bool rs_image_memory_read(struct rossym_image *image, uint32_t rva, void *bytes, size_t size)
{
	enum { SECTIONS_MAX = 96 }; /* the loader of Windows refuses images with more */
	struct rossym_section section;
	int status = 1;
	memset(bytes, 0, size);
	if (image->loaded)
		return read_file(image, rva, bytes, size);
	const uint32_t headers = size_of_headers(image);
	if (rva < headers && !read_file(image, rva, bytes, size < headers - rva ? size : headers - rva))
		return false;
	for (uint32_t i = 0; i < SECTIONS_MAX && status > 0; i++) {
		status = rossym_get_section(image, i, &section, NULL);
		if (status > 0 && !read_section(image, i, &section, rva, bytes, size))
			return false;
	}
	return status >= 0;
}
