// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * build.c - makes the bytes of a .rossym section from rows, frames and functions
 *
 * A row has the function, file and line of the code from an address on.  If calls were inlined there, it also has a
 * chain of frames: the callers around the inlined code, each with its own function, file and line.
 *
 * These are the functions of rossym-write.h for builders.  rossym_builder_add() and others store what they are given;
 * rossym_builder_finish() sorts the rows, lays out the strings, makes the block (all for which rows have no room),
 * writes the bytes, and packs them if ROSSYM_BUILD_PACKED is set.
 */
#include "config.h"
#include "rossym-write.h"
#include "lib/base/alloc.h"
#include "lib/base/chunks.h"
#include "lib/base/sort.h"
#include "write/draft.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "core/layout.h"
#include "lib/base/array.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A table has strings in two parts: those of rows in the table itself, all others in its block.  A pool lists the
   strings of one part.  When all strings of a pool are known, lay_out_pool() computes the place of each.  The places
   depend on which strings there are, but not on the order in which they were added; with one exception: short forms
   (see below) with equal texts are in the order of the numbers of their whole strings. */

struct pool_string {
	/* number of the string whose bytes are written: this string or its short form; 0: it is not in the pool */
	uint32_t written;
	uint32_t place; /* offset at which the string begins in its part */
};

/* All zeros but for `strings`: the pool has no strings. */
struct pool {
	struct rs_string_table *strings; /* all strings, by their numbers */
	struct pool_string *items;	 /* by a string's number; "", which has the number 0, is never in the pool */
	uint32_t room, used;		 /* how many numbers `items` has room for; how many strings are in the pool */
};

struct rossym_builder {
	struct rossym_builder_options options;
	struct rs_draft draft;
	struct rs_string_table own; /* the draft's strings, unless rs_builder_share_draft() was called with others */
	struct pool strings;	    /* the strings of the rows */
	uint32_t cut_functions, cut_files; /* how many names of functions, and how many paths, were too long */
	uint32_t accepted;		   /* how many rows accept_new_rows() has processed */
	/* For ROSSYM_BUILD_ENTRY_OUTER: the frames of the block.  A row that accept_new_rows() has processed is the
	   outermost frame; its chain is in this list and begins with the innermost frame.  A row that it has not yet
	   processed is the innermost frame; its chain is in `draft` and begins with the frame around it. */
	struct rs_frames inner;
};

int rossym_builder_create(const struct rossym_builder_options *given, struct rossym_builder **ret,
			  struct rossym_error *err)
{
	struct rossym_builder_options options = { .flags = 0 };
	const unsigned known = ROSSYM_BUILD_NO_BLOCK | ROSSYM_BUILD_ENTRY_OUTER | ROSSYM_BUILD_PACKED;
	if ((given && rs_sized_copy_in(&options, sizeof options, sizeof options, given, err) < 0) ||
	    rs_check_flags(options.flags, known, err) < 0)
		return -1;
	struct rossym_builder *builder = rs_alloc(1, sizeof *builder);
	if (!builder)
		return rs_fail_memory(err);
	builder->options = options;
	builder->draft.strings = builder->strings.strings = &builder->own;
	if (rs_strings_open(&builder->own, UINT32_MAX, err) < 0) {
		rossym_builder_destroy(builder);
		return -1;
	}
	*ret = builder;
	return 0;
}

void rossym_builder_destroy(struct rossym_builder *builder)
{
	if (!builder)
		return;
	rs_draft_clear(&builder->draft);
	rs_strings_clear(&builder->own);
	rs_free(builder->strings.items);
	rs_frames_clear(&builder->inner);
	rs_free(builder);
}

struct rs_draft *rs_builder_share_draft(struct rossym_builder *builder, struct rs_string_table *strings)
{
	if (strings)
		builder->draft.strings = builder->strings.strings = strings;
	return &builder->draft;
}

/* ------------------------------------------------------------------------------------------------ strings of rows */

static bool is_in_pool(const struct pool *pool, uint32_t number)
{
	return number < pool->room && pool->items[number].written;
}

