/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crc.h - the CRC-32 of .gnu_debuglink, zip and PNG: polynomial 0x04c11db7, reflected, inverted before and after */
#ifndef RS_CRC_H
#define RS_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Eight bytes are added to the CRC at once.  tables[i][b] is what byte b adds to the CRC if i more of the eight bytes
   come after it.  The tables are in the caller's memory, because 8 KiB are too much for the stack of the core. */
enum { RS_CRC_AT_ONCE = 8 };
struct rs_crc_tables {
	uint32_t tables[RS_CRC_AT_ONCE][256];
};

/* Fill TABLES; this takes about two microseconds. */
void rs_crc_fill_tables(struct rs_crc_tables *tables);

/* Add SIZE bytes at DATA to CRC, the CRC of the bytes before them; 0: there are none.  Returns the CRC of all bytes. */
uint32_t rs_crc_update(const struct rs_crc_tables *tables, uint32_t crc, const void *data, size_t size);

#endif
