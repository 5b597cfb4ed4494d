/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.h - what -s prints at the end: how many addresses were looked up, in which modules, and with what result */
#ifndef LOG_RESOLVE_STATISTICS_H
#define LOG_RESOLVE_STATISTICS_H

#include "log/resolve/resolve.h"

/* Print the counts of RESOLVER and of those that come after it, and their modules, on standard error. */
void statistics_print(const struct resolver *resolver);

#endif
