// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/names.h"
#include "lib/alloc.h"
#include "lib/answer.h"
#include "lib/block.h"
#include "lib/error.h"
#include "lib/layout.h"

#include <stdlib.h>
#include <string.h>

/* A name, and while the index is built, a mention of one. */
struct entry {
	uint32_t function;	/* offset of the name, or a reference of the block */
	uint32_t rva;		/* its lowest address */
	uint32_t places;	/* while it is built: the number of the address, counted from 1 */
	uint32_t next;		/* in the same bucket, plus 1; 0 = last */
};

struct rs_names {
	const char *strings;		/* the table's, */
	const struct rs_block *block;	/* or NULL and the block */
	struct entry *entries;
	uint32_t entry_count;
	uint32_t *buckets;	/* an entry's number plus 1; 0 = empty */
	uint32_t bucket_mask;
};

static const char *text_of(const struct rs_names *names, const struct entry *entry)
{
	return names->block ? rs_block_string(names->block, entry->function) : names->strings + entry->function;
}

/* The part of a name that is left when decoration is dropped: "_f@8" and "@f@8" give "_f" and "f".  What is
   dropped at the end is "@" and a number. */
struct plain {
	const char *text;
	size_t length;
	const char *suffix;	/* "@8" or "" */
};

static struct plain plain_name(const char *name, size_t length)
{
	struct plain plain = { name, length, "" };
	size_t digits = plain.length;
	while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
		digits--;
	if (digits < 2 || digits == plain.length || name[digits - 1] != '@')
		return plain;
	plain.length = digits - 1;
	plain.suffix = name + digits - 1;
	if (name[0] == '@' && plain.length > 1) {
		plain.text++;
		plain.length--;
	}
	return plain;
}

/* Equal for all spellings of a name.  Looks at the beginning only: a damaged table can have millions of names that
   are ends of one long string. */
static uint32_t hash_name(const char *name)
{
	enum { ENOUGH = 64 };
	uint32_t hash = 2166136261u;
	for (int i = 0; i < ENOUGH && (*name == '@' || *name == '_'); i++)
		name++;
	for (int i = 0; i < ENOUGH && name[i] && name[i] != '@'; i++)
		hash = (hash ^ (uint8_t)name[i]) * 16777619u;
	return hash ^ hash >> 15;
}

static int by_function(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return x->places < y->places ? -1 : x->places > y->places;
}

/* Note each mention of a function by a row that counts. */
static int add_mentions(struct rs_names *names, struct rs_table *table, const struct rs_source *source,
			const struct rs_pe *pe, struct rossym_error *err)
{
	struct rs_row rows[RS_ROWS_MAX];
	struct rs_view view = rs_table_view(table, names->strings);
	uint64_t last = 0;
	uint32_t address_number = 1;
	for (uint32_t first = 0, count; first < table->row_count; first += count) {
		count = table->row_count - first < RS_ROWS_MAX ? table->row_count - first : RS_ROWS_MAX;
		if (rs_table_read(table, source, first, count, rows, err) < 0)
			return -1;
		for (uint32_t i = 0; i < count; i++) {
			const struct rs_row *row = &rows[i];
			if (row->address < last)
				return rs_table_fail_order(table, source, err);
			if (row->address > UINT32_MAX || (pe && !rs_pe_section_at(pe, row->address)))
				continue;
			const char *name = rs_table_string(table, names->strings, row->function);
			if (!name || !*name || rs_row_kind(row, &view) != RS_ROW_PLAIN ||
			    strcmp(name, RS_TERMINATOR_NAME) == 0)
				continue;
			address_number += row->address != last;
			last = row->address;
			names->entries[names->entry_count++] =
				(struct entry){ row->function, (uint32_t)row->address, address_number, 0 };
		}
	}
	return 0;
}

/* Make one entry of all mentions of a name.  A name that is absent from an address between two mentions stands in
   more than one place. */
static void fold_mentions(struct rs_names *names)
{
	if (names->entry_count > 0)
		qsort(names->entries, names->entry_count, sizeof *names->entries, by_function);
	uint32_t count = 0, last_address = 0;
	for (uint32_t i = 0; i < names->entry_count; i++) {
		struct entry mention = names->entries[i];
		if (count > 0 && names->entries[count - 1].function == mention.function) {
			names->entries[count - 1].places += mention.places > last_address + 1;
		} else {
			names->entries[count] = mention;
			names->entries[count++].places = 1;
		}
		last_address = mention.places;
	}
	names->entry_count = count;
}

static int add_buckets(struct rs_names *names, struct rossym_error *err)
{
	uint32_t count = 1;
	while (count < names->entry_count && count < UINT32_C(1) << 30)
		count *= 2;
	names->buckets = rs_alloc(count, sizeof *names->buckets);
	if (!names->buckets)
		return rs_fail_memory(err);
	names->bucket_mask = count - 1;
	for (uint32_t i = 0; i < names->entry_count; i++) {
		struct entry *entry = &names->entries[i];
		uint32_t *bucket = &names->buckets[hash_name(text_of(names, entry)) & names->bucket_mask];
		entry->next = *bucket;
		*bucket = i + 1;
	}
	return 0;
}

