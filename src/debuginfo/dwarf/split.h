/* SPDX-License-Identifier: GPL-2.0-or-later */
/* split.h - reads units whose entries are in a .dwo file (DWARF 5, 7.3.2) */
#ifndef DEBUGINFO_DWARF_SPLIT_H
#define DEBUGINFO_DWARF_SPLIT_H

#include "debuginfo/dwarf/unit.h"

/* As rs_unit_read_scopes(), for a unit whose entries are in one of options->dwos, a .dwo or .dwp file.  Warns if the
   file is not there. */
enum outcome rs_unit_read_split(struct dw_unit *unit);

/* Close the .dwp file that is open, if there is one. */
void rs_dw_close_package(struct dw_reader *reader);

#endif
