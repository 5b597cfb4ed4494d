/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read-rows.h - adds an image's debug information to a table
 *
 * Of all headers of debuginfo/, programs include only this one, pdb/key.h, base/discard.h and base/decompress.h.  A
 * .dwo file has the DWARF of one source file, outside the image.
 */
#ifndef DEBUGINFO_READ_ROWS_H
#define DEBUGINFO_READ_ROWS_H

#include "debuginfo/base/debuginfo.h"
#include "rossym-write.h"

#include <stddef.h>

/* Returns the size of the file in SOURCE plus the uncompressed size of its compressed debug sections, as the file
   claims, so that a caller can set memory limits.  Does not count a size that is far too large for the compressed
   bytes.  Reads headers only.  An ELF file must be in memory or read in pieces. */
size_t rs_debuginfo_uncompressed_size(const struct rs_source *source);

/* Whether the file in SOURCE may have compressed sections, for which a library is needed (base/decompress.h).  Reads
   headers only; for an ELF file, always returns true. */
bool rs_debuginfo_may_be_compressed(const struct rs_source *source);

/* rs_debuginfo_list_dwos() calls options->wants_dwo for each .dwo file that the image in SOURCE needs.
   rs_debuginfo_may_be_split() is a quick test: false, as for nearly all images, means that the image needs no .dwo. */
bool rs_debuginfo_may_be_split(const struct rs_source *source);
void rs_debuginfo_list_dwos(const struct rs_source *source, const struct debuginfo_options *options);

/* Add the rows of the image, SIZE bytes at IMAGE, to BUILDER, which must be empty.  Also adds its frames and functions,
   unless the options exclude them.  Stores in *COUNTS what was found.  With options->keep, BUILDER uses strings of the
   cache: destroy it before calling rs_debuginfo_keep_clear().  Returns 0; or -1 if IMAGE is not an image, or if
   rs_debuginfo_read() fails. */
int rs_debuginfo_add_rows(const void *image, size_t size, const struct debuginfo_options *options,
			  struct rossym_builder *builder, struct debuginfo_counts *counts, struct rossym_error *err);

/* As rs_debuginfo_add_rows(), for the image in SOURCE, which is in memory or is read in pieces (lib/base/pieces.h).  PE
   has the headers of the image. */
int rs_debuginfo_add_source_rows(struct rs_pe *pe, const struct rs_source *source,
				 const struct debuginfo_options *options, struct rossym_builder *builder,
				 struct debuginfo_counts *counts, struct rossym_error *err);

/* Free all that is cached in KEEP, and make KEEP all zeros. */
void rs_debuginfo_keep_clear(struct debuginfo_keep *keep);

/* Returns the reason, for a message, why a table with these COUNTS has no rows. */
const char *rs_debuginfo_why_empty(const struct debuginfo_counts *counts);

/* Whether a table with these COUNTS lacks too much to replace the debug information: a section could not be read; or
   more than a tenth of the code of all DWARF units was left out; or more than a tenth of .debug_info is in units that
   were left out and whose code is unknown.  If so, stores in TEXT, of SIZE bytes, what the table lacks. */
bool rs_debuginfo_is_partial(const struct debuginfo_counts *counts, char *text, size_t size);

#endif
