/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * statistics.h - what -s prints at the end: how many addresses were looked up, in which modules, and with what result
 *
 * A file that an operand names by its path has a resolver of its own, which is closed before the end.  So the counts of
 * that resolver are added to those of the program's, and what it knows about modules is kept as rows.
 */
#ifndef LOG_RESOLVE_STATISTICS_H
#define LOG_RESOLVE_STATISTICS_H

#include "log/resolve/resolve.h"

struct statistics_row;

/* Rows of modules of resolvers that have been closed.  All zeros: there are none. */
struct statistics {
	struct statistics_row *rows; /* in the order in which they were added */
	size_t count, room;
};

/* CLOSING is about to be closed: add its counts to those of RESOLVER, and the rows of its modules to STATISTICS.
   Returns false if there is no memory. */
bool statistics_add(struct statistics *statistics, struct resolver *resolver, const struct resolver *closing);

/* Print the counts and modules of RESOLVER, and then the rows of STATISTICS, on standard error. */
void statistics_print(const struct statistics *statistics, const struct resolver *resolver);

void statistics_clear(struct statistics *statistics);

#endif
