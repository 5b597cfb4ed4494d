/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-minidump.h - the parts of a report that only a minidump has */
#ifndef REPORT_MINIDUMP_H
#define REPORT_MINIDUMP_H

#include "report/report-state.h"

/* Append the time, the system and the process, and set r->processor. */
void report_minidump_head(struct report_state *r);

/* Append the exception and the stacks of all threads, the crashed one first. */
void report_minidump_stacks(struct report_state *r);

#endif