/* Returns the place of the string with this NUMBER, which is in POOL or is "". */
static uint32_t get_place_in_pool(const struct pool *pool, uint32_t number)
{
	return number ? pool->items[number].place : 0;
}

/* Add to POOL the string NUMBER; the bytes of string WRITTEN are written for it.  Returns 0, or -1 without memory. */
static int add_to_pool(struct pool *pool, uint32_t number, uint32_t written, struct rossym_error *err)
{
	const uint32_t old = pool->room;
	if (number >= old) {
		if (rs_array_reserve(&pool->items, &pool->room, old, (uint64_t)pool->strings->count - old,
				     sizeof *pool->items) < 0)
			return rs_fail_memory(err);
		memset(pool->items + old, 0, (pool->room - old) * sizeof *pool->items);
	}
	pool->items[number].written = written;
	pool->used++;
	return 0;
}

/* Strings share bytes: if one string is the end of another, it takes no bytes of its own, but lies inside the other. */

/* A string in the list that lay_out_pool() sorts.  END is where its bytes end: comparisons begin there. */
struct ending {
	const char *end;
	uint32_t length, number;
	bool cut; /* the bytes are the short form of a string that is too long */
};

/* For qsort(): compare strings from the last byte to the first, and put the greater one first.  Strings that end with S
   then come directly before S. */
static int compare_from_end(const void *a, const void *b)
{
	const struct ending *left = a, *right = b;
	const uint32_t common = left->length < right->length ? left->length : right->length;
	const char *p = left->end, *q = right->end;
	for (uint32_t i = 0; i < common; i++)
		if (*--p != *--q)
			return (unsigned char)*q - (unsigned char)*p;
	if (left->length != right->length)
		return left->length > right->length ? -1 : 1;
	return (left->number > right->number) - (left->number < right->number);
}

/* Whether END is equal to the last bytes of WHOLE, and may share them.  Look-ups find the full text of a cut string by
   the offset of its short form, so no other string may have the offset of a short form. */
static bool can_lie_inside(const struct ending *end, const struct ending *whole)
{
	return !end->cut && !(whole->cut && whole->length == end->length) && end->length <= whole->length &&
	       memcmp(whole->end - end->length, end->end - end->length, end->length) == 0;
}

/* Compute the places of all strings of POOL, and store in *RET_SIZE how many bytes they take together.  Returns 0, or
   -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for 4 GiB or more. */
static int lay_out_pool(struct pool *pool, uint32_t *ret_size, struct rossym_error *err)
{
	struct ending *list = rs_alloc((size_t)pool->used + 1, sizeof *list);
	if (!list)
		return rs_fail_memory(err);
	uint32_t count = 0;
	for (uint32_t i = 1; i < pool->room; i++) {
		const uint32_t written = pool->items[i].written,
			       length = written ? rs_string_length(pool->strings, written) : 0;
		if (written)
			list[count++] = (struct ending){ rs_string(pool->strings, written) + length, length, i,
							 written != i };
	}
	qsort(list, count, sizeof *list, compare_from_end);

	uint64_t size = 1; /* the empty string at offset 0 */
	for (uint32_t i = 0, last = 0; i < count && size <= UINT32_MAX; i++) {
		const bool inside = i > 0 && can_lie_inside(&list[i], &list[i - 1]);
		if (inside) {
			last += list[i - 1].length - list[i].length;
		} else {
			last = (uint32_t)size;
			size += (uint64_t)list[i].length + 1;
		}
		pool->items[list[i].number].place = last;
	}
	rs_free(list);
	if (size > UINT32_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "the strings of the table have 4 GiB or more");
	*ret_size = (uint32_t)size;
	return 0;
}

/* Write the strings of POOL to TO, an array of zeros with the size that lay_out_pool() has stored in *RET_SIZE. */
static void write_pool(const struct pool *pool, uint8_t *to)
{
	for (uint32_t i = 1; i < pool->room; i++) {
		const uint32_t written = pool->items[i].written;
		if (written)
			memcpy(to + pool->items[i].place, rs_string(pool->strings, written),
			       rs_string_length(pool->strings, written));
	}
}

