/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack.h - from a packed table to one that is not
 *
 * The core looks up addresses in a packed table where it is.  The library has memory, and needs rows and strings as
 * they are in other tables: for its indexes, and because it hands out pointers to strings.  So it unpacks all of a packed
 * table when it opens one.  That takes about as long as building an index.
 */
#ifndef RS_UNPACK_H
#define RS_UNPACK_H

#include "core/core.h"
#include "rossym.h"

/* Unpack the table of PACKED, which is packed, and its block.  Stores a bare table, rows of 16 bytes, which is to be
   rs_free()d.  Returns 0; or -1: ROSSYM_ENOMEM, a fault of reading, or ROSSYM_EDAMAGED for anything that is wrong. */
int rs_unpack(const struct rossym_core *packed, uint8_t **ret, size_t *ret_size, struct rossym_error *err);

#endif
