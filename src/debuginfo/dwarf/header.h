/* SPDX-License-Identifier: GPL-2.0-or-later */
/* header.h - reads a unit's header and its first entry, which describes the unit (DWARF 5, 7.5.1 and 3.1) */
#ifndef DEBUGINFO_DWARF_HEADER_H
#define DEBUGINFO_DWARF_HEADER_H

#include "debuginfo/dwarf/unit.h"

enum { /* types of units, 7.5.1 */
       DW_UT_compile = 0x01,
       DW_UT_type = 0x02,
       DW_UT_partial = 0x03,
       DW_UT_skeleton = 0x04,
       DW_UT_split_compile = 0x05,
       DW_UT_split_type = 0x06,
};

/* Read the header at OFFSET of .debug_info in the unit's sections into unit->header.  The unit's kind becomes 0 if
   its length is zero, as some linkers leave it.  If the unit is rejected because its length makes no sense,
   header.next is 0: then the offset of the next unit is unknown. */
enum outcome rs_unit_read_header(struct dw_unit *unit, uint32_t offset);

/* Read the unit's abbreviations into the reader's, unless they are there already.  If LAST is not 0, only those up to
   the one with code LAST are needed. */
enum outcome rs_unit_read_abbreviations(struct dw_unit *unit, uint64_t last);

/* Read the attributes of the unit's first entry.  If the unit has no entry, its kind becomes 0. */
enum outcome rs_unit_read_first_entry(struct dw_unit *unit);

#endif
