/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-state.h - the state of a report that is being written */
#ifndef REPORT_STATE_H
#define REPORT_STATE_H

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

/* Append " of " and the date and time that is SECONDS after 1970-01-01, as in " of 2026-01-31 12:00:00 UTC". */
void report_time(struct report_state *r, uint64_t seconds);

/* Whether the processor's addresses have 32 bits. */
bool report_is_narrow(const struct report_state *r);

#endif
