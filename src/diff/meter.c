// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/meter.h"

#include <stdio.h>
#include <unistd.h>

void meter_start(struct meter *meter, struct out *out, size_t total)
{
	*meter = (struct meter){ .out = out, .wanted = isatty(STDERR_FILENO) != 0, .total = total, .last = time(NULL) };
}

void meter_at(struct meter *meter, size_t done)
{
	if (!meter->wanted)
		return;
	time_t now = time(NULL);
	if (now == meter->last)
		return;
	meter->last = now;
	/* Standard output may be the same terminal, so what it has buffered must come before this line. */
	meter_hide(meter);
	out_flush(meter->out);
	fprintf(stderr, "\r%zu of %zu addresses compared (%u %%)", done, meter->total,
		(unsigned)((uint64_t)done * 100 / meter->total));
	fflush(stderr);
	meter->shown = true;
}

void meter_hide(struct meter *meter)
{
	enum { WIDTH = 70 };
	if (!meter->shown)
		return;
	fprintf(stderr, "\r%*s\r", WIDTH, "");
	fflush(stderr);
	meter->shown = false;
}
