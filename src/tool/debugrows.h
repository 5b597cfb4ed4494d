/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debugrows.h - the rows that an image's debug information gives
 *
 * The one place where a program meets src/debuginfo, which reads the image by the library's own means.
 */
#ifndef TOOL_DEBUGROWS_H
#define TOOL_DEBUGROWS_H

#include "debuginfo/debuginfo.h"
#include "rossym.h"

#include <stddef.h>

/* Add the rows of the image that is SIZE bytes at IMAGE to BUILDER, and store what was counted in *COUNTS.  Returns -1
   and describes it in *ERR if memory runs out or IMAGE is none. */
int debugrows_read(const void *image, size_t size, const struct debuginfo_options *options,
		   struct rossym_builder *builder, struct debuginfo_counts *counts, struct rossym_error *err);

#endif
