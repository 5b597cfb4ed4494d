/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * targets.h - the addresses that --diff compares: those that the user gave, all code of an image, or a selection of it
 *
 * All code can be many millions of addresses.  So they are stored as spans, from which
 * targets_get() makes single targets.
 */
#ifndef DIFF_TARGETS_H
#define DIFF_TARGETS_H

#include "rossym.h"

#include <stdbool.h>

struct target {
	uint64_t shown; /* the address as it is printed */
	uint64_t rva;
	bool present; /* false: the image does not have the address, and RVA means nothing */
};

/* Consecutive addresses, from RVA up to, but not including, END. */
struct target_span {
	uint64_t rva, end;
	size_t number; /* index of the first one among all targets */
};

struct targets {
	size_t count;
	struct target *list;
	size_t room;
	struct target_span *spans; /* ascending; NULL: the targets are in `list` */
	size_t span_count;
	uint64_t image_base; /* added to the RVAs of the spans */
};

/* Target number NUMBER, counted from 0, which must be below targets->count. */
struct target targets_get(const struct targets *targets, size_t number);

/* Add a target to the list.  False: out of memory. */
bool targets_add(struct targets *targets, uint64_t shown, uint64_t rva, bool present);
void targets_clear(struct targets *targets);

/* Make a target of each byte of the code sections, ascending; with ROSSYM_LOOKUP_DATA in FLAGS, of other sections, too,
   except those that are discarded after loading.  There must be no targets yet.  This and the following functions
   return 0; or -1 after storing *ERR. */
int targets_set_bytes(struct targets *targets, struct rossym_image *image, unsigned flags, struct rossym_error *err);

/*
 * Add the first and the last byte of the code of each row: the row's address, and the byte before the next row or
 * before the end of the section.  Rows outside code sections are left out.  With ROSSYM_LOOKUP_DATA in FLAGS, only rows
 * outside all sections are left out.  IMAGE must have been prepared.
 */
int targets_add_rows(struct targets *targets, struct rossym_image *image, unsigned flags, struct rossym_error *err);

/* Add COUNT addresses, spread evenly over the code sections; or all addresses of these sections, if they have fewer. */
int targets_add_spread(struct targets *targets, struct rossym_image *image, uint32_t count, struct rossym_error *err);

#endif
