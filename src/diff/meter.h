/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meter.h - shows on a terminal how far a long comparison is
 *
 * It prints one line on standard error, if that is a terminal: first when the run has taken a second.  Then it replaces
 * the line about every second.
 */
#ifndef DIFF_METER_H
#define DIFF_METER_H

#include "tool/out.h"

#include <time.h>

struct meter {
	struct out *out;
	bool wanted;  /* standard error is a terminal */
	bool shown;   /* the line is on the terminal now */
	size_t total; /* addresses to compare */
	time_t last;  /* when the line was printed last */
};

void meter_start(struct meter *meter, struct out *out, size_t total);

/* DONE of the total are done.  Prints the line at most once a second. */
void meter_at(struct meter *meter, size_t done);

/* Erase the line; call this before anything else is printed.  meter_at() prints it again. */
void meter_hide(struct meter *meter);

#endif
