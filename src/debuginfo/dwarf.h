/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf.h - spans from DWARF 2 to 5
 *
 * The dwarf-*.c files are the only users of libdwarf.  Where it is missing, dwarf-none.c says so for images that have
 * DWARF.
 */
#ifndef DEBUGINFO_DWARF_H
#define DEBUGINFO_DWARF_H

#include "debuginfo/reading.h"

/* Add spans, functions and frames to READING.  A unit that cannot be read costs that unit and a warning. */
int dwarf_read(struct reading *reading);

#endif
