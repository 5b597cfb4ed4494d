/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core.h - the single steps of opening and looking up, for librossym
 *
 * The functions of rossym-core.h do these steps one after the other.  Between the steps, librossym reads the headers of
 * an image with one large read, puts the sections into an array, and builds an index if a look-up would read too many
 * rows.
 */
#ifndef RS_CORE_H
#define RS_CORE_H

#include "core/view.h"

/* Whether READER has a bare table: the content of a .rossym section without an image.  A bare table begins with
   SymbolsOffset, which is 16 in all tables that are written.  Returns 1, 0, or -1 on a fault. */
int rs_is_bare_table(const struct rossym_reader *reader, struct rossym_fault *fault);

/* Open a bare table.  Fields of *CORE that a bare table does not need, such as headers, become 0.  WIDE: its rows may
   have 20 or 24 bytes, too.  Returns 0 or -1. */
int rs_core_open_bare_table(struct rossym_core *core, const struct rossym_reader *reader, bool wide,
			    struct rossym_fault *fault);

/* Open the table of the image whose headers are in core->pe.  LOADED: READER has the image as a loader maps it, with
   each section at its RVA.  Returns 0 or -1. */
int rs_core_open_image_table(struct rossym_core *core, const struct rossym_reader *reader, bool loaded,
			     struct rossym_fault *fault);

/* Do what rossym_core_lookup() does, but without the guide (an index, see guide.h).  Returns 1; 0 if nothing is known;
   -1 on a fault; or RS_LOOKUP_FAR (lookup.h) if the answer needs more than the last MOST rows at or below RVA. */
int rs_core_lookup(const struct rossym_core *core, uint64_t rva, unsigned flags, uint32_t most,
		   struct rossym_core_answer *answer, struct rossym_fault *fault);

/* Whether the rows at the address AT, the last rows at or below RVA, can answer for RVA: AT and RVA must be in one
   section; that section must have code, unless FLAGS has ROSSYM_LOOKUP_DATA.  Returns 1, 0, or -1 on a fault of reading
   the section headers, which cannot occur if the sections are in an array (pe.h). */
int rs_core_may_answer(const struct rossym_core *core, uint64_t rva, unsigned flags, uint64_t at,
		       struct rossym_fault *fault);

#endif
