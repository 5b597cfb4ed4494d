/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence.h - collects the return addresses of a log, from which fit.h finds the build of the log
 *
 * The log must be a file, whose lines are read ahead until there are enough addresses.  An absolute address counts only
 * if the log has given base and length of its module before.
 */
#ifndef LOG_RESOLVE_EVIDENCE_H
#define LOG_RESOLVE_EVIDENCE_H

#include "log/find/fit.h"
#include "log/scan/scanner.h"

/* How many bytes of a log are searched for addresses, at most. */
enum { EVIDENCE_REACH = 64 * 1024 * 1024 };

struct evidence {
	struct fit_frames frames;
	bool has_build; /* the log names its build or a module's DateStamp, so addresses need not show the build */
	bool no_memory;
};

/* Collect the return addresses in the events of AHEAD, a scanner that keeps its events, and in the lines that it can
   still read.  Stops where the log names its build or a DateStamp, unless PAST_BUILD.  Sets EVIDENCE->no_memory. */
void evidence_collect(struct evidence *evidence, struct scanner *ahead, const struct settings *settings,
		      bool past_build);

#endif
