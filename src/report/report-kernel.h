/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-kernel.h - the parts of a report that only a kernel dump has */
#ifndef REPORT_KERNEL_H
#define REPORT_KERNEL_H

#include "report/report-state.h"

/* Append the kind of dump, its time and the system, and set r->processor. */
void report_kernel_head(struct report_state *r);

/* Append the bugcheck, the exception and the stacks: from the CONTEXT in the header, from each CONTEXT that the
   bugcheck names and, in a triage dump, from the stack pointer that KeBugCheckEx() has left. */
void report_kernel_stacks(struct report_state *r);

#endif
