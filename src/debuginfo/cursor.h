/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.h - reading numbers one after the other, never past the end
 *
 * The first read that lacks bytes marks the cursor bad, and it and all that follow give 0: test that once, after a
 * row of reads.
 */
#ifndef DEBUGINFO_CURSOR_H
#define DEBUGINFO_CURSOR_H

#include "core/bytes.h"

#include <stddef.h>
#include <string.h>

struct cursor {
	const uint8_t *at, *end;
	bool bad;
};

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->at);
}

/* LENGTH bytes, or NULL. */
static inline const uint8_t *cursor_take(struct cursor *c, uint64_t length)
{
	if (length > cursor_left(c)) {
		c->bad = true;
		c->at = c->end;
		return NULL;
	}
	const uint8_t *p = c->at;
	c->at += length;
	return p;
}

static inline uint8_t cursor_u8(struct cursor *c)
{
	const uint8_t *p = cursor_take(c, 1);
	return p ? *p : 0;
}

static inline uint16_t cursor_u16(struct cursor *c)
{
	const uint8_t *p = cursor_take(c, 2);
	return p ? rs_le16(p) : 0;
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	const uint8_t *p = cursor_take(c, 4);
	return p ? rs_le32(p) : 0;
}

/* A number of SIZE bytes, 8 at most. */
static inline uint64_t cursor_uint(struct cursor *c, unsigned size)
{
	const uint8_t *p = cursor_take(c, size);
	uint64_t value = 0;
	for (unsigned i = size; p && i-- > 0;)
		value = value << 8 | p[i];
	return value;
}

static inline uint64_t cursor_uleb(struct cursor *c)
{
	uint64_t value = 0;
	for (unsigned shift = 0;; shift += 7) {
		uint8_t byte = cursor_u8(c);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
}

/* A signed one, in two's complement. */
static inline uint64_t cursor_sleb(struct cursor *c)
{
	uint64_t value = 0;
	for (unsigned shift = 0;;) {
		uint8_t byte = cursor_u8(c);
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
static inline const char *cursor_string(struct cursor *c)
{
	const uint8_t *nul = c->at < c->end ? memchr(c->at, '\0', cursor_left(c)) : NULL;
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
