/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug.h - an image without a table, which answers from its debug information
 *
 * Tables are made in memory when look-ups need them (lib/demand.h): for a few addresses, of which little has to be
 * read, or for all.
 */
#ifndef RS_OPEN_DEBUG_H
#define RS_OPEN_DEBUG_H

#include "lib/image.h"

/*
 * Let IMAGE, whose file is PATH (or NULL), answer from its debug information.  Opens the files that may have it.  Reads
 * only headers; the first look-up finds out whether the files belong to the image, and whether they are readable.  WHY
 * is the error for an image without debug information.  Returns 0; or -1 with *ERR: WHY, if there can be no debug
 * information; else another reason.
 */
int rs_debug_open(struct rossym_image *image, const char *path, const struct rossym_open_options *options,
		  const struct rossym_error *why, struct rossym_error *err);

#endif
