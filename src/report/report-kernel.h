/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-kernel.h - the parts of a report that only a kernel dump has */
#ifndef REPORT_KERNEL_H
#define REPORT_KERNEL_H

#include "report/report-state.h"

/* Append kind and system, and remember the processor. */
void report_kernel_head(struct report_state *r);

/* Append the bugcheck and the stacks: that of the context in the header, and that at the top of stack, which KeBugCheckEx() has
   left. */
void report_kernel_stacks(struct report_state *r);

#endif
