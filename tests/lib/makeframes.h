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
	MAKEFRAMES_STREAMS = 7,
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
	struct makeframes m = { .bytes = "Microsoft C/C++ MSF 7.00\r\n\x1a"
					 "DS" };
	uint8_t *directory = m.bytes + MAKEFRAMES_DIRECTORY, *info = m.bytes + MAKEFRAMES_INFO,
		*dbi = m.bytes + MAKEFRAMES_DBI;
	static const uint16_t sizes[MAKEFRAMES_STREAMS] = { 0, 67, 0, 64 + 22, 0, 0, 13 };
	rs_put32(m.bytes + 32, MAKEFRAMES_BLOCK);
	rs_put32(m.bytes + 40, MAKEFRAMES_SIZE / MAKEFRAMES_BLOCK);
	rs_put32(m.bytes + 44, 4 + 4 * MAKEFRAMES_STREAMS + 4 * 5);
	rs_put32(m.bytes + 52, 3);
	rs_put32(m.bytes + 3 * MAKEFRAMES_BLOCK, 4);
	rs_put32(directory, MAKEFRAMES_STREAMS);
	for (unsigned i = 0; i < MAKEFRAMES_STREAMS; i++)
		rs_put32(makeframes_size(&m, i), sizes[i]);
	/* The blocks of 1, 3 and 6; those of 4 and 5 come with their first record. */
	rs_put32(directory + 32, 5);
	rs_put32(directory + 36, 6);
	rs_put32(directory + 40, 9);
	for (uint8_t i = 0; i < 16; i++)
		info[12 + i] = i + 1;
	rs_put32(info + 28, 7);
	memcpy(info + 32, "/names", 7);
	rs_put32(info + 39, 1); /* entries, slots, a word with a bit for each that is used, none that were */
	rs_put32(info + 43, 2);
	rs_put32(info + 47, 1);
	rs_put32(info + 51, 1);
	rs_put32(info + 63, 6); /* name 0 is stream 6 */
	rs_put32(dbi + 48, 22);
	memset(dbi + 64, 0xff, 22);
	rs_put16(dbi + 64, 5);
	rs_put16(dbi + 64 + 18, 4);
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
