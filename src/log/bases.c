// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/bases.h"
#include "log/chars.h"

#include <stdlib.h>
#include <string.h>

/* More modules than any system loads: a log that names more than that is not one. */
enum { MOST_BASES = 4096 };

/* 32-bit ReactOS gives processes the lower half; of 64-bit addresses they have the lower 47 bits. */
static bool is_user(uint64_t address)
{
	return address < UINT64_C(0x80000000) ||
	       (address > UINT32_MAX && address < UINT64_C(0x0000800000000000));
}

/* How many entries begin at or below ADDRESS. */
static size_t count_below(const struct bases *bases, uint64_t address)
{
	size_t low = 0, high = bases->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (bases->list[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void drop(struct bases *bases, size_t index)
{
	bases->count--;
	memmove(&bases->list[index], &bases->list[index + 1], (bases->count - index) * sizeof *bases->list);
}

static bool same_name(const struct base *base, const char *name, size_t length)
{
	if (strlen(base->name) != length)
		return false;
	for (size_t i = 0; i < length; i++)
		if (to_lower(base->name[i]) != to_lower(name[i]))
			return false;
	return true;
}

/* Remove what cannot be there any more, now that SIZE bytes at ADDRESS are taken by another module. */
static void make_way(struct bases *bases, uint64_t address, uint64_t size)
{
	uint64_t end = address + (size ? size : 1);
	for (size_t i = count_below(bases, end - 1); i-- > 0;) {
		const struct base *base = &bases->list[i];
		bool overlaps = base->address >= address || (base->size && address - base->address < base->size);
		if (overlaps && !base->fixed)
			drop(bases, i);
		else if (base->address < address && base->size)
			break;
	}
}

bool bases_add(struct bases *bases, const char *name, size_t length, uint64_t address, uint64_t size, bool fixed)
{
	name = base_name(name, &length);
	if (length >= BASES_NAME_MAX)
		length = BASES_NAME_MAX - 1;
	if (length == 0 || size > UINT64_MAX - address)
		return true;

	size_t at = count_below(bases, address);
	if (at > 0 && bases->list[at - 1].address == address) {
		struct base *known = &bases->list[at - 1];
		if (known->fixed && !fixed)
			return true;
		if (same_name(known, name, length)) {
			if (size)
				known->size = size;
			return true;
		}
	}
	make_way(bases, address, size);
	if (bases->count >= MOST_BASES)
		bases_forget(bases, false);
	if (bases->count == bases->size) {
		size_t more = bases->size ? bases->size * 2 : 64;
		struct base *list = realloc(bases->list, more * sizeof *list);
		if (!list)
			return false;
		bases->list = list;
		bases->size = more;
	}
	at = count_below(bases, address);
	memmove(&bases->list[at + 1], &bases->list[at], (bases->count - at) * sizeof *bases->list);
	bases->count++;
	struct base *base = &bases->list[at];
	*base = (struct base){ .address = address, .size = size, .fixed = fixed };
	memcpy(base->name, name, length);
	return true;
}

void bases_forget(struct bases *bases, bool user_only)
{
	size_t kept = 0;
	for (size_t i = 0; i < bases->count; i++) {
		const struct base *base = &bases->list[i];
		if (base->fixed || (user_only && !is_user(base->address)))
			bases->list[kept++] = *base;
	}
	bases->count = kept;
}

const struct base *bases_find(const struct bases *bases, uint64_t address)
{
	size_t below = count_below(bases, address);
	const struct base *base = below ? &bases->list[below - 1] : NULL;
	if (!base || (base->size && address - base->address >= base->size))
		return NULL;
	return base;
}

void bases_clear(struct bases *bases)
{
	free(bases->list);
	*bases = (struct bases){ NULL, 0, 0 };
}
