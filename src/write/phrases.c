// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * phrases.c - byte pair encoding, with many pairs in one round
 *
 * Each round counts all pairs of neighbouring symbols, and chooses those that occur at least half as often as the
 * most frequent one.  A symbol that is the first of one chosen pair is never the second of another.  So chosen pairs
 * cannot overlap in the strings, and replacing one does not change the count of another.  The parts of a pair may be
 * pairs themselves.
 *
 * At the end, each pair that is a symbol of a string becomes a phrase.  All phrases are pieces of one text.  A phrase
 * that is a part of another one lies inside that one in the text, and takes no bytes of its own.
 */
#include "config.h"
#include "write/phrases.h"
#include "compat/hash.h"
#include "core/layout.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/sort.h"
#include "lib/base/error.h"

#include <stdbool.h>
#include <string.h>

enum {
	LEAST_USES = 4, /* pairs that occur less often are not chosen */
	SHARE = 2,	/* a round chooses pairs that occur at least 1/SHARE times as often as the most frequent pair */
};

struct counted {
	uint32_t key;	/* both symbols of the pair, the first in the upper 16 bits */
	uint32_t count; /* how often the pair occurs */
};

/* A pair that was chosen. */
struct rs_pair {
	uint16_t symbols[2];
	uint8_t length; /* bytes of its text */
	bool inside;	/* this pair is a part of another pair */
	/* The following fields are set after the last round. */
	uint16_t number; /* number of the phrase made of the pair, counted from 1; 0: the pair is no phrase */
	/* 1 + the index of the pair whose text contains this pair's: a pair around this one, or this pair itself */
	uint32_t whole;
	uint32_t offset; /* where this pair begins in `whole` */
	uint32_t at;	 /* where this pair begins in the text, if `whole` means this pair */
};

/* The pairs of a round. */
struct pairs {
	struct counted *items;
	uint32_t count, room;
	/* finds 1 + the index of a pair in `items`; after choose_pairs(), that of a chosen pair in phrases->pairs */
	struct hash_table table;
};

void rs_phrases_clear(struct rs_phrases *phrases)
{
	rs_free(phrases->symbols);
	rs_free(phrases->text);
	rs_free(phrases->items);
	rs_free(phrases->pairs);
	*phrases = (struct rs_phrases){ .symbols = NULL };
}

static uint32_t make_pair_key(const uint16_t *symbols)
{
	return (uint32_t)symbols[0] << 16 | symbols[1];
}

/* Returns the slot of the pair with this KEY, or the free slot for it.  Stores its hash, which no other pair has, in
   *HASH.  Low bits of the hash choose the slot, so they depend on all bits of both symbols. */
static struct hash_slot *find_pair_slot(const struct pairs *pairs, uint32_t key, uint32_t *hash)
{
	uint32_t at = key * UINT32_C(0x9e3779b1);
	at = *hash = at ^ at >> 16;
	return hash_find_slot(&pairs->table, *hash, &at);
}

static void clear_pair_table(struct pairs *pairs)
{
	memset(pairs->table.slots, 0, pairs->table.size * sizeof *pairs->table.slots);
	pairs->table.used = 0;
}

/* Count the pairs of neighbouring symbols in the strings.  Three equal symbols in a row count as one pair, because the
   two pairs in them overlap.  Returns 0 or -1. */
static int count_pairs(const struct rs_phrases *phrases, struct pairs *pairs, struct rossym_error *err)
{
	const uint16_t *symbols = phrases->symbols;
	clear_pair_table(pairs);
	pairs->count = 0;
	for (size_t i = 0; i + 1 < phrases->length; i++) {
		if (symbols[i] == 0 || symbols[i + 1] == 0)
			continue;
		if (!hash_make_room(&pairs->table, rs_alloc, rs_free))
			return rs_fail_memory(err);
		const uint32_t key = make_pair_key(symbols + i);
		uint32_t hash;
		struct hash_slot *slot = find_pair_slot(pairs, key, &hash);
		if (slot->number == 0) {
			if (RS_ARRAY_ADD(pairs->items, pairs->room, pairs->count, err, (struct counted){ key, 0 }) < 0)
				return -1;
			hash_put_number(&pairs->table, slot, pairs->count, hash);
		}
		pairs->items[slot->number - 1].count++;
		i += i + 2 < phrases->length && symbols[i] == symbols[i + 1] && symbols[i + 1] == symbols[i + 2];
	}
	return 0;
}

