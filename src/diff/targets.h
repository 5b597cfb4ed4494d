/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * targets.h - the addresses that are compared: those somebody gave, or some of every part of an image
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

struct targets {
	struct target *list;
	size_t count, size;
};

/* False: out of memory. */
bool targets_add(struct targets *targets, uint64_t shown, uint64_t rva, bool present);
void targets_clear(struct targets *targets);

/*
 * The first and the last byte that every row speaks for, the row's own address and the one before the next row's or
 * before the end of its section.  Rows outside code are left out unless FLAGS has ROSSYM_LOOKUP_DATA.  IMAGE must have
 * been prepared.
 */
int targets_add_rows(struct targets *targets, struct rossym_image *image, unsigned flags, struct rossym_error *err);

/* COUNT addresses spread evenly over the code sections, or all there are if there are not so many. */
int targets_add_spread(struct targets *targets, struct rossym_image *image, uint32_t count, struct rossym_error *err);

#endif
