// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * build.c - from rows, frames and functions to the bytes of a .rossym section
 *
 * These are the functions of rossym-write.h for builders.  rossym_builder_add() and others store what they are given;
 * rossym_builder_finish() sorts the rows, lays out the strings, makes the block, writes the bytes and, if asked, packs
 * them.
 */
#include "config.h"
#include "rossym-write.h"
#include "lib/base/alloc.h"
#include "lib/base/chunks.h"
#include "lib/base/sort.h"
#include "write/block-write.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "core/layout.h"
#include "write/pool.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

struct rossym_builder {
	unsigned flags;
	struct rs_draft draft;
	struct rs_string_table own;	 /* the draft's strings, unless rs_builder_draft() was called with others */
	struct rs_short_strings strings; /* the strings of the rows */
	uint32_t accepted;		 /* how many rows process_new_rows() has processed */
	/* For ROSSYM_BUILD_ENTRY_OUTER: the frames of the block.  A row that process_new_rows() has processed is the
	   outermost frame; its chain is in this list and begins with the innermost frame.  A row that it has not yet
	   processed is the innermost frame; its chain is in `draft` and begins with the frame around it. */
	struct rs_frames inner;
};

int rossym_builder_create(const struct rossym_builder_options *given, struct rossym_builder **ret,
			  struct rossym_error *err)
{
	struct rossym_builder_options options = { .flags = 0 };
	const unsigned known = ROSSYM_BUILD_NO_BLOCK | ROSSYM_BUILD_ENTRY_OUTER | ROSSYM_BUILD_PACKED;
	if ((given && rs_sized_take(&options, sizeof options, sizeof options, given, err) < 0) ||
	    rs_check_flags(options.flags, known, err) < 0)
		return -1;
	struct rossym_builder *builder = rs_alloc(1, sizeof *builder);
	if (!builder)
		return rs_fail_memory(err);
	builder->flags = options.flags;
	builder->strings.shorten = options.shorten;
	builder->strings.context = options.context;
	builder->draft.strings = builder->strings.pool.strings = &builder->own;
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
	rs_pool_clear(&builder->strings.pool);
	rs_frames_clear(&builder->inner);
	rs_free(builder);
}

struct rs_draft *rs_builder_draft(struct rossym_builder *builder, struct rs_string_table *strings)
{
	if (strings)
		builder->draft.strings = builder->strings.pool.strings = strings;
	return &builder->draft;
}

/* ------------------------------------------------------------------------------------------------- rows */

static bool are_rows_outermost(const struct rossym_builder *builder)
{
	return builder->flags & ROSSYM_BUILD_ENTRY_OUTER;
}

/* Replace ROW by its outermost frame.  What ROW was, and the frames between, become the chain of ROW, which begins with
   the innermost frame.  Returns 0 or -1. */
static int make_row_outermost(struct rossym_builder *builder, struct rs_new_row *row, struct rossym_error *err)
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

/* Process the rows that were added to the draft since the last call: add their strings to the pool, and make each the
   outermost frame of its chain if ROSSYM_BUILD_ENTRY_OUTER is set.  Returns 0 or -1. */
static int process_new_rows(struct rossym_builder *builder, struct rossym_error *err)
{
	for (; builder->accepted < builder->draft.rows.count; builder->accepted++) {
		struct rs_new_row row = builder->draft.rows.items[builder->accepted];
		if (row.frame && are_rows_outermost(builder) && make_row_outermost(builder, &row, err) < 0)
			return -1;
		if (rs_short_strings_add(&builder->strings, row.function, false, err) < 0 ||
		    rs_short_strings_add(&builder->strings, row.file, true, err) < 0)
			return -1;
		builder->draft.rows.items[builder->accepted] = row;
	}
	return 0;
}

