/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * same.h - whether two images are of the same build
 *
 * Then they agree in machine, image base and all code: its sections' addresses, sizes and bytes.  What does not count is
 * what a linker or strip may change: time stamp, checksum, where in the file something stands, data, and sections
 * without code.
 */
#ifndef DIFF_SAME_H
#define DIFF_SAME_H

#include "rossym.h"

/*
 * 1 if they are of the same build; 0 if not, then WHAT, of SIZE bytes, names the first difference; -1 if one of them
 * cannot be read, then *FAILED is that one.
 */
int same_build(struct rossym_image *here, struct rossym_image *there, char *what, size_t size,
		  struct rossym_image **failed, struct rossym_error *err);

#endif
