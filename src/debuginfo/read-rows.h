/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read-rows.h - adds an image's debug information to a table: with pdb/key.h and discard.h the only header of this folder
 * that programs use
 *
 * A program has the bytes of a file.  It need not know by which means of the library they are read.
 */
#ifndef DEBUGINFO_READ_ROWS_H
#define DEBUGINFO_READ_ROWS_H

#include "debuginfo/base/debuginfo.h"
#include "rossym-write.h"

#include <stddef.h>

/* How many bytes a reader of FILE can meet: its own, and compressed debug sections uncompressed.  How large these are,
   the file says, and it is believed as far as a reader would.  Looks at headers only.  Of a mapped file, which is
   no ELF file, this function and the next one read the descriptor. */
size_t debuginfo_uncompressed_size(const struct debuginfo_file *file);

/* Call options->wants_dwo for each .dwo file that the image, SIZE bytes at IMAGE, needs.  The first function tells
   quickly that an image cannot need any, which is nearly always so. */
bool debuginfo_may_be_split(const struct debuginfo_file *file);
void debuginfo_list_dwos(const void *image, size_t size, const struct debuginfo_options *options);

/* Read the image and add its rows to BUILDER, and without options->no_inlines its frames and functions.  Stores in
   *COUNTS what was found.  BUILDER must be empty, and with options->keep it must be destroyed before the keep is cleared.
   Returns -1 if memory runs out or IMAGE is not an image. */
int debuginfo_add_rows(const void *image, size_t size, const struct debuginfo_options *options,
		       struct rossym_builder *builder, struct debuginfo_counts *counts, struct rossym_error *err);

/* Free what calls with options->keep have kept in KEEP, and make it all zeros. */
void debuginfo_keep_clear(struct debuginfo_keep *keep);

/* Whether a table with these COUNTS says too little to take the place of the debug information: a section could not be
   read, or the table leaves out more than a tenth of the code in the ranges of DWARF units, or of .debug_info where
   ranges are not known.  If so, stores a sentence that tells it in TEXT, which has SIZE bytes. */
bool debuginfo_is_partial(const struct debuginfo_counts *counts, char *text, size_t size);

#endif
