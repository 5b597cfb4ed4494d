/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crc.h - the CRC-32 of .gnu_debuglink, zip and PNG: polynomial 0x04c11db7, reflected, begun and ended inverted */
#ifndef RS_CRC_H
#define RS_CRC_H

#include <stddef.h>
#include <stdint.h>

/* tables[i][byte]: what BYTE adds whose place is i bytes before the end of the eight that are taken at once.  8 KiB, so
   they are neither a constant nor on the core's stack, but in the caller's memory. */
enum { RS_CRC_AT_ONCE = 8 };
struct rs_crc_tables {
	uint32_t tables[RS_CRC_AT_ONCE][256];
};

/* Fill TABLES; this takes about two microseconds. */
void rs_crc_make(struct rs_crc_tables *tables);

/* The CRC of SIZE bytes at DATA.  CRC is 0, or the result for the bytes before them. */
uint32_t rs_crc(const struct rs_crc_tables *tables, uint32_t crc, const void *data, size_t size);

#endif
