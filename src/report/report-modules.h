/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-modules.h - the modules in a report */
#ifndef REPORT_MODULES_H
#define REPORT_MODULES_H

#include "report/report-state.h"

/* SHOWN: append the loaded modules marked in r->shown and the unloaded ones marked in r->unloaded_shown.  If SHOWN is
   false, append the loaded modules that are not marked. */
void report_modules(struct report_state *r, bool shown);

#endif
