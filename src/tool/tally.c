// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/tally.h"

#include <stdlib.h>
#include <string.h>

/* A thing: its key, or where its text stands among the texts, which move when they grow. */
struct tally_slot {
	bool taken, is_text;
	uint32_t line;
	const char *string;
	size_t text, length;
	uint64_t hash, count;
};

void tally_clear(struct tally *tally)
{
	free(tally->slots);
	text_clear(&tally->texts);
	*tally = (struct tally){ .slots = NULL };
}

static uint64_t mix(uint64_t hash)
{
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t hash_text(const char *text, size_t length)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return mix(hash);
}

static bool is_same(const struct tally *tally, const struct tally_slot *a, const struct tally_slot *b, const char *text)
{
	if (a->hash != b->hash || a->is_text != b->is_text)
		return false;
	if (a->is_text)
		return a->length == b->length && memcmp(tally->texts.bytes + a->text, text, a->length) == 0;
	return a->string == b->string && a->line == b->line;
}

/* The slot of THING, or the free one where it belongs. */
static struct tally_slot *find(const struct tally *tally, const struct tally_slot *thing, const char *text)
{
	size_t i = (size_t)thing->hash & (tally->slot_count - 1);
	while (tally->slots[i].taken && !is_same(tally, &tally->slots[i], thing, text))
		i = (i + 1) & (tally->slot_count - 1);
	return &tally->slots[i];
}

static bool grow(struct tally *tally)
{
	struct tally bigger = *tally;
	bigger.slot_count = tally->slot_count ? tally->slot_count * 2 : 256;
	bigger.slots = calloc(bigger.slot_count, sizeof *bigger.slots);
	if (!bigger.slots)
		return false;
	for (size_t i = 0; i < tally->slot_count; i++) {
		const struct tally_slot *slot = &tally->slots[i];
		if (slot->taken)
			*find(&bigger, slot, slot->is_text ? tally->texts.bytes + slot->text : NULL) = *slot;
	}
	free(tally->slots);
	*tally = bigger;
	return true;
}

static void count_more(uint64_t *count, uint64_t weight)
{
	*count = weight > UINT64_MAX - *count ? UINT64_MAX : *count + weight;
}

static bool add(struct tally *tally, struct tally_slot thing, const char *text, uint64_t weight)
{
	if (tally->used * 2 >= tally->slot_count && !grow(tally))
		return false;
	struct tally_slot *slot = find(tally, &thing, text);
	if (!slot->taken) {
		thing.taken = true;
		thing.text = tally->texts.length;
		if (thing.is_text && !text_add_bytes(&tally->texts, text, thing.length))
			return false;
		*slot = thing;
		tally->used++;
	}
	count_more(&slot->count, weight);
	return true;
}

bool tally_add(struct tally *tally, struct tally_key key, uint64_t weight)
{
	struct tally_slot thing = { .string = key.string, .line = key.line };
	thing.hash = mix(mix((uint64_t)(uintptr_t)key.string) + key.line);
	return add(tally, thing, NULL, weight);
}

bool tally_add_text(struct tally *tally, const char *text, size_t length, uint64_t weight)
{
	struct tally_slot thing = { .is_text = true, .length = length, .hash = hash_text(text, length) };
	return add(tally, thing, text, weight);
}

static int by_name(const void *a, const void *b)
{
	const struct tally_line *x = a, *y = b;
	size_t shorter = x->length < y->length ? x->length : y->length;
	int order = shorter ? memcmp(x->name, y->name, shorter) : 0;
	return order ? order : x->length < y->length ? -1 : x->length > y->length;
}

static int by_count(const void *a, const void *b)
{
	const struct tally_line *x = a, *y = b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return by_name(a, b);
}

/* Give every key the text of its name. */
static bool name_all(struct tally *tally, bool (*name)(void *data, struct text *buffer, struct tally_key key),
		     void *data)
{
	for (size_t i = 0; i < tally->slot_count; i++) {
		struct tally_slot *slot = &tally->slots[i];
		if (!slot->taken || slot->is_text)
			continue;
		slot->text = tally->texts.length;
		if (!name(data, &tally->texts, (struct tally_key){ slot->string, slot->line }))
			return false;
		slot->length = tally->texts.length - slot->text;
	}
	return true;
}

bool tally_lines(struct tally *tally, enum tally_order order,
		 bool (*name)(void *data, struct text *buffer, struct tally_key key), void *data,
		 struct tally_line **ret_lines, size_t *ret_count, uint64_t *ret_total)
{
	struct tally_line *lines = malloc((tally->used + 1) * sizeof *lines);
	if (!lines || !name_all(tally, name, data)) {
		free(lines);
		return false;
	}
	size_t all = 0, count = 0;
	for (size_t i = 0; i < tally->slot_count; i++) {
		const struct tally_slot *slot = &tally->slots[i];
		if (slot->taken)
			lines[all++] = (struct tally_line){ slot->count, tally->texts.bytes + slot->text, slot->length };
	}
	qsort(lines, all, sizeof *lines, by_name);
	uint64_t total = 0;
	for (size_t i = 0; i < all; i++) {
		count_more(&total, lines[i].count);
		if (count > 0 && by_name(&lines[count - 1], &lines[i]) == 0)
			count_more(&lines[count - 1].count, lines[i].count);
		else
			lines[count++] = lines[i];
	}
	if (order == TALLY_BY_COUNT)
		qsort(lines, count, sizeof *lines, by_count);
	*ret_lines = lines;
	*ret_count = count;
	*ret_total = total;
	return true;
}
