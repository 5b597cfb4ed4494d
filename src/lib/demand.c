// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/demand.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/sort.h"
#include "lib/table/check.h"
#include "lib/table/unpack.h"

#include <errno.h>

/* ------------------------------------------------------------------------------------------------ making a table */

/* Make a table for RVAS, or for all addresses if rvas.rvas is NULL: by unpacking, or by demand->make().  Returns 0 or -1. */
static int make_table(const struct rossym_image *image, struct rs_rvas rvas, struct rs_made *made,
		      struct rossym_error *err)
{
	const struct rs_demand *demand = image->demand;
	*made = (struct rs_made){ .whole = !rvas.rvas };
	if (image->file.closed)
		return rs_fail_errno(err, EBADF, "cannot read");
	if (!demand->packed)
		return demand->make(demand->context, rvas.rvas, rvas.count, made, err);
	return made->whole ? rs_unpack(demand->packed, &made->table, &made->size, err)
			   : rs_unpack_some(demand->packed, rvas, &made->table, &made->size, &made->whole, err);
}

/* Open the table of MADE, with the headers of IMAGE, and check all rows.  Returns it as an inner image, which owns MADE.
   On an error, frees MADE, and returns NULL. */
static struct rossym_image *open_inner(const struct rossym_image *image, const struct rs_made *made,
				       struct rossym_error *err)
{
	const struct rs_demand *demand = image->demand;
	struct rossym_image *inner = rs_alloc(1, sizeof *inner);
	if (!inner) {
		rs_fail_memory(err);
		rs_free(made->table);
		rs_details_free(made->details);
		return NULL;
	}
	inner->inner = true;
	inner->file.fd = -1;
	inner->core.kind = image->core.kind;
	inner->core.pe = image->core.pe;
	inner->unpacked = made->table;
	inner->details = made->details;
	inner->packed_offset = demand->packed ? demand->packed->table.offset : 0;
	const char *strings = NULL;
	if (rs_image_replace_table(inner, made->table, made->size, err) == 0) {
		rs_segments_open(&inner->strings, &inner->core.table);
		strings = rs_segments_whole(&inner->strings, err);
	}
	if (strings && rs_check(&inner->core.table, strings, &inner->core.pe, NULL, err) == 0 &&
	    (!demand->whole_strings || rs_image_want_whole(inner, err) == 0))
		return inner;
	/* This table is in no file, so an offset in it would mean nothing to the user. */
	if (err->code == ROSSYM_EDAMAGED)
		rs_fail(err, ROSSYM_EDAMAGED, 0, "the table that was made of its debug information is damaged");
	rossym_close(inner);
	return NULL;
}

/* Make a table for the COUNT addresses RVAS, or for all addresses if RVAS is NULL.  Returns it as a new inner image of
   IMAGE; NULL on an error.  RVAS is freed when IMAGE is closed, or here on an error. */
static struct rossym_image *make_inner(struct rossym_image *image, uint32_t *rvas, uint32_t count,
				       struct rossym_error *err)
{
	struct rs_demand *demand = image->demand;
	struct rs_made made;
	struct rossym_error why;
	struct rossym_image *inner = NULL;
	if (make_table(image, (struct rs_rvas){ rvas, count }, &made, &why) == 0)
		inner = open_inner(image, &made, &why);
	if (!inner) {
		if (err)
			*err = why;
		rs_free(rvas);
		return NULL;
	}
	demand->bytes += made.size;
	demand->whole = made.whole;
	demand->tables[demand->count].image = inner;
	demand->tables[demand->count].rvas = rvas;
	demand->tables[demand->count++].rva_count = count;
	return inner;
}

struct rossym_image *rs_demand_all(struct rossym_image *image, struct rossym_error *err)
{
	const struct rs_demand *demand = image->demand;
	return demand->whole ? demand->tables[demand->count - 1].image : make_inner(image, NULL, 0, err);
}

/* ------------------------------------------------------------------------------------------------ which table */

