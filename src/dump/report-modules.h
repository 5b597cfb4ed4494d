/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-modules.h - the modules in a report */
#ifndef DUMP_REPORT_MODULES_H
#define DUMP_REPORT_MODULES_H

#include "dump/report-state.h"

/* Append the modules whose places are SHOWN in the report, or the others. */
void report_modules(struct report_state *r, bool shown);

#endif
