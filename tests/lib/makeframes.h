/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * makeframes.h - a small PDB file with FrameData and FPO data
 *
 *	struct makeframes m = makeframes();		its GUID is 1, 2, ... 16; nothing is known about a frame
 *	makeframes_data(&m, rva, size, locals, saved, params, start, program);		in the order of addresses
 *	makeframes_fpo(&m, rva, size, locals, params, saved, bits);
 *	m.bytes
 */
#ifndef TESTS_MAKEFRAMES_H
#define TESTS_MAKEFRAMES_H

#include "core/bytes.h"
#include "tests/lib/bytetext.h"

#include <stdbool.h>
#include <string.h>

enum {
	MAKEFRAMES_BLOCK = 512,
	MAKEFRAMES_DIRECTORY = 4 * MAKEFRAMES_BLOCK, /* block 3 has its number */
	MAKEFRAMES_INFO = 5 * MAKEFRAMES_BLOCK,
	MAKEFRAMES_DBI = 6 * MAKEFRAMES_BLOCK,
	MAKEFRAMES_FRAMES = 7 * MAKEFRAMES_BLOCK,
	MAKEFRAMES_FPO = 8 * MAKEFRAMES_BLOCK,
	MAKEFRAMES_NAMES = 9 * MAKEFRAMES_BLOCK,
	MAKEFRAMES_SIZE = 10 * MAKEFRAMES_BLOCK,
};

struct makeframes {
	uint8_t bytes[MAKEFRAMES_SIZE];
};

/* The size of stream NUMBER, in the directory. */
static inline uint8_t *makeframes_size(struct makeframes *m, unsigned number)
{
	return m->bytes + MAKEFRAMES_DIRECTORY + 4 + 4 * number;
}

static inline struct makeframes makeframes(void)
{
	/* The header; the number of the directory's block; the directory: sizes of streams, and blocks of 1, 3 and 6.  Those of 4 and 5
	   come with their first record.  Then the streams: of names, 0 is stream 6. */
	const struct bytes *file = bytetext_bytes("'Microsoft C/C++ MSF 7.00' d a 1a 'DS' >20 l200 l0 la l34 l0 l3 "
						  ">600 l4 >800 l7 l0 l43 l0 l56 l0 l0 ld l5 l6 l9 "
						  ">a0c 1 2 3 4 5 6 7 8 9 a b c d e f 10 l7 '/names' 0 l1 l2 l1 l1 8*0 "
						  "l6 >c30 l16 >c40 w5 8*wffff w4 wffff");
	struct makeframes m = { .bytes = { 0 } };
	memcpy(m.bytes, file->b, file->n);
	return m;
}

/* Room for a record of SIZE bytes at the end of stream NUMBER, whose block is at OFFSET. */
static inline uint8_t *makeframes_add(struct makeframes *m, unsigned number, uint32_t offset, uint32_t size)
{
	uint8_t *blocks = m->bytes + MAKEFRAMES_DIRECTORY + 32;
	const uint32_t old = rs_le32(makeframes_size(m, number));
	if (old == 0) { /* behind the blocks of streams before it */
		unsigned at = 2;
		if (number == 5 && rs_le32(makeframes_size(m, 4)) > 0)
			at = 3;
		memmove(blocks + 4 * at + 4, blocks + 4 * at, 8);
		rs_put32(blocks + 4 * at, offset / MAKEFRAMES_BLOCK);
	}
	rs_put32(makeframes_size(m, number), old + size);
	return m->bytes + offset + old;
}

static inline void makeframes_data(struct makeframes *m, uint32_t rva, uint32_t size, uint32_t locals, uint16_t saved,
				   uint32_t params, bool start, const char *program)
{
	uint8_t *record = makeframes_add(m, 4, MAKEFRAMES_FRAMES, 32);
	const uint32_t names = rs_le32(makeframes_size(m, 6)), length = (uint32_t)strlen(program) + 1;
	rs_put32(record, rva);
	rs_put32(record + 4, size);
	rs_put32(record + 8, locals);
	rs_put32(record + 12, params);
	rs_put32(record + 20, names - 12);
	rs_put16(record + 26, saved);
	rs_put32(record + 28, start ? 4 : 0);
	memcpy(m->bytes + MAKEFRAMES_NAMES + names, program, length);
	rs_put32(makeframes_size(m, 6), names + length);
}

static inline void makeframes_fpo(struct makeframes *m, uint32_t rva, uint32_t size, uint32_t locals, uint16_t params,
				  unsigned bits)
{
	uint8_t *record = makeframes_add(m, 5, MAKEFRAMES_FPO, 16);
	rs_put32(record, rva);
	rs_put32(record + 4, size);
	rs_put32(record + 8, locals);
	rs_put16(record + 12, params);
	record[15] = (uint8_t)bits;
}

#endif