static bool is_in_section(const struct rossym_image *image, uint64_t rva)
{
	return rva <= UINT32_MAX && rs_pe_section_at(&image->core.pe, rva);
}

static bool was_made_for(const struct rs_demand *demand, uint32_t number, uint64_t rva)
{
	const uint32_t *rvas = demand->tables[number].rvas, count = demand->tables[number].rva_count;
	uint32_t at = rs_array_first(rvas, count, sizeof *rvas, 0, rva);
	return at < count && rvas[at] == rva;
}

/* Returns the newest inner image whose table was made for all those of RVAS that are in sections; NULL
   if there is none. */
static struct rossym_image *find_inner(const struct rossym_image *image, const uint64_t *rvas, size_t count)
{
	const struct rs_demand *demand = image->demand;
	for (uint32_t number = demand->count; number-- > 0;) {
		size_t good = 0;
		while (good < count && (was_made_for(demand, number, rvas[good]) || !is_in_section(image, rvas[good])))
			good++;
		if (good == count)
			return demand->tables[number].image;
	}
	return NULL;
}

/* Store those of the RVAS that are in sections in WANTED, ascending and each once.  Returns how many there are. */
static uint32_t collect_rvas_in_sections(const struct rossym_image *image, const uint64_t *rvas, size_t count,
					 uint32_t *wanted)
{
	size_t kept = 0;
	uint32_t different = 0;
	for (size_t i = 0; i < count; i++)
		if (is_in_section(image, rvas[i]))
			wanted[kept++] = (uint32_t)rvas[i];
	rs_sort(wanted, (uint32_t)kept, sizeof *wanted, rs_by_one);
	for (size_t i = 0; i < kept; i++)
		if (different == 0 || wanted[i] != wanted[different - 1])
			wanted[different++] = wanted[i];
	return different;
}

struct rossym_image *rs_demand_some(struct rossym_image *image, const uint64_t *rvas, size_t count,
				    struct rossym_error *err)
{
	struct rs_demand *demand = image->demand;
	if (demand->whole || count > RS_DEMAND_RVAS_MAX)
		return rs_demand_all(image, err);
	struct rossym_image *found = find_inner(image, rvas, count);
	if (found)
		return found;
	uint32_t *wanted = rs_alloc(count, sizeof *wanted);
	if (!wanted) {
		rs_fail_memory(err);
		return NULL;
	}
	uint32_t different = collect_rvas_in_sections(image, rvas, count, wanted);
	if (different > 0 && demand->count < RS_DEMAND_TABLES_MAX)
		return make_inner(image, wanted, different, err);
	rs_free(wanted);
	return different > 0 ? rs_demand_all(image, err) : image;
}

/* ------------------------------------------------------------------------------------------------ whose answer */

static bool points_into(const void *begin, size_t size, const char *string)
{
	return begin && (uintptr_t)string - (uintptr_t)begin < size;
}

/* Whether STRING is in the memory of an inner IMAGE: among the strings of its table or of its block. */
static bool has_string(const struct rossym_image *image, const char *string)
{
	const struct rs_block *block = atomic_load_explicit(&image->block, memory_order_acquire);
	return string && (rs_segments_offset(&image->strings, string) != UINT32_MAX ||
			  (block && block->state == RS_BLOCK_SOUND &&
			   points_into(block->strings, block->parts.strings.length, string)));
}

/* Two tables that were made for different addresses can have different rows.  So the chain of FRAME must come from the
   table that gave FRAME: the one that has the strings of FRAME. */
struct rossym_image *rs_demand_owner(struct rossym_image *image, const struct rossym_frame *frame)
{
	const struct rs_demand *demand = image->demand;
	for (uint32_t number = demand->count; number-- > 0;)
		if (has_string(demand->tables[number].image, frame->function) ||
		    has_string(demand->tables[number].image, frame->file))
			return demand->tables[number].image;
	return demand->count > 0 ? demand->tables[demand->count - 1].image : image;
}