int rossym_builder_add(struct rossym_builder *builder, const struct rossym_new_row *given, struct rossym_error *err)
{
	struct rs_draft *draft = &builder->draft;
	struct rossym_new_row row;
	if (rs_sized_take(&row, sizeof row, sizeof row, given, err) < 0)
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
	if (process_new_rows(builder, err) < 0) {
		draft->rows.count--;
		return -1;
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------ for the block */

int rossym_builder_add_frame(struct rossym_builder *builder, const struct rossym_new_frame *given, uint32_t *ret,
			     struct rossym_error *err)
{
	struct rs_draft *draft = &builder->draft;
	struct rossym_new_frame frame;
	if (rs_sized_take(&frame, sizeof frame, sizeof frame, given, err) < 0)
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
	if (rs_sized_take(&function, sizeof function, sizeof function, given, err) < 0)
		return -1;
	if (function.length > UINT32_MAX - function.rva)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a function at 0x%" PRIx32 ": addresses have 32 bits",
			       function.rva);
	struct rs_new_function new = { .rva = function.rva, .length = function.length };
	if (rs_check_name(function.name, err) < 0 ||
	    rs_strings_add_text(builder->draft.strings, function.name, &new.name, err) < 0)
		return -1;
	return rs_draft_function(&builder->draft, new, err);
}

/* ------------------------------------------------------------------------------------------------ the table */

static int make_block(struct rossym_builder *builder, uint32_t strings_size, struct rs_block_made *ret,
		      struct rossym_error *err)
{
	struct rs_draft *draft = &builder->draft;
	*ret = (struct rs_block_made){ .bytes = NULL };
	if (builder->flags & ROSSYM_BUILD_NO_BLOCK)
		return 0;
	rs_draft_sort_functions(draft);
	const struct rs_block_content content = { .rows = &draft->rows,
						  .frames = are_rows_outermost(builder) ? &builder->inner
											: &draft->frames,
						  .inner = are_rows_outermost(builder),
						  .functions = draft->functions,
						  .function_count = draft->function_count,
						  .strings = &builder->strings.pool,
						  .table_strings_size = strings_size };
	return rs_block_make(&content, ret, err);
}

/* Write the table, without its block, to BYTES, which are zeros.  Returns where it ends. */
static uint8_t *write_table(const struct rossym_builder *builder, uint32_t strings_size, uint8_t *bytes)
{
	uint32_t rows_size = builder->draft.rows.count * RS_ROW_SIZE;
	uint8_t *rows = bytes + RS_HEADER_SIZE, *strings = rows + rows_size;
	rs_table_put_header(bytes, rows_size, RS_HEADER_SIZE + rows_size, strings_size);
	const struct rs_pool *pool = &builder->strings.pool;
	for (uint32_t i = 0; i < builder->draft.rows.count; i++, rows += RS_ROW_SIZE) {
		const struct rs_new_row *row = &builder->draft.rows.items[i];
		rs_put32(rows + RS_ROW_ADDRESS, row->rva);
		rs_put32(rows + RS_ROW_FUNCTION, rs_pool_place(pool, row->function));
		rs_put32(rows + RS_ROW_FILE, rs_pool_place(pool, row->file));
		rs_put32(rows + RS_ROW_LINE, row->line);
	}
	rs_pool_write(pool, strings);
	return strings + strings_size;
}

/* Returns the bytes of the table with BLOCK after it, to be rs_free()d; NULL on an error. */
static uint8_t *make_table_bytes(const struct rossym_builder *builder, uint32_t strings_size,
				 const struct rs_block_made *block, bool sealed, size_t *ret_size,
				 struct rossym_error *err)
{
	uint64_t size = RS_HEADER_SIZE + (uint64_t)builder->draft.rows.count * RS_ROW_SIZE + strings_size;
	if (block->bytes)
		size = rs_align(size, 4) + block->size;
	uint8_t *bytes = rs_table_alloc(size, err);
	if (!bytes)
		return NULL;
	const uint8_t *end = write_table(builder, strings_size, bytes);
	if (block->bytes) {
		uint8_t *to = bytes + (size - block->size);
		memcpy(to, block->bytes, block->size);
		rs_block_seal(to, RS_BLOCK_MAGIC, block->size, builder->draft.rows.count, sealed ? bytes : NULL,
			      (size_t)(end - bytes));
	}
	*ret_size = (size_t)size;
	return bytes;
}

/* Pack the table in the *SIZE bytes at BYTES, and free these.  Returns the packed table, to be rs_free()d, and stores
   its size; NULL on an error. */
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
	struct rs_block_made block;
	uint32_t strings_size;
	size_t size;
	if (rs_sized_check(ret, sizeof *ret, err) < 0 || process_new_rows(builder, err) < 0)
		return -1;
	rs_stable_sort(builder->draft.rows.items, builder->draft.rows.count, sizeof *builder->draft.rows.items,
		       rs_by_one);
	if (rs_pool_lay_out(&builder->strings.pool, &strings_size, err) < 0 ||
	    make_block(builder, strings_size, &block, err) < 0)
		return -1;
	uint8_t *bytes = make_table_bytes(builder, strings_size, &block, sealed, &size, err);
	rs_free(block.bytes);
	if (bytes && builder->flags & ROSSYM_BUILD_PACKED)
		bytes = pack_table_bytes(bytes, &size, err);
	if (!bytes)
		return -1;
	const struct rossym_built built = {
		.bytes = bytes,
		.bytes_size = size,
		.rows = builder->draft.rows.count,
		.strings_size = strings_size,
		.cut_functions = builder->strings.cut_functions,
		.cut_files = builder->strings.cut_files,
		.block_size = block.size,
		.frames = block.frames,
		.runs = block.runs,
		.functions = block.functions,
		.long_strings = block.long_strings,
		.names = block.names,
	};
	rs_sized_give(ret, &built, sizeof built);
	return 0;
}
