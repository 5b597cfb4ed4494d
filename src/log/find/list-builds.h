/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list-builds.h - --builds: the places and their builds, and which of them a log fits */
#ifndef LOG_FIND_LIST_BUILDS_H
#define LOG_FIND_LIST_BUILDS_H

#include "log/find/fit.h"
#include "tool/out.h"

/* Write a line for each place of MODULES: path, version, build name and commit, separated by tabs and empty if unknown,
   with control characters masked; or with JSON an object. */
void list_builds(struct out *out, struct modules *modules, bool json);

/* Write a sentence that says which build FIT is for.  Then write a line as list_builds() does for each place that was
   compared, the best first, with one more column: how many frames fit it.  LOG, if it is not NULL, is the log's name,
   with which the sentence begins. */
void list_fit(struct out *out, const struct build_fit *fit, const char *log, bool json);

#endif
