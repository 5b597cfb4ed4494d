/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The headers of an image that has code at 0x1000 and data at 0x20000, neither with bytes in the file; the checksum of any image. */
#ifndef FUZZ_PE_H
#define FUZZ_PE_H

#include "core/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	FUZZ_PE = 64,
	FUZZ_PE_OPTIONAL = FUZZ_PE + 24,
	FUZZ_PE_OPTIONAL_SIZE = 240,
	FUZZ_PE_SECTIONS = FUZZ_PE_OPTIONAL + FUZZ_PE_OPTIONAL_SIZE,
	FUZZ_PE_SECTION_SIZE = 40,
	FUZZ_PE_FIXED = 2, /* sections that are always there */
	FUZZ_PE_CODE = 0x60000020,
	FUZZ_PE_INITIALIZED = 0x40000040,
};

static inline void pe_put(uint8_t *p, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

/* Section NUMBER, from 0; OFFSET 0: without bytes in the file.  The image has so many sections then. */
static inline void pe_section(uint8_t *image, size_t number, const char *name, size_t rva, size_t size, size_t offset,
			      uint32_t flags)
{
	uint8_t *header = image + FUZZ_PE_SECTIONS + FUZZ_PE_SECTION_SIZE * number;
	memcpy(header, name, strlen(name));
	pe_put(header + 8, size, 4);
	pe_put(header + 12, rva, 4);
	pe_put(header + 16, offset ? size : 0, 4);
	pe_put(header + 20, offset, 4);
	pe_put(header + 36, flags, 4);
	pe_put(image + FUZZ_PE + 6, number + 1, 2);
}

/* IMAGE is all zeros. */
static inline void pe_start(uint8_t *image, bool wide)
{
	memcpy(image, "MZ", 2);
	pe_put(image + 60, FUZZ_PE, 4);
	memcpy(image + FUZZ_PE, "PE\0\0", 4);
	pe_put(image + FUZZ_PE + 4, wide ? 0x8664 : 0x14c, 2);
	pe_put(image + FUZZ_PE + 20, FUZZ_PE_OPTIONAL_SIZE, 2);
	pe_put(image + FUZZ_PE + 22, 0x102, 2);
	pe_put(image + FUZZ_PE_OPTIONAL, wide ? 0x20b : 0x10b, 2);
	pe_put(image + FUZZ_PE_OPTIONAL + (wide ? 24 : 28), 0x400000, 4);
	pe_put(image + FUZZ_PE_OPTIONAL + 56, 0x10000000, 4);
	pe_section(image, 0, ".text", 0x1000, 0x10000, 0, FUZZ_PE_CODE);
	pe_section(image, 1, ".data", 0x20000, 0x1000, 0, FUZZ_PE_INITIALIZED);
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
