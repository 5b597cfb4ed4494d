/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-modules.h - the modules in a report */
#ifndef REPORT_MODULES_H
#define REPORT_MODULES_H

#include "report/report-state.h"

/* Append the modules that are marked (r->shown), loaded and unloaded; or, if SHOWN is false, the loaded modules that
   are not marked. */
void report_modules(struct report_state *r, bool shown);

#endif
