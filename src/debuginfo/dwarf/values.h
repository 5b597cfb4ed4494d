/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values.h - finds what a value refers to: an address, a string, another entry
 *
 * Each function stores what it finds in *RET and returns true.  If the value is of another class or refers to something
 * outside its section, it returns false, and *RET is unchanged: the caller treats the attribute as absent.
 */
#ifndef DEBUGINFO_DWARF_VALUES_H
#define DEBUGINFO_DWARF_VALUES_H

#include "debuginfo/dwarf/unit.h"

/* Find the address, which can be in .debug_addr. */
bool rs_value_address(const struct dw_unit *unit, const struct value *value, uint64_t *ret);

/* Find item INDEX of the unit's part of section ID: in DW_ADDR an address, in DW_STR_OFFSETS the offset of a string, in
   DW_RNGLISTS the offset of a range list from the beginning of the part. */
bool rs_unit_number_at(const struct dw_unit *unit, enum dw_section_id id, uint64_t index, uint64_t *ret);

/* Find the offset in .debug_info of the entry that VALUE refers to. */
bool rs_value_reference(const struct dw_unit *unit, const struct value *value, uint32_t *ret);

/* Find the string, which points into its section. */
bool rs_value_string(const struct dw_unit *unit, const struct value *value, const char **ret);

#endif
