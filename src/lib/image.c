// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * image.c - the public functions that open and close an image
 */
#include "config.h"
#include "lib/image.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "lib/alloc.h"
#include "lib/codeview.h"
#include "lib/error.h"

#include <string.h>

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
		image->section_end = image->content_end = image->source.size;
		return 0;
	}
	if (reason.code == ROSSYM_EDAMAGED)
		return rs_fail(err, ROSSYM_ENOTPE, reason.offset, "%s", reason.what);
	if (err)
		*err = reason;
	return -1;
}

static int fail_without_table(const struct rossym_image *image, struct rossym_error *err)
{
	char pdb[80];
	uint64_t at;
	int found = rs_codeview_name(&image->pe, &image->source, pdb, sizeof pdb, &at, err);
	if (found > 0)
		return rs_fail(err, ROSSYM_ENOSYMS, at, "its symbols are in %s", pdb);
	return found < 0 ? -1 : rs_fail(err, ROSSYM_ENOSYMS, 0, "no .rossym section");
}

static int open_pe(struct rossym_image *image, struct rossym_error *err)
{
	if (rs_pe_read(&image->pe, &image->source, err) < 0)
		return -1;
	const struct rs_section *section = find_table(&image->pe);
	if (!section)
		return fail_without_table(image, err);
	image->section_end = (uint64_t)section->raw_offset + section->raw_size;
	image->content_end = (uint64_t)section->raw_offset + section->size;
	return rs_table_open(&image->table, &image->source, section->raw_offset, section->raw_size, image->pe.wide, err);
}

static int open_content(struct rossym_image *image, struct rossym_error *err)
{
	uint8_t buffer[4];
	if (image->source.size < sizeof buffer)
		return open_pe(image, err);
	const uint8_t *first = rs_source_view(&image->source, 0, sizeof buffer, buffer, err);
	if (!first)
		return -1;
	return rs_le32(first) == RS_HEADER_SIZE ? open_bare(image, err) : open_pe(image, err);
}

static int open_headers(struct rossym_image *image, struct rossym_error *err)
{
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
	if (rs_check_name(path, err) < 0 || rs_source_open(&source, path, err) < 0)
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

static void free_index(struct rs_index *index)
{
	if (index)
		rs_index_clear(index);
	rs_free(index);
}

void rossym_close(struct rossym_image *image)
{
	if (!image)
		return;
	rs_names_free(atomic_load_explicit(&image->names, memory_order_relaxed));
	rs_names_free(atomic_load_explicit(&image->block_names, memory_order_relaxed));
	rs_block_free(atomic_load_explicit(&image->block, memory_order_relaxed));
	rs_longs_clear(&image->longs);
	free_index(atomic_load_explicit(&image->index, memory_order_relaxed));
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
const struct rs_block *rs_image_block(struct rossym_image *image, struct rossym_error *err)
{
	struct rs_block *block = atomic_load_explicit(&image->block, memory_order_acquire), *published = NULL;
	if (block)
		return block;
	block = rs_block_read(&image->table, &image->source, image->section_end, err);
	/* Another thread may have published the block first. */
	if (block && !atomic_compare_exchange_strong_explicit(&image->block, &published, block, memory_order_acq_rel,
							      memory_order_acquire)) {
		rs_block_free(block);
		block = published;
	}
	return block;
}

const struct rs_index *rs_image_index(struct rossym_image *image, struct rossym_error *err)
{
	const struct rs_pe *pe = !image->bare && image->pe.ordered ? &image->pe : NULL;
	struct rs_index *index = atomic_load_explicit(&image->index, memory_order_acquire), *published = NULL;
	if (index)
		return index;
	index = rs_alloc(1, sizeof *index);
	if (!index) {
		rs_fail_memory(err);
		return NULL;
	}
	if (rs_index_build(index, &image->table, &image->source, pe, err) < 0) {
		rs_free(index);
		return NULL;
	}
	if (image->whole)
		rs_index_mark(index, &image->longs);
	/* Another thread may have published the index first. */
	if (!atomic_compare_exchange_strong_explicit(&image->index, &published, index, memory_order_acq_rel,
						     memory_order_acquire)) {
		free_index(index);
		index = published;
	}
	return index;
}