/* ------------------------------------------------------------------------------------------------ short forms */

/* Strings of rows have at most 255 bytes, because the ReactOS kernel debugger copies them into 256 bytes of its stack.
   For a longer string the table has a short form, and the block has the whole string. */

static bool is_utf8_continuation(char c)
{
	return ((uint8_t)c & 0xc0) == 0x80;
}

/* Cut TEXT, which has *LENGTH bytes, to at most RS_STRING_LENGTH_MAX: keep the beginning of a name, and the end of a
   path.  Returns where that part begins, and stores its length in *LENGTH.  No UTF-8 character is cut in two. */
static const char *cut_text(const char *text, uint32_t *length, bool path)
{
	const char *begin = path ? text + (*length - RS_STRING_LENGTH_MAX) : text, *end = begin + RS_STRING_LENGTH_MAX;
	for (int i = 0; i < 3 && path && is_utf8_continuation(*begin); i++)
		begin++;
	for (int i = 0; i < 3 && is_utf8_continuation(*end); i++) /* a path has its NUL here */
		end--;
	*length = (uint32_t)(end - begin);
	return begin;
}

/* Make a short form of string NUMBER, which is too long, and is a path if PATH, else the name of a function.  Store the
   number of the short form in *RET.  Returns 0 or -1. */
static int make_short_form(struct rossym_builder *builder, uint32_t number, bool path, uint32_t *ret,
			   struct rossym_error *err)
{
	const struct rossym_builder_options *options = &builder->options;
	struct rs_string_table *strings = builder->strings.strings;
	const char *text = rs_string(strings, number);
	uint32_t length = rs_string_length(strings, number);
	const char *other = options->shorten && !path ? options->shorten(options->context, text) : NULL;
	size_t other_length = other ? strlen(other) : 0;
	if (other_length > 0 && other_length <= RS_STRING_LENGTH_MAX) {
		text = other;
		length = (uint32_t)other_length;
	} else {
		text = cut_text(text, &length, path);
	}
	return rs_strings_add(strings, text, length, ret, err);
}

/* Add the string with this NUMBER to the strings of rows.  PATH: it is a path; else the name of a function.  Returns 0
   or -1. */
static int add_row_string(struct rossym_builder *builder, uint32_t number, bool path, struct rossym_error *err)
{
	struct pool *pool = &builder->strings;
	uint32_t written = number;
	if (number == 0 || is_in_pool(pool, number))
		return 0;
	const bool cut = rs_string_length(pool->strings, number) > RS_STRING_LENGTH_MAX;
	if ((cut && make_short_form(builder, number, path, &written, err) < 0) ||
	    add_to_pool(pool, number, written, err) < 0)
		return -1;
	builder->cut_functions += cut && !path;
	builder->cut_files += cut && path;
	return 0;
}

/* ------------------------------------------------------------------------------------------------- rows */

static bool are_rows_outermost(const struct rossym_builder *builder)
{
	return builder->options.flags & ROSSYM_BUILD_ENTRY_OUTER;
}

/* ROW is the innermost frame at its address: make it the outermost one.  The old content of ROW becomes the first frame
   of its new chain, and the frames between the innermost and the outermost follow.  Returns 0 or -1. */
static int replace_row_by_outermost(struct rossym_builder *builder, struct rs_new_row *row, struct rossym_error *err)
{
	const struct rs_frame *frames = builder->draft.frames.items, *outermost;
	struct rs_frame chain[RS_CHAIN_MAX];
	uint32_t count = 1, at = row->frame, frame = 0;
	chain[0] = (struct rs_frame){ .function = row->function, .file = row->file, .line = row->line };
	for (; frames[at - 1].next; at = frames[at - 1].next)
		chain[count++] = frames[at - 1];
	outermost = &frames[at - 1];
	while (count-- > 0) {
		chain[count].next = frame;
		if (rs_frames_add(&builder->inner, chain[count], &frame, err) < 0)
			return -1;
	}
	*row = (struct rs_new_row){ row->rva, outermost->function, outermost->file, outermost->line, frame };
	return 0;
}

