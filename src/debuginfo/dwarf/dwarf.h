/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dwarf.h - spans from DWARF 2 to 5 */
#ifndef DEBUGINFO_DWARF_H
#define DEBUGINFO_DWARF_H

#include "debuginfo/base/reading.h"

/* Add spans, functions and frames to READING.  A unit that cannot be read is left out, with a warning.  Returns 0; or
   -1 after storing an error. */
int rs_dwarf_read(struct reading *reading);

/* Free the cache of calls of rs_dwarf_read().  KEEP may be NULL. */
void rs_dwarf_keep_free(struct dw_keep *keep);

#endif
