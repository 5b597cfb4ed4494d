/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-state.h - a report on its way */
#ifndef REPORT_STATE_H
#define REPORT_STATE_H

#include "dump/registers.h"
#include "dump/address-space.h"
#include "tool/diag.h"
#include "tool/strbuf.h"

struct report_state {
	struct dump_contents dump;
	struct strbuf *text;
	struct dump_problems *problems;
	const struct dump_processor *processor; /* NULL: not known */
	struct dump_space space;
	unsigned frames;			/* so many callers are in the report */
	uint32_t words;				/* so many words of stacks may have been scanned */
	uint32_t compared;			/* so many names of modules were compared */
	bool *shown;				/* of each module: a place in it is in the report */
	bool unloaded_shown[MINIDUMP_UNLOADED]; /* ... of those that are no longer loaded */
	struct dump_module module, other;	/* scratch */
};

/* Append what FORMAT says, of at most 255 bytes; names, which can be longer, go to the text themselves. */
DIAG_PRINTF(2, 3) void report_put(struct report_state *r, const char *format, ...);

/* Append " of ", a day and a time: SECONDS after 1970-01-01. */
void report_time(struct report_state *r, uint64_t seconds);

/* Whether addresses have 32 bits. */
bool report_is_narrow(const struct report_state *r);

#endif
