/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * same.h - whether two images are of the same build
 *
 * Images of the same build agree in machine, image base, and in the addresses, sizes and bytes of all code sections.
 * They may differ in what a linker or strip may change: time stamp, checksum, places in the file, data, and sections
 * without code.
 */
#ifndef DIFF_SAME_H
#define DIFF_SAME_H

#include "rossym.h"

/*
 * Returns 1 if HERE and THERE are of the same build.  Returns 0 if not; then WHAT, a buffer of SIZE bytes, names the
 * first difference.  Returns -1 if one of them cannot be read; then *FAILED is this one.
 */
int same_build(struct rossym_image *here, struct rossym_image *there, char *what, size_t size,
	       struct rossym_image **failed, struct rossym_error *err);

#endif
