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

/*
 * Returns 1 if HERE and THERE are of the same build.  Returns 0 if not, after storing the first difference as text in
 * WHAT, a buffer of SIZE bytes.  Returns -1 if one of them cannot be read, after storing that image in *FAILED and the
 * error in *ERR.
 */
int same_build(struct rossym_image *here, struct rossym_image *there, char *what, size_t size,
	       struct rossym_image **failed, struct rossym_error *err);

#endif
