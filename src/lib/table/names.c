// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/table/names.h"
#include "core/answer.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/sort.h"
#include "lib/table/block.h"
#include "lib/table/table-rows.h"
#include "compat/decoration.h"

#include <string.h>

/* A name in the index.  A function's name that is also another name of code, such as an alias, has two entries. */
struct entry {
	uint32_t function; /* the name: an offset in the table's strings, or a reference of the block */
	uint32_t is_other; /* 1: another name of code, or from a row; 0: the name of a function of a block */
	uint32_t rva;	   /* the lowest address that has the name */
	uint32_t length;   /* bytes of the longest function of that name at `rva`; 0: unknown, as in rows */
	uint32_t places;   /* how many separate ranges of code have this name */
	/* 1 + the number of the next entry in the bucket; 0: it is the last one.  While building: the number of the
	   highest address so far that has this name; addresses are numbered in ascending order */
	uint32_t next;
};

struct rs_names {
	const char *strings;	      /* all strings of the table */
	const struct rs_block *block; /* the block, if the names are those of its functions; else NULL */
	struct entry *entries;
	uint32_t entry_count, room;
	uint32_t *buckets; /* for each bucket, 1 + the number of its first entry; 0: it is empty */
	uint32_t bucket_mask;
};

static const char *get_entry_name(const struct rs_names *names, const struct entry *entry)
{
	return names->block ? rs_block_get_string(names->block, entry->function) : names->strings + entry->function;
}

/* How many bytes longer one spelling of a name can be than another, which lacks "_", "@" and a number. */
enum { DECORATION_MAX = 16 };

/* A name without decoration: "_f" for "_f@8", and "f" for "@f@8" and "f@@8"; and the suffix that was left out. */
struct plain {
	const char *text;
	size_t length;
	const char *suffix; /* "@8", "@@8" or "" */
};

static struct plain strip_decoration(const char *name, size_t length)
{
	const size_t decoration = decoration_length(name, length);
	struct plain plain = { name, length - decoration, "" };
	if (decoration == 0)
		return plain;
	plain.suffix = name + plain.length;
	if (name[0] == '@' && plain.length > 1) {
		plain.text++;
		plain.length--;
	}
	return plain;
}

/* Returns the bucket of NAME.  Leading "@" and "_" and the decoration are left out, so all spellings of a name have one
   bucket.  The number of bytes that are read is limited, because a hostile image can have millions of names that are
   ends of one long string. */
static uint32_t *find_bucket_of_name(const struct rs_names *names, const char *name)
{
	enum { SKIPPED_MAX = 255, HASHED_MAX = 255 };
	for (int i = 0; i < SKIPPED_MAX && (*name == '_' || *name == '@'); i++)
		name++;
	size_t length = strnlen(name, HASHED_MAX + DECORATION_MAX);
	length -= decoration_length(name, length);
	return &names->buckets[hash_bytes((uintptr_t)names, name, length < HASHED_MAX ? length : HASHED_MAX) &
			       names->bucket_mask];
}

/* Add a mention (an address, and a name of the code there) to the entry of the name.  MENTION is what the entry would
   be if the name had no other mention; mention->next is the number of the address.  Addresses must not descend from
   call to call.  The entry counts places: mentions at addresses with consecutive numbers are one place.  TABLE has all
   entries. */
static int add_mention(struct rs_names *names, struct hash_table *table, const struct entry *mention,
		       struct rossym_error *err)
{
	uint32_t number;
	if (rs_array_intern(&names->entries, &names->room, &names->entry_count, table, mention,
			    offsetof(struct entry, rva), sizeof *mention, &number) < 0)
		return rs_fail_memory(err);
	struct entry *entry = &names->entries[number - 1];
	entry->places += mention->next > entry->next + 1;
	entry->next = mention->next;
	if (mention->rva == entry->rva && mention->length > entry->length)
		entry->length = mention->length;
	return 0;
}

