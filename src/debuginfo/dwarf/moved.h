/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moved.h - corrects the addresses of DWARF in an image that was moved after the link */
#ifndef DEBUGINFO_DWARF_MOVED_H
#define DEBUGINFO_DWARF_MOVED_H

#include "debuginfo/dwarf/known.h"

/* Find out from symbols if the image was moved, and by how much (symbols/shift.h), unless the cache has the result.  Corrects
   reading->symbols.base.  Returns 1; 0 after a warning, if DWARF cannot be used; or -1 after storing an error. */
int rs_dw_correct_base(struct dw_reader *reader);

#endif
