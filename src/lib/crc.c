// SPDX-License-Identifier: GPL-2.0-or-later
/* crc.c - the CRC-32 of .gnu_debuglink, zip and PNG: polynomial 0x04c11db7, reflected, begun and ended inverted */
#include "config.h"
#include "rossym.h"

/* What a half byte that is shifted out adds: small enough to be written down, fast enough for reading a file. */
static const uint32_t half[16] = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
	0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

uint32_t rossym_debuglink_crc(uint32_t crc, const void *data, size_t size)
{
	const uint8_t *p = data;
	crc = ~crc;
	while (size-- > 0) {
		crc ^= *p++;
		crc = crc >> 4 ^ half[crc & 15];
		crc = crc >> 4 ^ half[crc & 15];
	}
	return ~crc;
}
