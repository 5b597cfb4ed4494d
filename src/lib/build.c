// SPDX-License-Identifier: GPL-2.0-or-later
/* build.c - from rows to the bytes of a .rossym section; the public interface says what it takes and makes */
#include "config.h"
#include "rossym.h"
#include "lib/alloc.h"
#include "lib/bytes.h"
#include "lib/error.h"
#include "lib/layout.h"
#include "lib/pool.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

struct build_row {
	uint32_t rva;
	uint32_t function, file;	/* numbers in the pool */
	uint32_t line;
};

struct rossym_builder {
	struct rs_pool pool;
	struct build_row *rows;
	uint32_t row_count, row_room;
	bool sorted;
	const char *(*shorten)(void *context, const char *name);
	void *context;
	uint32_t cut_functions, cut_files;
};

int rossym_builder_create(struct rossym_builder **ret, struct rossym_error *err)
{
	struct rossym_builder *builder = rs_alloc(1, sizeof *builder);
	if (!builder)
		return rs_fail_memory(err);
	builder->sorted = true;
	if (rs_pool_open(&builder->pool, err) < 0) {
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
	rs_free(builder->rows);
	rs_free(builder);
}

void rossym_builder_shorten(struct rossym_builder *builder, const char *(*shorten)(void *context, const char *name),
			    void *context)
{
	builder->shorten = shorten;
	builder->context = context;
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
	const char *other = builder->shorten && !path ? builder->shorten(builder->context, text) : NULL;
	size_t other_length = other ? strlen(other) : 0;
	if (other_length > 0 && other_length <= RS_STRING_MAX) {
		text = other;
		length = (uint32_t)other_length;
	} else {
		text = cut(text, &length, path);
	}
	uint32_t shorter;
	if (rs_pool_add(&builder->pool, text, length, &shorter, NULL, err) < 0)
		return -1;
	builder->pool.strings[number].stands_for = shorter;
	if (path)
		builder->cut_files++;
	else
		builder->cut_functions++;
	return 0;
}

static int add_string(struct rossym_builder *builder, const char *text, bool path, uint32_t *ret, struct rossym_error *err)
{
	size_t length = strlen(text);
	int added;
	if (length >= UINT32_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a string of 4 GiB or more");
	if (rs_pool_add(&builder->pool, text, (uint32_t)length, ret, &added, err) < 0)
		return -1;
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

int rossym_builder_add(struct rossym_builder *builder, const struct rossym_row *row, struct rossym_error *err)
{
	struct build_row new = { .line = row->line };
	if (row->rva > UINT32_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a row at 0x%" PRIx64 ": addresses have 32 bits", row->rva);
	new.rva = (uint32_t)row->rva;
	if (grow_rows(builder, err) < 0 ||
	    add_string(builder, row->function ? row->function : "", false, &new.function, err) < 0 ||
	    add_string(builder, row->file ? row->file : "", true, &new.file, err) < 0)
		return -1;
	if (builder->row_count > 0 && new.rva < builder->rows[builder->row_count - 1].rva)
		builder->sorted = false;
	builder->rows[builder->row_count++] = new;
	return 0;
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

int rossym_builder_finish(struct rossym_builder *builder, struct rossym_built *ret, struct rossym_error *err)
{
	uint32_t strings_size;
	if (sort_rows(builder, err) < 0 || rs_pool_lay_out(&builder->pool, &strings_size, err) < 0)
		return -1;
	uint64_t rows_size = (uint64_t)builder->row_count * RS_ROW_SIZE;
	uint64_t size = RS_HEADER_SIZE + rows_size + strings_size;
	/* The extension block goes here: at the next multiple of 4, made of what the rows do not hold (outer
	   frames, the full names of strings that stand for others); its size is part of the section's. */
	if (size > UINT32_MAX || size > SIZE_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "the table has 4 GiB or more");
	uint8_t *bytes = rs_alloc(1, (size_t)size);
	if (!bytes)
		return rs_fail_memory(err);
	rs_put32(bytes + RS_HEADER_SYMBOLS_OFFSET, RS_HEADER_SIZE);
	rs_put32(bytes + RS_HEADER_SYMBOLS_LENGTH, (uint32_t)rows_size);
	rs_put32(bytes + RS_HEADER_STRINGS_OFFSET, (uint32_t)(RS_HEADER_SIZE + rows_size));
	rs_put32(bytes + RS_HEADER_STRINGS_LENGTH, strings_size);
	write_rows(builder, bytes + RS_HEADER_SIZE);
	rs_pool_write(&builder->pool, bytes + RS_HEADER_SIZE + rows_size);
	*ret = (struct rossym_built){
		.bytes = bytes,
		.size = (size_t)size,
		.rows = builder->row_count,
		.strings_size = strings_size,
		.cut_functions = builder->cut_functions,
		.cut_files = builder->cut_files,
	};
	return 0;
}

void rossym_free(void *bytes)
{
	rs_free(bytes);
}
