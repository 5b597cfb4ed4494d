/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash.h - a hash function for strings and numbers, and hash tables
 *
 * The function adds eight bytes at a time: it multiplies, which gives 128 bits, and combines both halves by exclusive
 * or.  So each bit of the result depends on all bits of HASH and of the eight bytes.  With FNV-1a, which adds one byte
 * at a time, rossym-embed takes 1.05 times as long for a program in Rust, which has long names.
 *
 * Code that reads untrusted files should begin with a seed that differs from run to run, such as an address.
 * Otherwise somebody could make a file whose names all have one hash.  The result depends on the byte order of the
 * machine, so never store it in a file.
 */
#ifndef COMPAT_HASH_H
#define COMPAT_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Add NUMBER to HASH, which is a seed or an earlier result.  Returns the new hash. */
static inline uint64_t hash_number(uint64_t hash, uint64_t number)
{
	/* 2^64 divided by the golden ratio: an odd number without a pattern in its bits */
	const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15), a = hash ^ number ^ UINT64_C(0xcbf29ce484222325);
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 product_type;
	const product_type product = (product_type)a * factor;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
	const uint64_t a0 = (uint32_t)a, a1 = a >> 32, f0 = (uint32_t)factor, f1 = factor >> 32;
	const uint64_t middle = a1 * f0 + (a0 * f0 >> 32), other = a0 * f1 + (uint32_t)middle;
	return (a * factor) ^ (a1 * f1 + (middle >> 32) + (other >> 32));
#endif
}

/* Add LENGTH bytes to HASH, which is a seed or an earlier result.  Returns the new hash. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
	const unsigned char *at = bytes;
	uint64_t word = 0;
	hash ^= length;
	for (; length >= sizeof word; length -= sizeof word, at += sizeof word) {
		memcpy(&word, at, sizeof word);
		hash = hash_number(hash, word);
	}
	if (length == 0)
		return hash;
	word = 0;
	/* Add the last 1 to 7 bytes.  Four or more are read as two words of four bytes that may overlap, because
	   compilers make one instruction of a copy of constant length. */
	if (length >= 4) {
		uint32_t first, last;
		memcpy(&first, at, sizeof first);
		memcpy(&last, at + length - sizeof last, sizeof last);
		word = (uint64_t)first << 32 | last;
	} else {
		word = (uint64_t)at[0] << 16 | (uint64_t)at[length / 2] << 8 | at[length - 1];
	}
	return hash_number(hash, word);
}

struct hash_slot {
	uint32_t number; /* 0: the slot is free */
	uint32_t hash;
};

/* A hash table with open addressing.  A slot in use has a number other than 0, which for the caller is the number of an
   item that it stores elsewhere.  A table of all zeros is empty. */
struct hash_table {
	struct hash_slot *slots;
	uint32_t size, used; /* how many slots there are, a power of two; how many of them are in use */
	uint64_t seed;	     /* for the caller: the seed of the hashes */
};

/* Make room for one more number; a quarter of the slots stays free.  Call it before the first search, too.  ALLOCATE
   and RELEASE work like calloc() and free().  False: there is no memory. */
static inline bool hash_make_room(struct hash_table *table, void *(*allocate)(size_t count, size_t size),
				  void (*release)(void *memory))
{
	enum { FIRST_SIZE = 64 };
	if (table->used < table->size / 4 * 3)
		return true;
	struct hash_table larger = { .size = table->size ? table->size * 2 : FIRST_SIZE, .used = table->used };
	larger.seed = table->seed;
	larger.slots = larger.size ? allocate(larger.size, sizeof *larger.slots) : NULL;
	if (!larger.slots)
		return false;
	for (uint32_t i = 0; i < table->size; i++) {
		uint32_t at = table->slots[i].hash & (larger.size - 1);
		if (!table->slots[i].number)
			continue;
		while (larger.slots[at].number)
			at = (at + 1) & (larger.size - 1);
		larger.slots[at] = table->slots[i];
	}
	release(table->slots);
	*table = larger;
	return true;
}

/* Returns the slot of the next number with HASH; if there are no more, the free slot for a new number.  Before the
   first call, set *AT to HASH.  Different items can have one HASH, so call this function until the slot is free or has
   the number of the right item. */
static inline struct hash_slot *hash_find_slot(const struct hash_table *table, uint32_t hash, uint32_t *at)
{
	struct hash_slot *slot;
	do
		slot = &table->slots[(*at)++ & (table->size - 1)];
	while (slot->number && slot->hash != hash);
	return slot;
}

/* Put NUMBER, whose hash is HASH, into SLOT, which hash_find_slot() has returned and which is free. */
static inline void hash_put_number(struct hash_table *table, struct hash_slot *slot, uint32_t number, uint32_t hash)
{
	*slot = (struct hash_slot){ number, hash };
	table->used++;
}

#endif
