// SPDX-License-Identifier: GPL-2.0-or-later
/* block.c - read a block into memory, let the core check it, and answer from it */
#include "config.h"
#include "lib/table/block.h"
#include "core/answer.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/table/table-rows.h"

#include <string.h>

void rs_block_free(struct rs_block *block)
{
	if (!block)
		return;
	rs_free(block->bytes);
	rs_free(block->starts);
	rs_free(block);
}

/* ------------------------------------------------------------------------------------------------- chains */

/* Turns the block's runs into a list of rs_chain_start.  A run says from which row number on rows have which chain, but
   look-ups have addresses.  Of the rows that share an address, the chain of the one that answers counts
   (core/answer.h). */
struct chain_starts {
	struct rs_block *block;
	struct rs_words words;
	uint32_t run;		 /* number of the next run */
	uint32_t frame;		 /* number of the first frame in the chain of the current row */
	struct rs_answer answer; /* of the rows at the current address */
	uint32_t answer_frame;	 /* `frame` of the row that gives the answer */
};

/* Add a start at ADDRESS, unless the answer before it has the same chain. */
static void add_start(struct chain_starts *starts, uint64_t address)
{
	struct rs_block *block = starts->block;
	uint32_t last = block->start_count ? block->starts[block->start_count - 1].frame : RS_BLOCK_NONE;
	if (starts->answer_frame != last && address <= UINT32_MAX)
		block->starts[block->start_count++] = (struct rs_chain_start){ (uint32_t)address,
									       starts->answer_frame };
}

/* Add ROW to the rows at its address.  If that changes the rank of the answer, ROW now gives the answer. */
static void add_to_group(struct chain_starts *starts, const struct rs_row *row, uint32_t frame)
{
	unsigned rank = starts->answer.rank;
	rs_answer_add(&starts->answer, row, 0, &starts->words);
	if (starts->answer.rank != rank)
		starts->answer_frame = frame;
}

/* The row before the current one. */
struct row_before {
	struct rs_row row;
	uint32_t frame;
	bool any;     /* false: the current row is the first one */
	bool grouped; /* ROW has the address of the row before it, so it is already in the answer of chain_starts */
};

/* Add ROW, which is row NUMBER.  Most rows are the only one at their address, so they give its answer, and their
   strings need not be read. */
static void add_row(struct chain_starts *starts, const struct rs_row *row, uint32_t number, struct row_before *before)
{
	const struct rs_columns *runs = &starts->block->parts.runs;
	struct rossym_fault unused; /* the block and its strings are in memory */
	uint8_t buffer[RS_RECORD_ROOM];
	const uint8_t *run = starts->run < runs->count ? rs_record(runs, starts->run, buffer, &unused) : NULL;
	if (run && rs_number(runs, run, RS_RUN_ROW) == number) {
		starts->frame = rs_number_frame(runs, run, RS_RUN_FRAME);
		starts->run++;
	}
	bool same = before->any && row->address == before->row.address;
	if (same && !before->grouped) {
		rs_answer_start(&starts->answer);
		add_to_group(starts, &before->row, before->frame);
	}
	if (same) {
		add_to_group(starts, row, starts->frame);
	} else {
		if (before->any)
			add_start(starts, before->row.address);
		starts->answer_frame = starts->frame;
	}
	*before = (struct row_before){ *row, starts->frame, true, same };
}

/* Fill block->starts.  Returns 0; 1 if the rows are not in order, after storing that in block->why; or -1 with an error. */
static int find_chain_starts(struct rs_block *block, const struct rs_table *table, struct rossym_error *err)
{
	const struct rs_strings strings = rs_strings_at(table, block->table_strings);
	struct rossym_fault unused;
	struct chain_starts starts = { .block = block,
				       .words = rs_words_of(&strings, &unused),
				       .frame = RS_BLOCK_NONE };
	struct rs_row rows[RS_ROWS_MAX];
	struct row_before before = { .any = false };
	/* The rows that answer are in table order, so their chains change at most once for each run.  The array has
	   room for twice as many. */
	block->starts = rs_alloc((size_t)block->parts.runs.count * 2 + 1, sizeof *block->starts);
	if (!block->starts)
		return rs_fail_memory(err);
	for (uint32_t first = 0, count; first < table->row_count; first += count) {
		count = table->row_count - first < RS_ROWS_MAX ? table->row_count - first : RS_ROWS_MAX;
		if (rs_table_read(table, first, count, rows, err) < 0)
			return -1;
		for (uint32_t i = 0; i < count; i++) {
			if (rows[i].address < before.row.address) {
				rs_fail(&block->why, ROSSYM_EDAMAGED, block->parts.place + RS_BLOCK_TABLE_CRC,
					"the table of the extension block is not sorted");
				return 1;
			}
			add_row(&starts, &rows[i], first + i, &before);
		}
	}
	if (before.any)
		add_start(&starts, before.row.address);
	return 0;
}

