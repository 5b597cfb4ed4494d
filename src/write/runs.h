/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs.h - which bytes of a file go where when ranges of it are left out
 *
 * What stays is a list of runs: bytes that stay together.  They keep their order.  A run before the tail, where the
 * sections' data is, keeps its offset modulo the file alignment, so that what was aligned stays aligned.  The
 * tail is what comes after the data of the last section that stays: symbols, overlays.
 */
#ifndef RS_RUNS_H
#define RS_RUNS_H

#include "write/ranges.h"

struct rs_run {
	uint64_t from, length;
	uint64_t to;
};

struct rs_runs {
	struct rs_run *list;
	uint32_t count;
	uint32_t tail;		/* the first run of the tail */
};

/*
 * Make the runs of the FILE of SIZE bytes from offset BEGIN on without those GONE, which is from rs_ranges_subtract();
 * the tail begins at TAIL.  Padding behind a gap, zeros up to the next multiple of ALIGNMENT, goes with it unless it
 * is in front of TAIL: there it may be data.
 */
int rs_runs_open(struct rs_runs *runs, const uint8_t *file, uint64_t size, uint64_t begin, uint64_t tail,
		 uint64_t alignment, const struct rs_ranges *gone, struct rossym_error *err);
void rs_runs_clear(struct rs_runs *runs);

/* Place the runs before the tail, from AT on; FIXED: where they are.  Returns where they end. */
uint64_t rs_runs_place(struct rs_runs *runs, uint64_t at, uint64_t alignment, bool fixed);

/* Place the tail's runs from AT on.  Returns where they end. */
uint64_t rs_runs_place_tail(struct rs_runs *runs, uint64_t at);

/* Where the byte at OFFSET has gone; 0 if it is gone. */
uint64_t rs_runs_map(const struct rs_runs *runs, uint64_t offset);

#endif