/* Process the rows that were added to the draft since the last call: replace each by its outermost frame if
   ROSSYM_BUILD_ENTRY_OUTER is set, and add its strings to the pool.  Most rows have the same strings as the row before
   them; these strings are not added again.  Returns 0 or -1. */
static int accept_new_rows(struct rossym_builder *builder, struct rossym_error *err)
{
	struct rs_new_row *rows = builder->draft.rows.items, before = { .function = 0 };
	if (builder->accepted > 0)
		before = rows[builder->accepted - 1];
	for (; builder->accepted < builder->draft.rows.count; builder->accepted++) {
		struct rs_new_row row = rows[builder->accepted];
		if (row.frame && are_rows_outermost(builder) && replace_row_by_outermost(builder, &row, err) < 0)
			return -1;
		if ((row.function != before.function && add_row_string(builder, row.function, false, err) < 0) ||
		    (row.file != before.file && add_row_string(builder, row.file, true, err) < 0))
			return -1;
		rows[builder->accepted] = before = row;
	}
	return 0;
}

int rossym_builder_add(struct rossym_builder *builder, const struct rossym_new_row *given, struct rossym_error *err)
{
	struct rs_draft *draft = &builder->draft;
	struct rossym_new_row row;
	if (rs_sized_copy_in(&row, sizeof row, sizeof row, given, err) < 0)
		return -1;
	if (row.rva > UINT32_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a row at 0x%" PRIx64 ": addresses have 32 bits", row.rva);
	if (row.outer > draft->frames.count)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a row at 0x%" PRIx64 ": there is no frame %" PRIu32, row.rva,
			       row.outer);
	struct rs_new_row new = { .rva = (uint32_t)row.rva, .line = row.line, .frame = row.outer };
	if (rs_strings_add_text(draft->strings, row.function, &new.function, err) < 0 ||
	    rs_strings_add_text(draft->strings, row.file, &new.file, err) < 0 ||
	    rs_rows_add(&draft->rows, new, err) < 0)
		return -1;
	if (accept_new_rows(builder, err) < 0) {
		draft->rows.count--;
		return -1;
	}
	return 0;
}

/* --------------------------------------------------------------------------------- adding frames and functions */

int rossym_builder_add_frame(struct rossym_builder *builder, const struct rossym_new_frame *given, uint32_t *ret,
			     struct rossym_error *err)
{
	struct rs_draft *draft = &builder->draft;
	struct rossym_new_frame frame;
	if (rs_sized_copy_in(&frame, sizeof frame, sizeof frame, given, err) < 0)
		return -1;
	if (frame.next > draft->frames.count)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "there is no frame %" PRIu32, frame.next);
	struct rs_frame new = { .line = frame.line, .next = frame.next };
	if (rs_strings_add_text(draft->strings, frame.function, &new.function, err) < 0 ||
	    rs_strings_add_text(draft->strings, frame.file, &new.file, err) < 0)
		return -1;
	return rs_frames_add(&draft->frames, new, ret, err);
}

int rossym_builder_add_function(struct rossym_builder *builder, const struct rossym_new_function *given,
				struct rossym_error *err)
{
	struct rossym_new_function function;
	if (rs_sized_copy_in(&function, sizeof function, sizeof function, given, err) < 0)
		return -1;
	if (function.length > UINT32_MAX - function.rva)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a function at 0x%" PRIx32 ": addresses have 32 bits",
			       function.rva);
	struct rs_new_function new = { .rva = function.rva, .length = function.length };
	if (rs_check_name(function.name, err) < 0 ||
	    rs_strings_add_text(builder->draft.strings, function.name, &new.name, err) < 0)
		return -1;
	return rs_draft_add_function(&builder->draft, new, err);
}

/* ------------------------------------------------------------------------------------------------ the block */

