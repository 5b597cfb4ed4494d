/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-stack.h - the state of a report that is being written, and a stack in it */
#ifndef REPORT_STACK_H
#define REPORT_STACK_H

#include "dump/registers.h"
#include "dump/address-space.h"
#include "tool/strbuf.h"

struct report_state {
	struct dump_contents dump;
	struct strbuf *text;
	struct dump_problems *problems;
	const struct dump_processor *processor; /* NULL: unknown */
	struct dump_space space;
	unsigned callers;			/* how many callers the report has so far */
	uint32_t words;				/* an upper bound for the words of stacks that have been scanned */
	uint32_t compared;			/* how many names of modules have been compared */
	bool *shown;				/* for each module: it contains an address that the report shows */
	bool unloaded_shown[MINIDUMP_UNLOADED]; /* the same for each unloaded module */
	struct dump_module module, other;	/* scratch */
};

/* Whether the processor's addresses have 32 bits. */
static inline bool report_is_narrow(const struct report_state *r)
{
	return r->processor && r->processor->size == 4;
}

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
