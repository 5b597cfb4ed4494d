// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * phrases.c - pairs of symbols, the most frequent first
 *
 * Each round counts all pairs and takes those that occur nearly as often as the most frequent one.  No symbol is the
 * first of one of them and the second of another, so no two meet in the text, and the counts hold.
 */
#include "config.h"
#include "write/phrases.h"
#include "compat/hash.h"
#include "core/layout.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	LEAST_USES = 4, /* a phrase takes four bytes, and each use saves one or two */
	SHARE = 2, /* a round takes pairs that occur at least once for SHARE occurrences of the most frequent one */
};

struct pair {
	uint32_t key;	/* both symbols; 0: a free slot */
	uint32_t count; /* later 1 + the number of its phrase; 0: it is none */
};

/* The pairs of a round, in a hash table that is at most half full. */
struct pairs {
	struct pair *slots;
	uint32_t room, used;
};

void rs_phrases_clear(struct rs_phrases *phrases)
{
	rs_free(phrases->text);
	rs_free(phrases->items);
	*phrases = (struct rs_phrases){ .text = NULL };
}

static uint32_t key_of(const uint16_t *symbols)
{
	return (uint32_t)symbols[0] << 16 | symbols[1];
}

static struct pair *find(const struct pairs *pairs, uint32_t key)
{
	uint32_t at = (uint32_t)hash_number(0, key);
	while (pairs->slots[at & (pairs->room - 1)].key != key && pairs->slots[at & (pairs->room - 1)].key != 0)
		at++;
	return &pairs->slots[at & (pairs->room - 1)];
}

static int grow(struct pairs *pairs, struct rossym_error *err)
{
	struct pairs larger = { .room = pairs->room ? pairs->room * 2 : 1 << 12, .used = pairs->used };
	larger.slots = rs_alloc(larger.room, sizeof *larger.slots);
	if (!larger.slots)
		return rs_fail_memory(err);
	for (uint32_t i = 0; i < pairs->room; i++)
		if (pairs->slots[i].key)
			*find(&larger, pairs->slots[i].key) = pairs->slots[i];
	rs_free(pairs->slots);
	*pairs = larger;
	return 0;
}

/* Count the pairs of the text.  Of three equal symbols in a row only two are a pair. */
static int count_pairs(const struct rs_phrases *phrases, struct pairs *pairs, struct rossym_error *err)
{
	const uint16_t *text = phrases->text;
	memset(pairs->slots, 0, pairs->room * sizeof *pairs->slots);
	pairs->used = 0;
	for (size_t i = 0; i + 1 < phrases->length; i++) {
		if (text[i] == 0 || text[i + 1] == 0)
			continue;
		if (pairs->used >= pairs->room / 2 && grow(pairs, err) < 0)
			return -1;
		struct pair *pair = find(pairs, key_of(text + i));
		pairs->used += pair->key == 0;
		pair->key = key_of(text + i);
		pair->count++;
		i += i + 2 < phrases->length && text[i] == text[i + 1] && text[i + 1] == text[i + 2];
	}
	return 0;
}

static int by_count(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static struct rs_phrase part_of(const struct rs_phrases *phrases, uint32_t symbol)
{
	return symbol >= RS_PHRASE_FIRST ? phrases->items[symbol - RS_PHRASE_FIRST] : (struct rs_phrase){ .length = 1 };
}

/* Make a phrase of PAIR, unless it would be too deep or too long.  Returns 1 if made, 0 if not, -1: no memory. */
static int add_phrase(struct rs_phrases *phrases, const struct pair *pair, struct rossym_error *err)
{
	const uint32_t first = pair->key >> 16, second = pair->key & 0xffff;
	const struct rs_phrase a = part_of(phrases, first), b = part_of(phrases, second);
	const unsigned depth = (a.depth > b.depth ? a.depth : b.depth) + 1u, length = (unsigned)a.length + b.length;
	if (depth > RS_PHRASE_DEPTH || length > RS_PHRASE_LENGTH)
		return 0;
	if (rs_array_grow(&phrases->items, &phrases->room, phrases->count, sizeof *phrases->items) < 0)
		return rs_fail_memory(err);
	phrases->items[phrases->count++] = (struct rs_phrase){ { (uint16_t)first, (uint16_t)second },
							       (uint8_t)depth,
							       (uint8_t)length };
	return 1;
}

/* Make phrases of the most frequent pairs.  Afterwards the count of each pair is 1 + the number of its phrase, or 0.
   Returns how many there are, or -1. */
static int choose(struct rs_phrases *phrases, struct pairs *pairs, struct rossym_error *err)
{
	enum { FIRST = 1, SECOND = 2 };
	uint8_t *roles = rs_alloc(RS_SYMBOLS, 1);
	struct pair *list = rs_alloc((size_t)pairs->used + 1, sizeof *list);
	int chosen = roles && list ? 0 : rs_fail_memory(err);
	uint32_t count = 0, least = LEAST_USES;
	for (uint32_t i = 0; chosen >= 0 && i < pairs->room; i++) {
		if (pairs->slots[i].count >= LEAST_USES)
			list[count++] = pairs->slots[i];
		pairs->slots[i].count = 0;
	}
	if (count > 0)
		qsort(list, count, sizeof *list, by_count);
	if (count > 0 && list[0].count / SHARE > least)
		least = list[0].count / SHARE;
	for (uint32_t i = 0; i < count && list[i].count >= least && phrases->count < RS_PHRASES_MOST; i++) {
		uint8_t *first = &roles[list[i].key >> 16], *second = &roles[list[i].key & 0xffff];
		if ((*first & SECOND) || (*second & FIRST) || (first == second && *first))
			continue;
		const int r = add_phrase(phrases, &list[i], err);
		if (r < 0) {
			chosen = -1;
			break;
		}
		if (r == 0)
			continue;
		*first |= FIRST;
		*second |= SECOND;
		find(pairs, list[i].key)->count = phrases->count;
		chosen++;
	}
	rs_free(roles);
	rs_free(list);
	return chosen;
}

/* Put phrases in the place of their pairs. */
static void replace(struct rs_phrases *phrases, const struct pairs *pairs)
{
	uint16_t *text = phrases->text;
	size_t to = 0;
	for (size_t i = 0; i < phrases->length; i++) {
		const bool pair = i + 1 < phrases->length && text[i] != 0 && text[i + 1] != 0;
		const uint32_t phrase = pair ? find(pairs, key_of(text + i))->count : 0;
		text[to++] = phrase ? (uint16_t)(RS_PHRASE_FIRST + phrase - 1) : text[i];
		i += phrase != 0;
	}
	phrases->length = to;
}

int rs_phrases_make(struct rs_phrases *phrases, const char *bytes, size_t length, struct rossym_error *err)
{
	struct pairs pairs = { .room = 0 };
	*phrases = (struct rs_phrases){ .length = length };
	phrases->text = rs_alloc(length + 1, sizeof *phrases->text);
	if (!phrases->text)
		return rs_fail_memory(err);
	for (size_t i = 0; i < length; i++)
		phrases->text[i] = (uint8_t)bytes[i];
	int r = grow(&pairs, err);
	do {
		if (r >= 0)
			r = count_pairs(phrases, &pairs, err);
		if (r >= 0)
			r = choose(phrases, &pairs, err);
		if (r > 0)
			replace(phrases, &pairs);
	} while (r > 0);
	rs_free(pairs.slots);
	return r;
}
