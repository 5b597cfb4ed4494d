/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pack-rows.h - the groups of a packed table's rows, as core/packed.h reads them */
#ifndef RS_PACK_ROWS_H
#define RS_PACK_ROWS_H

#include "core/layout.h"

struct rs_packed_row {
	uint32_t rva, line, context;
};

/* The lowest line and the lowest context of a group's rows.  The list of groups stores these; the group itself stores
   differences from them. */
struct rs_group_bases {
	uint32_t line, context;
};

/* Pack COUNT rows, 1 to RS_GROUP_ROWS, whose addresses ascend, into a group at TO, which is all zeros, and store its
   bases.  Returns how many bytes the group takes. */
uint32_t rs_pack_group(const struct rs_packed_row *rows, uint32_t count, struct rs_group_bases *bases,
		       uint8_t to[RS_GROUP_SIZE_MAX + 8]);

#endif