static int compare_counts(const void *a, const void *b)
{
	const struct counted *x = a, *y = b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* Returns the pair that SYMBOL stands for; NULL if it is a byte. */
static struct rs_pair *find_pair_of_symbol(const struct rs_phrases *phrases, uint32_t symbol)
{
	return symbol >= RS_PHRASE_FIRST ? &phrases->pairs[symbol - RS_PHRASE_FIRST] : NULL;
}

/* Choose the pair COUNTED, unless its text would be too long or it would save no bytes.  A pair costs an entry in the
   list of phrases; and for each part that is inside another pair already, a second copy of the text of that part.  A
   pair of two bytes is chosen, although it saves nothing (its symbol takes two bytes), because larger pairs need it.
   Returns 1 if the pair is chosen, 0 if not, -1 without memory. */
static int add_useful_pair(struct rs_phrases *phrases, const struct counted *counted, struct rossym_error *err)
{
	struct rs_pair pair = { .symbols = { (uint16_t)(counted->key >> 16), (uint16_t)counted->key } };
	unsigned length = 0, saved = 0, taken = RS_PHRASE_SIZE;
	for (int i = 0; i < 2; i++) {
		const struct rs_pair *part = find_pair_of_symbol(phrases, pair.symbols[i]);
		length += part ? part->length : 1u;
		saved += rs_symbol_size(pair.symbols[i]);
		taken += part && part->inside ? part->length : 0;
	}
	if (length > RS_PHRASE_LENGTH || (saved > 2 && (uint64_t)(saved - 2) * counted->count <= taken))
		return 0;
	pair.length = (uint8_t)length;
	for (int i = 0; i < 2; i++)
		if (pair.symbols[i] >= RS_PHRASE_FIRST)
			find_pair_of_symbol(phrases, pair.symbols[i])->inside = true;
	return RS_ARRAY_ADD(phrases->pairs, phrases->pair_room, phrases->pair_count, err, pair) < 0 ? -1 : 1;
}

/* Add the most frequent of PAIRS to phrases->pairs, and make pairs->table find these only.  Returns how many were
   chosen, or -1. */
static int choose_pairs(struct rs_phrases *phrases, struct pairs *pairs, struct rossym_error *err)
{
	enum { FIRST = 1, SECOND = 2 };
	uint8_t *roles = rs_alloc(RS_SYMBOLS, 1);
	struct counted *list = pairs->items;
	int chosen = roles ? 0 : rs_fail_memory(err);
	uint32_t count = 0, least = LEAST_USES;
	for (uint32_t i = 0; i < pairs->count; i++)
		if (list[i].count >= LEAST_USES)
			list[count++] = list[i];
	rs_sort(list, count, sizeof *list, compare_counts);
	clear_pair_table(pairs);
	for (uint32_t i = 0; chosen >= 0 && i < count && list[i].count >= least && phrases->pair_count < RS_PHRASES_MAX;
	     i++) {
		uint8_t *first = &roles[list[i].key >> 16], *second = &roles[list[i].key & 0xffff];
		if ((*first & SECOND) || (*second & FIRST) || (first == second && *first))
			continue;
		const int r = add_useful_pair(phrases, &list[i], err);
		if (r < 0)
			chosen = -1;
		if (r <= 0)
			continue;
		if (chosen == 0 && list[i].count / SHARE > least)
			least = list[i].count / SHARE;
		*first |= FIRST;
		*second |= SECOND;
		uint32_t hash;
		struct hash_slot *slot = find_pair_slot(pairs, list[i].key, &hash);
		hash_put_number(&pairs->table, slot, phrases->pair_count, hash);
		chosen++;
	}
	rs_free(roles);
	return chosen;
}

/* Replace the chosen pairs in the strings by their symbols. */
static void replace_pairs(struct rs_phrases *phrases, const struct pairs *pairs)
{
	uint16_t *symbols = phrases->symbols;
	size_t to = 0;
	uint32_t hash;
	for (size_t i = 0; i < phrases->length; i++) {
		const bool pair = i + 1 < phrases->length && symbols[i] != 0 && symbols[i + 1] != 0;
		const uint32_t taken = pair ? find_pair_slot(pairs, make_pair_key(symbols + i), &hash)->number : 0;
		symbols[to++] = taken ? (uint16_t)(RS_PHRASE_FIRST + taken - 1) : symbols[i];
		i += taken != 0;
	}
	phrases->length = to;
}

/* ------------------------------------------------------------------------------------------------ phrases */

/* Set `whole` and `offset` of each pair.  Go from the last pair to the first: a pair comes after its parts, so its
   `whole` is set before those of its parts. */
static void find_containing_pairs(struct rs_phrases *phrases)
{
	for (uint32_t i = phrases->pair_count; i-- > 0;) {
		struct rs_pair *pair = &phrases->pairs[i];
		uint32_t offset = pair->whole ? pair->offset : 0;
		if (!pair->whole)
			pair->whole = i + 1;
		/* Neither this pair nor any pair that contains it is a phrase, so its text is not needed. */
		if (pair->number == 0 && pair->whole == i + 1)
			continue;
		for (int j = 0; j < 2; j++) {
			struct rs_pair *part = find_pair_of_symbol(phrases, pair->symbols[j]);
			if (part && !part->whole) {
				part->whole = pair->whole;
				part->offset = offset;
			}
			offset += part ? part->length : 1;
		}
	}
}

/* Append the text of SYMBOL, for which there must be room.  Each part of a pair has at least one byte, so this
   recursion is no deeper than a phrase is long. */
static void append_symbol_text(struct rs_phrases *phrases, uint32_t symbol)
{
	const struct rs_pair *pair = find_pair_of_symbol(phrases, symbol);
	if (!pair) {
		phrases->text[phrases->text_length++] = (char)symbol;
		return;
	}
	append_symbol_text(phrases, pair->symbols[0]);
	append_symbol_text(phrases, pair->symbols[1]);
}

/* Make a phrase of each pair that is a symbol of a string, and put the numbers of phrases into the strings.  Phrases
   are in the order of their first use, so that those of one string are near each other.  Returns 0 or -1. */
static int make_phrases(struct rs_phrases *phrases, struct rossym_error *err)
{
	phrases->items = rs_alloc((size_t)phrases->pair_count + 1, sizeof *phrases->items);
	struct rs_pair **order = rs_alloc((size_t)phrases->pair_count + 1, sizeof *order);
	int r = phrases->items && order ? 0 : rs_fail_memory(err);
	for (size_t i = 0; r == 0 && i < phrases->length; i++) {
		struct rs_pair *pair = find_pair_of_symbol(phrases, phrases->symbols[i]);
		if (!pair)
			continue;
		if (pair->number == 0) {
			order[phrases->count] = pair;
			pair->number = (uint16_t)++phrases->count;
		}
		phrases->symbols[i] = (uint16_t)(RS_PHRASE_FIRST + pair->number - 1);
	}
	find_containing_pairs(phrases);
	for (uint32_t i = 0; r == 0 && i < phrases->count; i++) {
		const struct rs_pair *pair = order[i];
		struct rs_pair *whole = &phrases->pairs[pair->whole - 1];
		r = rs_array_reserve(&phrases->text, &phrases->text_room, phrases->text_length, whole->length, 1);
		/* A pair's offset in itself is 0, so here 1 can mean: the text of the pair has been appended. */
		if (r == 0 && whole->offset == 0) {
			whole->at = phrases->text_length;
			whole->offset = 1;
			append_symbol_text(phrases, RS_PHRASE_FIRST + pair->whole - 1);
		}
		phrases->items[i] = (struct rs_new_phrase){ whole->at + (pair == whole ? 0 : pair->offset),
							    pair->length };
	}
	rs_free(order);
	return r == 0 ? 0 : rs_fail_memory(err);
}

int rs_phrases_make(struct rs_phrases *phrases, const char *bytes, size_t length, struct rossym_error *err)
{
	struct pairs pairs = { .items = NULL };
	*phrases = (struct rs_phrases){ .length = length };
	phrases->symbols = rs_alloc(length + 1, sizeof *phrases->symbols);
	if (!phrases->symbols)
		return rs_fail_memory(err);
	for (size_t i = 0; i < length; i++)
		phrases->symbols[i] = (uint8_t)bytes[i];
	int r = hash_make_room(&pairs.table, rs_alloc, rs_free) ? 0 : rs_fail_memory(err);
	do {
		if (r >= 0)
			r = count_pairs(phrases, &pairs, err);
		if (r >= 0)
			r = choose_pairs(phrases, &pairs, err);
		if (r > 0)
			replace_pairs(phrases, &pairs);
	} while (r > 0);
	rs_free(pairs.items);
	rs_free(pairs.table.slots);
	return r < 0 ? -1 : make_phrases(phrases, err);
}
