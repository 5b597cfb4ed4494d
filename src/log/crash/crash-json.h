/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crash-json.h - crashes as JSON: for each an object on a line of its own, as rossym-log(1) describes it */
#ifndef LOG_CRASH_CRASH_JSON_H
#define LOG_CRASH_CRASH_JSON_H

#include "log/crash/crashes.h"
#include "tool/out.h"

void crashes_print_json(struct out *out, const struct crashes *crashes);

#endif
