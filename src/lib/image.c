// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * image.c - the public interface: an image is where its bytes come from, its headers, its table, and two indexes
 * that are built when somebody wants them
 */
#include "config.h"
#include "rossym.h"
#include "lib/alloc.h"
#include "lib/bytes.h"
#include "lib/check.h"
#include "lib/error.h"
#include "lib/index.h"
#include "lib/layout.h"
#include "lib/lookup.h"
#include "lib/names.h"
#include "lib/pe.h"
#include "lib/prefetch.h"
#include "lib/table.h"

#include <string.h>

struct rossym_image {
	struct rs_source source;
	bool bare;
	struct rs_pe pe;		/* empty for a bare table */
	struct rs_table table;
	bool prepared;
	struct rs_index index;		/* valid if prepared */
	_Atomic(struct rs_names *) names;	/* NULL until the first search for a name */
};

const char *rossym_version(void)
{
	return PACKAGE_VERSION;
}

static const struct rs_section *find_table(const struct rs_pe *pe)
{
	for (uint32_t i = 0; i < pe->section_count; i++)
		if (memcmp(pe->sections[i].name, RS_SECTION_NAME, sizeof RS_SECTION_NAME) == 0)
			return &pe->sections[i];
	return NULL;
}

/* A file whose first number is the offset of rows right behind a header, all within the file. */
static int open_bare(struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_error reason;
	if (rs_table_open(&image->table, &image->source, 0, image->source.size, false, &reason) == 0) {
		image->bare = true;
		return 0;
	}
	if (reason.code == ROSSYM_EDAMAGED)
		return rs_fail(err, ROSSYM_ENOTPE, reason.offset, "%s", reason.what);
	if (err)
		*err = reason;
	return -1;
}

static int open_pe(struct rossym_image *image, struct rossym_error *err)
{
	if (rs_pe_read(&image->pe, &image->source, err) < 0)
		return -1;
	const struct rs_section *section = find_table(&image->pe);
	if (!section)
		return rs_fail(err, ROSSYM_ENOSYMS, 0, "no .rossym section");
	return rs_table_open(&image->table, &image->source, section->raw_offset, section->raw_size, image->pe.wide, err);
}

enum { MAGIC_SIZE = 8 };

/* What a file begins with, filled up with zeros: no file that is so short is one of ours. */
static int read_magic(const struct rossym_image *image, uint8_t magic[MAGIC_SIZE], struct rossym_error *err)
{
	size_t length = image->source.size < MAGIC_SIZE ? (size_t)image->source.size : MAGIC_SIZE;
	uint8_t buffer[MAGIC_SIZE];
	const uint8_t *bytes = rs_source_view(&image->source, 0, length, buffer, err);
	if (!bytes)
		return -1;
	memset(magic, 0, MAGIC_SIZE);
	memcpy(magic, bytes, length);
	if (memcmp(magic, "!<arch>\n", MAGIC_SIZE) == 0 || memcmp(magic, "!<thin>\n", MAGIC_SIZE) == 0)
		return rs_fail(err, ROSSYM_EARCHIVE, 0, "an archive");
	return 0;
}

static int open_content(struct rossym_image *image, struct rossym_error *err)
{
	uint8_t magic[MAGIC_SIZE];
	if (read_magic(image, magic, err) < 0)
		return -1;
	if (image->source.size >= 4 && rs_le32(magic) == RS_HEADER_SIZE)
		return open_bare(image, err);
	return open_pe(image, err);
}

static int open_headers(struct rossym_image *image, struct rossym_error *err)
{
	uint8_t magic[MAGIC_SIZE];
	if (read_magic(image, magic, err) < 0)
		return -1;
	image->table.row_size = RS_ROW_SIZE;	/* of none */
	return rs_pe_read(&image->pe, &image->source, err);
}

typedef int open_function(struct rossym_image *image, struct rossym_error *err);

static int open_source(const struct rs_source *source, open_function *open, struct rossym_image **ret,
		       struct rossym_error *err)
{
	struct rossym_image *image = rs_alloc(1, sizeof *image);
	if (!image)
		return rs_fail_memory(err);
	image->source = *source;
	if (open(image, err) < 0) {
		image->source.fd = -1;	/* stays the caller's */
		rossym_close(image);
		return -1;
	}
	*ret = image;
	return 0;
}

static int open_path(const char *path, open_function *open, struct rossym_image **ret, struct rossym_error *err)
{
	struct rs_source source = RS_SOURCE_INIT;
	if (rs_source_open(&source, path, err) < 0)
		return -1;
	if (open_source(&source, open, ret, err) < 0) {
		rs_source_clear(&source);
		return -1;
	}
	return 0;
}

int rossym_open(const char *path, struct rossym_image **ret, struct rossym_error *err)
{
	return open_path(path, open_content, ret, err);
}

int rossym_open_headers(const char *path, struct rossym_image **ret, struct rossym_error *err)
{
	return open_path(path, open_headers, ret, err);
}

