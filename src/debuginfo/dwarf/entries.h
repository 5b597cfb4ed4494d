/* SPDX-License-Identifier: GPL-2.0-or-later */
/* entries.h - finds the functions and inlined calls among the entries of a unit: .debug_info (DWARF 5, 7.5) */
#ifndef DEBUGINFO_DWARF_ENTRIES_H
#define DEBUGINFO_DWARF_ENTRIES_H

#include "debuginfo/dwarf/unit.h"

enum { /* tags, 7.5.3 */
       DW_TAG_entry_point = 0x03,
       DW_TAG_inlined_subroutine = 0x1d,
       DW_TAG_subprogram = 0x2e,
};

/* The deepest nesting of entries that is read.  Entries nest as the scopes of the source do. */
enum { DW_DEPTH_MAX = 2048 };

/* Add the unit's functions and inlined calls to the reader's scopes, and replace the reader's extents by their code.
   If an entry cannot be read, sets unit->is_partial: the scopes before that entry are used, except those around it, as
   some of their inlined calls are unknown. */
enum outcome rs_unit_read_scopes(struct dw_unit *unit);

#endif
