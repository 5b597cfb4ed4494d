// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * demand.c - makes the answers, or the table, that look-ups need and that are not in memory yet
 *
 * A packed table in a file, or debug information, can give answers for a few addresses quickly.  These answers are kept
 * (table/kept.h), and the image is `partial`.  When more is needed, the whole table is unpacked, or made of the debug
 * information (open/debug.c).  From then on, the image is like one with a plain table.
 *
 * Only one thread may use these functions while the image is partial.
 */
#include "config.h"
#include "lib/image.h"
#include "lib/base/sort.h"
#include "lib/table/unpack.h"

#include <errno.h>

/* Make a table for the COUNT addresses RVAS, or for all addresses if RVAS is NULL.  Stores the table in *MADE, and in
   *CORE how to read it.  If the image has a packed table, and not all addresses are needed, makes no table: *CORE reads
   the packed one.  Returns 0 or -1. */
static int make_table(const struct rossym_image *image, const uint32_t *rvas, uint32_t count, struct rs_made *made,
		      struct rossym_core *core, struct rossym_error *err)
{
	const struct rs_demand *demand = image->demand;
	struct rossym_error why; /* `make` may store an error and then succeed: *ERR must not change */
	*made = (struct rs_made){ .whole = !rvas };
	if (image->file.closed)
		return rs_fail_errno(err, EBADF, "cannot read");
	*core = image->core;
	if (!demand && !made->whole)
		return 0;
	if (demand ? demand->make(demand->context, rvas, count, made, &why) < 0
		   : rs_unpack_table(&image->core, &made->table, &made->size, &why) < 0)
		return rs_fail_with(err, &why);
	const int r = rs_image_open_table(image, made->table, made->size, core, err);
	if (r < 0)
		rs_made_clear(made);
	return r;
}

/* Let IMAGE own and use the table of MADE, which is for all addresses; CORE reads it.  Returns 0 or -1. */
static int move_table_to_image(struct rossym_image *image, struct rs_made *made, const struct rossym_core *core,
			       struct rossym_error *err)
{
	if (rs_image_read_cut_list(image, core, err) < 0) {
		rs_made_clear(made);
		return -1;
	}
	image->packed_offset = image->core.table.offset;
	image->core = *core;
	image->made = *made;
	image->partial = false;
	rs_table_strings_open(&image->strings, &image->core.table);
	return 0;
}

int rs_demand_make_whole_table(struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_core core;
	struct rs_made made;
	return make_table(image, NULL, 0, &made, &core, err) < 0 ? -1 : move_table_to_image(image, &made, &core, err);
}

/* Store in WANTED those of RVAS that are in sections and for which IMAGE has no answer: ascending, and each only once.
   Returns how many these are. */
static uint32_t collect_wanted_addresses(const struct rossym_image *image, const uint64_t *rvas, size_t count,
					 uint32_t *wanted)
{
	uint32_t collected = 0, different = 0;
	for (size_t i = 0; i < count; i++)
		if (rvas[i] <= UINT32_MAX && rs_pe_section_at(&image->core.pe, rvas[i]) &&
		    !rs_kept_find_answer(&image->kept, rvas[i]))
			wanted[collected++] = (uint32_t)rvas[i];
	rs_sort(wanted, collected, sizeof *wanted, rs_compare_one_number);
	for (uint32_t i = 0; i < collected; i++)
		if (different == 0 || wanted[i] != wanted[different - 1])
			wanted[different++] = wanted[i];
	return different;
}

int rs_demand_make_answers(struct rossym_image *image, const uint64_t *rvas, size_t count, struct rossym_error *err)
{
	enum { BATCHES_MAX = 64, RVAS_MAX = 4096 }; /* with more calls or addresses, make the whole table */
	uint32_t wanted[RVAS_MAX];
	struct rossym_core core;
	struct rs_made made;
	if (count > RVAS_MAX)
		return rs_demand_make_whole_table(image, err);
	const uint32_t different = collect_wanted_addresses(image, rvas, count, wanted);
	if (different == 0)
		return 0;
	if (image->kept.batch_count == BATCHES_MAX)
		return rs_demand_make_whole_table(image, err);
	if (make_table(image, wanted, different, &made, &core, err) < 0)
		return -1;
	if (made.whole)
		return move_table_to_image(image, &made, &core, err);
	const int r = rs_kept_add_answers(&image->kept, &core, image->wants_whole, &made, wanted, different, err);
	if (r != 0)
		rs_made_clear(&made);
	return r > 0 ? rs_demand_make_whole_table(image, err) : r;
}