int rossym_open_memory(const void *data, size_t size, struct rossym_image **ret, struct rossym_error *err)
{
	struct rs_source source = RS_SOURCE_INIT;
	source.memory = data;
	source.size = size;
	return open_source(&source, open_content, ret, err);
}

void rossym_close(struct rossym_image *image)
{
	if (!image)
		return;
	rs_names_free(atomic_load_explicit(&image->names, memory_order_relaxed));
	rs_index_clear(&image->index);
	rs_table_clear(&image->table);
	rs_pe_clear(&image->pe);
	rs_source_clear(&image->source);
	rs_free(image);
}

void rossym_get_info(const struct rossym_image *image, struct rossym_info *info)
{
	*info = (struct rossym_info){
		.kind = image->bare ? ROSSYM_BARE : image->pe.wide ? ROSSYM_PE32PLUS : ROSSYM_PE32,
		.machine = image->pe.machine,
		.time_date_stamp = image->pe.time_date_stamp,
		.image_base = image->pe.image_base,
		.size_of_image = image->pe.size_of_image,
		.sections = image->pe.section_count,
		.rows = image->table.row_count,
		.row_size = image->table.row_size,
		.table_offset = image->table.offset,
		.strings_size = image->table.strings_length,
	};
}

int rossym_get_section(struct rossym_image *image, uint32_t index, struct rossym_section *ret_section,
		       struct rossym_error *err)
{
	if (index >= image->pe.section_count)
		return 0;
	struct rs_section *section = &image->pe.sections[index];
	const char *name = rs_pe_section_name(&image->pe, section, &image->source, err);
	if (!name)
		return -1;
	*ret_section = (struct rossym_section){
		.name = name,
		.rva = section->rva,
		.size = section->size,
		.virtual_size = section->virtual_size,
		.raw_size = section->raw_size,
		.raw_offset = section->raw_offset,
		.characteristics = section->characteristics,
	};
	return 1;
}

int rossym_read_section(struct rossym_image *image, uint32_t index, uint32_t offset, size_t length, void *buffer,
			struct rossym_error *err)
{
	if (index >= image->pe.section_count)
		return 0;
	const struct rs_section *section = &image->pe.sections[index];
	uint64_t at = (uint64_t)section->raw_offset + offset;
	if (!rs_in_range(offset, length, section->raw_size) || !rs_in_range(at, length, image->source.size))
		return 0;
	const uint8_t *bytes = rs_source_view(&image->source, at, length, buffer, err);
	if (!bytes)
		return -1;
	if (bytes != buffer)
		memcpy(buffer, bytes, length);
	return 1;
}

int rossym_section_is_code(const struct rossym_section *section)
{
	return rs_section_is_code(section->characteristics);
}

/* Whether anything may be said about RVA; then *RET is the section it lies in, or NULL in a bare table. */
static bool can_answer(const struct rossym_image *image, uint64_t rva, unsigned flags, const struct rs_section **ret)
{
	*ret = NULL;
	if (rva > UINT32_MAX)
		return false;
	if (image->bare)
		return true;
	const struct rs_section *section = rs_pe_section_at(&image->pe, rva);
	if (!section || (!(flags & ROSSYM_LOOKUP_DATA) && !rs_section_is_code(section->characteristics)))
		return false;
	*ret = section;
	return true;
}

/* Whether rows at AT speak for an address in SECTION: a row of another section says nothing about this one. */
static bool is_of_section(const struct rossym_image *image, uint64_t at, const struct rs_section *section)
{
	return !section || (at >= section->rva && (image->pe.ordered || rs_pe_section_at(&image->pe, at) == section));
}

static int lookup_in_file(struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame,
			  struct rossym_error *err)
{
	const struct rs_section *section;
	if (!can_answer(image, rva, flags, &section))
		return 0;
	struct rs_payload payload;
	uint64_t at;
	int found = rs_lookup(&image->table, &image->source, rva, &payload, &at, err);
	if (found <= 0)
		return found;
	if (!is_of_section(image, at, section) || (!payload.function && !payload.file && !payload.line))
		return 0;

	struct rs_view view = rs_fetched_view(&image->table, &image->source);
	const char *function = rs_view_string(&view, payload.function), *file = rs_view_string(&view, payload.file);
	frame->function = payload.function ? function : NULL;
	frame->file = payload.file ? file : NULL;
	frame->line = payload.line;
	frame->row_rva = (uint32_t)at;
	frame->function_length = payload.function ? (uint32_t)strlen(function) : 0;
	frame->file_length = payload.file ? (uint32_t)strlen(file) : 0;
	return 1;
}

