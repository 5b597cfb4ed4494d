// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * build.c - makes the bytes of a .rossym section from rows, frames and functions
 *
 * These are the functions of rossym-write.h for builders.  rossym_builder_add() and others store what they are given;
 * rossym_builder_finish() sorts the rows, lays out the strings, makes the block (for what rows have no room), writes
 * the bytes, and packs them if ROSSYM_BUILD_PACKED is set.
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
	unsigned flags;
	struct rs_draft draft;
	struct rs_string_table own; /* the draft's strings, unless rs_builder_share_draft() was called with others */
	struct pool strings;	    /* the strings of the rows */
	const char *(*shorten)(void *context, const char *name); /* as in struct rossym_builder_options */
	void *context;
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
	builder->flags = options.flags;
	builder->shorten = options.shorten;
	builder->context = options.context;
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
	bool cut; /* the bytes are a short form */
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

/* Whether the string END can lie inside the string WHOLE, at its end.  Look-ups find the whole form of a cut string by
   the offset of its short form, so no other string may have that offset. */
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
	if (!path) {
		*length = RS_STRING_LENGTH_MAX;
		for (int i = 0; i < 3 && is_utf8_continuation(text[*length]); i++)
			--*length;
		return text;
	}
	text += *length - RS_STRING_LENGTH_MAX;
	*length = RS_STRING_LENGTH_MAX;
	for (int i = 0; i < 3 && is_utf8_continuation(*text); i++) {
		text++;
		--*length;
	}
	return text;
}

/* Store in *RET the number of the short form of string NUMBER, which is too long.  PATH: it is a path; else the name of
   a function.  Returns 0 or -1. */
static int make_short_form(struct rossym_builder *builder, uint32_t number, bool path, uint32_t *ret,
			   struct rossym_error *err)
{
	struct rs_string_table *strings = builder->strings.strings;
	const char *text = rs_string(strings, number);
	uint32_t length = rs_string_length(strings, number);
	const char *other = builder->shorten && !path ? builder->shorten(builder->context, text) : NULL;
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
	return builder->flags & ROSSYM_BUILD_ENTRY_OUTER;
}

/* Replace ROW by its outermost frame.  The frame that ROW was before becomes the first frame of its chain, and the
   frames between the two follow.  Returns 0 or -1. */
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
   ROSSYM_BUILD_ENTRY_OUTER is set, and add its strings to the pool.  Most rows have the strings of the row before, so
   skip those.  Returns 0 or -1. */
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
	uint32_t *frame_numbers; /* by a frame's number in `frames`: 1 + its number in the block; 0: not written */
	uint32_t *frame_order;	 /* by a frame's number in the block: its number in `frames` */
	uint32_t *references;	 /* by a string's number: the reference to it */
	struct pool own;	 /* the strings that only the block has */
	uint32_t strings_size;	 /* bytes of the strings in `own` */
	uint32_t frame_count, runs;
	uint32_t name_count; /* how many of the functions are only names: their length is 0 */
	struct rs_records lists[LISTS];
};

/* ------------------------------------------------------------------------------------------------ frames */

/* Go through the rows in order, and number the frames of their chains.  A frame gets a higher number than the next
   frame of its chain.  A frame that is in no chain gets no number, so it is not written.  Count the runs, too: rows
   with the same chain that follow each other.  Returns 0 or -1. */
static int number_frames(struct new_block *block, struct rossym_error *err)
{
	const struct rs_frames *frames = block->frames;
	const struct rs_rows *rows = &block->draft->rows;
	block->frame_numbers = rs_alloc((size_t)frames->count + 1, sizeof *block->frame_numbers);
	block->frame_order = rs_alloc((size_t)frames->count + 1, sizeof *block->frame_order);
	if (!block->frame_numbers || !block->frame_order)
		return rs_fail_memory(err);
	uint32_t last = 0, chain[RS_CHAIN_MAX];
	for (uint32_t i = 0; i < rows->count; i++) {
		uint32_t frame = rows->items[i].frame, count = 0;
		block->runs += frame != last;
		last = frame;
		for (; frame && !block->frame_numbers[frame]; frame = frames->items[frame - 1].next)
			chain[count++] = frame;
		while (count-- > 0) {
			block->frame_order[block->frame_count] = chain[count];
			block->frame_numbers[chain[count]] = ++block->frame_count;
		}
	}
	return 0;
}

/* ----------------------------------------------------------------------------------------------- strings */

/* Make the list of the COUNT strings that were cut, sorted by the places of their short forms.  For now the list has
   numbers of whole strings; make_block_lists() replaces them by references.  Returns 0 or -1. */