/* Add a mention for each row that has a function and lies in a section.  Returns 0 or -1. */
static int add_mentions_of_rows(struct rs_names *names, struct hash_table *mentioned, const struct rs_table *table,
				const struct rs_pe *pe, struct rossym_error *err)
{
	struct rs_row rows[RS_ROWS_MAX];
	const struct rs_strings strings = rs_strings_at(table, names->strings);
	struct rossym_fault unused;
	struct rs_words words = rs_words_make(&strings, &unused);
	uint64_t last = 0;
	uint32_t address_number = 1;
	for (uint32_t first = 0, count; first < table->row_count; first += count) {
		count = table->row_count - first < RS_ROWS_MAX ? table->row_count - first : RS_ROWS_MAX;
		if (rs_table_read_rows(table, first, count, rows, err) < 0)
			return -1;
		for (uint32_t i = 0; i < count; i++) {
			const struct rs_row *row = &rows[i];
			if (row->address < last)
				return rs_table_fail_unordered(table, err);
			if (row->address > UINT32_MAX || (pe && !rs_pe_section_at(pe, row->address)))
				continue;
			if (rs_classify_string_cached(&words, row->function, &words.function) != RS_WORD_TEXT)
				continue;
			address_number += row->address != last;
			last = row->address;
			const struct entry mention = { row->function, 1, (uint32_t)row->address, 0, 1, address_number };
			if (add_mention(names, mentioned, &mention, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* Make the buckets, and put all entries into them.  Returns 0 or -1. */
static int fill_buckets(struct rs_names *names, struct rossym_error *err)
{
	uint32_t count = 1;
	while (count < names->entry_count && count < UINT32_C(1) << 30)
		count *= 2;
	names->buckets = rs_alloc(count, sizeof *names->buckets);
	if (!names->buckets)
		return rs_fail_memory(err);
	names->bucket_mask = count - 1;
	for (uint32_t i = names->entry_count; i > 0; i--) {
		uint32_t *bucket = find_bucket_of_name(names, get_entry_name(names, &names->entries[i - 1]));
		names->entries[i - 1].next = *bucket;
		*bucket = i;
	}
	return 0;
}

/* Add a mention for each function and other name of the block.  Two functions of one name are two places, even if one
   begins where the other ends.  So addresses are numbered in steps of 2: no two numbers are consecutive, and
   add_mention() counts each address as a place of its own.  Returns 0 or -1. */
static int add_mentions_of_functions(struct rs_names *names, struct hash_table *mentioned, const struct rs_pe *pe,
				     struct rossym_error *err)
{
	const struct rs_block *block = names->block;
	struct rs_block_func function;
	uint64_t last = UINT64_MAX;
	uint32_t address_number = 0, functions = 0, other_names = 0;
	while (rs_block_next_function(block, &functions, &other_names, &function)) {
		if ((pe && !rs_pe_section_at(pe, function.rva)) || !*rs_block_get_string(block, function.name))
			continue;
		address_number += function.rva != last ? 2 : 0;
		last = function.rva;
		const struct entry mention = { function.name, function.length == 0, function.rva, function.length, 1,
					       address_number };
		if (add_mention(names, mentioned, &mention, err) < 0)
			return -1;
	}
	return 0;
}

struct rs_names *rs_names_build(const struct rs_table *table, const char *strings, const struct rs_block *block,
				const struct rs_pe *pe, struct rossym_error *err)
{
	struct rs_names *names = rs_alloc(1, sizeof *names);
	if (!names) {
		rs_fail_memory(err);
		return NULL;
	}
	/* The address of the index differs from run to run, so no image can be made whose names all hash alike. */
	struct hash_table mentioned = { .seed = (uintptr_t)names };
	names->strings = strings;
	names->block = block;
	int r = block ? add_mentions_of_functions(names, &mentioned, pe, err)
		      : add_mentions_of_rows(names, &mentioned, table, pe, err);
	rs_free(mentioned.slots);
	/* Sort, because rs_names_find() returns the first of several names that fit equally well at one address. */
	rs_sort(names->entries, names->entry_count, sizeof *names->entries, rs_compare_two_numbers);
	if (r < 0 || fill_buckets(names, err) < 0) {
		rs_names_free(names);
		return NULL;
	}
	return names;
}

void rs_names_free(struct rs_names *names)
{
	if (!names)
		return;
	rs_free(names->entries);
	rs_free(names->buckets);
	rs_free(names);
}

static bool is_same_plain(struct plain a, struct plain b)
{
	return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* How well HAVE, a name of the table, fits WANTED, the name to find.  WANTED may be a COFF name, which has one
   underscore more than the name of the table.  So FIT_UNDERSCORE_LESS, where HAVE has one underscore less than WANTED,
   is better than FIT_UNDERSCORE_MORE, where HAVE has one more.  Either name may lack the decoration; names with
   different decorations do not fit. */
enum fit { FIT_NONE, FIT_UNDERSCORE_MORE, FIT_UNDERSCORE_LESS, FIT_UNDECORATED, FIT_EXACT = RS_NAMES_EXACT };

static enum fit compare_spellings(struct plain wanted, struct plain have)
{
	if (*wanted.suffix && *have.suffix && strcmp(wanted.suffix, have.suffix) != 0)
		return FIT_NONE;
	if (is_same_plain(wanted, have))
		return FIT_UNDECORATED;
	struct plain *longer = wanted.length > have.length ? &wanted : &have;
	if (longer->length == 0 || longer->text[0] != '_')
		return FIT_NONE;
	longer->text++;
	longer->length--;
	if (!is_same_plain(wanted, have))
		return FIT_NONE;
	return longer == &wanted ? FIT_UNDERSCORE_LESS : FIT_UNDERSCORE_MORE;
}

/* Returns how well TEXT, a name of the table, fits NAME, which has LENGTH bytes.  WANTED is NAME without decoration.
   Unless DECORATED, only equal names fit. */
static enum fit rate_name(const char *text, const char *name, size_t length, struct plain wanted, bool decorated)
{
	if (strcmp(text, name) == 0)
		return FIT_EXACT;
	size_t text_length = strnlen(text, length + DECORATION_MAX);
	if (!decorated || text_length == length + DECORATION_MAX)
		return FIT_NONE;
	return compare_spellings(wanted, strip_decoration(text, text_length));
}

int rs_names_find(const struct rs_names *names, const char *name, bool decorated, struct rossym_function *function)
{
	size_t length = strlen(name);
	struct plain wanted = strip_decoration(name, length);
	struct rossym_function best = { .name = NULL };
	unsigned best_rank = 0;
	for (uint32_t i = *find_bucket_of_name(names, name); i; i = names->entries[i - 1].next) {
		const struct entry *entry = &names->entries[i - 1];
		const char *text = get_entry_name(names, entry);
		/* Of entries that fit equally, prefer other names of code to functions.  Other names come from symbols,
		   which give the address of a name better than debug information does: there, a part that the compiler
		   has split off a function has the name of the function, too. */
		const unsigned rank = 2 * rate_name(text, name, length, wanted, decorated) + entry->is_other;
		if (rank / 2 == FIT_NONE || rank < best_rank)
			continue;
		if (rank > best_rank) { /* drop the names that fit worse, and their places */
			best = (struct rossym_function){ .name = NULL };
			best_rank = rank;
		}
		/* Different names can fit equally well; then the places of all of them count. */
		best.places += entry->places;
		if (!best.name || entry->rva < best.rva)
			best = (struct rossym_function){ text, entry->rva, best.places, entry->length };
		else if (entry->rva == best.rva && entry->length > best.length && strcmp(text, best.name) == 0)
			best.length = entry->length;
	}
	if (!best.name)
		return 0;
	*function = best;
	return (int)(best_rank / 2);
}
