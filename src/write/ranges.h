/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranges.h - finds which bytes to remove where ranges to cut and ranges to keep overlap, and where the others move
 *
 * Sections of an image may overlap, in the file and in memory.  So removing a section removes only those of its bytes
 * that no remaining section has.
 */
#ifndef RS_RANGES_H
#define RS_RANGES_H

#include "rossym.h"

#include <stdbool.h>
#include <stdint.h>

struct rs_range {
	uint64_t begin, end; /* `end` is not included */
};

/* Ranges in ascending order, with at least one byte between two ranges. */
struct rs_ranges {
	struct rs_range *list;
	uint32_t count;
};

void rs_ranges_clear(struct rs_ranges *ranges);

/* Whether AT is in RANGES. */
bool rs_ranges_contain(const struct rs_ranges *ranges, uint64_t at);

/* Ranges to cut and to keep, in any order. */
struct rs_cuts {
	struct rs_edge *edges; /* where they begin and end */
	uint32_t count;
};

/* Make CUTS an empty list with room for ROOM ranges.  Returns 0, or -1: ROSSYM_ENOMEM. */
int rs_cuts_begin(struct rs_cuts *cuts, size_t room, struct rossym_error *err);

/* Add LENGTH bytes (or 0) from BEGIN on to CUTS, which must have room: if KEEP, to be kept; else to be cut. */
void rs_cuts_add(struct rs_cuts *cuts, uint64_t begin, uint64_t length, bool keep);

/* Store in *RET the ranges of all bytes that are to be cut and not to be kept; call rs_ranges_clear() afterwards.
   Frees CUTS.  Returns 0, or -1: ROSSYM_ENOMEM. */
int rs_cuts_end(struct rs_cuts *cuts, struct rs_ranges *ret, struct rossym_error *err);

/* ------------------------------------------------------------------------------------------------ runs */

/* When ranges are removed from a file, the bytes that stay are a list of runs: pieces of the file, each of which moves
   as a whole.  Runs keep their order.  The tail is what comes after the data of the last section that stays: COFF
   symbols, overlays.  A run before the tail keeps its offset modulo the file alignment, so sections stay aligned. */

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
	uint64_t begin, tail; /* the offsets at which the first run and the tail begin */
	uint64_t alignment;   /* of the file: padding in the tail ends at a multiple of this number */
};

/*
 * Make the runs of FILE without the ranges REMOVED.  If a removed range ends in the tail, the zeros after it, up to
 * the next multiple of the alignment, are padding, and are removed, too.  Before the tail, such zeros stay, because
 * they may be data.  Returns 0, or -1: ROSSYM_ENOMEM.
 */
int rs_runs_make(struct rs_runs *runs, const struct rs_runs_file *file, const struct rs_ranges *removed,
		 struct rossym_error *err);
void rs_runs_clear(struct rs_runs *runs);

/* Place the runs before the tail, or if TAIL the runs of the tail, one after the other from offset AT on.  Each new
   offset has the same bits in MASK as the old one.  Returns where the runs end. */
uint64_t rs_runs_place(struct rs_runs *runs, bool tail, uint64_t at, uint64_t mask);

/* Returns the new offset of the byte that was at OFFSET, or 0 if it was removed. */
uint64_t rs_runs_find_new_offset(const struct rs_runs *runs, uint64_t offset);

#endif