static int list_cut_strings(struct new_block *block, uint32_t count, struct rossym_error *err)
{
	const struct pool *pool = block->strings;
	struct rs_records *list = &block->lists[LONGS];
	if (rs_records_open(list, RS_TAG_LONG, RS_LONG_COLUMNS, 0, count, err) < 0)
		return -1;
	uint32_t *numbers = list->numbers;
	for (uint32_t i = 1; i < pool->room && count > 0; i++)
		if (pool->items[i].written != 0 && pool->items[i].written != i) {
			numbers[RS_LONG_SHORT] = pool->items[i].place;
			numbers[RS_LONG_WHOLE] = i;
			numbers += RS_LONG_COLUMNS;
			count--;
		}
	rs_sort(list->numbers, list->count, RS_LONG_COLUMNS * sizeof *list->numbers, rs_compare_one_number);
	return 0;
}

/* Set block->references to 1 for each string that something in the block refers to. */
static void mark_referenced_strings(const struct new_block *block)
{
	const struct rs_frames *frames = block->frames;
	for (uint32_t i = 1; i <= frames->count; i++)
		if (block->frame_numbers[i]) {
			block->references[frames->items[i - 1].function] = 1;
			block->references[frames->items[i - 1].file] = 1;
		}
	for (uint32_t i = 0; i < block->draft->function_count; i++)
		block->references[block->draft->functions[i].name] = 1;
	for (uint32_t i = 0; i < block->lists[LONGS].count; i++)
		block->references[block->lists[LONGS].numbers[(size_t)i * RS_LONG_COLUMNS + RS_LONG_WHOLE]] = 1;
}

/* Make a reference to each string that the block needs: its offset in the table's strings, if the table has it whole;
   else the size of the table's strings plus its offset in the block's own.  Returns 0 or -1. */
static int make_references(struct new_block *block, struct rossym_error *err)
{
	struct pool *own = &block->own;
	const struct pool *table = block->strings;
	const uint32_t count = table->strings->count;
	block->references = rs_alloc(count, sizeof *block->references);
	if (!block->references)
		return rs_fail_memory(err);
	mark_referenced_strings(block);
	block->references[0] = 0; /* "" */
	own->strings = table->strings;
	for (uint32_t i = 1; i < count; i++) {
		if (block->references[i] == 0)
			continue;
		if (i < table->room && table->items[i].written == i)
			block->references[i] = table->items[i].place;
		else if (add_to_pool(own, i, i, err) < 0)
			return -1;
	}
	if (own->used == 0)
		return 0;
	if (lay_out_pool(own, &block->strings_size, err) < 0)
		return -1;
	if (block->strings_size > UINT32_MAX - block->table_strings_size)
		return rs_fail(err, ROSSYM_EREFUSED, 0,
			       "the table's strings and those of inlined calls have 4 GiB or more");
	for (uint32_t i = 1; i < count; i++)
		if (is_in_pool(own, i))
			block->references[i] = block->table_strings_size + get_place_in_pool(own, i);
	return 0;
}

/* ----------------------------------------------------------------------------------------------- records */

