// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/strings.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

#include "compat/hash.h"

#include <string.h>

enum { FIRST_SLOTS = 1024, FIRST_BYTES = 16384 };

int rs_strings_open(struct rs_string_table *strings, uint32_t limit, struct rossym_error *err)
{
	memset(strings, 0, sizeof *strings);
	strings->limit = limit;
	strings->slots = rs_alloc(FIRST_SLOTS, sizeof *strings->slots);
	if (!strings->slots || rs_array_reserve(&strings->bytes, &strings->room, 0, FIRST_BYTES, 1) < 0 ||
	    rs_array_grow(&strings->offsets, &strings->offsets_room, 0, sizeof *strings->offsets) < 0) {
		rs_strings_clear(strings);
		return rs_fail_memory(err);
	}
	strings->slot_count = FIRST_SLOTS;
	strings->seed = (uintptr_t)strings->bytes;
	/* "" at offset 0; it is in no slot */
	strings->bytes[0] = '\0';
	strings->offsets[0] = 0;
	strings->offsets[1] = 1;
	strings->count = strings->length = 1;
	return 0;
}

void rs_strings_clear(struct rs_string_table *strings)
{
	rs_free(strings->bytes);
	rs_free(strings->offsets);
	rs_free(strings->slots);
	memset(strings, 0, sizeof *strings);
}

/* The slot that has the string, or the free slot for it.  At least a quarter of the slots are free. */
static struct rs_string_slot *find(const struct rs_string_table *strings, const char *text, size_t length,
				   uint32_t hash)
{
	const uint32_t mask = strings->slot_count - 1;
	for (uint32_t at = hash & mask;; at = (at + 1) & mask) {
		struct rs_string_slot *slot = &strings->slots[at];
		if (slot->number == 0 || (slot->hash == hash && rs_string_length(strings, slot->number) == length &&
					  memcmp(rs_string(strings, slot->number), text, length) == 0))
			return slot;
	}
}

/* Double the slots.  A number's slot depends on how many there are, so all numbers are put in again. */
static int grow_slots(struct rs_string_table *strings)
{
	const uint32_t slot_count = strings->slot_count * 2, mask = slot_count - 1;
	struct rs_string_slot *slots = slot_count ? rs_alloc(slot_count, sizeof *slots) : NULL;
	if (!slots)
		return -1;
	for (uint32_t i = 0; i < strings->slot_count; i++) {
		const struct rs_string_slot slot = strings->slots[i];
		uint32_t at = slot.hash & mask;
		while (slots[at].number)
			at = (at + 1) & mask;
		if (slot.number)
			slots[at] = slot;
	}
	rs_free(strings->slots);
	strings->slots = slots;
	strings->slot_count = slot_count;
	return 0;
}

/* Make room for one more string of LENGTH bytes.  Returns 0 or -1. */
static int make_room(struct rs_string_table *strings, size_t length)
{
	if (strings->count >= strings->slot_count / 4 * 3 && grow_slots(strings) < 0)
		return -1;
	return rs_array_reserve(&strings->bytes, &strings->room, strings->length, length + 1, 1) < 0 ||
			       rs_array_grow(&strings->offsets, &strings->offsets_room, strings->count + 1,
					     sizeof *strings->offsets) < 0
		       ? -1
		       : 0;
}

int rs_strings_add(struct rs_string_table *strings, const char *text, size_t length, uint32_t *ret,
		   struct rossym_error *err)
{
	const uint32_t hash = (uint32_t)hash_bytes(strings->seed, text, length);
	*ret = length ? find(strings, text, length, hash)->number : 0;
	if (length == 0 || *ret)
		return 0;
	if (strings->length >= strings->limit || length >= strings->limit - strings->length)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "the strings of the table have 4 GiB or more");
	/* TEXT may be in the array, which is about to move.  If it is elsewhere, this difference is larger than
	   the array. */
	const uintptr_t inside = (uintptr_t)text - (uintptr_t)strings->bytes;
	if (make_room(strings, length) < 0)
		return rs_fail_memory(err);
	if (inside < strings->length)
		text = strings->bytes + inside;
	*find(strings, text, length, hash) = (struct rs_string_slot){ strings->count, hash };
	memcpy(strings->bytes + strings->length, text, length);
	strings->bytes[strings->length + length] = '\0';
	strings->length += (uint32_t)length + 1;
	*ret = strings->count++;
	strings->offsets[strings->count] = strings->length;
	return 0;
}

int rs_strings_add_text(struct rs_string_table *strings, const char *text, uint32_t *ret, struct rossym_error *err)
{
	return rs_strings_add(strings, text, text ? strlen(text) : 0, ret, err);
}
