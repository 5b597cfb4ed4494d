// SPDX-License-Identifier: GPL-2.0-or-later
/* load.c - the public functions that read in advance what later calls need, so that these are fast or
   work without the file */
#include "config.h"
#include "lib/image.h"

int rossym_prepare(struct rossym_image *image, struct rossym_error *err)
{
	return rs_image_ensure_all_rows(image, err) == 0 && rs_image_get_index(image, err) ? 0 : -1;
}

/* Preparing takes as long as one look-up without an index for each 500 rows, and 32 look-ups more. */
enum { ROWS_A_LOOKUP = 500, LOOKUPS_MIN = 32 };

/* If more look-ups than this are expected, one table for all addresses is made.  A table for a group of 3,500 addresses
   takes 0.5 to 0.7 of the time of a table for all.  More addresses come in several groups, and one table for each group
   would take longer than one for all. */
enum { LOOKUPS_FOR_WHOLE = 4096 };

/* Whether EXPECTED look-ups in IMAGE take longer than rossym_prepare(). */
static bool is_worth_preparing(const struct rossym_image *image, uint64_t expected)
{
	if (image->partial && image->demand)
		return expected > LOOKUPS_FOR_WHOLE;
	return expected >= LOOKUPS_MIN + image->core.table.row_count / ROWS_A_LOOKUP;
}

int rossym_prepare_for(struct rossym_image *image, uint64_t expected, struct rossym_error *err)
{
	struct rossym_error why;
	if (!rossym_is_prepared(image) && !image->too_large && is_worth_preparing(image, expected) &&
	    rossym_prepare(image, &why) < 0) {
		image->too_large = why.code == ROSSYM_ENOMEM;
		return image->too_large ? 0 : rs_fail_with(err, &why);
	}
	if (rossym_is_prepared(image)) {
		if (image->expects_frames)
			rs_image_get_block(image, NULL); /* rs_image_make_chains_if_useful() needs the block */
		rs_image_make_chains_if_useful(image, expected);
	}
	return rossym_is_prepared(image);
}

int rossym_prepare_addresses(struct rossym_image *image, const uint64_t *rvas, size_t count, struct rossym_error *err)
{
	return rs_image_ensure_answers(image, rvas, count, err);
}

int rossym_is_prepared(const struct rossym_image *image)
{
	return atomic_load_explicit(&image->index, memory_order_acquire) != NULL;
}

int rossym_load(struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_section section;
	struct rossym_function function;
	int found = 1;
	if (rossym_prepare(image, err) < 0 || !rs_image_get_block(image, err))
		return -1;
	for (uint32_t i = 0; found > 0; i++)
		found = rossym_get_section(image, i, &section, err);
	/* Search for the name "", which no function has: this builds both indexes of names. */
	return found < 0 || rossym_find_function(image, "", &function, err) < 0 ? -1 : 0;
}

void rossym_close_file(struct rossym_image *image)
{
	rs_source_close(&image->file);
}
