// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * image.c - an image's block and index, made when they are first needed; the public functions that close it and tell
 * its facts
 */
#include "config.h"
#include "lib/image.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"

const char *rossym_version(void)
{
	return PACKAGE_VERSION;
}

void rossym_free(void *memory)
{
	rs_free(memory);
}

void rossym_close(struct rossym_image *image)
{
	if (!image)
		return;
	if (image->demand && image->demand->end)
		image->demand->end(image->demand->context);
	rs_free(image->demand);
	rs_kept_clear(&image->kept);
	rs_names_free(atomic_load_explicit(&image->names, memory_order_relaxed));
	rs_names_free(atomic_load_explicit(&image->block_names, memory_order_relaxed));
	rs_chains_free(atomic_load_explicit(&image->chains, memory_order_relaxed));
	rs_block_free(atomic_load_explicit(&image->block, memory_order_relaxed));
	rs_free(image->longs.own);
	rs_index_free(atomic_load_explicit(&image->index, memory_order_relaxed));
	rs_segments_clear(&image->strings);
	rs_free(image->made);
	rs_details_free(image->details);
	rs_pe_clear(&image->core.pe);
	rs_source_close(&image->file);
	rs_free(image);
}

int rossym_get_info(const struct rossym_image *image, struct rossym_info *ret, struct rossym_error *err)
{
	const struct rs_pe *pe = &image->core.pe;
	const struct rs_table *table = &image->core.table;
	const struct rossym_info info = {
		.kind = image->core.kind,
		.machine = pe->machine,
		.time_date_stamp = pe->time_date_stamp,
		.image_base = pe->image_base,
		.size_of_image = pe->size_of_image,
		.sections = pe->section_count,
		.rows = table->row_count,
		.row_size = table->row_size,
		.table_offset = image->made ? image->packed_offset : table->offset,
		.strings_size = table->strings.length,
		.symbols = pe->symbol_count,
		.debug_file = image->demand ? image->demand->debug_file : NULL,
		.opens_files = image->demand && image->demand->opens_files,
	};
	if (rs_sized_check(ret, sizeof info, err) < 0)
		return -1;
	rs_sized_give(ret, &info, sizeof info);
	return 0;
}

int rs_image_open_table(const struct rossym_image *image, const void *table, size_t size, struct rossym_core *core,
			struct rossym_error *err)
{
	const struct rossym_reader reader = { .memory = table, .size = size };
	struct rossym_core bare;
	struct rossym_fault fault;
	if (rs_core_open_bare(&bare, &reader, image->core.pe.wide, &fault) < 0)
		return rs_fail_fault(err, &fault);
	bare.kind = image->core.kind;
	bare.pe = image->core.pe;
	*core = bare;
	return 0;
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
	index = strings ? rs_index_build(&image->core.table, strings, pe, err) : NULL;
	if (!index)
		return NULL;
	if (image->whole)
		rs_image_mark_cut(image, index);
	/* Another thread may have published the index first. */
	if (!atomic_compare_exchange_strong_explicit(&image->index, &published, index, memory_order_acq_rel,
						     memory_order_acquire)) {
		rs_index_free(index);
		index = published;
	}
	return index;
}

void rs_image_expect_frames(struct rossym_image *image, uint64_t expected)
{
	const struct rs_block *block = atomic_load_explicit(&image->block, memory_order_acquire);
	const struct rs_index *index = atomic_load_explicit(&image->index, memory_order_acquire);
	struct rs_chains *chains = atomic_load_explicit(&image->chains, memory_order_relaxed), *published = NULL;
	if (chains || image->no_chains || !block || block->state != RS_BLOCK_SOUND || !index ||
	    expected < rs_chains_pay_from(block, index->rank.count))
		return;
	chains = rs_chains_make(block, index);
	image->no_chains = !chains;
	/* Another thread may have published the chains first. */
	if (!atomic_compare_exchange_strong_explicit(&image->chains, &published, chains, memory_order_acq_rel,
						     memory_order_acquire))
		rs_chains_free(chains);
}
