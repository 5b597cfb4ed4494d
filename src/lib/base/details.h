/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * details.h - what debug information says about code, and tables do not hold: columns, discriminators, where functions
 * begin in the source
 *
 * Only rossym_symbolize() uses these.  The library keeps them beside a table that it has made from debug information;
 * the table itself does not depend on them.
 */
#ifndef RS_BASE_DETAILS_H
#define RS_BASE_DETAILS_H

#include <stdint.h>

/* A line of the source, and what else is known about the code there.  What is unknown is 0. */
struct rs_place {
	uint32_t line, column, discriminator;
	uint32_t start_file, start_line; /* where its function is declared; the file is an offset in `strings` */
};

/* Elements of `places` and `frames` are numbered from 1 on; 0: none. */
struct rs_details {
	struct rs_place *places;
	uint32_t place_count;
	struct rs_detail_row { /* code from RVA up to the next row, or to its end */
		uint32_t rva;
		uint32_t place; /* of the innermost frame */
		uint32_t frame; /* the first frame around it */
	} * rows;		/* ascending */
	uint32_t row_count;
	struct rs_detail_frame {
		uint32_t place;
		uint32_t next; /* the frame around it */
	} * frames;
	uint32_t frame_count;
	char *strings; /* begins with a NUL */
};

/* The position of rs_details_next() in the frames of an address. */
struct rs_detail_walk {
	const struct rs_details *details;
	uint32_t place, frame;
};

/* Set WALK to the innermost frame at RVA.  DETAILS may be NULL. */
void rs_details_begin(const struct rs_details *details, uint64_t rva, struct rs_detail_walk *walk);

/* Returns the line of the next frame, with its details; NULL: they are not known, or there are no more frames. */
const struct rs_place *rs_details_next(struct rs_detail_walk *walk);

/* DETAILS may be NULL. */
void rs_details_free(struct rs_details *details);

#endif