/* The block has what rows have no room for: the frames around inlined calls, functions with their ends, and strings
   that were cut.  The block is made after the table's strings are laid out, and has only the strings that the table
   lacks.  The order of frames and strings does not depend on the order in which they were added. */

/* The chunks of the block, in the order in which they are written. */
enum { LONGS, FRAMES, RUNS, FUNCTIONS, NAMES, LISTS };

struct new_block {
	const struct rs_draft *draft;
	const struct rs_frames *frames;
	const struct pool *strings; /* the table's strings, laid out */
	uint32_t table_strings_size;
	struct pool own;       /* the strings that only the block has */
	uint32_t strings_size; /* bytes of the strings in `own` */
	/* Until make_references(), the lists have numbers of strings in place of references to strings. */
	struct rs_records lists[LISTS];
};

/* Add a record to LIST, which must have room for it.  Returns the array of its numbers, for the caller to fill. */
static uint32_t *add_record(struct rs_records *list)
{
	return &list->numbers[(size_t)list->count++ * list->columns];
}

/* Collect the strings that were cut, sorted by the places of their short forms. */
static void list_cut_strings(struct new_block *block)
{
	const struct pool *pool = block->strings;
	struct rs_records *list = &block->lists[LONGS];
	for (uint32_t i = 1; i < pool->room; i++)
		if (pool->items[i].written != 0 && pool->items[i].written != i) {
			uint32_t *record = add_record(list);
			record[RS_LONG_SHORT] = pool->items[i].place;
			record[RS_LONG_WHOLE] = i;
		}
	rs_sort(list->numbers, list->count, RS_LONG_COLUMNS * sizeof *list->numbers, rs_compare_one_number);
}

/* Go through the rows in order, and collect the frames of their chains, and the runs.  A run is a sequence of rows with
   the same chain.  A frame gets a higher number than the next frame of its chain.  A frame that is in no chain is left
   out.  Returns 0 or -1. */
static int collect_frames(struct new_block *block, struct rossym_error *err)
{
	const struct rs_frames *frames = block->frames;
	const struct rs_rows *rows = &block->draft->rows;
	struct rs_records *list = &block->lists[FRAMES];
	/* By a frame's number in `frames`: 1 + its number in the block, or 0 if it has none yet; numbers[0] is 0. */
	uint32_t *numbers = rs_alloc((size_t)frames->count + 1, sizeof *numbers);
	if (!numbers)
		return rs_fail_memory(err);
	uint32_t last = 0, chain[RS_CHAIN_MAX];
	for (uint32_t i = 0; i < rows->count; i++) {
		uint32_t frame = rows->items[i].frame, count = 0;
		for (uint32_t at = frame; at && !numbers[at]; at = frames->items[at - 1].next)
			chain[count++] = at;
		while (count-- > 0) {
			const struct rs_frame *new = &frames->items[chain[count] - 1];
			uint32_t *record = add_record(list);
			record[RS_FRAME_FUNCTION] = new->function;
			record[RS_FRAME_FILE] = new->file;
			record[RS_FRAME_LINE] = new->line;
			record[RS_FRAME_NEXT] = numbers[new->next] - 1; /* 0 - 1 is RS_BLOCK_NONE */
			numbers[chain[count]] = list->count;
		}
		if (frame != last) {
			uint32_t *run = add_record(&block->lists[RUNS]);
			run[RS_RUN_ROW] = i;
			run[RS_RUN_FRAME] = numbers[frame] - 1;
			last = frame;
		}
	}
	rs_free(numbers);
	return 0;
}

/* Put functions into the list FUNCTIONS; put other names of code, such as aliases, which have no length, into NAMES. */
static void collect_functions(struct new_block *block)
{
	for (uint32_t i = 0; i < block->draft->function_count; i++) {
		const struct rs_new_function *function = &block->draft->functions[i];
		uint32_t *record = add_record(&block->lists[function->length > 0 ? FUNCTIONS : NAMES]);
		record[RS_FUNCTION_RVA] = function->rva;
		record[RS_FUNCTION_LENGTH] = function->length;
		record[RS_FUNCTION_NAME] = function->name;
	}
}

