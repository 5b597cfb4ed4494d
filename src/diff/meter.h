/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meter.h - how far a long comparison has come, shown on a terminal
 *
 * One line on standard error, if that is a terminal.  It appears when the run has taken a second, and is overwritten
 * every second.
 */
#ifndef DIFF_METER_H
#define DIFF_METER_H

#include "tool/out.h"

#include <time.h>

struct meter {
	struct out *out;
	bool wanted, shown;
	size_t total;
	time_t last; /* when it was shown last */
};

void meter_start(struct meter *meter, struct out *out, size_t total);

/* DONE of the total are done.  Shows the line at most once a second. */
void meter_at(struct meter *meter, size_t done);

/* Take the line away; call this before anything else is printed.  The next meter_at() shows it again. */
void meter_hide(struct meter *meter);

#endif
