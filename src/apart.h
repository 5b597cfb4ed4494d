/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apart.h - debug information read in a process of its own
 *
 * What reads DWARF is not all ours, and what it reads may be made to break it.  So a child does it, with nothing but the
 * bytes of the image, a pipe to us, and limits; whatever it sends is checked like a file.  If it dies there is an
 * error, and no rows.  On a host without fork() it is not a child.
 */
#ifndef APART_H
#define APART_H

#include "debuginfo/rows.h"
#include "tool/tree.h"

/* As debuginfo_add_rows(), but that BUILDER may have got rows if it fails.  OPTIONS->map_path may ask TREE. */
int add_rows_apart(const void *image, size_t size, const struct debuginfo_options *options, struct tree *tree,
		   struct rossym_builder *builder, struct debuginfo_counts *counts, struct rossym_error *err);

#endif
