/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demand.h - tables that are made when look-ups need them, for an image without one, or one whose table is packed
 *
 * The caller of the library makes tables: for some addresses quickly, or for all of them.  Each table becomes an image
 * inside the image.  Such an inner image answers only for the addresses that were asked for, since nobody knows what
 * its table says about others.  All inner images stay until the image around them is closed: pointers to their strings
 * may have been handed out.
 *
 * Nothing here is safe in several threads until the table for all addresses has been made.  After that nothing changes.
 */
#ifndef RS_DEMAND_H
#define RS_DEMAND_H

#include "lib/image.h"

/* Returns the image inside IMAGE that answers for the COUNT addresses RVAS; IMAGE itself, which has no rows, if none of
   them is in a section.  A table is made if necessary.  NULL on an error. */
struct rossym_image *rs_demand_some(struct rossym_image *image, const uint64_t *rvas, size_t count,
				    struct rossym_error *err);

/* Returns the image inside IMAGE that answers for all addresses.  NULL on an error. */
struct rossym_image *rs_demand_all(struct rossym_image *image, struct rossym_error *err);

/* Returns the image whose table gave the answer FRAME. */
struct rossym_image *rs_demand_owner(struct rossym_image *image, const struct rossym_frame *frame);

/* Returns the image with the rows for the COUNT addresses RVAS: IMAGE itself if it has a table.  NULL on an error. */
static inline struct rossym_image *rs_image_for(struct rossym_image *image, const uint64_t *rvas, size_t count,
						struct rossym_error *err)
{
	return image->demand ? rs_demand_some(image, rvas, count, err) : image;
}

/* Returns the image with all rows: IMAGE itself if it has a table.  NULL on an error. */
static inline struct rossym_image *rs_image_for_all(struct rossym_image *image, struct rossym_error *err)
{
	return image->demand ? rs_demand_all(image, err) : image;
}

#endif
