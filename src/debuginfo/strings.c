// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/strings.h"
#include "debuginfo/array.h"
#include "lib/alloc.h"

#include <string.h>

enum { FIRST_SLOTS = 1024, FIRST_BYTES = 16384 };

/* FNV-1a, started from the seed.  Its upper bits are folded into the lower ones, which select a slot. */
static uint32_t hash(const struct strings *strings, const char *text, size_t length)
{
	uint64_t h = strings->seed ^ 0xcbf29ce484222325u;
	for (size_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
	return (uint32_t)(h ^ h >> 32);
}

int strings_init(struct strings *strings, uint32_t limit)
{
	memset(strings, 0, sizeof *strings);
	strings->limit = limit;
	strings->bytes = rs_alloc(FIRST_BYTES, 1);
	strings->slots = rs_alloc(FIRST_SLOTS, sizeof *strings->slots);
	strings->offsets = array_grow(NULL, &strings->offsets_room, 0, sizeof *strings->offsets);
	if (!strings->bytes || !strings->slots || !strings->offsets) {
		strings_clear(strings);
		return -1;
	}
	strings->room = FIRST_BYTES;
	strings->slot_count = FIRST_SLOTS;
	strings->seed = (uint64_t)(uintptr_t)strings->bytes * 0x9e3779b97f4a7c15u;
	strings->count = 1;	/* "" at offset 0; it is in no slot */
	strings->length = 1;
	return 0;
}

void strings_clear(struct strings *strings)
{
	rs_free(strings->bytes);
	rs_free(strings->offsets);
	rs_free(strings->slots);
	memset(strings, 0, sizeof *strings);
}

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

static int grow_bytes(struct strings *strings, uint32_t needed)
{
	uint32_t room = strings->room;
	while (room < needed)
		room = room > UINT32_MAX / 2 ? UINT32_MAX : room * 2;
	char *bytes = rs_alloc(room, 1);
	if (!bytes)
		return -1;
	memcpy(bytes, strings->bytes, strings->length);
	rs_free(strings->bytes);
	strings->bytes = bytes;
	strings->room = room;
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
		if (strncmp(other, text, length) == 0 && other[length] == '\0') {
			*ret = strings->slots[at];
			return 0;
		}
	}

	if (strings->length >= strings->limit || length >= strings->limit - strings->length)
		return -1;
	uint32_t needed = strings->length + (uint32_t)length + 1;
	if (needed > strings->room && grow_bytes(strings, needed) < 0)
		return -1;
	uint32_t *offsets = array_grow(strings->offsets, &strings->offsets_room, strings->count, sizeof *offsets);
	if (!offsets)
		return -1;
	strings->offsets = offsets;
	memcpy(strings->bytes + strings->length, text, length);
	strings->bytes[needed - 1] = '\0';
	strings->offsets[strings->count] = strings->length;
	strings->length = needed;
	strings->slots[at] = strings->count;
	*ret = strings->count++;
	if (strings->count > strings->slot_count / 2 && grow_slots(strings) < 0)
		return -1;
	return 0;
}
