/* SPDX-License-Identifier: GPL-2.0-or-later */
/* range-lists.h - the code of an entry: one range, or a list in .debug_ranges or .debug_rnglists (DWARF 5, 2.17) */
#ifndef DEBUGINFO_DWARF_RANGE_LISTS_H
#define DEBUGINFO_DWARF_RANGE_LISTS_H

#include "debuginfo/dwarf/unit.h"

/* Store in *CODE the VALUE of the attribute NAME: DW_AT_low_pc, DW_AT_high_pc or DW_AT_ranges.  A value of the wrong
   class counts as absent. */
void entry_code_attribute(struct dw_unit *unit, struct entry_code *code, uint16_t name, const struct value *value);

/* Add the ranges of CODE to the reader's extents, as those of the scope with index SCOPE. */
enum outcome unit_add_code(struct dw_unit *unit, const struct entry_code *code, uint32_t scope);

#endif