/* ----------------------------------------------------------------------------------------------- the whole */

/* Copy the bytes of the block that rs_parts_find() has found.  Returns 0 or -1. */
static int copy_bytes(struct rs_block *block, struct rossym_error *err)
{
	struct rs_parts *parts = &block->parts;
	/* If size_t has 32 bits, it cannot hold the greatest length plus the slack. */
	if (parts->size < UINT32_MAX - RS_SEGMENTS_SLACK)
		block->bytes = rs_alloc((size_t)parts->size + RS_SEGMENTS_SLACK, 1);
	if (!block->bytes)
		return rs_fail_memory(err);
	if (rs_reader_copy(&parts->reader, parts->offset, parts->size, block->bytes, err) < 0)
		return -1;
	parts->reader = (struct rossym_reader){ .memory = block->bytes,
						.size = (uint64_t)parts->size + RS_SEGMENTS_SLACK };
	parts->offset = 0;
	return 0;
}

/* Let the core check the block.  Returns 0; 1 if it is damaged, after storing the reason in block->why; or -1 with an error. */
static int verify_block(struct rs_block *block, const struct rs_table *table, struct rossym_error *err)
{
	struct rs_table in_memory = *table;
	struct rossym_fault fault;
	const size_t size = rs_parts_scratch(&block->parts, table);
	void *scratch = rs_alloc(size, 1);
	if (!scratch)
		return rs_fail_memory(err);
	in_memory.strings = rs_strings_at(table, block->table_strings);
	int r = rs_parts_verify(&block->parts, &in_memory, scratch, size, &fault);
	rs_free(scratch);
	if (r < 0 && !rs_parts_are_bad(&fault))
		return rs_fail_fault(err, &fault);
	if (r < 0)
		rs_fail_fault(&block->why, &fault);
	return r < 0;
}

/* Store in *COPY the table with its rows in memory, because they are read twice: for the checksum, and by
   find_chain_starts().  *OWN is the memory to free, or NULL.  Returns 0 or -1. */
static int copy_rows(const struct rs_table *table, struct rs_table *copy, uint8_t **own, struct rossym_error *err)
{
	const uint64_t size = table->strings_offset - table->offset;
	*copy = *table;
	*own = NULL;
	if (table->reader.memory)
		return 0;
	*own = size < SIZE_MAX ? rs_alloc((size_t)size, 1) : NULL;
	if (!*own)
		return rs_fail_memory(err);
	if (!rs_reader_view(&table->reader, table->offset, (size_t)size, *own, err))
		return -1;
	copy->reader = (struct rossym_reader){ .memory = *own, .size = size };
	copy->rows_offset -= table->offset;
	copy->strings_offset -= table->offset;
	copy->offset = 0;
	return 0;
}

/* Read and check the block that has been found.  Returns as verify_block(). */
static int read_found_block(struct rs_block *block, const struct rs_table *table, struct rs_segments *strings,
			    struct rossym_error *err)
{
	struct rossym_fault unused;
	struct rs_table copy;
	uint8_t *own;
	if (copy_bytes(block, err) < 0)
		return -1;
	block->table_strings = rs_segments_padded(strings, err);
	if (!block->table_strings)
		return -1;
	int r = copy_rows(table, &copy, &own, err);
	if (r == 0)
		r = verify_block(block, &copy, err);
	block->strings = (const char *)block->bytes + block->parts.strings.offset;
	if (r == 0)
		/* verify_block() has done this without storing the names, so it cannot fail now. */
		rs_parts_open(&block->parts, &block->names, &unused);
	if (r == 0)
		r = find_chain_starts(block, &copy, err);
	rs_free(own);
	return r;
}

/* Empty a damaged block, so that it gives the answers of a table without a block. */
static void empty_block(struct rs_block *block)
{
	block->state = RS_BLOCK_DAMAGED;
	block->parts = (struct rs_parts){ .place = block->parts.place, .size = block->parts.size };
	block->names = (struct rs_columns){ .count = 0 };
	block->start_count = 0;
	rs_free(block->bytes);
	rs_free(block->starts);
	block->bytes = NULL;
	block->starts = NULL;
}