/* ----------------------------------------------------------------------------------------------- references */

/* Whether the table's strings contain the string with this NUMBER uncut.  They always contain "". */
static bool is_whole_in_table(const struct new_block *block, uint32_t number)
{
	return number == 0 || (is_in_pool(block->strings, number) && block->strings->items[number].written == number);
}

/* For each string in COLUMN of LIST: if the table does not have it uncut, add it to block->own.  Returns 0 or -1. */
static int add_own_strings(struct new_block *block, const struct rs_records *list, unsigned column,
			   struct rossym_error *err)
{
	for (size_t i = column; i < (size_t)list->count * list->columns; i += list->columns) {
		const uint32_t number = list->numbers[i];
		if (!is_whole_in_table(block, number) && !is_in_pool(&block->own, number) &&
		    add_to_pool(&block->own, number, number, err) < 0)
			return -1;
	}
	return 0;
}

/* Replace the numbers of strings in COLUMN of LIST by references.  If the table has a string uncut, its reference is
   its place in the table's strings; else the size of the table's strings plus the string's place in block->own. */
static void make_references(const struct new_block *block, struct rs_records *list, unsigned column)
{
	for (size_t i = column; i < (size_t)list->count * list->columns; i += list->columns) {
		const uint32_t number = list->numbers[i];
		list->numbers[i] = is_whole_in_table(block, number)
					   ? get_place_in_pool(block->strings, number)
					   : block->table_strings_size + get_place_in_pool(&block->own, number);
	}
}

/* Make the lists of BLOCK.  INNER: rows are outermost frames; their chains have the inner ones.  Returns 0 or -1. */
static int make_block_lists(struct new_block *block, bool inner, struct rossym_error *err)
{
	static const struct {
		uint8_t list, column;
	} strings[] = { { LONGS, RS_LONG_WHOLE },
			{ FRAMES, RS_FRAME_FUNCTION },
			{ FRAMES, RS_FRAME_FILE },
			{ FUNCTIONS, RS_FUNCTION_NAME },
			{ NAMES, RS_FUNCTION_NAME } };
	enum { STRINGS = sizeof strings / sizeof *strings };
	/* `frame_columns`: bit n is set if column n has numbers of frames; `room`: the most records of the list */
	const struct {
		uint32_t tag;
		unsigned columns, frame_columns;
		uint32_t room;
	} lists[LISTS] = {
		[LONGS] = { RS_TAG_LONG, RS_LONG_COLUMNS, 0, block->strings->used },
		[FRAMES] = { inner ? RS_TAG_INNER : RS_TAG_OUTER, RS_FRAME_COLUMNS, 1U << RS_FRAME_NEXT,
			     block->frames->count },
		[RUNS] = { RS_TAG_MAP, RS_RUN_COLUMNS, 1U << RS_RUN_FRAME,
			   block->frames->count ? block->draft->rows.count : 0 },
		[FUNCTIONS] = { RS_TAG_FUNCTIONS, RS_FUNCTION_COLUMNS, 0, block->draft->function_count },
		[NAMES] = { RS_TAG_NAMES, RS_FUNCTION_COLUMNS, 0, block->draft->function_count },
	};
	for (int i = 0; i < LISTS; i++) {
		if (rs_records_open(&block->lists[i], lists[i].tag, lists[i].columns, lists[i].frame_columns,
				    lists[i].room, err) < 0)
			return -1;
		block->lists[i].count = 0;
	}
	list_cut_strings(block);
	collect_functions(block);
	if (collect_frames(block, err) < 0)
		return -1;
	block->own.strings = block->strings->strings;
	for (int i = 0; i < STRINGS; i++)
		if (add_own_strings(block, &block->lists[strings[i].list], strings[i].column, err) < 0)
			return -1;
	if (block->own.used > 0 && lay_out_pool(&block->own, &block->strings_size, err) < 0)
		return -1;
	if (block->strings_size > UINT32_MAX - block->table_strings_size)
		return rs_fail(err, ROSSYM_EREFUSED, 0,
			       "the table's strings and those of inlined calls have 4 GiB or more");
	for (int i = 0; i < STRINGS; i++)
		make_references(block, &block->lists[strings[i].list], strings[i].column);
	return 0;
}

