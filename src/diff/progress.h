/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - how far a long run has come, where somebody is watching
 *
 * One line on standard error, if that is a terminal, written over and over again, from the second second of the run on.
 */
#ifndef DIFF_PROGRESS_H
#define DIFF_PROGRESS_H

#include "tool/out.h"

#include <time.h>

struct progress {
	struct out *out;
	bool wanted, shown;
	size_t total;
	time_t last;		/* when it was shown, at second granularity */
};

void progress_start(struct progress *progress, struct out *out, size_t total);

/* DONE of the total are done. */
void progress_at(struct progress *progress, size_t done);

/* Before anything else is printed: take the line away.  It comes back by itself. */
void progress_hide(struct progress *progress);

#endif