static int collect_frames(struct new_block *block, uint32_t tag, struct rossym_error *err)
{
	struct rs_records *records = &block->lists[FRAMES];
	if (rs_records_open(records, tag, RS_FRAME_COLUMNS, 1U << RS_FRAME_NEXT, block->frame_count, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < block->frame_count; i++, numbers += RS_FRAME_COLUMNS) {
		const struct rs_frame *frame = &block->frames->items[block->frame_order[i] - 1];
		numbers[RS_FRAME_FUNCTION] = block->references[frame->function];
		numbers[RS_FRAME_FILE] = block->references[frame->file];
		numbers[RS_FRAME_LINE] = frame->line;
		/* frame_numbers[0] is 0, for no frame, and 0 - 1 is RS_BLOCK_NONE. */
		numbers[RS_FRAME_NEXT] = block->frame_numbers[frame->next] - 1;
	}
	return 0;
}

static int collect_runs(struct new_block *block, struct rossym_error *err)
{
	struct rs_records *records = &block->lists[RUNS];
	const struct rs_rows *rows = &block->draft->rows;
	if (rs_records_open(records, RS_TAG_MAP, RS_RUN_COLUMNS, 1U << RS_RUN_FRAME, block->runs, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers, last = 0;
	for (uint32_t i = 0; i < rows->count; i++) {
		uint32_t frame = rows->items[i].frame;
		if (frame == last)
			continue;
		last = frame;
		numbers[RS_RUN_ROW] = i;
		numbers[RS_RUN_FRAME] = block->frame_numbers[frame] - 1;
		numbers += RS_RUN_COLUMNS;
	}
	return 0;
}

/* Collect the functions; or if NAMES, the other names of code, which have a chunk of their own.  Returns 0 or -1. */
static int collect_functions(struct new_block *block, bool names, struct rossym_error *err)
{
	struct rs_records *records = &block->lists[names ? NAMES : FUNCTIONS];
	const uint32_t count = names ? block->name_count : block->draft->function_count - block->name_count;
	if (rs_records_open(records, names ? RS_TAG_NAMES : RS_TAG_FUNCTIONS, RS_FUNCTION_COLUMNS, 0, count, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < block->draft->function_count; i++) {
		const struct rs_new_function *function = &block->draft->functions[i];
		if ((function->length == 0) != names)
			continue;
		numbers[RS_FUNCTION_RVA] = function->rva;
		numbers[RS_FUNCTION_LENGTH] = function->length;
		numbers[RS_FUNCTION_NAME] = block->references[function->name];
		numbers += RS_FUNCTION_COLUMNS;
	}
	return 0;
}

/* Make the lists of BLOCK.  INNER: each row is the outermost frame of its chain.  CUT is how many strings of rows were
   cut.  Returns 0 or -1. */
static int make_block_lists(struct new_block *block, bool inner, uint32_t cut, struct rossym_error *err)
{
	for (uint32_t i = 0; i < block->draft->function_count; i++)
		block->name_count += block->draft->functions[i].length == 0;
	if (number_frames(block, err) < 0 || list_cut_strings(block, cut, err) < 0 || make_references(block, err) < 0)
		return -1;
	for (uint32_t i = 0; i < block->lists[LONGS].count; i++) {
		uint32_t *whole = &block->lists[LONGS].numbers[(size_t)i * RS_LONG_COLUMNS + RS_LONG_WHOLE];
		*whole = block->references[*whole];
	}
	return collect_frames(block, inner ? RS_TAG_INNER : RS_TAG_OUTER, err) < 0 || collect_runs(block, err) < 0 ||
			       collect_functions(block, false, err) < 0 || collect_functions(block, true, err) < 0
		       ? -1
		       : 0;
}

static void clear_block(struct new_block *block)
{
	rs_free(block->frame_numbers);
	rs_free(block->frame_order);
	rs_free(block->references);
	rs_free(block->own.items);
	for (int i = 0; i < LISTS; i++)
		rs_free(block->lists[i].numbers);
}

/* ------------------------------------------------------------------------------------------------ the table */

/* Write the table and its block, SEALED as for rs_builder_finish().  Returns the bytes, to be rs_free()d, and stores
   their number, and the size of the block; NULL on an error. */
static uint8_t *write_table(struct new_block *block, bool sealed, size_t *ret_size, uint32_t *ret_block,
			    struct rossym_error *err)
{
	const struct rs_rows *rows = &block->draft->rows;
	struct rs_table_places places;
	if (rs_table_make(&places, (uint64_t)rows->count * RS_ROW_SIZE, block->table_strings_size, block->lists, LISTS,
			  block->strings_size, err) < 0)
		return NULL;
	uint8_t *to = places.rows;
	for (uint32_t i = 0; i < rows->count; i++, to += RS_ROW_SIZE) {
		const struct rs_new_row *row = &rows->items[i];
		rs_put32(to + RS_ROW_ADDRESS, row->rva);
		rs_put32(to + RS_ROW_FUNCTION, get_place_in_pool(block->strings, row->function));
		rs_put32(to + RS_ROW_FILE, get_place_in_pool(block->strings, row->file));
		rs_put32(to + RS_ROW_LINE, row->line);
	}
	write_pool(block->strings, places.strings);
	if (places.own)
		write_pool(&block->own, places.own);
	rs_table_write_block_header(&places, rows->count, sealed);
	*ret_size = places.size;
	*ret_block = places.block_size;
	return places.bytes;
}

/* Pack the table in the *SIZE bytes at BYTES, and free BYTES.  Returns the packed table, to be rs_free()d, and stores
   its size in *SIZE; NULL on an error. */
static uint8_t *pack_table_bytes(uint8_t *bytes, size_t *size, struct rossym_error *err)
{
	void *packed = NULL;
	rossym_pack(bytes, *size, 0, &packed, size, err);
	rs_free(bytes);
	return packed;
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
	size_t size;
	if (rs_sized_check(ret, sizeof *ret, err) < 0 || accept_new_rows(builder, err) < 0)
		return -1;
	rs_stable_sort(draft->rows.items, draft->rows.count, sizeof *draft->rows.items, rs_compare_one_number);
	if (lay_out_pool(&builder->strings, &block.table_strings_size, err) < 0)
		return -1;
	const bool has_block = !(builder->flags & ROSSYM_BUILD_NO_BLOCK);
	uint32_t block_size = 0;
	rs_draft_sort_functions(draft);
	uint8_t *bytes = !has_block || make_block_lists(&block, inner, builder->cut_functions + builder->cut_files,
							err) == 0
				 ? write_table(&block, sealed, &size, &block_size, err)
				 : NULL;
	clear_block(&block);
	if (bytes && builder->flags & ROSSYM_BUILD_PACKED)
		bytes = pack_table_bytes(bytes, &size, err);
	if (!bytes)
		return -1;
	const struct rossym_built built = {
		.bytes = bytes,
		.bytes_size = size,
		.rows = draft->rows.count,
		.strings_size = block.table_strings_size,
		.cut_functions = builder->cut_functions,
		.cut_files = builder->cut_files,
		.block_size = block_size,
		.frames = block.frame_count,
		.runs = block.runs,
		.functions = has_block ? draft->function_count - block.name_count : 0,
		.long_strings = block.lists[LONGS].count,
		.names = block.name_count,
	};
	rs_sized_fill(ret, &built, sizeof built);
	return 0;
}
