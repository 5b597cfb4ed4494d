/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-stack.h - a stack in a report */
#ifndef REPORT_STACK_H
#define REPORT_STACK_H

#include "report/report-state.h"

/* Mark the module that contains ADDRESS as one that the report is about.  Returns the number of that module, or the
   count of all modules if none contains ADDRESS. */
uint32_t report_mark_module(struct report_state *r, uint64_t address);

/* Append what the CONTEXT of SIZE bytes at OFFSET of the file tells of a thread: its innermost frame, registers and
   callers.  Append nothing if SIZE is 0, or the processor is unknown. */
void report_context(struct report_state *r, uint64_t offset, uint32_t size);

/* Append TITLE, then what report_context() appends, but for the CONTEXT at the virtual address ADDRESS.  Append nothing
   if the dump lacks that memory, or the CONTEXT lacks the instruction pointer. */
void report_context_in_memory(struct report_state *r, uint64_t address, const char *title);

/* Append the callers on the stack whose first return address is at the virtual address SP, or up to
   31 words above it. */
void report_stack(struct report_state *r, uint64_t sp);

#endif
