/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forms.h - convert extension blocks between their two forms, for tests
 *
 * This code follows rossym(5), bit by bit, and shares nothing with the library, so it can be a witness for the library.
 */
#ifndef TESTS_FORMS_H
#define TESTS_FORMS_H

#include "rossym.h"
#include "tests/lib/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The chunks of records: the number of columns, a bit for each column of references, and the column of frame numbers,
   or 4 if there is none. */
static const struct forms_kind {
	char tag[5];
	unsigned columns, references, frames;
} forms_kinds[] = {
	{ "INLN", 4, 3, 3 }, { "INNR", 4, 3, 3 }, { "IMAP", 2, 0, 1 },
	{ "FUNC", 3, 4, 4 }, { "NAME", 3, 4, 4 }, { "LONG", 2, 2, 4 },
};

static inline uint32_t forms_get(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void forms_put(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(value >> (8 * i));
}

/* The WIDTH bits from bit AT of P on. */
static inline uint32_t forms_bits(const uint8_t *p, size_t at, unsigned width)
{
	uint32_t value = 0;
	for (unsigned i = 0; i < width; i++)
		value |= (uint32_t)(p[(at + i) / 8] >> (at + i) % 8 & 1) << i;
	return value;
}

static inline void forms_put_bits(uint8_t *p, size_t at, unsigned width, uint32_t value)
{
	for (unsigned i = 0; i < width; i++) {
		p[(at + i) / 8] &= (uint8_t) ~(1u << (at + i) % 8);
		p[(at + i) / 8] |= (uint8_t)((value >> i & 1) << (at + i) % 8);
	}
}

/* Number COLUMN of record NUMBER in a chunk of the second form, whose payload is at PAYLOAD: its first bit,
   from there. */
static inline size_t forms_place(const uint8_t *payload, uint32_t number, unsigned column)
{
	size_t bits = 0, before = 0;
	for (unsigned i = 0; i < 4; i++) {
		before += i < column ? payload[i] : 0;
		bits += payload[i];
	}
	return 32 + number * ((bits + 7) / 8 * 8) + before;
}

static inline uint32_t forms_all(unsigned width)
{
	return (uint32_t)((UINT64_C(1) << width) - 1);
}

/* From PAYLOAD of the second form to u32 numbers.  Returns their bytes. */
static inline uint32_t forms_unpack(const struct forms_kind *kind, const uint8_t *payload, uint32_t length,
				    uint32_t strings, uint8_t *to)
{
	uint8_t *begin = to;
	for (uint32_t i = 0; forms_place(payload, i + 1, 0) <= (size_t)length * 8; i++)
		for (unsigned column = 0; column < kind->columns; column++, to += 4) {
			unsigned width = payload[column];
			uint32_t value = forms_bits(payload, forms_place(payload, i, column), width);
			if (column == kind->frames && value == forms_all(width))
				value = UINT32_MAX;
			if (kind->references >> column & 1 && value >= strings)
				value = 0x80000000u | (value - strings);
			forms_put(to, value);
		}
	return (uint32_t)(to - begin);
}

/* The other way round.  TO has zeros, the numbers are valid, and STRINGS, the length of the table's strings, is
   not 0. */
static inline uint32_t forms_pack(const struct forms_kind *kind, const uint8_t *payload, uint32_t length,
				  uint32_t strings, uint8_t *to)
{
	uint32_t count = length / 4 / kind->columns;
	to[0] = 1; /* so that the size of a record is not 0 */
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < count; i++)
			for (unsigned column = 0; column < kind->columns; column++) {
				uint64_t value = forms_get(payload + 4 * ((size_t)i * kind->columns + column));
				bool none = column == kind->frames && value == UINT32_MAX;
				if (kind->references >> column & 1 && value & 0x80000000u)
					value = (value & 0x7fffffff) + strings;
				if (pass == 1) {
					forms_put_bits(to, forms_place(to, i, column), to[column], (uint32_t)value);
					continue;
				}
				/* Wide enough for the number, and for all bits to mean none. */
				uint64_t most = none ? 0 : column == kind->frames ? value + 1 : value;
				while (most > forms_all(to[column]) || (to[column] == 0 && none))
					to[column]++;
			}
	return (uint32_t)((forms_place(to, count, 0) + 7) / 8);
}

/* Both checksums of the block at BLOCK, after the bare table at TABLE. */
static inline void forms_seal(uint8_t *table, uint8_t *block)
{
	forms_put(block + 20, rossym_debuglink_crc(0, table, forms_get(table + 8) + forms_get(table + 12)));
	forms_put(block + 12, rossym_debuglink_crc(0, block + 16, forms_get(block + 8) - 16));
}

static inline size_t forms_block_at(const uint8_t *table)
{
	return ((size_t)forms_get(table + 8) + forms_get(table + 12) + 3) / 4 * 4;
}

/* The bare table at TABLE, which has a block of one form, with a block of the other: *RET_SIZE bytes, to be freed. */
static inline uint8_t *forms_other(const uint8_t *table, size_t *ret_size)
{
	size_t begin = forms_block_at(table);
	const uint8_t *block = table + begin;
	uint32_t end = forms_get(block + 8), at = 24, to = 24;
	bool first = block[7] == '1';
	uint8_t *bytes = needed(calloc(1, begin + (size_t)end * 16 + 256));
	memcpy(bytes, table, begin + 24);
	uint8_t *other = bytes + begin;
	other[7] = first ? '2' : '1';
	while (at < end) {
		uint32_t length = forms_get(block + at + 4), new_length = length;
		const struct forms_kind *kind = NULL;
		for (size_t i = 0; i < sizeof forms_kinds / sizeof *forms_kinds; i++)
			if (memcmp(block + at, forms_kinds[i].tag, 4) == 0)
				kind = &forms_kinds[i];
		memcpy(other + to, block + at, 8);
		if (kind)
			new_length = (first ? forms_pack : forms_unpack)(kind, block + at + 8, length,
									 forms_get(table + 12), other + to + 8);
		else
			memcpy(other + to + 8, block + at + 8, length);
		forms_put(other + to + 4, new_length);
		at += 8 + (length + 3) / 4 * 4;
		to += 8 + (new_length + 3) / 4 * 4;
	}
	forms_put(other + 8, to);
	forms_seal(bytes, other);
	*ret_size = begin + to;
	return bytes;
}

#endif
