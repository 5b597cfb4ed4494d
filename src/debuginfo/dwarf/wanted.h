/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wanted.h - a unit's own ranges, and which units need not be read: wanted.c says how */
#ifndef DEBUGINFO_DWARF_WANTED_H
#define DEBUGINFO_DWARF_WANTED_H

#include "debuginfo/dwarf/known.h"

/* Read the unit's code, as its own entry says, into the reader's extents.  Then unit_find_own() makes the unit's own
   ranges of these and of the sequences of its line table.  It has none if the entry has none. */
enum outcome unit_read_own(struct dw_unit *unit);
enum outcome unit_find_own(struct dw_unit *unit);

/* Whether the unit may tell something about the code from BEGIN up to END: it has no ranges, or one around that.  If
   not, the unit is clipped. */
bool unit_owns(struct dw_unit *unit, uint32_t begin, uint32_t end);

/* Add the parts of SPAN in the unit's own ranges, if they are wanted; the unit is clipped if SPAN has other parts.
   Call it with ascending spans. */
enum outcome unit_span(struct dw_unit *unit, const struct span *span);

/* Note that the line table at OFFSET has been read.  Returns 0, or -1 without memory. */
int dw_mark_lines(struct dw_reader *reader, uint64_t offset);

/* Whether one of the COUNT ranges OWN has wanted code. */
bool dw_has_wanted(const struct dw_reader *reader, const struct extent *own, uint32_t count);

/* If the entry at OFFSET of .debug_info is in a unit that was passed over, it is passed over no more.  Returns whether this is new. */
bool unit_need_passed(struct dw_reader *reader, uint32_t offset);

/* When all units were read or passed over: whether some that were passed over are needed, so that all must be read again.
   MORE tells that names have made some needed; here it is their code. */
bool dw_needs_more(struct dw_reader *reader, bool more, uint32_t first_function);

#endif
