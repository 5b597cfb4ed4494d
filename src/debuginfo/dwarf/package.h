/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * package.h - a .dwp file: the .dwo files of a program in one (DWARF 5, 7.3.5)
 *
 * Each section of a package holds the sections of the .dwo files, one after the other.  .debug_cu_index is a hash table
 * from the id of a unit to the parts of the sections that are the unit's.  Version 5 is the standard's; version 2 is
 * GNU's, for units of DWARF 2 to 4.  .debug_tu_index has the same form, for units of types, which have no code.
 */
#ifndef DEBUGINFO_DWARF_PACKAGE_H
#define DEBUGINFO_DWARF_PACKAGE_H

#include "debuginfo/dwarf/dwarf-sections.h"

struct package_index {
	const uint8_t *bytes;
	uint32_t version;
	uint32_t columns, units, slots;
};

/* Read the header of a .debug_cu_index, which is SIZE bytes at BYTES, into *INDEX.  Returns NULL, or why it cannot be
   read. */
const char *package_open(struct package_index *index, const uint8_t *bytes, uint32_t size);

/* Store the sections of the unit ID in *PART; they are parts of the package's sections WHOLE.  Returns true; or false,
   and *WHY is the reason if the index is damaged, or NULL if it does not have the unit. */
bool package_find(const struct package_index *index, uint64_t id, const struct dw_sections *whole,
		  struct dw_sections *part, const char **why);

#endif
