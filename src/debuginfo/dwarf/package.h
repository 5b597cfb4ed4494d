/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * package.h - finds units in a .dwp file, which has the .dwo files of a program (DWARF 5, 7.3.5)
 *
 * Each section of a package consists of those of the .dwo files, one after another.  .debug_cu_index is a hash table
 * from the id of a unit to its parts of the sections.  Version 5 of this table is the standard's; version 2 is GNU's,
 * for units of DWARF 2 to 4.  .debug_tu_index has the same form, for units of types, which have no code.
 */
#ifndef DEBUGINFO_DWARF_PACKAGE_H
#define DEBUGINFO_DWARF_PACKAGE_H

#include "debuginfo/dwarf/dwarf-sections.h"

struct package_index {
	const uint8_t *bytes;
	uint32_t version;
	uint32_t columns, units, slots;
};

/* Read the header of a .debug_cu_index of SIZE bytes at BYTES into *INDEX.  Returns NULL; or why it cannot be read. */
const char *rs_package_open(struct package_index *index, const uint8_t *bytes, uint32_t size);

/* Store the sections of the unit ID in *PART; they are parts of the package's sections WHOLE.  Returns true.  Returns
   false if the index does not have the unit (*WHY becomes NULL), or is damaged (*WHY becomes the reason). */
bool rs_package_find(const struct package_index *index, uint64_t id, const struct dw_sections *whole,
		     struct dw_sections *part, const char **why);

#endif
