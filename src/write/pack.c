// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pack.c - makes a packed table of a plain one: rossym_pack()
 *
 * A packed table has the same content in fewer bytes.  Its rows refer to contexts by their numbers.  A context is a
 * function, a file and a chain of frames (the callers around inlined code).  Up to RS_GROUP_ROWS rows are stored
 * together, as a group.  In strings, short codes stand for texts that occur often (write/phrases.h).
 *
 * rossym_pack() reads a finished table, not the rows of a builder, so it can also pack tables of other programs.
 */
#include "config.h"
#include "rossym-write.h"
#include "core/core.h"
#include "core/parts.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "lib/base/array.h"
#include "lib/base/chunks.h"
#include "lib/base/error.h"
#include "write/phrases.h"
#include "core/bytes.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

struct rs_packed_row {
	uint32_t rva, line, context;
};

enum { GROUPS, CONTEXTS, LONGS, FRAMES, FUNCTIONS, NAMES, LISTS };

struct table_packer {
	struct rossym_core core; /* the plain table */
	struct rs_columns names; /* the plain table's records with other names of code, such as aliases */
	/* the number of each string: [0] by its offset in the table's strings, [1] by its offset in the block's own
	   strings; 0: it has no number yet */
	uint32_t *numbers[2];
	uint32_t count;		 /* how many strings have a number, "" included */
	char *text;		 /* all strings, each with its NUL; the first is "" */
	uint32_t length, room;	 /* of `text` */
	struct hash_table table; /* finds a context in lists[CONTEXTS] */
	uint32_t context_room;
	struct rs_packed_row *rows;
	uint8_t *groups; /* the data of all groups */
	uint32_t groups_size, groups_room;
	struct rs_phrases phrases; /* the packed strings */
	uint32_t *places;	   /* by a string's number: its offset in the packed strings */
	uint32_t strings_size;	   /* bytes of the packed strings */
	/* Until pack_lists(), the lists have numbers of strings in place of the offsets of the packed strings. */
	struct rs_records lists[LISTS];
};

static void free_packer(struct table_packer *p)
{
	rs_free(p->numbers[0]);
	rs_free(p->numbers[1]);
	rs_free(p->text);
	rs_free(p->table.slots);
	rs_free(p->rows);
	rs_free(p->groups);
	rs_phrases_clear(&p->phrases);
	rs_free(p->places);
	for (int i = 0; i < LISTS; i++)
		rs_free(p->lists[i].numbers);
	rs_free(p);
}

/* ------------------------------------------------------------------------------------------------ strings */

/* Store in *NUMBER the number of the string at REFERENCE: an offset in the table's strings, or from own_from on in the
   block's.  A new string gets the next number; "", or a string that is missing, has 0.  Returns 0 or -1. */
static int find_or_number_string(struct table_packer *p, uint32_t reference, uint32_t *number, struct rossym_error *err)
{
	const bool own = reference >= p->core.parts.own_from && p->core.parts.size > 0;
	const struct rs_strings *strings = own ? &p->core.parts.strings : &p->core.table.strings;
	const uint32_t offset = own ? reference - p->core.parts.own_from : reference;
	*number = 0;
	if (offset == 0 || offset >= strings->length)
		return 0;
	uint32_t *known = &p->numbers[own][offset];
	if (*known == 0) {
		const char *text = (const char *)strings->reader.memory + (size_t)strings->offset + offset;
		const size_t length = strnlen(text, strings->length - offset);
		if (length == 0)
			return 0;
		if (length >= UINT32_MAX - p->length)
			return rs_fail(err, ROSSYM_EREFUSED, 0, "the strings of the table have 4 GiB or more");
		if (rs_array_reserve(&p->text, &p->room, p->length, (uint64_t)length + 1, 1) < 0)
			return rs_fail_memory(err);
		memcpy(p->text + p->length, text, length);
		p->text[p->length + length] = '\0';
		p->length += (uint32_t)length + 1;
		*known = p->count++;
	}
	*number = *known;
	return 0;
}

