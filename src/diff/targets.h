/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * targets.h - the addresses that --diff compares: those that the user gave, all code of an image, or a selection of it
 *
 * All code can be many millions of addresses.  So they are stored as spans, from which targets_get() makes single
 * targets.
 */
#ifndef DIFF_TARGETS_H
#define DIFF_TARGETS_H

#include "rossym.h"

#include <stdbool.h>

struct target {
	uint64_t shown; /* the address as it is printed */
	uint64_t rva;	/* UINT64_MAX: the image does not have the address */
};

/* Consecutive addresses, up to the first one of the next span. */
struct target_span {
	struct target first;
	uint64_t number; /* how many addresses the earlier spans have */
};

/* All zeros is an empty list. */
struct targets {
	struct target_span *spans;
	size_t span_count, room;
	uint64_t total; /* how many addresses the spans have */
	uint64_t count; /* how many of these addresses are targets, which are spread evenly over them */
};

/* Returns target number NUMBER, counted from 0.  NUMBER must be below targets->count. */
struct target targets_get(const struct targets *targets, uint64_t number);

/* Add COUNT consecutive addresses.  SHOWN and RVA are those of the first.  False: out of memory. */
bool targets_add(struct targets *targets, uint64_t shown, uint64_t rva, uint64_t count);
void targets_clear(struct targets *targets);

/* Add each byte of the code sections, ascending; with ROSSYM_LOOKUP_DATA in FLAGS, of other sections, too, except those
   that are discarded after loading.  This function and targets_add_rows() return 0; or -1 after storing *ERR. */
int targets_add_bytes(struct targets *targets, struct rossym_image *image, unsigned flags, struct rossym_error *err);

/*
 * Add the first and the last byte of the code of each row: the row's address, and the byte before the next row or
 * before the end of the section.  Rows outside code sections are left out.  With ROSSYM_LOOKUP_DATA in FLAGS, only rows
 * outside all sections are left out.  IMAGE must have been prepared.
 */
int targets_add_rows(struct targets *targets, struct rossym_image *image, unsigned flags, struct rossym_error *err);

#endif