struct rs_block *rs_block_read(const struct rs_table *table, struct rs_segments *strings, uint64_t end,
			       struct rossym_error *err)
{
	struct rossym_fault fault;
	struct rs_block *block = rs_alloc(1, sizeof *block);
	if (!block) {
		rs_fail_memory(err);
		return NULL;
	}
	int found = rs_parts_find(&block->parts, table, end, &fault),
	    r = found > 0 ? read_found_block(block, table, strings, err) : 0;
	if (found < 0) {
		r = rs_parts_are_bad(&fault);
		rs_fail_fault(r ? &block->why : err, &fault);
		r = r ? 1 : -1;
	}
	block->state = found > 0 ? RS_BLOCK_SOUND : RS_BLOCK_ABSENT;
	if (r > 0)
		empty_block(block);
	if (r < 0) {
		rs_block_free(block);
		return NULL;
	}
	return block;
}

/* ------------------------------------------------------------------------------------------------- answers */

/* The core's functions cannot fail here, because the block is in memory and has been checked. */

const char *rs_block_string(const struct rs_block *block, uint32_t reference)
{
	const uint32_t own_from = block->parts.own_from;
	bool own = reference >= own_from;
	uint32_t offset = own ? reference - own_from : reference;
	if (offset == 0)
		return "";
	return (own ? block->strings : block->table_strings) + offset;
}

uint32_t rs_block_chain_at(const struct rs_block *block, uint32_t rva)
{
	uint32_t above = rs_array_first(block->starts, block->start_count, sizeof *block->starts,
					offsetof(struct rs_chain_start, rva), (uint64_t)rva + 1);
	return above ? block->starts[above - 1].frame : RS_BLOCK_NONE;
}

uint32_t rs_block_chain_of(const struct rs_block *block, uint32_t row)
{
	struct rossym_fault unused;
	uint32_t frame = RS_BLOCK_NONE;
	rs_parts_chain(&block->parts, row, &frame, &unused);
	return frame;
}

struct rs_outer rs_block_frame(const struct rs_block *block, uint32_t number)
{
	struct rossym_fault unused;
	struct rs_outer frame = { .next = RS_BLOCK_NONE };
	rs_parts_frame(&block->parts, number, &frame, &unused);
	return frame;
}

static struct rs_block_func function_by_number(const struct rs_columns *functions, uint32_t number)
{
	struct rossym_fault unused;
	struct rs_block_func function = { .rva = 0 };
	rs_parts_func(functions, number, &function, &unused);
	return function;
}

struct rs_block_func rs_block_func(const struct rs_block *block, uint32_t number)
{
	return function_by_number(&block->parts.functions, number);
}

bool rs_block_next(const struct rs_block *block, struct rs_block_walk *walk, struct rs_block_func *function)
{
	const bool has_name = walk->names < block->names.count;
	const struct rs_block_func name = has_name ? function_by_number(&block->names, walk->names)
						   : (struct rs_block_func){ .rva = 0 };
	if (walk->functions < block->parts.functions.count) {
		*function = rs_block_func(block, walk->functions);
		if (!has_name || function->rva <= name.rva) {
			walk->functions++;
			return true;
		}
	}
	*function = name;
	walk->names++;
	return has_name;
}

bool rs_block_func_at(const struct rs_block *block, uint64_t rva, struct rs_block_func *function, uint32_t *places)
{
	struct rossym_fault unused;
	return rs_parts_func_at(&block->parts, rva, function, places, &unused) > 0;
}

const char *rs_block_whole(const struct rs_block *block, uint32_t offset)
{
	struct rossym_fault unused;
	uint32_t reference = 0;
	if (rs_parts_whole(&block->parts, offset, &reference, &unused) <= 0)
		return NULL;
	const char *whole = rs_block_string(block, reference);
	return *whole ? whole : NULL; /* an empty string cannot be the whole form of a cut one */
}

/* ------------------------------------------------------------------------------------------------ for callers */

static void set_string(const char **text, uint32_t *length, const char *string)
{
	*text = *string ? string : NULL;
	*length = (uint32_t)strnlen(string, ROSSYM_LENGTH_MAX);
}

void rs_frame_set_function(struct rossym_frame *frame, const char *function)
{
	set_string(&frame->function, &frame->function_length, function);
}

void rs_frame_set_file(struct rossym_frame *frame, const char *file)
{
	set_string(&frame->file, &frame->file_length, file);
}

uint32_t rs_frame_of_block(const struct rs_block *block, uint32_t number, struct rossym_frame *ret)
{
	const struct rs_outer frame = rs_block_frame(block, number);
	rs_frame_set_function(ret, rs_block_string(block, frame.function));
	rs_frame_set_file(ret, rs_block_string(block, frame.file));
	ret->line = frame.line;
	return frame.next;
}

struct rossym_function rs_function_of_block(const struct rs_block *block, struct rs_block_func function,
					    uint32_t places)
{
	return (struct rossym_function){ .name = rs_block_string(block, function.name),
					 .rva = function.rva,
					 .places = places,
					 .length = function.length };
}
