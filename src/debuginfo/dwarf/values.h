/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values.h - what a value stands for: an address, a string, another entry
 *
 * Each function stores it in *RET.  It returns false, and leaves *RET alone, if the value is of another class or leads
 * out of its section.  For the caller the attribute then is absent.
 */
#ifndef DEBUGINFO_DWARF_VALUES_H
#define DEBUGINFO_DWARF_VALUES_H

#include "debuginfo/dwarf/unit.h"

/* The address. */
bool value_address(const struct dw_unit *unit, const struct value *value, uint64_t *ret);

/* Item number INDEX of UNIT in section ID, after the unit's base there: in DW_ADDR an address, in DW_STR_OFFSETS the offset of
   a string, in DW_RNGLISTS that of a range list from the base. */
bool unit_number_at(const struct dw_unit *unit, enum dw_section_id id, uint64_t index, uint64_t *ret);

/* The offset of the entry in .debug_info. */
bool value_reference(const struct dw_unit *unit, const struct value *value, uint32_t *ret);

/* The string, which belongs to its section. */
bool value_string(const struct dw_unit *unit, const struct value *value, const char **ret);

#endif
