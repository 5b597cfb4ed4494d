// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * set-bases.c - where modules are loaded
 *
 * Bases are sorted by address.  A module whose length is not known reaches up to the next base, but at most 4 GiB, and
 * not from user-mode addresses to others.  When a base is added, those that it overlaps are removed, except fixed ones,
 * which always stay.
 */
#include "config.h"
#include "lib/set/set.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "compat/bisect.h"

#include <string.h>

/* Whether ADDRESS is a user-mode address: in 32-bit Windows the lower 2 GiB, in 64-bit Windows the lower 128 TiB.
   Addresses from 2 to 4 GiB are those of a 32-bit kernel. */
static bool is_user_address(uint64_t address)
{
	return address < UINT64_C(0x80000000) || (address > UINT32_MAX && address < UINT64_C(0x0000800000000000));
}

/* Returns how many bases begin at or below ADDRESS. */
static uint32_t count_bases_up_to(const struct rs_bases *bases, uint64_t address)
{
	size_t at;
	BISECT(at, bases->count, bases->list[at].address <= address);
	return (uint32_t)at;
}

const struct rs_base *rs_bases_find(const struct rs_bases *bases, uint64_t address)
{
	uint32_t below = count_bases_up_to(bases, address);
	const struct rs_base *base = below ? &bases->list[below - 1] : NULL;
	if (!base)
		return NULL;
	/* SizeOfImage has 32 bits. */
	const uint64_t offset = address - base->address;
	bool inside = base->size ? offset < base->size
				 : offset <= UINT32_MAX && is_user_address(address) == is_user_address(base->address);
	return inside ? base : NULL;
}

struct rs_base *rs_bases_at(const struct rs_bases *bases, uint64_t address)
{
	uint32_t below = count_bases_up_to(bases, address);
	return below && bases->list[below - 1].address == address ? &bases->list[below - 1] : NULL;
}

static void drop_base(struct rs_bases *bases, uint32_t index)
{
	bases->count--;
	memmove(&bases->list[index], &bases->list[index + 1], (bases->count - index) * sizeof *bases->list);
}

void rs_bases_make_way(struct rs_bases *bases, uint64_t address, uint64_t size)
{
	uint64_t end = address + (size ? size : 1);
	for (uint32_t i = count_bases_up_to(bases, end - 1); i-- > 0;) {
		const struct rs_base *base = &bases->list[i];
		bool overlaps = base->address >= address || (base->size && address - base->address < base->size);
		if (overlaps && !base->fixed)
			drop_base(bases, i);
		else if (base->address < address && base->size && !base->fixed)
			break;
	}
}

void rs_bases_resize(struct rs_bases *bases, struct rs_base *base, uint64_t size)
{
	base->size = size;
	for (uint32_t i = (uint32_t)(base - bases->list) + 1;
	     i < bases->count && bases->list[i].address - base->address < size;) {
		if (bases->list[i].fixed)
			i++;
		else
			drop_base(bases, i);
	}
}

bool rs_bases_insert(struct rs_bases *bases, const struct rs_base *base)
{
	if (rs_array_grow(&bases->list, &bases->room, bases->count, sizeof *bases->list) < 0)
		return false;
	uint32_t at = count_bases_up_to(bases, base->address);
	memmove(&bases->list[at + 1], &bases->list[at], (bases->count - at) * sizeof *bases->list);
	bases->list[at] = *base;
	bases->count++;
	return true;
}

void rs_bases_forget(struct rs_bases *bases, bool user_only)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < bases->count; i++) {
		const struct rs_base *base = &bases->list[i];
		if (base->fixed || (user_only && !base->user && !is_user_address(base->address)))
			bases->list[kept++] = *base;
	}
	bases->count = kept;
}

void rs_bases_clear(struct rs_bases *bases)
{
	rs_free(bases->list);
	*bases = (struct rs_bases){ .list = NULL };
}
