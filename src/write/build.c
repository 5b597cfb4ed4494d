// SPDX-License-Identifier: GPL-2.0-or-later
/* build.c - from rows to the bytes of a .rossym section; the public interface says what it takes and makes */
#include "config.h"
#include "rossym-write.h"
#include "lib/alloc.h"
#include "write/block-write.h"
#include "core/bytes.h"
#include "lib/error.h"
#include "core/layout.h"
#include "lib/sized.h"
#include "write/pool.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

struct build_row {
	uint32_t rva;
	uint32_t function, file;	/* numbers in the pool */
	uint32_t line;
	uint32_t frame;			/* the first one around it, or inside it, or 0 */
};

struct rossym_builder {
	struct rossym_builder_options options;
	struct rs_block_draft block;
	/* With ROSSYM_BUILD_ENTRY_OUTER: the frames as they came, in the block's pool; those in its draft are inside out. */
	struct rs_frames outer;
	struct rs_pool pool;
	struct build_row *rows;
	uint32_t row_count, row_room;
	bool sorted;
	uint32_t cut_functions, cut_files;
};

int rossym_builder_create(const struct rossym_builder_options *given, struct rossym_builder **ret,
			  struct rossym_error *err)
{
	struct rossym_builder_options options = { .flags = 0 };
	if (given && rs_sized_take(&options, sizeof options, sizeof options, given, err) < 0)
		return -1;
	unsigned unknown = options.flags & ~(ROSSYM_BUILD_NO_BLOCK | ROSSYM_BUILD_ENTRY_OUTER);
	if (unknown)
		return rs_fail_flags(err, unknown);
	struct rossym_builder *builder = rs_alloc(1, sizeof *builder);
	if (!builder)
		return rs_fail_memory(err);
	builder->options = options;
	builder->block.inner = options.flags & ROSSYM_BUILD_ENTRY_OUTER;
	builder->sorted = true;
	if (rs_pool_open(&builder->pool, err) < 0 || rs_pool_open(&builder->block.strings, err) < 0) {
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
	rs_pool_clear(&builder->pool);
	rs_block_draft_clear(&builder->block);
	rs_frames_clear(&builder->outer);
	rs_free(builder->rows);
	rs_free(builder);
}

/* ---------------------------------------------------------------------------------------------- strings */

static bool continues_character(char c)
{
	return ((uint8_t)c & 0xc0) == 0x80;
}

/* The part of TEXT that fits.  A name keeps its beginning, a path its end, and neither half a UTF-8 character. */
static const char *cut(const char *text, uint32_t *length, bool path)
{
	if (!path) {
		*length = RS_STRING_MAX;
		for (int i = 0; i < 3 && continues_character(text[*length]); i++)
			--*length;
		return text;
	}
	text += *length - RS_STRING_MAX;
	*length = RS_STRING_MAX;
	for (int i = 0; i < 3 && continues_character(*text); i++) {
		text++;
		--*length;
	}
	return text;
}

/* A string of more than RS_STRING_MAX bytes that is new in the pool: find the shorter one that takes its place. */
static int add_short(struct rossym_builder *builder, const char *text, uint32_t length, bool path, uint32_t number,
		     struct rossym_error *err)
{
	const char *other = builder->options.shorten && !path ? builder->options.shorten(builder->options.context, text) : NULL;
	size_t other_length = other ? strlen(other) : 0;
	if (other_length > 0 && other_length <= RS_STRING_MAX) {
		text = other;
		length = (uint32_t)other_length;
	} else {
		text = cut(text, &length, path);
	}
	/* One that has this name already, whole or cut, keeps it apart, so that the block can say which is meant. */
	uint32_t shorter = rs_pool_find(&builder->pool, text, length);
	bool again = shorter && (builder->pool.strings[shorter].named || builder->pool.strings[shorter].taken);
	if ((again ? rs_pool_add_again(&builder->pool, text, length, &shorter, err)
		   : rs_pool_add(&builder->pool, text, length, &shorter, NULL, err)) < 0)
		return -1;
	builder->pool.strings[shorter].taken = true;
	builder->pool.strings[number].stands_for = shorter;
	if (path)
		builder->cut_files++;
	else
		builder->cut_functions++;
	return 0;
}

static int pool_text(struct rs_pool *pool, const char *text, uint32_t *ret, int *added, struct rossym_error *err)
{
	size_t length = strlen(text);
	if (length >= UINT32_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a string of 4 GiB or more");
	return rs_pool_add(pool, text, (uint32_t)length, ret, added, err);
}

static int add_string(struct rossym_builder *builder, const char *text, bool path, uint32_t *ret, struct rossym_error *err)
{
	int added;
	if (pool_text(&builder->pool, text, ret, &added, err) < 0)
		return -1;
	size_t length = builder->pool.strings[*ret].length;
	builder->pool.strings[*ret].named = true;
	/* One that stands for itself although it is too long is left from a call that ran out of memory. */
	if (length > RS_STRING_MAX && (added || builder->pool.strings[*ret].stands_for == *ret))
		return add_short(builder, text, (uint32_t)length, path, *ret, err);
	return 0;
}

/* ------------------------------------------------------------------------------------------------- rows */

static int grow_rows(struct rossym_builder *builder, struct rossym_error *err)
{
	if (builder->row_count < builder->row_room)
		return 0;
	if (builder->row_room > (UINT32_MAX - RS_HEADER_SIZE) / RS_ROW_SIZE / 2)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "more rows than a table can have");
	uint32_t room = builder->row_room ? builder->row_room * 2 : 1024;
	struct build_row *rows = rs_alloc(room, sizeof *rows);
	if (!rows)
		return rs_fail_memory(err);
	if (builder->row_count > 0)
		memcpy(rows, builder->rows, builder->row_count * sizeof *rows);
	rs_free(builder->rows);
	builder->rows = rows;
	builder->row_room = room;
	return 0;
}

/* A string of the block, for the table. */
static int move_string(struct rossym_builder *builder, uint32_t number, bool path, uint32_t *ret, struct rossym_error *err)
{
	const struct rs_pool *from = &builder->block.strings;
	const struct rs_pool_string *string = &from->strings[number];
	char *text = rs_alloc((size_t)string->length + 1, 1);
	if (!text)
		return rs_fail_memory(err);
	memcpy(text, from->text + string->at, string->length);
	int r = add_string(builder, text, path, ret, err);
	rs_free(text);
	return r;
}

/* Make the outermost frame the row, and put the others inside it. */
static int turn_inside_out(struct rossym_builder *builder, const struct rossym_new_row *row, struct build_row *new,
			   struct rossym_error *err)
{
	struct rs_pool *strings = &builder->block.strings;
	struct rs_frame chain[RS_CHAIN_MAX];
	uint32_t count = 1, at = row->outer;
	chain[0] = (struct rs_frame){ .line = row->line };
	if (pool_text(strings, row->function ? row->function : "", &chain[0].function, NULL, err) < 0 ||
	    pool_text(strings, row->file ? row->file : "", &chain[0].file, NULL, err) < 0)
		return -1;
	for (; builder->outer.items[at - 1].next; at = builder->outer.items[at - 1].next)
		chain[count++] = builder->outer.items[at - 1];
	const struct rs_frame *outermost = &builder->outer.items[at - 1];
	while (count-- > 0) {
		chain[count].next = new->frame;
		if (rs_frames_add(&builder->block.frames, chain[count], &new->frame, err) < 0)
			return -1;
	}
	new->line = outermost->line;
	return move_string(builder, outermost->function, false, &new->function, err) < 0 ||
	       move_string(builder, outermost->file, true, &new->file, err) < 0 ? -1 : 0;
}

int rossym_builder_add(struct rossym_builder *builder, const struct rossym_new_row *given, struct rossym_error *err)
{
	struct rossym_new_row row;
	struct build_row new = { .frame = 0 };
	bool turn = builder->options.flags & ROSSYM_BUILD_ENTRY_OUTER;
	const struct rs_frames *frames = turn ? &builder->outer : &builder->block.frames;
	if (rs_sized_take(&row, sizeof row, sizeof row, given, err) < 0)
		return -1;
	if (row.rva > UINT32_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a row at 0x%" PRIx64 ": addresses have 32 bits", row.rva);
	if (row.outer > frames->count)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a row at 0x%" PRIx64 ": there is no frame %" PRIu32, row.rva,
			       row.outer);
	new.rva = (uint32_t)row.rva;
	new.line = row.line;
	if (grow_rows(builder, err) < 0)
		return -1;
	if (turn && row.outer) {
		if (turn_inside_out(builder, &row, &new, err) < 0)
			return -1;
	} else {
		new.frame = row.outer;
		if (add_string(builder, row.function ? row.function : "", false, &new.function, err) < 0 ||
		    add_string(builder, row.file ? row.file : "", true, &new.file, err) < 0)
			return -1;
	}
	if (builder->row_count > 0 && new.rva < builder->rows[builder->row_count - 1].rva)
		builder->sorted = false;
	builder->rows[builder->row_count++] = new;
	return 0;
}

int rossym_builder_add_frame(struct rossym_builder *builder, const struct rossym_new_frame *given, uint32_t *ret,
			     struct rossym_error *err)
{
	struct rs_frames *frames = builder->options.flags & ROSSYM_BUILD_ENTRY_OUTER ? &builder->outer : &builder->block.frames;
	struct rs_pool *strings = &builder->block.strings;
	struct rossym_new_frame frame;
	if (rs_sized_take(&frame, sizeof frame, sizeof frame, given, err) < 0)
		return -1;
	struct rs_frame new = { .line = frame.line, .next = frame.next };
	if (frame.next > frames->count)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "there is no frame %" PRIu32, frame.next);
	if (pool_text(strings, frame.function ? frame.function : "", &new.function, NULL, err) < 0 ||
	    pool_text(strings, frame.file ? frame.file : "", &new.file, NULL, err) < 0)
		return -1;
	return rs_frames_add(frames, new, ret, err);
}

