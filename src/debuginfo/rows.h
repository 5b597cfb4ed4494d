/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows.h - an image's debug information as rows of a table that is being made
 *
 * The one place where a program meets src/debuginfo: it has the bytes of a file, and need not know by which means of the
 * library they are read.
 */
#ifndef DEBUGINFO_ROWS_H
#define DEBUGINFO_ROWS_H

#include "debuginfo/debuginfo.h"
#include "rossym-write.h"

#include <stddef.h>

/* Read the image that is SIZE bytes at IMAGE, as debuginfo_read(); also returns -1 if IMAGE is none. */
int debuginfo_read_image(struct debuginfo *di, const void *image, size_t size, const struct debuginfo_options *options,
			 struct rossym_error *err);

/* Call options->wants_dwo for each .dwo file that the image needs.  Returns false at once if the image cannot need any, which is
   nearly always so. */
bool debuginfo_may_be_split(const void *image, size_t size);
void debuginfo_list_dwos(const void *image, size_t size, const struct debuginfo_options *options);

/* Add the rows, and without options->no_inlines frames and functions, of DI to BUILDER.  -1 if memory runs out. */
int debuginfo_build(const struct debuginfo *di, const struct debuginfo_options *options, struct rossym_builder *builder,
		    struct rossym_error *err);

/* Both for the image that is SIZE bytes at IMAGE; and store what was counted in *COUNTS.  Returns -1
   and describes it in *ERR if memory runs out or IMAGE is none. */
int debuginfo_add_rows(const void *image, size_t size, const struct debuginfo_options *options,
		       struct rossym_builder *builder, struct debuginfo_counts *counts, struct rossym_error *err);

#endif
