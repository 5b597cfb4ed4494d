/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hash.h - the hash of a string of bytes: FNV-1a with 64 bits */
#ifndef TOOL_HASH_H
#define TOOL_HASH_H

#include <stddef.h>
#include <stdint.h>

/* SEED makes another function of it; 0 is the ordinary one.  The lowest bits depend on the lowest bits of the bytes
   only, so mix the result before it is cut to a few bits. */
static inline uint64_t hash_bytes(const char *bytes, size_t length, uint64_t seed)
{
	uint64_t hash = seed ^ UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

#endif
