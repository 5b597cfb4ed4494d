/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack.h - from a packed table to one that is not
 *
 * The core looks up addresses in a packed table where it is.  The library has memory, and needs rows and strings as
 * they are in other tables: for its indexes, and because it hands out pointers to strings.  So it unpacks all of a
 * packed table, which takes about as long as building an index; or, if the caller wants that, what it says about some
 * addresses.
 */
#ifndef RS_UNPACK_H
#define RS_UNPACK_H

#include "core/core.h"
#include "rossym.h"

#include <stdbool.h>

/*
 * The same for the COUNT addresses RVAS alone, which ascend: reads what is known about them, and makes a table that has
 * their answers, frames and functions.  What it says about other addresses means nothing.  Checks only what it reads.
 * If some rows are too unusual for that, it unpacks all and sets *WHOLE.
 */
struct rs_rvas {
	const uint32_t *rvas;
	uint32_t count;
};
int rs_unpack_some(const struct rossym_core *packed, struct rs_rvas rvas, uint8_t **ret, size_t *ret_size, bool *whole,
		   struct rossym_error *err);

/* Unpack the table of PACKED, which is packed, and its block.  Stores a bare table, rows of 16 bytes, which is to be
   rs_free()d.  Returns 0; or -1: ROSSYM_ENOMEM, a fault of reading, or ROSSYM_EDAMAGED for anything that is wrong. */
int rs_unpack(const struct rossym_core *packed, uint8_t **ret, size_t *ret_size, struct rossym_error *err);

#endif
