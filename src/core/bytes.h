/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bytes.h - little-endian numbers in bytes, and ranges in a file
 *
 * All code that interprets bytes of a file uses these functions, and never casts a pointer to a struct.  So neither
 * alignment nor the host's byte order matters.  The caller has checked that the bytes exist.
 */
#ifndef RS_BYTES_H
#define RS_BYTES_H

#include <stdbool.h>
#include <stdint.h>

/* Predicates for contracts: comments that begin with "@", which "make check-proof" proves.  bytes(p, n): the n bytes at
   p can be read; room(p, n): the n bytes at p can be read and written. */
/*@ predicate bytes{L}(uint8_t *p, integer count) = \valid_read(p + (0 .. count - 1));
    predicate room{L}(uint8_t *p, integer count) = \valid(p + (0 .. count - 1)); */

/*@ requires bytes(p, 2);
    assigns \nothing; */
static inline uint16_t rs_le16(const uint8_t *p)
{
	return (uint16_t)(p[0] | (uint32_t)p[1] << 8);
}

/*@ requires bytes(p, 4);
    assigns \nothing; */
static inline uint32_t rs_le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/*@ requires bytes(p, 8);
    assigns \nothing; */
static inline uint64_t rs_le64(const uint8_t *p)
{
	return (uint64_t)rs_le32(p) | (uint64_t)rs_le32(p + 4) << 32;
}

/*@ requires room(p, 2);
    assigns p[0 .. 1]; */
static inline void rs_put16(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)value;
	p[1] = (uint8_t)(value >> 8);
}

/*@ requires room(p, 4);
    assigns p[0 .. 3]; */
static inline void rs_put32(uint8_t *p, uint32_t value)
{
	rs_put16(p, value);
	rs_put16(p + 2, value >> 16);
}

/* Returns NUMBER, rounded up to a multiple of ALIGNMENT, a power of two.  NUMBER + ALIGNMENT must fit into 64 bits. */
/*@ assigns \nothing; */
static inline uint64_t rs_align(uint64_t number, uint64_t alignment)
{
	return (number + alignment - 1) & ~(alignment - 1);
}

/* Whether LENGTH bytes at OFFSET lie within SIZE bytes.  Subtracts, because OFFSET + LENGTH could overflow. */
/*@ assigns \nothing;
    ensures \result <==> offset + length <= size; */
static inline bool rs_in_range(uint64_t offset, uint64_t length, uint64_t size)
{
	return offset <= size && length <= size - offset;
}

#endif
