// SPDX-License-Identifier: GPL-2.0-or-later
/* crc.c - computes the CRC of eight bytes at a time, which is five times as fast as one byte at a time */
#include "core/crc.h"
#include "core/bytes.h"

/*@ requires \valid(all);
    assigns *all; */
void rs_crc_fill_tables(struct rs_crc_tables *all)
{
	const uint32_t polynomial_reflected = 0xedb88320;
	/*@ loop invariant byte <= 256;
	    loop assigns byte, *all;
	    loop variant 256 - byte; */
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t crc = byte;
		/*@ loop invariant 0 <= bit <= 8;
		    loop assigns bit, crc;
		    loop variant 8 - bit; */
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? polynomial_reflected : 0);
		all->tables[0][byte] = crc;
	}
	/* tables[i] follows from tables[i - 1] by one more step of the CRC, with a byte of 0. */
	/*@ loop invariant 1 <= i <= RS_CRC_AT_ONCE;
	    loop assigns i, *all;
	    loop variant RS_CRC_AT_ONCE - i; */
	for (int i = 1; i < RS_CRC_AT_ONCE; i++)
		/*@ loop invariant byte <= 256;
		    loop assigns byte, *all;
		    loop variant 256 - byte; */
		for (uint32_t byte = 0; byte < 256; byte++) {
			uint32_t before = all->tables[i - 1][byte];
			all->tables[i][byte] = before >> 8 ^ all->tables[0][(uint8_t)before];
		}
}

/*@ requires \valid_read(all) && bytes((uint8_t *)data, size);
    assigns \nothing; */
uint32_t rs_crc_update(const struct rs_crc_tables *all, uint32_t crc, const void *data, size_t size)
{
	const uint32_t(*tables)[256] = all->tables;
	const uint8_t *p = data;
	crc = ~crc;
	/*@ loop invariant bytes(p, size);
	    loop assigns size, p, crc;
	    loop variant size; */
	for (; size >= RS_CRC_AT_ONCE; size -= RS_CRC_AT_ONCE, p += RS_CRC_AT_ONCE) {
		/* A CRC is linear: that of eight bytes is the XOR of what each adds alone.  The CRC so far has 32 bits,
		   so it is combined with the first four bytes. */
		crc ^= rs_le32(p);
		crc = tables[7][(uint8_t)crc] ^ tables[6][(uint8_t)(crc >> 8)] ^ tables[5][(uint8_t)(crc >> 16)] ^
		      tables[4][crc / (UINT32_C(1) << 24)] ^ tables[3][p[4]] ^ tables[2][p[5]] ^ tables[1][p[6]] ^
		      tables[0][p[7]];
	}
	/* Add the bytes that are left, up to 7, one at a time. */
	/*@ loop invariant bytes(p, size);
	    loop assigns size, p, crc;
	    loop variant size; */
	for (; size > 0; size--)
		crc = crc >> 8 ^ tables[0][(uint8_t)(crc ^ *p++)];
	return ~crc;
}
