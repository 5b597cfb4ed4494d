// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/tally.h"
#include "tool/hash.h"

#include <stdlib.h>
#include <string.h>

/* One thing: its key; or the offset of its text in `texts`, since texts move when they grow. */
struct tally_entry {
	const char *string;
	size_t text, length;
	uint64_t hash, count;
	uint32_t line;
	bool is_text;
};

void tally_clear(struct tally *tally)
{
	free(tally->entries);
	free(tally->slots);
	text_clear(&tally->texts);
	*tally = (struct tally){ .slots = NULL };
}

/* Spread a number over all bits of a hash: 2^64 divided by the golden ratio, as for all multiplicative hashes. */
static uint64_t mix(uint64_t hash)
{
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* Whether the entry A is the thing B, whose text, if it is one, is TEXT. */
static bool is_same(const struct tally *tally, const struct tally_entry *a, const struct tally_entry *b,
		    const char *text)
{
	if (a->hash != b->hash || a->is_text != b->is_text)
		return false;
	if (a->is_text)
		return a->length == b->length && memcmp(tally->texts.bytes + a->text, text, a->length) == 0;
	return a->string == b->string && a->line == b->line;
}

/* The slot of THING, or the free one where it belongs. */
static uint32_t *find(const struct tally *tally, const struct tally_entry *thing, const char *text)
{
	size_t i = (size_t)thing->hash & (tally->slot_count - 1);
	while (tally->slots[i] && !is_same(tally, &tally->entries[tally->slots[i] - 1], thing, text))
		i = (i + 1) & (tally->slot_count - 1);
	return &tally->slots[i];
}

/* Make room for one more: half of the slots are free. */
static bool grow(struct tally *tally)
{
	size_t room = tally->room ? tally->room * 2 : 128;
	struct tally_entry *entries = room <= UINT32_MAX / 2 ? realloc(tally->entries, room * sizeof *entries) : NULL;
	if (!entries)
		return false;
	tally->entries = entries;
	uint32_t *slots = calloc(room * 2, sizeof *slots);
	if (!slots)
		return false;
	free(tally->slots);
	tally->slots = slots;
	tally->slot_count = room * 2;
	tally->room = room;
	for (size_t i = 0; i < tally->used; i++) {
		size_t at = (size_t)entries[i].hash & (tally->slot_count - 1);
		while (slots[at])
			at = (at + 1) & (tally->slot_count - 1);
		slots[at] = (uint32_t)i + 1;
	}
	return true;
}

/* Add WEIGHT to *COUNT, which stops at the greatest number. */
static void count_more(uint64_t *count, uint64_t weight)
{
	*count = weight > UINT64_MAX - *count ? UINT64_MAX : *count + weight;
}

/* Add WEIGHT to the count of THING, with a new entry if there is none.  *NUMBER becomes the entry's number.  False:
   no memory. */
static bool add(struct tally *tally, struct tally_entry thing, const char *text, uint64_t weight, uint32_t *number)
{
	if (tally->used == tally->room && !grow(tally))
		return false;
	uint32_t *slot = find(tally, &thing, text);
	if (!*slot) {
		thing.text = tally->texts.length;
		if (thing.is_text && !text_add_bytes(&tally->texts, text, thing.length))
			return false;
		tally->entries[tally->used++] = thing;
		*slot = (uint32_t)tally->used;
	}
	count_more(&tally->entries[*slot - 1].count, weight);
	if (number)
		*number = *slot - 1;
	return true;
}

bool tally_add(struct tally *tally, struct tally_key key, uint64_t weight, uint32_t *number)
{
	struct tally_entry thing = { .string = key.string, .line = key.line };
	thing.hash = mix(mix((uint64_t)(uintptr_t)key.string) + key.line);
	/* The quick way for a key that has been counted before, as nearly all have.  The plain twin is add(); with it
	   alone, --count takes 2.2 times as long. */
	for (size_t i = (size_t)thing.hash; tally->slot_count > 0 && tally->slots[i &= tally->slot_count - 1]; i++) {
		struct tally_entry *entry = &tally->entries[tally->slots[i] - 1];
		if (entry->string != key.string || entry->line != key.line)
			continue;
		count_more(&entry->count, weight);
		if (number)
			*number = tally->slots[i] - 1;
		return true;
	}
	return add(tally, thing, NULL, weight, number);
}

bool tally_add_text(struct tally *tally, const char *text, size_t length, uint64_t weight)
{
	struct tally_entry thing = { .is_text = true, .length = length, .hash = mix(hash_bytes(text, length, 0)) };
	return add(tally, thing, text, weight, NULL);
}

/* The byte at AT of the line's name and end, or -1 after both. */
static int byte_of(const struct tally_line *line, size_t at)
{
	if (at < line->length)
		return (unsigned char)line->name[at];
	at -= line->length;
	return at < strlen(line->end) ? (unsigned char)line->end[at] : -1;
}

/* Order lines by the bytes of the name and the end together, as if they were one string. */
static int by_name(const void *a, const void *b)
{
	const struct tally_line *x = a, *y = b;
	size_t at = x->length < y->length ? x->length : y->length;
	int order = at > 0 && x->name != y->name ? memcmp(x->name, y->name, at) : 0;
	for (; order == 0 && (byte_of(x, at) >= 0 || byte_of(y, at) >= 0); at++)
		order = byte_of(x, at) - byte_of(y, at);
	return order;
}

static int by_count(const void *a, const void *b)
{
	const struct tally_line *x = a, *y = b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return by_name(a, b);
}

typedef bool name_function(void *data, struct tally_key key, struct tally_name *ret);

/* Make a line for every entry.  A name that NAME has made is copied to `texts`. `texts` moves when it grows, so
   pointers into it are stored only after the last name. */
static bool name_all(struct tally *tally, struct tally_line *lines, name_function *name, void *data)
{
	for (size_t i = 0; i < tally->used; i++) {
		struct tally_entry *entry = &tally->entries[i];
		struct tally_name named = { .made = true, .length = entry->length };
		if (!entry->is_text) {
			if (!name(data, (struct tally_key){ entry->string, entry->line }, &named))
				return false;
			entry->text = tally->texts.length;
			if (named.made && !text_add_bytes(&tally->texts, named.text, named.length))
				return false;
		}
		lines[i] = (struct tally_line){ .count = entry->count,
						.number = (uint32_t)i,
						.length = (uint32_t)named.length,
						.name = named.made ? NULL : named.text };
		memcpy(lines[i].end, named.end, sizeof named.end);
	}
	for (size_t i = 0; i < tally->used; i++)
		if (!lines[i].name)
			lines[i].name = tally->texts.bytes + tally->entries[i].text;
	return true;
}

bool tally_lines(struct tally *tally, enum tally_order order, name_function *name, void *data,
		 struct tally_line **ret_lines, size_t *ret_count, uint64_t *ret_total, uint32_t *ranks)
{
	struct tally_line *lines = malloc((tally->used + 1) * sizeof *lines);
	if (!lines || !name_all(tally, lines, name, data)) {
		free(lines);
		return false;
	}
	size_t count = 0;
	qsort(lines, tally->used, sizeof *lines, by_name);
	uint64_t total = 0;
	for (size_t i = 0; i < tally->used; i++) {
		struct tally_line line = lines[i];
		count_more(&total, line.count);
		if (count > 0 && by_name(&lines[count - 1], &line) == 0)
			count_more(&lines[count - 1].count, line.count);
		else
			lines[count++] = line;
		if (ranks)
			ranks[line.number] = (uint32_t)count - 1;
	}
	if (order == TALLY_BY_COUNT)
		qsort(lines, count, sizeof *lines, by_count);
	*ret_lines = lines;
	*ret_count = count;
	*ret_total = total;
	return true;
}
