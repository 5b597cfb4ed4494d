/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meter.h - how far a long run has come, where somebody is watching
 *
 * One line on standard error, if that is a terminal, written over and over again, from the second second of the run on.
 */
#ifndef DIFF_METER_H
#define DIFF_METER_H

#include "tool/out.h"

#include <time.h>

struct meter {
	struct out *out;
	bool wanted, shown;
	size_t total;
	time_t last;		/* when it was shown, at second granularity */
};

void meter_start(struct meter *meter, struct out *out, size_t total);

/* DONE of the total are done. */
void meter_at(struct meter *meter, size_t done);

/* Before anything else is printed: take the line away.  It comes back by itself. */
void meter_hide(struct meter *meter);

#endif
