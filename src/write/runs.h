/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs.h - where the bytes of a file move when ranges are removed from it
 *
 * The bytes that stay are a list of runs, each of which moves as one piece.  They keep their order.  The tail is what
 * comes after the data of the last section that stays: COFF symbols, overlays.  A run before the tail keeps its offset
 * modulo the file alignment, so the data of sections stays aligned.
 */
#ifndef RS_RUNS_H
#define RS_RUNS_H

#include "write/ranges.h"

struct rs_run {
	uint64_t from, length; /* in the old file */
	uint64_t to;	       /* offset in the new file */
};

struct rs_runs {
	struct rs_run *list;
	uint32_t count;
	uint32_t tail; /* index of the first run of the tail */
};

struct rs_runs_file {
	const uint8_t *bytes;
	uint64_t size;
	uint64_t begin, tail; /* offsets at which the first run and the tail begin */
	uint64_t alignment;   /* padding in the tail ends at a multiple of this */
};

/*
 * Make the runs of FILE without the ranges REMOVED, which are from rs_ranges_subtract().  Where such a range ends in
 * the tail, zeros after it, up to the next multiple of the alignment, are padding and removed, too.  Before the tail
 * they stay, because they may be data.  Returns 0, or -1: ROSSYM_ENOMEM.
 */
int rs_runs_open(struct rs_runs *runs, const struct rs_runs_file *file, const struct rs_ranges *removed,
		 struct rossym_error *err);
void rs_runs_clear(struct rs_runs *runs);

/* Place the runs before the tail one after the other, from offset AT on, each at its old offset modulo ALIGNMENT.
   FIXED: each stays at its old offset.  Returns where they end. */
uint64_t rs_runs_place(struct rs_runs *runs, uint64_t at, uint64_t alignment, bool fixed);

/* Place the runs of the tail from offset AT on.  Returns where they end. */
uint64_t rs_runs_place_tail(struct rs_runs *runs, uint64_t at);

/* Returns the new offset of the byte that was at OFFSET, or 0 if it was removed. */
uint64_t rs_runs_map(const struct rs_runs *runs, uint64_t offset);

#endif
