/* SPDX-License-Identifier: GPL-2.0-or-later */
/* header.h - a unit's header and its own entry (DWARF 5, 7.5.1 and 3.1) */
#ifndef DEBUGINFO_DWARF_HEADER_H
#define DEBUGINFO_DWARF_HEADER_H

#include "debuginfo/dwarf/unit.h"

enum header_result {
	HEADER_READ,
	HEADER_BAD,   /* the unit must be passed over; header.next is good */
	HEADER_EMPTY, /* only a length of zero, which some linkers leave */
	HEADER_LAST,  /* the length makes no sense, so nobody knows where the next unit begins */
};

/* Read the header at OFFSET of .debug_info in the unit's sections into the unit, which gets a fault if the result is
   HEADER_BAD or HEADER_LAST. */
enum header_result unit_read_header(struct dw_unit *unit, uint32_t offset);

/* Let the reader's abbreviations be those of the unit; with LAST, which is not 0, at least those up to this code. */
enum outcome unit_read_abbreviations(struct dw_unit *unit, uint64_t last);

/* Read the attributes of the unit's own entry.  Sets *IS_EMPTY if there is no entry. */
enum outcome unit_read_own_entry(struct dw_unit *unit, bool *is_empty);

#endif
