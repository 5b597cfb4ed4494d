/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * targets.h - the addresses to compare: those that the user gave, all code of an image, or a selection of it
 *
 * All code can be many millions of addresses.  So it is kept as spans, and a target is made when the caller asks
 * for it.
 */
#ifndef DIFF_TARGETS_H
#define DIFF_TARGETS_H

#include "rossym.h"

#include <stdbool.h>

struct target {
	uint64_t shown; /* the address in output */
	uint64_t rva;
	bool present; /* false: it is no address of the image */
};

/* Consecutive addresses. */
struct target_span {
	uint64_t rva, end;
	size_t number; /* of the first one among all targets */
};

struct targets {
	size_t count;
	struct target *list;
	size_t room;
	struct target_span *spans; /* if not NULL, the targets are these and not those of the list */
	size_t span_count;
	uint64_t image_base; /* added to the RVAs of the spans */
};

/* Target NUMBER, from 0 on; it must exist. */
struct target targets_get(const struct targets *targets, size_t number);

/* Add to the list.  False: out of memory. */
bool targets_add(struct targets *targets, uint64_t shown, uint64_t rva, bool present);
void targets_clear(struct targets *targets);

/* Make targets of all bytes of the code sections, each once, ascending.  With ROSSYM_LOOKUP_DATA in FLAGS take other
   sections too, except those that are discarded after loading.  There must be no targets yet.  This and the following
   functions return 0, or -1 with *ERR. */
int targets_set_bytes(struct targets *targets, struct rossym_image *image, unsigned flags, struct rossym_error *err);

/*
 * Add the first and the last byte of every row: the row's address, and the byte before the next row or before the end
 * of the section.  Rows outside code are left out unless FLAGS has ROSSYM_LOOKUP_DATA.  IMAGE must have been prepared.
 */
int targets_add_rows(struct targets *targets, struct rossym_image *image, unsigned flags, struct rossym_error *err);

/* Add COUNT addresses, spread evenly over the code sections; all addresses if there are fewer. */
int targets_add_spread(struct targets *targets, struct rossym_image *image, uint32_t count, struct rossym_error *err);

#endif
