// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * image.c - the public functions that open and close an image
 */
#include "config.h"
#include "lib/image.h"
#include "core/layout.h"
#include "lib/alloc.h"
#include "lib/codeview.h"
#include "lib/error.h"

const char *rossym_version(void)
{
	return PACKAGE_VERSION;
}

/* A file whose first number is the offset of rows right after a header, all within the file. */
static int open_bare(struct rossym_image *image, const struct rossym_reader *reader, struct rossym_error *err)
{
	struct rossym_fault fault;
	if (rs_core_open_bare(&image->core, reader, false, &fault) == 0)
		return 0;
	struct rossym_error reason;
	rs_fail_fault(&reason, &fault);
	if (reason.code == ROSSYM_EDAMAGED)
		reason.code = ROSSYM_ENOTPE;
	if (err)
		*err = reason;
	return -1;
}

static int fail_without_table(const struct rossym_image *image, struct rossym_error *err)
{
	char pdb[80];
	uint64_t at;
	int found = rs_codeview_name(&image->core.pe, &image->source, pdb, sizeof pdb, &at, err);
	if (found > 0)
		return rs_fail(err, ROSSYM_ENOSYMS, at, "its symbols are in %s", pdb);
	return found < 0 ? -1 : rs_fail(err, ROSSYM_ENOSYMS, 0, "no .rossym section");
}

static int open_pe(struct rossym_image *image, const struct rossym_reader *reader, struct rossym_error *err)
{
	struct rossym_fault fault;
	if (rs_pe_read(&image->core.pe, &image->source, err) < 0)
		return -1;
	if (rs_core_open_section(&image->core, reader, false, &fault) == 0)
		return 0;
	return fault.code == ROSSYM_FAULT_NO_TABLE ? fail_without_table(image, err) : rs_fail_fault(err, &fault);
}

static int open_content(struct rossym_image *image, struct rossym_error *err)
{
	const struct rossym_reader reader = rs_source_reader(&image->source);
	struct rossym_fault fault;
	int bare = rs_core_is_bare(&reader, &fault);
	if (bare < 0)
		return rs_fail_fault(err, &fault);
	if ((bare ? open_bare(image, &reader, err) : open_pe(image, &reader, err)) < 0)
		return -1;
	rs_segments_open(&image->strings, &image->core.table);
	return 0;
}

static int open_headers(struct rossym_image *image, struct rossym_error *err)
{
	image->core.table.row_size = RS_ROW_SIZE;	/* of none */
	int r = rs_pe_read(&image->core.pe, &image->source, err);
	image->core.kind = image->core.pe.wide ? ROSSYM_PE32PLUS : ROSSYM_PE32;
	return r;
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
	rs_segments_clear(&image->strings);
	rs_pe_clear(&image->core.pe);
	rs_source_clear(&image->source);
	rs_free(image);
}

void rossym_get_info(const struct rossym_image *image, struct rossym_info *info)
{
	const struct rs_pe *pe = &image->core.pe;
	const struct rs_table *table = &image->core.table;
	*info = (struct rossym_info){
		.kind = image->core.kind,
		.machine = pe->machine,
		.time_date_stamp = pe->time_date_stamp,
		.image_base = pe->image_base,
		.size_of_image = pe->size_of_image,
		.sections = pe->section_count,
		.rows = table->row_count,
		.row_size = table->row_size,
		.table_offset = table->offset,
		.strings_size = table->strings.length,
	};
}

const struct rs_block *rs_image_block(struct rossym_image *image, struct rossym_error *err)
{
	struct rs_block *block = atomic_load_explicit(&image->block, memory_order_acquire), *published = NULL;
	if (block)
		return block;
	block = rs_block_read(&image->core.table, &image->strings, image->core.section_end, err);
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
	const struct rs_pe *pe = !rs_image_is_bare(image) && image->core.pe.ordered ? &image->core.pe : NULL;
	struct rs_index *index = atomic_load_explicit(&image->index, memory_order_acquire), *published = NULL;
	if (index)
		return index;
	const char *strings = rs_segments_padded(&image->strings, err);
	index = strings ? rs_alloc(1, sizeof *index) : NULL;
	if (!index) {
		if (strings)
			rs_fail_memory(err);
		return NULL;
	}
	if (rs_index_build(index, &image->core.table, strings, pe, err) < 0) {
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
