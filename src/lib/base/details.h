/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * details.h - facts from debug information for which tables have no room: columns; discriminators, by which DWARF tells
 * apart several pieces of code of one line; and the lines where functions are declared
 *
 * Only rossym_symbolize() uses details.  The library makes them together with a table from debug information, and keeps
 * both; the table itself does not depend on the details.
 */
#ifndef RS_BASE_DETAILS_H
#define RS_BASE_DETAILS_H

#include <stdint.h>

/* A line of the source, with details of the code that was made from it.  A field is 0 if it is unknown. */
struct rs_place {
	uint32_t line, column, discriminator;
	uint32_t start_file, start_line; /* where the function is declared; the file is an offset in `strings` */
};

/* The fields `place`, `frame` and `next` are numbers of elements of `places` and `frames`, from 1 on; 0: none. */
struct rs_details {
	struct rs_place *places;
	uint32_t place_count;
	struct rs_detail_row { /* code from `rva` up to the next row, or to where the table says "unknown" */
		uint32_t rva;
		uint32_t place; /* of the innermost frame */
		uint32_t frame; /* the first frame around the innermost one */
	} * rows;		/* ascending by `rva` */
	uint32_t row_count;
	struct rs_detail_frame {
		uint32_t place;
		uint32_t next; /* the frame around this one */
	} * frames;
	uint32_t frame_count;
	char *strings; /* all strings, each with its NUL; the one at offset 0 is empty and means: not known */
};

/* The position of rs_details_next_place() in the frames of an address. */
struct rs_detail_walk {
	const struct rs_details *details;
	struct rs_detail_frame frame; /* the next frame to return */
};

/* Set WALK to the innermost frame at RVA.  If DETAILS is NULL, WALK has no frames. */
void rs_details_begin_walk(const struct rs_details *details, uint64_t rva, struct rs_detail_walk *walk);

/* Returns the place of the next frame, going outwards; NULL if it is unknown, or if there are no more frames. */
const struct rs_place *rs_details_next_place(struct rs_detail_walk *walk);

void rs_details_free(struct rs_details *details);

#endif
