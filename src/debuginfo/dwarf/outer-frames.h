/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outer-frames.h - names and outer frames of functions and inlined calls
 *
 * Scopes are the entries of functions and of inlined calls.  The reader keeps those of all units, because an inlined
 * call may take its name from an entry of another unit, even of a later one.  So until all units are read, a span's
 * function is the number of a scope; dw_resolve() then puts names in.
 */
#ifndef DEBUGINFO_DWARF_OUTER_FRAMES_H
#define DEBUGINFO_DWARF_OUTER_FRAMES_H

#include "debuginfo/dwarf/unit.h"

/* Store the names of the scopes from number FIRST on, which all come from one .dwo file; after that the file can be
   closed.  Scopes of a .dwo file refer only to each other.  Also set their offsets to OFFSET, the offset of their unit
   in the image's .debug_info.  So all scopes stay in ascending order of offset. */
int dw_name_scopes(struct dw_reader *reader, uint32_t first, uint32_t offset);

/* Mark as needed those passed units that have names for wanted addresses: those of spans from number FIRST_SPAN on, and of
   functions from FIRST_FUNCTION on.  Returns whether there are any. */
bool dw_needs_names(struct dw_reader *reader, uint32_t first_span, uint32_t first_function);

/* Replace scope numbers by names and frames, in the spans from number FIRST_SPAN on and in the functions from
   FIRST_FUNCTION on. */
int dw_resolve(struct dw_reader *reader, uint32_t first_span, uint32_t first_function);

#endif
