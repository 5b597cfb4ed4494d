/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack.h - makes a plain table from a packed one
 *
 * The core looks up addresses in a packed table without unpacking it.  The library needs rows and strings that are not
 * packed, for its indexes, and because it returns pointers to strings.  So it unpacks a packed table, which takes about
 * as long as building an index.
 */
#ifndef RS_UNPACK_H
#define RS_UNPACK_H

#include "core/core.h"
#include "rossym.h"

/* Check and unpack the whole table of PACKED, which is packed, and its block.  Stores in *RET a bare table with rows of
   16 bytes, to be rs_free()d, and in *RET_SIZE its size.  Returns 0; or -1: ROSSYM_ENOMEM, an error of
   reading, or ROSSYM_EDAMAGED. */
int rs_unpack_table(const struct rossym_core *packed, uint8_t **ret, size_t *ret_size, struct rossym_error *err);

/* Unpacked strings, each with its NUL. */
struct rs_texts {
	char *bytes;
	uint32_t length, room;
};

/* Unpack the string at OFFSET of STRINGS, and append it to TEXTS.  All strings of TEXTS must be from STRINGS.  Offsets
   in errors are PLACE + the offset in STRINGS.  Returns 0; or -1: ROSSYM_ENOMEM, ROSSYM_EDAMAGED, a read error. */
int rs_unpack_text(const struct rs_strings *strings, uint32_t offset, uint64_t place, struct rs_texts *texts,
		   struct rossym_error *err);

#endif