static void clear_block(struct new_block *block)
{
	rs_free(block->own.items);
	for (int i = 0; i < LISTS; i++)
		rs_free(block->lists[i].numbers);
}

/* ------------------------------------------------------------------------------------------------ the table */

/* Write the table and its block to new memory, places->bytes, which the caller frees with rs_free().  If SEALED is
   false, the block gets no checksums.  Returns 0 or -1. */
static int write_table(struct new_block *block, bool sealed, struct rs_table_places *places, struct rossym_error *err)
{
	const struct rs_rows *rows = &block->draft->rows;
	if (rs_table_make(places, (uint64_t)rows->count * RS_ROW_SIZE, block->table_strings_size, block->lists, LISTS,
			  block->strings_size, err) < 0)
		return -1;
	uint8_t *to = places->rows;
	for (uint32_t i = 0; i < rows->count; i++, to += RS_ROW_SIZE) {
		const struct rs_new_row *row = &rows->items[i];
		rs_put32(to + RS_ROW_ADDRESS, row->rva);
		rs_put32(to + RS_ROW_FUNCTION, get_place_in_pool(block->strings, row->function));
		rs_put32(to + RS_ROW_FILE, get_place_in_pool(block->strings, row->file));
		rs_put32(to + RS_ROW_LINE, row->line);
	}
	write_pool(block->strings, places->strings);
	if (places->own)
		write_pool(&block->own, places->own);
	rs_table_write_block_header(places, rows->count, sealed);
	return 0;
}

int rossym_builder_finish(struct rossym_builder *builder, struct rossym_built *ret, struct rossym_error *err)
{
	return rs_builder_finish(builder, true, ret, err);
}

int rs_builder_finish(struct rossym_builder *builder, bool sealed, struct rossym_built *ret, struct rossym_error *err)
{
	struct rs_draft *draft = &builder->draft;
	const bool inner = are_rows_outermost(builder);
	struct new_block block = { .draft = draft,
				   .frames = inner ? &builder->inner : &draft->frames,
				   .strings = &builder->strings };
	struct rs_table_places places;
	if (rs_sized_check(ret, sizeof *ret, err) < 0 || accept_new_rows(builder, err) < 0)
		return -1;
	rs_stable_sort(draft->rows.items, draft->rows.count, sizeof *draft->rows.items, rs_compare_one_number);
	if (lay_out_pool(&builder->strings, &block.table_strings_size, err) < 0)
		return -1;
	const bool has_block = !(builder->options.flags & ROSSYM_BUILD_NO_BLOCK);
	rs_draft_sort_functions(draft);
	int r = has_block ? make_block_lists(&block, inner, err) : 0;
	if (r == 0)
		r = write_table(&block, sealed, &places, err);
	clear_block(&block);
	if (r < 0)
		return -1;
	void *bytes = places.bytes;
	if (builder->options.flags & ROSSYM_BUILD_PACKED) {
		r = rossym_pack(places.bytes, places.size, 0, &bytes, &places.size, err);
		rs_free(places.bytes);
		if (r < 0)
			return -1;
	}
	const struct rossym_built built = {
		.bytes = bytes,
		.bytes_size = places.size,
		.rows = draft->rows.count,
		.strings_size = block.table_strings_size,
		.cut_functions = builder->cut_functions,
		.cut_files = builder->cut_files,
		.block_size = places.block_size,
		.frames = block.lists[FRAMES].count,
		.runs = block.lists[RUNS].count,
		.functions = block.lists[FUNCTIONS].count,
		.long_strings = block.lists[LONGS].count,
		.names = block.lists[NAMES].count,
	};
	rs_sized_fill(ret, &built, sizeof built);
	return 0;
}
