/* SPDX-License-Identifier: GPL-2.0-or-later */
/* range-lists.h - the code of an entry: one range, or a list in .debug_ranges or .debug_rnglists (DWARF 5, 2.17) */
#ifndef DEBUGINFO_DWARF_RANGE_LISTS_H
#define DEBUGINFO_DWARF_RANGE_LISTS_H

#include "debuginfo/dwarf/unit.h"

/* Add the ranges of the entry whose attributes are VALUES to the reader's extents, with SCOPE in their field "what". */
enum outcome rs_unit_add_code(struct dw_unit *unit, const struct value *values, uint32_t scope);

#endif
