/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demand.h - makes what look-ups need and is not in memory yet
 *
 * A packed table in a file, or debug information, can give answers for a few addresses quickly.  These answers are kept
 * (table/kept.h), and the image is `partial`.  When more is needed, the whole table is unpacked, or made of the debug
 * information (open/debug.c).  From then on, the image is like one whose table was never packed.
 *
 * Only one thread may use these functions while the image is partial.
 */
#ifndef RS_DEMAND_H
#define RS_DEMAND_H

#include "lib/image.h"

/* Make the answers for those of the COUNT addresses RVAS that are in sections and have none yet; or, if there are too
   many, the whole table.  IMAGE must be partial.  Returns 0 or -1. */
int rs_demand_make_answers(struct rossym_image *image, const uint64_t *rvas, size_t count, struct rossym_error *err);

/* Make the whole table of IMAGE, which must be partial.  Returns 0 or -1. */
int rs_demand_make_whole_table(struct rossym_image *image, struct rossym_error *err);

/* Make sure that IMAGE can answer for the COUNT addresses RVAS.  If it stays partial, their answers are in image->kept.
   Returns 0 or -1. */
static inline int rs_image_ensure_answers(struct rossym_image *image, const uint64_t *rvas, size_t count,
					  struct rossym_error *err)
{
	return image->partial ? rs_demand_make_answers(image, rvas, count, err) : 0;
}

/* Make sure that IMAGE has all rows.  Returns 0 or -1. */
static inline int rs_image_ensure_all_rows(struct rossym_image *image, struct rossym_error *err)
{
	return image->partial ? rs_demand_make_whole_table(image, err) : 0;
}

#endif
