/* SPDX-License-Identifier: GPL-2.0-or-later */
/* split.h - units whose entries are in a .dwo file (DWARF 5, 7.3.2) */
#ifndef DEBUGINFO_DWARF_SPLIT_H
#define DEBUGINFO_DWARF_SPLIT_H

#include "debuginfo/dwarf/unit.h"

/* Do what unit_read_scopes() does, for a unit whose entries are in one of the .dwo files of the options, or in a
   .dwp file among them. */
enum outcome unit_read_split(struct dw_unit *unit);

/* Close the .dwp file that is open, if there is one. */
void dw_close_package(struct dw_reader *reader);

#endif
