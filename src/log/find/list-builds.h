/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list-builds.h - --builds: the places and their builds, and which of them a log fits */
#ifndef LOG_FIND_LIST_BUILDS_H
#define LOG_FIND_LIST_BUILDS_H

#include "log/find/fit.h"
#include "tool/out.h"

/* Write a line for each place of MODULES: path, version, build name and commit, separated by tabs, empty if unknown,
   with control characters masked.  JSON: an object in place of a line. */
void list_builds(struct out *out, struct modules *modules, bool json);

/* Write a sentence about the build that the log fits best.  Then, unless fit->frames is 0, write a line like those of
   list_builds() for each place that was compared, the best first, with one more column: how many frames fit it.  The
   sentence begins with LOG, the log's name, unless that is NULL.  JSON: only an object for each place. */
void list_fit(struct out *out, const struct build_fit *fit, const char *log, bool json);

#endif
