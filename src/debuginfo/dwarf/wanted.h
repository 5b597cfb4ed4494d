/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wanted.h - finds a unit's ranges, and decides which units need not be read: wanted.c says how */
#ifndef DEBUGINFO_DWARF_WANTED_H
#define DEBUGINFO_DWARF_WANTED_H

#include "debuginfo/dwarf/known.h"

/* rs_unit_read_ranges() reads the ranges in the unit's first entry into the reader's extents.  After that,
   rs_unit_find_ranges() makes unit->known.ranges of these and of the sequences of the unit's line table.  If the first
   entry has no ranges, unit->known.has_ranges stays false. */
enum outcome rs_unit_read_ranges(struct dw_unit *unit);
enum outcome rs_unit_find_ranges(struct dw_unit *unit);

/* Whether the unit may answer for the code from BEGIN up to END: it has no ranges, or one of them contains that code.
   If not, sets unit->is_clipped. */
bool rs_unit_contains(struct dw_unit *unit, uint32_t begin, uint32_t end);

/* Add those parts of SPAN that are in the unit's ranges and wanted.  Call this with ascending spans. */
enum outcome rs_unit_span(struct dw_unit *unit, const struct span *span);

/* Note that the line table at OFFSET has been read.  Returns 0; or -1 without memory. */
int rs_dw_mark_lines(struct dw_reader *reader, uint64_t offset);

/* Whether UNIT may have wanted code. */
bool rs_known_is_wanted(const struct reading *reading, const struct known_unit *unit);

/* If the entry at OFFSET of .debug_info is in a unit that was skipped, mark the unit as needed, and return true; else
   return false. */
bool rs_unit_need_skipped(struct dw_reader *reader, uint32_t offset);

/* Call this when all units were read or skipped.  Functions from index FIRST_FUNCTION on can make more code wanted
   (reading.h); skipped units with such code are marked as needed.  MORE: rs_dw_needs_names() has marked some already.
   Returns whether any unit is marked; then the reading must begin again. */
bool rs_dw_needs_more(struct dw_reader *reader, bool more, uint32_t first_function);

#endif