int rossym_builder_add_function(struct rossym_builder *builder, const struct rossym_new_function *given,
				struct rossym_error *err)
{
	struct rossym_new_function function;
	if (rs_sized_take(&function, sizeof function, sizeof function, given, err) < 0)
		return -1;
	struct rs_block_function new = { .rva = function.rva, .length = function.length };
	if (function.length > UINT32_MAX - function.rva)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a function at 0x%" PRIx32 ": addresses have 32 bits", function.rva);
	if (rs_check_name(function.name, err) < 0 ||
	    pool_text(&builder->block.strings, function.name, &new.name, NULL, err) < 0)
		return -1;
	return rs_block_draft_function(&builder->block, new, err);
}

static void merge(const struct build_row *from, struct build_row *to, uint32_t left, uint32_t right, uint32_t end)
{
	for (uint32_t i = left, j = right; left < end; left++)
		to[left] = j == end || (i < right && from[i].rva <= from[j].rva) ? from[i++] : from[j++];
}

/* By address; rows of equal address stay in the order in which they came. */
static int sort_rows(struct rossym_builder *builder, struct rossym_error *err)
{
	if (builder->sorted)
		return 0;
	uint32_t count = builder->row_count;
	struct build_row *to = rs_alloc(count, sizeof *to), *from = builder->rows;
	if (!to)
		return rs_fail_memory(err);
	for (uint64_t width = 1; width < count; width *= 2) {
		for (uint64_t left = 0; left < count; left += 2 * width) {
			uint64_t right = left + width < count ? left + width : count;
			uint64_t end = right + width < count ? right + width : count;
			merge(from, to, (uint32_t)left, (uint32_t)right, (uint32_t)end);
		}
		struct build_row *other = from;
		from = to;
		to = other;
	}
	rs_free(to);
	builder->rows = from;
	builder->row_room = count;	/* which may be less than before: the two have changed places */
	builder->sorted = true;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ bytes */

static void write_rows(const struct rossym_builder *builder, uint8_t *to)
{
	const struct rs_pool_string *strings = builder->pool.strings;
	for (uint32_t i = 0; i < builder->row_count; i++, to += RS_ROW_SIZE) {
		const struct build_row *row = &builder->rows[i];
		rs_put32(to + RS_ROW_ADDRESS, row->rva);
		rs_put32(to + RS_ROW_FUNCTION, strings[row->function].place);
		rs_put32(to + RS_ROW_FILE, strings[row->file].place);
		rs_put32(to + RS_ROW_LINE, row->line);
	}
}

static uint32_t frame_of(const void *rows, uint32_t row)
{
	return ((const struct build_row *)rows)[row].frame;
}

static int make_block(struct rossym_builder *builder, uint32_t strings_size, struct rs_block_made *ret, struct rossym_error *err)
{
	const struct rs_block_table table = { &builder->pool, strings_size, builder->row_count, frame_of, builder->rows };
	*ret = (struct rs_block_made){ .bytes = NULL };
	return builder->options.flags & ROSSYM_BUILD_NO_BLOCK ? 0 : rs_block_make(&builder->block, &table, ret, err);
}

int rossym_builder_finish(struct rossym_builder *builder, struct rossym_built *ret, struct rossym_error *err)
{
	struct rs_block_made block;
	uint32_t strings_size;
	if (rs_sized_check(ret, sizeof *ret, err) < 0)
		return -1;
	if (sort_rows(builder, err) < 0 || rs_pool_lay_out(&builder->pool, &strings_size, err) < 0 ||
	    make_block(builder, strings_size, &block, err) < 0)
		return -1;
	uint64_t rows_size = (uint64_t)builder->row_count * RS_ROW_SIZE;
	uint64_t table_size = RS_HEADER_SIZE + rows_size + strings_size, size = table_size;
	if (block.bytes)
		size = rs_align(table_size, 4) + block.size;
	int ret_value = -1;
	uint8_t *bytes = NULL;
	if (size > UINT32_MAX || size > SIZE_MAX) {
		rs_fail(err, ROSSYM_EREFUSED, 0, "the table has 4 GiB or more");
		goto out;
	}
	bytes = rs_alloc(1, (size_t)size);
	if (!bytes) {
		rs_fail_memory(err);
		goto out;
	}
	rs_put32(bytes + RS_HEADER_SYMBOLS_OFFSET, RS_HEADER_SIZE);
	rs_put32(bytes + RS_HEADER_SYMBOLS_LENGTH, (uint32_t)rows_size);
	rs_put32(bytes + RS_HEADER_STRINGS_OFFSET, (uint32_t)(RS_HEADER_SIZE + rows_size));
	rs_put32(bytes + RS_HEADER_STRINGS_LENGTH, strings_size);
	write_rows(builder, bytes + RS_HEADER_SIZE);
	rs_pool_write(&builder->pool, bytes + RS_HEADER_SIZE + rows_size);
	if (block.bytes) {
		uint8_t *to = bytes + (size - block.size);
		memcpy(to, block.bytes, block.size);
		rs_block_seal(to, block.size, bytes, (size_t)table_size);
	}
	const struct rossym_built built = {
		.bytes = bytes,
		.bytes_size = (size_t)size,
		.rows = builder->row_count,
		.strings_size = strings_size,
		.cut_functions = builder->cut_functions,
		.cut_files = builder->cut_files,
		.block_size = block.size,
		.frames = block.frames,
		.runs = block.runs,
		.functions = block.functions,
		.long_strings = block.long_strings,
	};
	rs_sized_give(ret, &built, sizeof built);
	ret_value = 0;
out:
	rs_free(block.bytes);
	return ret_value;
}

void rossym_free(void *bytes)
{
	rs_free(bytes);
}
