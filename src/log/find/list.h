/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - --builds: the places and their builds */
#ifndef LOG_FIND_LIST_H
#define LOG_FIND_LIST_H

#include "log/find/modules.h"
#include "tool/out.h"

/* Write a line for each place of MODULES: path, version, build name and commit, separated by tabs and empty if unknown,
   with control characters masked; or with JSON an object. */
void list_builds(struct out *out, struct modules *modules, bool json);

#endif
