// SPDX-License-Identifier: GPL-2.0-or-later
/* block.c - reads a block into memory, lets the core check it, and answers from it */
#include "config.h"
#include "lib/table/block.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "lib/table/table-rows.h"

#include <string.h>

void rs_block_free(struct rs_block *block)
{
	if (!block)
		return;
	rs_free(block->bytes);
	rs_free(block);
}

/* ----------------------------------------------------------------------------------------------- the whole block */

/* Copy the bytes of the block that rs_parts_find_block() has found to block->bytes.  Returns 0 or -1. */
static int copy_block_bytes(struct rs_block *block, struct rossym_error *err)
{
	struct rs_parts *parts = &block->parts;
	block->bytes = rs_reader_duplicate(&parts->reader, parts->offset, parts->size, RS_STRINGS_SLACK, err);
	if (!block->bytes)
		return -1;
	parts->reader = (struct rossym_reader){ .memory = block->bytes,
						.size = (uint64_t)parts->size + RS_STRINGS_SLACK };
	parts->offset = 0;
	return 0;
}

/* If FAULT is damage of the block, store its error in block->why and return 1; else store it in *ERR and return -1. */
static int handle_fault(struct rs_block *block, const struct rossym_fault *fault, struct rossym_error *err)
{
	const bool damaged = rs_fault_is_of_block(fault);
	rs_fail_fault(damaged ? &block->why : err, fault);
	return damaged ? 1 : -1;
}

/* Let the core check the block.  Returns 0, or what handle_fault() does. */
static int verify_block(struct rs_block *block, const struct rs_table *table, struct rossym_error *err)
{
	enum { ROWS_AT_ONCE = 1 << 13 };
	struct rs_table in_memory = *table;
	struct rossym_fault fault;
	/* The core reads the rows through the scratch memory: more of it than necessary saves reads. */
	const uint64_t rows = table->strings_offset - table->rows_offset;
	const size_t size = rs_parts_scratch_size(&block->parts, table) +
			    (size_t)(rows < ROWS_AT_ONCE ? rows : ROWS_AT_ONCE);
	void *scratch = rs_alloc(size, 1);
	if (!scratch)
		return rs_fail_memory(err);
	in_memory.strings = rs_strings_at(table, block->table_strings);
	const int r = rs_parts_verify(&block->parts, &in_memory, scratch, size, &fault);
	rs_free(scratch);
	return r < 0 ? handle_fault(block, &fault, err) : 0;
}

/* Read and check the block that rs_parts_find_block() has found.  Returns what verify_block() does. */
static int read_found_block(struct rs_block *block, const struct rs_table *table, struct rs_table_strings *strings,
			    struct rossym_error *err)
{
	struct rossym_fault unused;
	if (copy_block_bytes(block, err) < 0)
		return -1;
	block->table_strings = rs_table_strings_get_padded(strings, err);
	if (!block->table_strings)
		return -1;
	const int r = verify_block(block, table, err);
	block->strings = (const char *)block->bytes + block->parts.strings.offset;
	if (r == 0)
		/* This stores block->names.  It cannot fail, because verify_block() has made the same call. */
		rs_parts_open(&block->parts, &block->names, &unused);
	return r;
}

/* Empty a damaged block, so that it gives the answers of a table without a block. */
static void make_block_empty(struct rs_block *block)
{
	block->state = RS_BLOCK_DAMAGED;
	block->parts = (struct rs_parts){ .place = block->parts.place, .size = block->parts.size };
	block->names = (struct rs_columns){ .count = 0 };
	rs_free(block->bytes);
	block->bytes = NULL;
}

struct rs_block *rs_block_read(const struct rs_table *table, struct rs_table_strings *strings, uint64_t end,
			       struct rossym_error *err)
{
	struct rossym_fault fault;
	struct rs_block *block = rs_alloc(1, sizeof *block);
	if (!block) {
		rs_fail_memory(err);
		return NULL;
	}
	block->table = table;
	const int found = rs_parts_find_block(&block->parts, table, end, &fault);
	int r = 0;
	if (found > 0)
		r = read_found_block(block, table, strings, err);
	else if (found < 0)
		r = handle_fault(block, &fault, err);
	block->state = found > 0 ? RS_BLOCK_SOUND : RS_BLOCK_ABSENT;
	if (r > 0)
		make_block_empty(block);
	if (r < 0) {
		rs_block_free(block);
		return NULL;
	}
	return block;
}

/* ------------------------------------------------------------------------------------------------- answers */

/* The core's functions cannot fail here, because the block is in memory and has been checked. */

const char *rs_block_get_string(const struct rs_block *block, uint32_t reference)
{
	const uint32_t own_from = block->parts.own_from;
	bool own = reference >= own_from;
	uint32_t offset = own ? reference - own_from : reference;
	if (offset == 0)
		return "";
	return (own ? block->strings : block->table_strings) + offset;
}

struct rs_block_func rs_block_get_function(const struct rs_columns *functions, uint32_t number)
{
	struct rossym_fault unused;
	struct rs_block_func function = { .rva = 0 };
	rs_parts_read_function(functions, number, &function, &unused);
	return function;
}

bool rs_block_next_function(const struct rs_block *block, uint32_t *functions, uint32_t *names,
			    struct rs_block_func *function)
{
	const bool has_name = *names < block->names.count;
	const struct rs_block_func name = has_name ? rs_block_get_function(&block->names, *names)
						   : (struct rs_block_func){ .rva = 0 };
	if (*functions < block->parts.functions.count) {
		*function = rs_block_get_function(&block->parts.functions, *functions);
		if (!has_name || function->rva <= name.rva) {
			++*functions;
			return true;
		}
	}
	*function = name;
	++*names;
	return has_name;
}

/* ------------------------------------------------------------------------------------------------ public form */

static void set_string_and_length(const char **text, uint32_t *length, const char *string)
{
	*text = *string ? string : NULL;
	*length = (uint32_t)strnlen(string, ROSSYM_LENGTH_MAX);
}

void rs_frame_set_function(struct rossym_frame *frame, const char *function)
{
	set_string_and_length(&frame->function, &frame->function_length, function);
}

void rs_frame_set_file(struct rossym_frame *frame, const char *file)
{
	set_string_and_length(&frame->file, &frame->file_length, file);
}

uint32_t rs_block_get_frame(const struct rs_block *block, uint32_t number, struct rossym_frame *ret)
{
	struct rossym_fault unused;
	struct rs_outer frame = { .next = RS_BLOCK_NONE };
	rs_parts_read_frame(&block->parts, block->table, number, &frame, &unused);
	rs_frame_set_function(ret, rs_block_get_string(block, frame.function));
	rs_frame_set_file(ret, rs_block_get_string(block, frame.file));
	ret->line = frame.line;
	return frame.next;
}

struct rossym_function rs_block_convert_function(const struct rs_block *block, struct rs_block_func function,
						 uint32_t places)
{
	return (struct rossym_function){ .name = rs_block_get_string(block, function.name),
					 .rva = function.rva,
					 .places = places,
					 .length = function.length };
}
