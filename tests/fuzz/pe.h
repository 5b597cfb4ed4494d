/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The headers of an image that has code at 0x1000 and data at 0x20000, neither with bytes in the file; the checksum of any image. */
#ifndef FUZZ_PE_H
#define FUZZ_PE_H

#include "core/bytes.h"
#include "tests/lib/makepe.h"

enum {
	PE_FIXED = 2, /* sections that are always there */
	PE_INITIALIZED = 0x40000040,
};

/* Section NUMBER, from 0; OFFSET 0: without bytes in the file.  The image has so many sections then. */
static inline void pe_section(uint8_t *image, size_t number, const char *name, size_t rva, size_t size, size_t offset,
			      uint32_t flags)
{
	struct makepe_section section = { "", (uint32_t)rva, (uint32_t)size, offset ? (uint32_t)size : 0, flags };
	memcpy(section.name, name, strlen(name));
	makepe_put_section(image, number, &section, offset);
}

/* IMAGE is all zeros. */
static inline void pe_start(uint8_t *image, bool wide)
{
	makepe_put_start(image, wide, 0x400000, 0x10000000);
	pe_section(image, 0, ".text", 0x1000, 0x10000, 0, MAKEPE_CODE);
	pe_section(image, 1, ".data", 0x20000, 0x1000, 0, PE_INITIALIZED);
}

/* Whether the checksum of IMAGE is that of its content. */
static inline bool pe_checksum_is_right(const uint8_t *image, size_t size)
{
	size_t at = rs_le32(image + 60) + 24 + 64;
	uint64_t sum = 0;
	for (size_t i = 0; i < size; i++)
		if (i < at || i >= at + 4)
			sum += (uint64_t)image[i] << (i % 2 * 8);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return at + 4 <= size && rs_le32(image + at) == sum + size;
}

#endif
