/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decoder.h - reads numbers and strings one after another, never past the end
 *
 * If there are not enough bytes, a read sets "bad", moves the decoder to the end, and returns 0 or NULL; for a LEB128
 * number (of any length) that is cut off, it returns the bits that are there.  All later reads return 0 or NULL.  So a
 * caller can read several values and then test "bad" once.
 */
#ifndef DEBUGINFO_BASE_DECODER_H
#define DEBUGINFO_BASE_DECODER_H

#include "core/bytes.h"

#include <stddef.h>
#include <string.h>

struct decoder {
	const uint8_t *at, *end;
	bool bad;
};

/* Returns how many bytes have not been read yet. */
static inline size_t decoder_left(const struct decoder *c)
{
	return (size_t)(c->end - c->at);
}

/* Read the next LENGTH bytes.  Returns a pointer to them; NULL if there are fewer. */
static inline const uint8_t *decoder_take(struct decoder *c, uint64_t length)
{
	if (length > decoder_left(c)) {
		c->bad = true;
		c->at = c->end;
		return NULL;
	}
	const uint8_t *p = c->at;
	c->at += length;
	return p;
}

static inline uint8_t decoder_u8(struct decoder *c)
{
	const uint8_t *p = decoder_take(c, 1);
	return p ? *p : 0;
}

static inline uint16_t decoder_u16(struct decoder *c)
{
	const uint8_t *p = decoder_take(c, 2);
	return p ? rs_le16(p) : 0;
}

static inline uint32_t decoder_u32(struct decoder *c)
{
	const uint8_t *p = decoder_take(c, 4);
	return p ? rs_le32(p) : 0;
}

/* Read a little-endian number of SIZE bytes.  If SIZE is above 8, returns the lower 64 bits of the number. */
static inline uint64_t decoder_uint(struct decoder *c, unsigned size)
{
	const uint8_t *p = decoder_take(c, size);
	uint64_t value = 0;
	for (unsigned i = size; p && i-- > 0;)
		value = value << 8 | p[i];
	return value;
}

/* Read a number in ULEB128, DWARF's unsigned numbers of any length: seven bits a byte, the lowest first; bit 7 is set
   in all bytes but the last.  Bits that do not fit in 64 are dropped. */
static inline uint64_t decoder_uleb(struct decoder *c)
{
	uint64_t value = 0;
	if (c->at < c->end && *c->at < 0x80) /* nearly all numbers have one byte */
		return *c->at++;
	for (unsigned shift = 0;; shift += 7) {
		uint8_t byte = decoder_u8(c);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
}

/* Read a number in SLEB128: as ULEB128, but bit 6 of the last byte is the sign.  Returns it as two's complement. */
static inline uint64_t decoder_sleb(struct decoder *c)
{
	uint64_t value = 0;
	for (unsigned shift = 0;;) {
		uint8_t byte = decoder_u8(c);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80)) {
			if ((byte & 0x40) && shift < 64)
				value |= UINT64_MAX << shift;
			return value;
		}
	}
}

/* Skip a number in ULEB128 or SLEB128: the bytes up to the first one with bit 7 clear. */
static inline void decoder_skip_leb(struct decoder *c)
{
	while (c->at < c->end)
		if (!(*c->at++ & 0x80))
			return;
	c->bad = true;
}

/* Read a string that ends with NUL.  Returns NULL if there is no NUL. */
static inline const char *decoder_string(struct decoder *c)
{
	const uint8_t *nul = c->at < c->end ? memchr(c->at, '\0', decoder_left(c)) : NULL;
	if (!nul) {
		c->bad = true;
		c->at = c->end;
		return NULL;
	}
	const char *text = (const char *)c->at;
	c->at = nul + 1;
	return text;
}

#endif
