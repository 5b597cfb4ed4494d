/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * targets.h - the addresses that are compared: those somebody gave, all of an image, or some of every part of it
 *
 * All of them can be many millions, so those are no list but spans, and a target is made when it is asked for.
 */
#ifndef DIFF_TARGETS_H
#define DIFF_TARGETS_H

#include "rossym.h"

#include <stdbool.h>

struct target {
	uint64_t shown;		/* as the user knows it */
	uint64_t rva;
	bool present;		/* false: it lies nowhere in the image */
};

/* Consecutive addresses. */
struct target_span {
	uint64_t rva, end;
	size_t number;		/* of the first one among all targets */
};

struct targets {
	size_t count;
	struct target *list;
	size_t room;
	struct target_span *spans;	/* if not NULL, the targets are these and not those of the list */
	size_t span_count;
	uint64_t image_base;		/* added to the RVAs of the spans */
};

/* Target NUMBER, counted from 0; the caller makes sure that it exists. */
struct target targets_get(const struct targets *targets, size_t number);

/* Add to the list.  False: out of memory. */
bool targets_add(struct targets *targets, uint64_t shown, uint64_t rva, bool present);
void targets_clear(struct targets *targets);

/* Let the targets be every byte of the code sections, each once, ascending.  With ROSSYM_LOOKUP_DATA in FLAGS take other
   sections too, except those that are discarded after loading.  There must be no targets yet. */
int targets_set_bytes(struct targets *targets, struct rossym_image *image, unsigned flags, struct rossym_error *err);

/*
 * The first and the last byte that every row speaks for, the row's own address and the one before the next row's or
 * before the end of its section.  Rows outside code are left out unless FLAGS has ROSSYM_LOOKUP_DATA.  IMAGE must have
 * been prepared.
 */
int targets_add_rows(struct targets *targets, struct rossym_image *image, unsigned flags, struct rossym_error *err);

/* COUNT addresses spread evenly over the code sections, or all there are if there are not so many. */
int targets_add_spread(struct targets *targets, struct rossym_image *image, uint32_t count, struct rossym_error *err);

#endif
