/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence.h - collects the return addresses of a log, by which fit.h finds the build of the log
 *
 * The log must be a file, whose lines are read ahead until there are enough addresses.  An absolute address counts only
 * if an earlier line of the log has base and length of its module.
 */
#ifndef LOG_RESOLVE_EVIDENCE_H
#define LOG_RESOLVE_EVIDENCE_H

#include "log/find/fit.h"
#include "log/scan/scanner.h"

/* How many bytes of a log are searched for addresses, at most. */
enum { EVIDENCE_REACH = 64 * 1024 * 1024 };

/* Compare the return addresses of a log with the builds of MODULES.  AHEAD, the scanner of the log, has them in the
   events that it has kept, and in lines that it can still read.  Returns true, and stores the result in *FIT,
   whose places the caller frees.  Returns false if reading has failed (ahead->error), if there is no memory, or, unless
   PAST_BUILD, if the log names its build or a DateStamp: then its addresses need not show the build. */
bool evidence_compare(struct build_fit *fit, struct modules *modules, struct scanner *ahead,
		      const struct settings *settings, bool past_build);

#endif