/* The answers for up to RS_INDEX_BATCH addresses. */
static void lookup_in_index(const struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
			    struct rossym_frame *frames)
{
	const struct rs_index *index = &image->index;
	const struct rs_section *sections[RS_INDEX_BATCH], *last = NULL;
	uint32_t addresses[RS_INDEX_BATCH] = { 0 }, below[RS_INDEX_BATCH];
	bool possible[RS_INDEX_BATCH];
	for (size_t i = 0; i < count; i++) {
		/* The next address mostly lies where the last did; if sections overlap, that does not say enough. */
		if (last && rvas[i] <= UINT32_MAX && rvas[i] >= last->rva && rvas[i] - last->rva < last->size) {
			sections[i] = last;
			possible[i] = true;
		} else {
			possible[i] = can_answer(image, rvas[i], flags, &sections[i]);
			last = image->pe.ordered ? sections[i] : NULL;
		}
		addresses[i] = (uint32_t)rvas[i];
	}
	rs_index_find(index, addresses, count, below);
	for (size_t i = 0; i < count; i++) {
		struct rossym_frame *frame = &frames[i];
		uint32_t key = below[i] - 1;
		if (!possible[i] || below[i] == 0 || !is_of_section(image, index->keys[key], sections[i])) {
			*frame = (struct rossym_frame){ .function = NULL };
			continue;
		}
		struct rs_said said = index->said[key];
		frame->function = said.function ? index->strings + said.function : NULL;
		frame->file = said.file ? index->strings + said.file : NULL;
		frame->line = said.line;
		frame->row_rva = said.function || said.file || said.line ? index->keys[key] : 0;
		frame->function_length = rs_index_length(index, said.function, said.function_length);
		frame->file_length = rs_index_length(index, said.file, said.file_length);
		rs_prefetch(frame->function);
		rs_prefetch(frame->file);
	}
}

int rossym_lookup(struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame,
		  struct rossym_error *err)
{
	if (!image->prepared)
		return lookup_in_file(image, rva, flags, frame, err);
	struct rossym_frame answer;
	lookup_in_index(image, &rva, 1, flags, &answer);
	if (!answer.function && !answer.file && !answer.line)
		return 0;
	*frame = answer;
	return 1;
}

int rossym_lookup_many(struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
		       struct rossym_frame *frames, struct rossym_error *err)
{
	if (image->prepared) {
		for (size_t done = 0, step; done < count; done += step) {
			step = count - done < RS_INDEX_BATCH ? count - done : RS_INDEX_BATCH;
			lookup_in_index(image, rvas + done, step, flags, frames + done);
		}
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		int found = lookup_in_file(image, rvas[i], flags, &frames[i], err);
		if (found < 0)
			return -1;
		if (found == 0)
			frames[i] = (struct rossym_frame){ .function = NULL };
	}
	return 0;
}

int rossym_prepare(struct rossym_image *image, struct rossym_error *err)
{
	if (image->prepared)
		return 0;
	uint64_t limit = UINT64_MAX;
	if (!image->bare) {
		limit = 0;
		for (uint32_t i = 0; i < image->pe.section_count; i++) {
			uint64_t end = (uint64_t)image->pe.sections[i].rva + image->pe.sections[i].size;
			limit = end > limit ? end : limit;
		}
	}
	if (rs_index_build(&image->index, &image->table, &image->source, limit, err) < 0)
		return -1;
	image->prepared = true;
	return 0;
}

int rossym_is_prepared(const struct rossym_image *image)
{
	return image->prepared;
}

int rossym_read_rows(struct rossym_image *image, uint32_t first, size_t count, struct rossym_row *rows,
		     struct rossym_error *err)
{
	if (first >= image->table.row_count)
		return 0;
	if (count > image->table.row_count - first)
		count = image->table.row_count - first;
	if (count > RS_ROWS_MAX)
		count = RS_ROWS_MAX;
	const char *strings = rs_table_strings(&image->table, &image->source, err);
	if (!strings)
		return -1;
	struct rs_row raw[RS_ROWS_MAX];
	if (rs_table_read(&image->table, &image->source, first, (uint32_t)count, raw, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const char *function = rs_table_string(&image->table, strings, raw[i].function);
		const char *file = rs_table_string(&image->table, strings, raw[i].file);
		rows[i] = (struct rossym_row){
			.rva = raw[i].address,
			.function = function ? function : "",
			.file = file ? file : "",
			.line = raw[i].line,
			.damage = (function ? 0 : ROSSYM_ROW_BAD_FUNCTION) | (file ? 0 : ROSSYM_ROW_BAD_FILE),
		};
	}
	return (int)count;
}

int rossym_find_function(struct rossym_image *image, const char *name, struct rossym_function *function,
			 struct rossym_error *err)
{
	struct rs_names *names = atomic_load_explicit(&image->names, memory_order_acquire);
	if (!names) {
		struct rs_names *published = NULL;
		names = rs_names_build(&image->table, &image->source, image->bare ? NULL : &image->pe, err);
		if (!names)
			return -1;
		/* Another thread may have been faster. */
		if (!atomic_compare_exchange_strong_explicit(&image->names, &published, names, memory_order_acq_rel,
							     memory_order_acquire)) {
			rs_names_free(names);
			names = published;
		}
	}
	return rs_names_find(names, name, !image->pe.wide, function);
}

int rossym_check(struct rossym_image *image, struct rossym_report *report, struct rossym_error *err)
{
	return rs_check(&image->table, &image->source, image->bare ? NULL : &image->pe, report, err);
}
