/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-stack.h - a stack in a report */
#ifndef REPORT_STACK_H
#define REPORT_STACK_H

#include "report/report-state.h"

/* Returns the number of the module that has ADDRESS, which is in the report from now on; the number of modules if none has. */
uint32_t report_show(struct report_state *r, uint64_t address);

/* Append the place, the registers and the callers in the CONTEXT of SIZE bytes at OFFSET of the file, if it has some. */
void report_context(struct report_state *r, uint64_t offset, uint32_t size);

/* ... of the CONTEXT at ADDRESS of the memory that the dump has, after TITLE.  Nothing, if the dump does not have it. */
void report_context_in_memory(struct report_state *r, uint64_t address, const char *title);

/* Append the stack whose first return address is at SP, or a few words above. */
void report_stack(struct report_state *r, uint64_t sp);

#endif