/* Pack the strings, and compute the place of each among the packed strings.  Returns 0 or -1. */
static int lay_out_strings(struct table_packer *p, struct rossym_error *err)
{
	p->places = rs_alloc(p->count, sizeof *p->places);
	if (!p->places)
		return rs_fail_memory(err);
	if (rs_phrases_make(&p->phrases, p->text, p->length, err) < 0)
		return -1;
	uint32_t number = 1, at = 0;
	for (size_t i = 0; i < p->phrases.length; i++) {
		at += rs_symbol_size(p->phrases.symbols[i]);
		if (p->phrases.symbols[i] == 0 && number < p->count)
			p->places[number++] = at;
	}
	p->strings_size = at;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ contexts */

/* Store in *NUMBER the number of a context; a new context gets the next number.  FUNCTION and FILE are references, and
   FRAME is the first frame of the chain or RS_BLOCK_NONE.  Returns 0 or -1. */
static int find_or_number_context(struct table_packer *p, uint32_t function, uint32_t file, uint32_t frame,
				  uint32_t *number, struct rossym_error *err)
{
	struct rs_records *list = &p->lists[CONTEXTS];
	uint32_t context[RS_CONTEXT_COLUMNS] = { [RS_CONTEXT_FRAME] = frame };
	if (find_or_number_string(p, function, &context[RS_CONTEXT_FUNCTION], err) < 0 ||
	    find_or_number_string(p, file, &context[RS_CONTEXT_FILE], err) < 0)
		return -1;
	if (rs_array_intern(&list->numbers, &p->context_room, &list->count, &p->table, context, sizeof context,
			    sizeof context, number) < 0)
		return rs_fail_memory(err);
	--*number;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ collecting */

static int collect_rows(struct table_packer *p, struct rossym_error *err)
{
	const struct rs_table *table = &p->core.table;
	struct rossym_fault fault;
	p->rows = rs_alloc(table->row_count, sizeof *p->rows);
	if (!p->rows)
		return rs_fail_memory(err);
	for (uint32_t i = 0; i < table->row_count; i++) {
		uint8_t buffer[RS_ROW_SIZE_64_PADDED];
		uint32_t frame;
		const uint8_t *bytes = rs_table_view_rows(table, i, 1, buffer, &fault);
		if (!bytes || rs_parts_find_chain(&p->core.parts, table, i, &frame, &fault) < 0)
			return rs_fail_fault(err, &fault);
		const struct rs_row row = rs_table_decode_row(table, bytes);
		if (row.address > UINT32_MAX)
			return rs_fail(err, ROSSYM_EREFUSED, 0, "a row at 0x%" PRIx64 ": addresses have 32 bits",
				       row.address);
		p->rows[i] = (struct rs_packed_row){ (uint32_t)row.address, row.line, 0 };
		if (find_or_number_context(p, row.function, row.file, frame, &p->rows[i].context, err) < 0)
			return -1;
	}
	return 0;
}

static int collect_frames(struct table_packer *p, struct rossym_error *err)
{
	struct rs_records *list = &p->lists[FRAMES];
	struct rossym_fault fault;
	if (rs_records_open(list, p->core.parts.inner ? RS_TAG_INNER : RS_TAG_OUTER, RS_PACKED_FRAME_COLUMNS, 0,
			    p->core.parts.frames.count, err) < 0)
		return -1;
	uint32_t *numbers = list->numbers;
	for (uint32_t i = 0; i < list->count; i++, numbers += RS_PACKED_FRAME_COLUMNS) {
		struct rs_outer frame;
		if (rs_parts_read_frame(&p->core.parts, &p->core.table, i, &frame, &fault) < 0)
			return rs_fail_fault(err, &fault);
		numbers[RS_PACKED_FRAME_LINE] = frame.line;
		if (find_or_number_context(p, frame.function, frame.file, frame.next, &numbers[RS_PACKED_FRAME_CONTEXT],
					   err) < 0)
			return -1;
	}
	return 0;
}

/* Collect FUNCTIONS, which are functions or other names of code, in LIST.  Returns 0 or -1. */
static int collect_functions(struct table_packer *p, const struct rs_columns *functions, struct rs_records *list,
			     uint32_t tag, struct rossym_error *err)
{
	if (rs_records_copy(list, functions, tag, RS_FUNCTION_COLUMNS, err) < 0)
		return -1;
	uint32_t *numbers = list->numbers;
	for (uint32_t i = 0; i < list->count; i++, numbers += RS_FUNCTION_COLUMNS)
		if (find_or_number_string(p, numbers[RS_FUNCTION_NAME], &numbers[RS_FUNCTION_NAME], err) < 0)
			return -1;
	return 0;
}

/* Collect the list of cut strings, and sort it by the numbers of the short forms.  So it is sorted by their places,
   because packed strings are written in the order of their numbers.  Returns 0 or -1. */
static int collect_cut_strings(struct table_packer *p, struct rossym_error *err)
{
	struct rs_records *list = &p->lists[LONGS];
	if (rs_records_copy(list, &p->core.parts.longs, RS_TAG_LONG, RS_LONG_COLUMNS, err) < 0)
		return -1;
	uint32_t *numbers = list->numbers;
	for (uint32_t i = 0; i < list->count; i++) {
		const uint32_t *record = &list->numbers[(size_t)i * RS_LONG_COLUMNS];
		if (find_or_number_string(p, record[RS_LONG_SHORT], numbers, err) < 0)
			return -1;
		if (*numbers == 0) /* the empty string cannot have been cut */
			continue;
		numbers[RS_LONG_WHOLE] = record[RS_LONG_WHOLE];
		numbers += RS_LONG_COLUMNS;
	}
	list->count = (uint32_t)((numbers - list->numbers) / RS_LONG_COLUMNS);
	numbers = list->numbers;
	rs_sort(numbers, list->count, RS_LONG_COLUMNS * sizeof *numbers, rs_compare_one_number);
	for (uint32_t i = 0; i < list->count; i++, numbers += RS_LONG_COLUMNS)
		if (find_or_number_string(p, numbers[RS_LONG_WHOLE], &numbers[RS_LONG_WHOLE], err) < 0)
			return -1;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ groups */

/* Each row of a group refers to a choice, which is a context and a line, and adds a number to that line.  The choices
   are made in one of two ways, whichever takes fewer bytes.  For example, three rows have the contexts 0, 0 and 1, the
   lines 3, 4 and 0, and their addresses differ by 16 and 8 (the deltas):

	a choice for each context: 2 choices of 1 + 2 bits, 2 deltas of 5 bits, 3 rows of 1 bit for the choice and 1
	for the line: 6 + 10 + 6 = 22 bits, 3 bytes

	a choice for each line: 3 choices of 1 + 3 bits, the same deltas, 3 rows of 2 bits for the choice and none for
	the line: 12 + 10 + 6 = 28 bits, 4 bytes

   The first takes fewer bytes, so it is written; core/packed.c shows these bytes. */

struct new_group {
	const struct rs_packed_row *rows;
	uint32_t count; /* how many rows */
	/* The lowest line and the lowest context of the rows.  The list of groups stores these; the group itself stores
	   differences from them. */
	uint32_t line, context;
	/* Each choice is a context and a line: the lowest line of the rows that have the choice. */
	struct rs_packed_row choices[RS_GROUP_ROWS];
	uint32_t choice_count;
	uint32_t chosen[RS_GROUP_ROWS]; /* the choice of each row */
	uint32_t delta_bits, line_bits, context_bits, base_bits, choice_bits;
};

/* Compute what does not depend on the choices: the lowest line and context, and the widths of deltas and contexts.  A
   bitwise OR of numbers takes as many bits as the largest of them, so it serves to compute their width. */
static void measure_rows(struct new_group *group)
{
	uint32_t deltas = 0, contexts = 0;
	group->line = group->context = UINT32_MAX;
	for (uint32_t i = 0; i < group->count; i++) {
		const struct rs_packed_row *row = &group->rows[i];
		if (row->line < group->line)
			group->line = row->line;
		if (row->context < group->context)
			group->context = row->context;
		if (i > 0)
			deltas |= row->rva - row[-1].rva;
	}
	for (uint32_t i = 0; i < group->count; i++)
		contexts |= group->rows[i].context - group->context;
	group->delta_bits = rs_count_bits(deltas);
	group->context_bits = rs_count_bits(contexts);
}

/* Find the choices of GROUP.  EACH_LINE: make a choice for each pair of context and line, so that rows need no bits for
   their lines; else make a choice for each context.  Returns how many bytes the group takes. */
static uint32_t find_choices(struct new_group *group, bool each_line)
{
	uint32_t bases = 0, lines = 0;
	group->choice_count = 0;
	for (uint32_t i = 0; i < group->count; i++) {
		const struct rs_packed_row *row = &group->rows[i];
		uint32_t j = 0;
		while (j < group->choice_count && (group->choices[j].context != row->context ||
						   (each_line && group->choices[j].line != row->line)))
			j++;
		if (j == group->choice_count)
			group->choices[group->choice_count++] = *row;
		else if (row->line < group->choices[j].line)
			group->choices[j].line = row->line;
		group->chosen[i] = j;
	}
	for (uint32_t j = 0; j < group->choice_count; j++)
		bases |= group->choices[j].line - group->line;
	for (uint32_t i = 0; i < group->count; i++)
		lines |= group->rows[i].line - group->choices[group->chosen[i]].line;
	group->base_bits = rs_count_bits(bases);
	group->line_bits = rs_count_bits(lines);
	group->choice_bits = rs_count_bits(group->choice_count - 1);
	const uint32_t bits = group->choice_count * (group->context_bits + group->base_bits) +
			      (group->count - 1) * group->delta_bits +
			      group->count * (group->choice_bits + group->line_bits);
	return RS_GROUP_HEADER + (bits + 7) / 8;
}

/* Write NUMBER, which has at most WIDTH bits, at bit *AT of TO, where all bits are 0, and move *AT after NUMBER. */
static void put_bits(uint8_t *to, uint32_t *at, uint32_t number, uint32_t width)
{
	uint64_t value = (uint64_t)number << *at % 8;
	for (uint8_t *p = to + *at / 8; value; value >>= 8)
		*p++ |= (uint8_t)value;
	*at += width;
}

/* Write GROUP, which has 1 to RS_GROUP_ROWS rows with ascending addresses, to TO, which is all zeros.  Returns how many
   bytes the group takes. */
static uint32_t pack_group(struct new_group *group, uint8_t to[RS_GROUP_SIZE_MAX + 8])
{
	const struct rs_packed_row *rows = group->rows;
	measure_rows(group);
	/* With a choice for each line, rows have no bits for lines.  So the group has at most RS_GROUP_SIZE_MAX bytes:
	   a header of 4, 32 choices of 64 bits, 31 deltas of 32 bits, and the choice of each row, 5 bits.  Use a choice
	   for each context if that takes no more. */
	const uint32_t each_line = find_choices(group, true);
	uint32_t size = find_choices(group, false);
	if (size > each_line)
		size = find_choices(group, true);
	uint32_t at = RS_GROUP_HEADER * 8;
	rs_put32(to, group->delta_bits | group->line_bits << 6 | group->context_bits << 12 | group->base_bits << 18 |
			     (group->choice_count - 1) << 24);
	for (uint32_t j = 0; j < group->choice_count; j++) {
		put_bits(to, &at, group->choices[j].context - group->context, group->context_bits);
		put_bits(to, &at, group->choices[j].line - group->line, group->base_bits);
	}
	for (uint32_t i = 1; i < group->count; i++)
		put_bits(to, &at, rows[i].rva - rows[i - 1].rva, group->delta_bits);
	for (uint32_t i = 0; i < group->count; i++)
		put_bits(to, &at, group->chosen[i], group->choice_bits);
	for (uint32_t i = 0; i < group->count; i++)
		put_bits(to, &at, rows[i].line - group->choices[group->chosen[i]].line, group->line_bits);
	return size;
}

/* ------------------------------------------------------------------------------------------------ packing */

static int pack_groups(struct table_packer *p, struct rossym_error *err)
{
	const uint32_t rows = p->core.table.row_count, count = rows / RS_GROUP_ROWS + (rows % RS_GROUP_ROWS != 0);
	struct rs_records *list = &p->lists[GROUPS];
	if (rs_records_open(list, 0, RS_GROUP_COLUMNS, 0, count, err) < 0)
		return -1;
	uint32_t *numbers = list->numbers;
	for (uint32_t i = 0; i < count; i++, numbers += RS_GROUP_COLUMNS) {
		const uint32_t first = i * RS_GROUP_ROWS, left = rows - first;
		uint8_t bytes[RS_GROUP_SIZE_MAX + 8] = { 0 };
		struct new_group group = { .rows = p->rows + first,
					   .count = left < RS_GROUP_ROWS ? left : RS_GROUP_ROWS };
		const uint32_t size = pack_group(&group, bytes);
		if (rs_array_reserve(&p->groups, &p->groups_room, p->groups_size, size, 1) < 0)
			return rs_fail_memory(err);
		memcpy(p->groups + p->groups_size, bytes, size);
		numbers[RS_GROUP_ADDRESS] = p->rows[first].rva;
		numbers[RS_GROUP_LINE] = group.line;
		numbers[RS_GROUP_CONTEXT] = group.context;
		numbers[RS_GROUP_OFFSET] = p->groups_size;
		p->groups_size += size;
	}
	return 0;
}

/* Replace the numbers of strings in COLUMN of LIST by their places. */
static void replace_numbers_by_places(const struct table_packer *p, struct rs_records *list, unsigned column)
{
	for (size_t i = column; i < (size_t)list->count * list->columns; i += list->columns)
		list->numbers[i] = p->places[list->numbers[i]];
}

static void pack_lists(struct table_packer *p)
{
	replace_numbers_by_places(p, &p->lists[CONTEXTS], RS_CONTEXT_FUNCTION);
	replace_numbers_by_places(p, &p->lists[CONTEXTS], RS_CONTEXT_FILE);
	replace_numbers_by_places(p, &p->lists[LONGS], RS_LONG_SHORT);
	replace_numbers_by_places(p, &p->lists[LONGS], RS_LONG_WHOLE);
	replace_numbers_by_places(p, &p->lists[FUNCTIONS], RS_FUNCTION_NAME);
	replace_numbers_by_places(p, &p->lists[NAMES], RS_FUNCTION_NAME);
	for (int i = 0; i < LISTS; i++)
		rs_records_choose_widths(&p->lists[i]);
}

/* ------------------------------------------------------------------------------------------------ writing */

static void write_packed_strings(const struct table_packer *p, uint8_t *to)
{
	const struct rs_phrases *phrases = &p->phrases;
	const uint32_t before = phrases->text_length + phrases->count * (uint32_t)RS_PHRASE_SIZE;
	if (phrases->text_length > 0)
		memcpy(to, phrases->text, phrases->text_length);
	to += phrases->text_length;
	for (uint32_t i = 0; i < phrases->count; i++, to += RS_PHRASE_SIZE)
		rs_put32(to, (before - phrases->items[i].at) | (uint32_t)phrases->items[i].length << 24);
	for (size_t i = 0; i < phrases->length; i++) {
		const uint16_t symbol = phrases->symbols[i];
		if (rs_symbol_size(symbol) == 2)
			*to++ = (uint8_t)(0x80 | symbol >> 8);
		*to++ = (uint8_t)symbol;
	}
}

/* Write the chunk with the tag RS_TAG_ROWS and a payload of SIZE bytes at *TO, and move *TO after it. */
static void write_rows_chunk(const struct table_packer *p, uint32_t size, uint8_t **to)
{
	const struct rs_records *groups = &p->lists[GROUPS], *contexts = &p->lists[CONTEXTS];
	uint8_t *at = rs_chunk_write_header(to, RS_TAG_ROWS, size);
	memcpy(at, groups->packed.width, RS_WIDTHS_SIZE);
	memcpy(at + RS_ROWS_CONTEXT_WIDTHS, contexts->packed.width, RS_WIDTHS_SIZE);
	rs_put32(at + RS_ROWS_CONTEXTS, contexts->count);
	rs_put32(at + RS_ROWS_PHRASES, p->phrases.count);
	at += RS_ROWS_HEADER;
	rs_records_write(groups, at);
	at += (size_t)groups->count * groups->packed.size;
	rs_records_write(contexts, at);
	at += (size_t)contexts->count * contexts->packed.size;
	memcpy(at, p->groups, p->groups_size);
}

static uint8_t *write_table(const struct table_packer *p, size_t *ret_size, struct rossym_error *err)
{
	const struct rs_records *groups = &p->lists[GROUPS], *contexts = &p->lists[CONTEXTS];
	const uint64_t payload = RS_ROWS_HEADER + (uint64_t)groups->count * groups->packed.size +
				 (uint64_t)contexts->count * contexts->packed.size + p->groups_size;
	const uint64_t strings = RS_HEADER_SIZE + (uint64_t)p->phrases.count * RS_PHRASE_SIZE + p->phrases.text_length;
	const uint64_t end = strings + p->strings_size;
	uint64_t size = rs_align(end, 4) + RS_BLOCK_CHUNKS + rs_chunk_size(payload);
	for (int i = LONGS; i < LISTS; i++)
		size += rs_records_chunk_size(&p->lists[i]);
	uint8_t *bytes = rs_table_alloc(size, err);
	if (!bytes)
		return NULL;
	rs_table_put_header(bytes, 0, (uint32_t)strings, p->strings_size);
	write_packed_strings(p, bytes + RS_HEADER_SIZE);
	uint8_t *block = bytes + rs_align(end, 4), *to = block + RS_BLOCK_CHUNKS;
	const uint32_t block_size = (uint32_t)(size - rs_align(end, 4));
	write_rows_chunk(p, (uint32_t)payload, &to);
	for (int i = LONGS; i < LISTS; i++)
		rs_records_write_chunk(&p->lists[i], &to);
	rs_block_write_header(block, RS_BLOCK_MAGIC_PACKED, block_size, p->core.table.row_count, bytes, (size_t)end);
	*ret_size = (size_t)size;
	return bytes;
}

/* ------------------------------------------------------------------------------------------ the whole table */

static int pack_table(struct table_packer *p, struct rossym_error *err)
{
	p->numbers[0] = rs_alloc((size_t)p->core.table.strings.length + 1, sizeof *p->numbers[0]);
	p->numbers[1] = rs_alloc((size_t)p->core.parts.strings.length + 1, sizeof *p->numbers[1]);
	if (!p->numbers[0] || !p->numbers[1] || rs_array_grow(&p->text, &p->room, 0, 1) < 0)
		return rs_fail_memory(err);
	p->text[0] = '\0';
	p->length = p->count = 1;
	if (rs_records_open(&p->lists[CONTEXTS], 0, RS_CONTEXT_COLUMNS, 1u << RS_CONTEXT_FRAME, 0, err) < 0 ||
	    collect_rows(p, err) < 0 || collect_frames(p, err) < 0 ||
	    collect_functions(p, &p->core.parts.functions, &p->lists[FUNCTIONS], RS_TAG_FUNCTIONS, err) < 0 ||
	    collect_functions(p, &p->names, &p->lists[NAMES], RS_TAG_NAMES, err) < 0 || collect_cut_strings(p, err) < 0)
		return -1;
	if (pack_groups(p, err) < 0 || lay_out_strings(p, err) < 0)
		return -1;
	pack_lists(p);
	return 0;
}

int rossym_pack(const void *table, size_t size, int wide, void **ret, size_t *ret_size, struct rossym_error *err)
{
	struct table_packer *p = rs_alloc(1, sizeof *p);
	uint8_t *bytes = NULL;
	size_t bytes_size = size;
	if (!p)
		return rs_fail_memory(err);
	if (rs_table_open_checked(&p->core, &p->names, table, size, wide != 0, 0, err) == 0) {
		if (p->core.table.row_count > 0 && !rs_is_packed(&p->core.table))
			bytes = pack_table(p, err) == 0 ? write_table(p, &bytes_size, err) : NULL;
		else if ((bytes = rs_table_alloc(size, err)))
			memcpy(bytes, table, size);
	}
	free_packer(p);
	if (!bytes)
		return -1;
	*ret = bytes;
	*ret_size = bytes_size;
	return 0;
}
