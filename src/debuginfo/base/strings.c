// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/base/strings.h"
#include "lib/base/array.h"
#include "lib/base/alloc.h"

#include "compat/hash.h"

#include <string.h>

enum { FIRST_SLOTS = 1024, FIRST_BYTES = 16384 };

static uint32_t hash(const struct strings *strings, const char *text, size_t length)
{
	return (uint32_t)hash_bytes(strings->seed, text, length);
}

int strings_init(struct strings *strings, uint32_t limit)
{
	memset(strings, 0, sizeof *strings);
	strings->limit = limit;
	strings->slots = rs_alloc(FIRST_SLOTS, sizeof *strings->slots);
	if (!strings->slots || rs_array_reserve(&strings->bytes, &strings->room, 0, FIRST_BYTES, 1) < 0 ||
	    rs_array_grow(&strings->offsets, &strings->offsets_room, 0, sizeof *strings->offsets) < 0) {
		strings_clear(strings);
		return -1;
	}
	strings->slot_count = FIRST_SLOTS;
	strings->seed = (uintptr_t)strings->bytes;
	/* "" at offset 0; it is in no slot */
	strings->bytes[0] = '\0';
	strings->offsets[0] = 0;
	strings->count = strings->length = 1;
	return 0;
}

void strings_clear(struct strings *strings)
{
	rs_free(strings->bytes);
	rs_free(strings->offsets);
	rs_free(strings->slots);
	memset(strings, 0, sizeof *strings);
}

/* Double the slots.  A number's slot depends on how many there are, so all numbers are put in again. */
static int grow_slots(struct strings *strings)
{
	if (strings->slot_count > UINT32_MAX / 2)
		return -1;
	uint32_t slot_count = strings->slot_count * 2;
	uint32_t *slots = rs_alloc(slot_count, sizeof *slots);
	if (!slots)
		return -1;
	for (uint32_t i = 1; i < strings->count; i++) {
		const char *text = strings_get(strings, i);
		uint32_t at = hash(strings, text, strlen(text)) & (slot_count - 1);
		while (slots[at])
			at = (at + 1) & (slot_count - 1);
		slots[at] = i;
	}
	rs_free(strings->slots);
	strings->slots = slots;
	strings->slot_count = slot_count;
	return 0;
}

int strings_add(struct strings *strings, const char *text, size_t length, uint32_t *ret)
{
	if (length == 0) {
		*ret = 0;
		return 0;
	}
	uint32_t at = hash(strings, text, length) & (strings->slot_count - 1);
	for (; strings->slots[at]; at = (at + 1) & (strings->slot_count - 1)) {
		const char *other = strings_get(strings, strings->slots[at]);
		/* strncmp() stops at the end of OTHER, so other[length] exists if it returns 0. */
		if (strncmp(other, text, length) == 0 && other[length] == '\0') {
			*ret = strings->slots[at];
			return 0;
		}
	}

	if (strings->length >= strings->limit || length >= strings->limit - strings->length)
		return -1;
	/* TEXT may be in the array, which is about to move.  If it is elsewhere, this difference is larger than
	   the array. */
	uintptr_t inside = (uintptr_t)text - (uintptr_t)strings->bytes;
	if (rs_array_reserve(&strings->bytes, &strings->room, strings->length, length + 1, 1) < 0 ||
	    rs_array_grow(&strings->offsets, &strings->offsets_room, strings->count, sizeof *strings->offsets) < 0)
		return -1;
	if (inside < strings->length)
		text = strings->bytes + inside;
	memcpy(strings->bytes + strings->length, text, length);
	strings->bytes[strings->length + length] = '\0';
	strings->offsets[strings->count] = strings->length;
	strings->length += (uint32_t)length + 1;
	strings->slots[at] = strings->count;
	*ret = strings->count++;
	if (strings->count > strings->slot_count / 2 && grow_slots(strings) < 0)
		return -1;
	return 0;
}
