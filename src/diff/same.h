/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * same.h - whether two images are of the same build
 *
 * Such images have the same machine, image base, and addresses, sizes and bytes of all code sections.  They may
 * differ in what strip or another run of the linker can change: time stamp, checksum, offsets in the file, data, and
 * sections without code.
 */
#ifndef DIFF_SAME_H
#define DIFF_SAME_H

#include "rossym.h"

#include <stdbool.h>

/* An image, whose code sections are compared one after another. */
struct compared_image {
	struct rossym_image *image;
	const char *path;
	uint32_t next;		       /* index of the section after the current one; 0 at first */
	struct rossym_section section; /* the current section */
};

/* Whether HERE and THERE are of the same build.  If not, or if one of them cannot be read, prints a message. */
bool is_same_build(struct compared_image *here, struct compared_image *there);

#endif
