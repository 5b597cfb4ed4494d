// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/strings.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

#include <string.h>

enum { FIRST_BYTES = 16384 }; /* room for strings at the beginning */

int rs_strings_open(struct rs_string_table *strings, uint32_t limit, struct rossym_error *err)
{
	memset(strings, 0, sizeof *strings);
	strings->limit = limit;
	if (!hash_make_room(&strings->table, rs_alloc, rs_free) ||
	    rs_array_reserve(&strings->bytes, &strings->room, 0, FIRST_BYTES, 1) < 0 ||
	    rs_array_grow(&strings->offsets, &strings->offsets_room, 0, sizeof *strings->offsets) < 0) {
		rs_strings_clear(strings);
		return rs_fail_memory(err);
	}
	strings->seed = (uintptr_t)strings->bytes;
	/* String number 0 is "".  It is not in the hash table. */
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
	rs_free(strings->table.slots);
	memset(strings, 0, sizeof *strings);
}

/* Returns the slot of the LENGTH bytes at TEXT, which have this HASH; if STRINGS lacks them, the free slot for them. */
static struct hash_slot *find_string_slot(const struct rs_string_table *strings, const char *text, size_t length,
					  uint32_t hash)
{
	uint32_t at = hash;
	struct hash_slot *slot;
	do
		slot = hash_find_slot(&strings->table, hash, &at);
	while (slot->number && (rs_string_length(strings, slot->number) != length ||
				memcmp(rs_string(strings, slot->number), text, length) != 0));
	return slot;
}

int rs_strings_add(struct rs_string_table *strings, const char *text, size_t length, uint32_t *ret,
		   struct rossym_error *err)
{
	const uint32_t hash = (uint32_t)hash_bytes(strings->seed, text, length);
	*ret = length ? find_string_slot(strings, text, length, hash)->number : 0;
	if (length == 0 || *ret)
		return 0;
	if (strings->length >= strings->limit || length >= strings->limit - strings->length)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "the strings of the table have 4 GiB or more");
	/* TEXT may point into the array, which can move now.  If so, `inside` is its offset there; else `inside` is
	   larger than any such offset. */
	const uintptr_t inside = (uintptr_t)text - (uintptr_t)strings->bytes;
	if (!hash_make_room(&strings->table, rs_alloc, rs_free) ||
	    rs_array_reserve(&strings->bytes, &strings->room, strings->length, (uint64_t)length + 1, 1) < 0 ||
	    rs_array_grow(&strings->offsets, &strings->offsets_room, strings->count + 1, sizeof *strings->offsets) < 0)
		return rs_fail_memory(err);
	if (inside < strings->length)
		text = strings->bytes + inside;
	hash_put_number(&strings->table, find_string_slot(strings, text, length, hash), strings->count, hash);
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
