/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demand.h - tables that are made when look-ups need them
 *
 * If an image has no table, tables are made of its debug information (open/debug.c); if its table is packed, tables are
 * unpacked.  Making a table for some addresses is quick; a table can also be for all.  Each table becomes an inner
 * image.  An inner image answers only for the addresses that its table was made for, because the table may be
 * wrong about others.  All inner images stay until the image around them is closed, since callers have pointers to
 * their strings.
 *
 * Only one thread may use these functions until the table for all addresses has been made.  After that nothing changes.
 */
#ifndef RS_DEMAND_H
#define RS_DEMAND_H

#include "lib/image.h"

/* Returns an inner image that answers for the COUNT addresses RVAS, after making its table if necessary.  If none of
   RVAS is in a section, the result may be IMAGE itself, which has no rows.  NULL on an error. */
struct rossym_image *rs_demand_some(struct rossym_image *image, const uint64_t *rvas, size_t count,
				    struct rossym_error *err);

/* Returns the inner image that answers for all addresses, after making its table if necessary.  NULL on an error. */
struct rossym_image *rs_demand_all(struct rossym_image *image, struct rossym_error *err);

/* Returns the inner image whose table gave the answer FRAME.  If FRAME has neither function nor file, that is not
   known: then returns the newest inner image. */
struct rossym_image *rs_demand_owner(struct rossym_image *image, const struct rossym_frame *frame);

/* Returns the image with the rows for the COUNT addresses RVAS: IMAGE itself unless its tables are made on demand.
   NULL on an error. */
static inline struct rossym_image *rs_image_for(struct rossym_image *image, const uint64_t *rvas, size_t count,
						struct rossym_error *err)
{
	return image->demand ? rs_demand_some(image, rvas, count, err) : image;
}

/* Returns the image with all rows: IMAGE itself unless its tables are made on demand.  NULL on an error. */
static inline struct rossym_image *rs_image_for_all(struct rossym_image *image, struct rossym_error *err)
{
	return image->demand ? rs_demand_all(image, err) : image;
}

#endif
