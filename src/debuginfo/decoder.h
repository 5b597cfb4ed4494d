/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.h - reading numbers one after the other, never past the end
 *
 * The first read that lacks bytes marks the cursor bad, and it and all that follow give 0: test that once, after a
 * row of reads.
 */
#ifndef DEBUGINFO_DECODER_H
#define DEBUGINFO_DECODER_H

#include "core/bytes.h"

#include <stddef.h>
#include <string.h>

struct decoder {
	const uint8_t *at, *end;
	bool bad;
};

static inline size_t decoder_left(const struct decoder *c)
{
	return (size_t)(c->end - c->at);
}

/* LENGTH bytes, or NULL. */
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

/* A number of SIZE bytes, 8 at most. */
static inline uint64_t decoder_uint(struct decoder *c, unsigned size)
{
	const uint8_t *p = decoder_take(c, size);
	uint64_t value = 0;
	for (unsigned i = size; p && i-- > 0;)
		value = value << 8 | p[i];
	return value;
}

static inline uint64_t decoder_uleb(struct decoder *c)
{
	uint64_t value = 0;
	for (unsigned shift = 0;; shift += 7) {
		uint8_t byte = decoder_u8(c);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
}

/* A signed one, in two's complement. */
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

/* A string with its NUL, or NULL. */
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
