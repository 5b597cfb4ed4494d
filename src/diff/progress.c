// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/progress.h"

#include <stdio.h>
#include <unistd.h>

void progress_start(struct progress *progress, struct out *out, size_t total)
{
	*progress = (struct progress){ .out = out, .wanted = isatty(STDERR_FILENO) != 0, .total = total,
				       .last = time(NULL) };
}

void progress_at(struct progress *progress, size_t done)
{
	if (!progress->wanted)
		return;
	time_t now = time(NULL);
	if (now == progress->last)
		return;
	progress->last = now;
	/* Both may be the same terminal. */
	progress_hide(progress);
	out_flush(progress->out);
	fprintf(stderr, "\r%zu of %zu addresses compared (%u %%)", done, progress->total,
		(unsigned)((uint64_t)done * 100 / progress->total));
	fflush(stderr);
	progress->shown = true;
}

void progress_hide(struct progress *progress)
{
	enum { WIDTH = 70 };
	if (!progress->shown)
		return;
	fprintf(stderr, "\r%*s\r", WIDTH, "");
	fflush(stderr);
	progress->shown = false;
}
