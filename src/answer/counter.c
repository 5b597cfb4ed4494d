// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/counter.h"

#include "tool/array.h"

#include <stdlib.h>
#include <string.h>

/* A key or a text, and its count. */
struct counter_entry {
	const char *string; /* of the key */
	size_t text;	    /* offset in `texts`: of the text, or of the key's name if it was copied */
	size_t length;	    /* of the text */
	uint64_t count;
	uint32_t hash, line; /* LINE: of the key */
	bool is_text;
};

void counter_clear(struct counter *counter)
{
	free(counter->entries);
	free(counter->table.slots);
	strbuf_clear(&counter->texts);
	*counter = (struct counter){ .entries = NULL };
}

/* Whether the entry A has the key of B; or the text TEXT, if that is not NULL. */
static inline bool is_same_entry(const struct counter *counter, const struct counter_entry *a,
				 const struct counter_entry *b, const char *text)
{
	if (text)
		return a->length == b->length && memcmp(counter->texts.bytes + a->text, text, a->length) == 0;
	return a->string == b->string && a->line == b->line;
}

/* Returns the slot of the entry for WANTED, which is a key or the text TEXT; if there is none, the free slot for it. */
static inline struct hash_slot *find_entry_slot(const struct counter *counter, const struct counter_entry *wanted,
						const char *text)
{
	uint32_t at = wanted->hash;
	struct hash_slot *slot;
	do
		slot = hash_next(&counter->table, wanted->hash, &at);
	while (slot->number && !is_same_entry(counter, &counter->entries[slot->number - 1], wanted, text));
	return slot;
}

/* Add WEIGHT to *COUNT, which saturates at UINT64_MAX. */
static void count_more(uint64_t *count, uint64_t weight)
{
	*count = weight > UINT64_MAX - *count ? UINT64_MAX : *count + weight;
}

/* Add an entry for WANTED.  Returns its slot; NULL: no memory. */
static struct hash_slot *add_entry(struct counter *counter, const struct counter_entry *wanted, const char *text)
{
	struct counter_entry *entries = array_with_room(counter->entries, &counter->room, counter->used,
							sizeof *entries);
	if (!entries)
		return NULL;
	counter->entries = entries;
	entries[counter->used] = *wanted;
	entries[counter->used].text = counter->texts.length;
	if (counter->used >= UINT32_MAX || !hash_make_room(&counter->table, calloc, free) ||
	    (wanted->is_text && !strbuf_add_bytes(&counter->texts, text, wanted->length)))
		return NULL;
	struct hash_slot *slot = find_entry_slot(counter, wanted, text);
	hash_put(&counter->table, slot, (uint32_t)++counter->used, wanted->hash);
	return slot;
}

/* Add WEIGHT to the count of WANTED, after adding an entry for it if there is none.  *NUMBER, unless NUMBER is NULL,
   becomes the number of the entry.  False: no memory. */
static inline bool add_weight(struct counter *counter, const struct counter_entry *wanted, const char *text,
			      uint64_t weight, uint32_t *number)
{
	struct hash_slot *slot = counter->table.used > 0 ? find_entry_slot(counter, wanted, text) : NULL;
	if (!slot || !slot->number)
		slot = add_entry(counter, wanted, text);
	if (!slot)
		return false;
	count_more(&counter->entries[slot->number - 1].count, weight);
	if (number)
		*number = slot->number - 1;
	return true;
}

bool counter_add(struct counter *counter, struct counter_key key, uint64_t weight, uint32_t *number)
{
	const struct counter_entry wanted = { .string = key.string,
					      .line = key.line,
					      .hash = (uint32_t)hash_number(hash_number(0, (uintptr_t)key.string),
									    key.line) };
	return add_weight(counter, &wanted, NULL, weight, number);
}

bool counter_add_text(struct counter *counter, const char *text, size_t length, uint64_t weight)
{
	const struct counter_entry wanted = { .is_text = true,
					      .length = length,
					      .hash = (uint32_t)hash_bytes(0, text, length) };
	return add_weight(counter, &wanted, text ? text : "", weight, NULL);
}

/* Returns byte AT of the line's name and end together; -1 after both. */
static int byte_of_line(const struct counter_line *line, size_t at)
{
	if (at < line->length)
		return (unsigned char)line->name[at];
	at -= line->length;
	return at < strlen(line->end) ? (unsigned char)line->end[at] : -1;
}

/* For qsort(): order lines by their names and ends, as if each pair were one string. */
static int compare_names(const void *a, const void *b)
{
	const struct counter_line *x = a, *y = b;
	size_t at = x->length < y->length ? x->length : y->length;
	int order = at > 0 && x->name != y->name ? memcmp(x->name, y->name, at) : 0;
	for (; order == 0 && (byte_of_line(x, at) >= 0 || byte_of_line(y, at) >= 0); at++)
		order = byte_of_line(x, at) - byte_of_line(y, at);
	return order;
}

static int compare_counts(const void *a, const void *b)
{
	const struct counter_line *x = a, *y = b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return compare_names(a, b);
}

typedef bool name_function(void *data, struct counter_key key, struct counter_name *ret);

/* Make a line for every entry, in the order of their numbers.  A name with `made` is copied to `texts`, which moves
   when it grows; so pointers into it are stored after the last name.  False: no memory. */
static bool make_lines(struct counter *counter, struct counter_line *lines, name_function *name, void *data)
{
	for (size_t i = 0; i < counter->used; i++) {
		struct counter_entry *entry = &counter->entries[i];
		struct counter_name named = { .made = true, .length = entry->length };
		if (!entry->is_text) {
			if (!name(data, (struct counter_key){ entry->string, entry->line }, &named))
				return false;
			entry->text = counter->texts.length;
			if (named.made && !strbuf_add_bytes(&counter->texts, named.text, named.length))
				return false;
		}
		lines[i] = (struct counter_line){ .count = entry->count,
						  .number = (uint32_t)i,
						  .length = (uint32_t)named.length,
						  .name = named.made ? NULL : named.text };
		memcpy(lines[i].end, named.end, sizeof named.end);
	}
	for (size_t i = 0; i < counter->used; i++)
		if (!lines[i].name)
			lines[i].name = counter->texts.bytes + counter->entries[i].text;
	return true;
}

bool counter_lines(struct counter *counter, enum counter_order order, name_function *name, void *data,
		   struct counter_lines *ret, uint32_t *ranks)
{
	struct counter_line *lines = malloc((counter->used + 1) * sizeof *lines);
	if (!lines || !make_lines(counter, lines, name, data)) {
		free(lines);
		return false;
	}
	size_t count = 0;
	qsort(lines, counter->used, sizeof *lines, compare_names);
	uint64_t total = 0;
	for (size_t i = 0; i < counter->used; i++) {
		struct counter_line line = lines[i];
		count_more(&total, line.count);
		if (count > 0 && compare_names(&lines[count - 1], &line) == 0)
			count_more(&lines[count - 1].count, line.count);
		else
			lines[count++] = line;
		if (ranks)
			ranks[line.number] = (uint32_t)count - 1;
	}
	if (order == COUNTER_BY_COUNT)
		qsort(lines, count, sizeof *lines, compare_counts);
	*ret = (struct counter_lines){ lines, count, total };
	return true;
}
