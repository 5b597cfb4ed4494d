/* SPDX-License-Identifier: GPL-2.0-or-later */
/* entries.h - the entries of a unit: .debug_info (DWARF 5, 7.5) */
#ifndef DEBUGINFO_DWARF_ENTRIES_H
#define DEBUGINFO_DWARF_ENTRIES_H

#include "debuginfo/dwarf/unit.h"

/* The deepest nesting of entries.  They nest as the source does. */
enum { DW_DEEPEST = 2048 };

/* Add the unit's functions and inlined calls to the reader's scopes, and replace its extents.  If an entry cannot be
   read, the unit is partial: the scopes before that entry stay, except those around it, whose inlined calls are not
   all known. */
enum outcome unit_read_scopes(struct dw_unit *unit);

#endif
