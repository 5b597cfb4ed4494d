/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outer-frames.h - makes names and outer frames of functions and inlined calls
 *
 * Scopes are the entries of functions and of inlined calls.  The reader collects those of all units, because an
 * inlined call may have its name in an entry of another unit, even of a later one.  So until all units are read, a
 * span's function is the index of a scope; rs_dw_resolve() then replaces it by a name.
 */
#ifndef DEBUGINFO_DWARF_OUTER_FRAMES_H
#define DEBUGINFO_DWARF_OUTER_FRAMES_H

#include "debuginfo/dwarf/unit.h"

/* Make the names of the scopes from index FIRST on, all of which are from one .dwo file, so that the file can be
   closed: scopes of a .dwo file refer only to each other.  Set their offsets to OFFSET, that of their unit in the
   image's .debug_info, so that all scopes stay in ascending order of offset. */
int rs_dw_name_scopes(struct dw_reader *reader, uint32_t first, uint32_t offset);

/* Mark as needed the skipped units that have names for the wanted addresses in spans from index FIRST_SPAN on, or for
   functions from index FIRST_FUNCTION on.  Returns whether there are any. */
bool rs_dw_needs_names(struct dw_reader *reader, uint32_t first_span, uint32_t first_function);

/* Replace indices of scopes by names and frames, in the spans from index FIRST_SPAN on and in the functions from index
   FIRST_FUNCTION on.  Returns 0; or -1 after storing an error, as rs_dw_name_scopes() does. */
int rs_dw_resolve(struct dw_reader *reader, uint32_t first_span, uint32_t first_function);

#endif
