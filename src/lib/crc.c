// SPDX-License-Identifier: GPL-2.0-or-later
/* crc.c - the CRC-32 of .gnu_debuglink, zip and PNG: polynomial 0x04c11db7, reflected, begun and ended inverted */
#include "config.h"
#include "rossym.h"
#include "core/bytes.h"

/* What a half byte that is shifted out adds: small enough to be written down, fast enough for reading a file. */
static const uint32_t half[16] = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
	0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

/* What a byte adds whose place is so many bytes before the end of eight that are taken at once: worth making for much
   data, which the check of an extension block reads. */
enum { AT_ONCE = 8, MUCH = 1 << 14 };

static void make_tables(uint32_t tables[AT_ONCE][256])
{
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t crc = byte;
		crc = crc >> 4 ^ half[crc & 15];
		tables[0][byte] = crc >> 4 ^ half[crc & 15];
	}
	for (int i = 1; i < AT_ONCE; i++)
		for (uint32_t byte = 0; byte < 256; byte++)
			tables[i][byte] = tables[i - 1][byte] >> 8 ^ tables[0][tables[i - 1][byte] & 255];
}

static uint32_t add_much(uint32_t crc, const uint8_t *p, size_t size)
{
	uint32_t tables[AT_ONCE][256];
	make_tables(tables);
	for (const uint8_t *end = p + size; p < end; p += AT_ONCE) {
		crc ^= rs_le32(p);
		crc = tables[7][crc & 255] ^ tables[6][crc >> 8 & 255] ^ tables[5][crc >> 16 & 255] ^
		      tables[4][crc >> 24] ^ tables[3][p[4]] ^ tables[2][p[5]] ^ tables[1][p[6]] ^ tables[0][p[7]];
	}
	return crc;
}

uint32_t rossym_debuglink_crc(uint32_t crc, const void *data, size_t size)
{
	const uint8_t *p = data;
	crc = ~crc;
	if (size >= MUCH) {
		size_t whole = size & ~(size_t)(AT_ONCE - 1);
		crc = add_much(crc, p, whole);
		p += whole;
		size -= whole;
	}
	while (size-- > 0) {
		crc ^= *p++;
		crc = crc >> 4 ^ half[crc & 15];
		crc = crc >> 4 ^ half[crc & 15];
	}
	return ~crc;
}