struct rs_names *rs_names_build(struct rs_table *table, const struct rs_source *source, const struct rs_pe *pe,
				struct rossym_error *err)
{
	struct rs_names *names = rs_alloc(1, sizeof *names);
	if (!names) {
		rs_fail_memory(err);
		return NULL;
	}
	names->strings = rs_table_strings(table, source, err);
	if (!names->strings)
		goto fail;
	names->entries = rs_alloc(table->row_count, sizeof *names->entries);
	if (!names->entries) {
		rs_fail_memory(err);
		goto fail;
	}
	if (add_mentions(names, table, source, pe, err) < 0)
		goto fail;
	fold_mentions(names);
	if (add_buckets(names, err) < 0)
		goto fail;
	return names;
fail:
	rs_names_free(names);
	return NULL;
}

/* Functions are mentions of which no two are neighbours, so that each is a place of its own. */
struct rs_names *rs_names_build_block(const struct rs_block *block, const struct rs_pe *pe, struct rossym_error *err)
{
	struct rs_names *names = rs_alloc(1, sizeof *names);
	uint64_t last = UINT64_MAX;
	uint32_t address_number = 0;
	if (!names) {
		rs_fail_memory(err);
		return NULL;
	}
	names->block = block;
	names->entries = rs_alloc(block->functions.count, sizeof *names->entries);
	if (!names->entries) {
		rs_fail_memory(err);
		goto fail;
	}
	for (uint32_t i = 0; i < block->functions.count; i++) {
		struct rs_block_func function = rs_block_func(block, i);
		if ((pe && !rs_pe_section_at(pe, function.rva)) || !*rs_block_string(block, function.name))
			continue;
		address_number += function.rva != last ? 2 : 0;
		last = function.rva;
		names->entries[names->entry_count++] =
			(struct entry){ function.name, function.rva, address_number, 0 };
	}
	fold_mentions(names);
	if (add_buckets(names, err) < 0)
		goto fail;
	return names;
fail:
	rs_names_free(names);
	return NULL;
}

void rs_names_free(struct rs_names *names)
{
	if (!names)
		return;
	rs_free(names->entries);
	rs_free(names->buckets);
	rs_free(names);
}

static bool same_plain(struct plain a, struct plain b)
{
	return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* How well HAVE, a name of the table, fits what is WANTED.  COFF names have an underscore more than the table's, so
   that reading of a name comes before the one in which the table's has one more.  A decoration may be left out on either
   side, but not contradicted. */
enum fit { FIT_NONE, FIT_UNDERSCORE_MORE, FIT_UNDERSCORE_LESS, FIT_UNDECORATED, FIT_EXACT = RS_NAMES_EXACT };

static enum fit fit(struct plain wanted, struct plain have)
{
	if (*wanted.suffix && *have.suffix && strcmp(wanted.suffix, have.suffix) != 0)
		return FIT_NONE;
	if (same_plain(wanted, have))
		return FIT_UNDECORATED;
	struct plain *longer = wanted.length > have.length ? &wanted : &have;
	if (longer->length == 0 || longer->text[0] != '_')
		return FIT_NONE;
	longer->text++;
	longer->length--;
	if (!same_plain(wanted, have))
		return FIT_NONE;
	return longer == &wanted ? FIT_UNDERSCORE_LESS : FIT_UNDERSCORE_MORE;
}

/* How well TEXT fits NAME, which is LENGTH bytes long and without its decoration WANTED. */
static enum fit fit_text(const char *text, const char *name, size_t length, struct plain wanted, bool decorated)
{
	enum { MOST_DECORATION = 16 };	/* "_", "@" and a number */
	if (strcmp(text, name) == 0)
		return FIT_EXACT;
	size_t text_length = strnlen(text, length + MOST_DECORATION);
	if (!decorated || text_length == length + MOST_DECORATION)
		return FIT_NONE;
	return fit(wanted, plain_name(text, text_length));
}

int rs_names_find(const struct rs_names *names, const char *name, bool decorated, struct rossym_function *function)
{
	size_t length = strlen(name);
	struct plain wanted = plain_name(name, length);
	const struct entry *best = NULL;
	enum fit best_fit = FIT_NONE;
	uint32_t places = 0;
	for (uint32_t i = names->buckets[hash_name(name) & names->bucket_mask]; i; i = names->entries[i - 1].next) {
		const struct entry *entry = &names->entries[i - 1];
		enum fit this_fit = fit_text(text_of(names, entry), name, length, wanted, decorated);
		if (this_fit == FIT_NONE || this_fit < best_fit)
			continue;
		if (this_fit > best_fit) {	/* forget what fits less */
			best = NULL;
			best_fit = this_fit;
			places = 0;
		}
		if (!best || entry->rva < best->rva)
			best = entry;
		places += entry->places;
	}
	if (!best)
		return 0;
	function->name = text_of(names, best);
	function->rva = best->rva;
	function->places = places;
	function->length = 0;
	return (int)best_fit;
}
