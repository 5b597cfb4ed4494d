/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core.h - the steps of opening and looking up, for the library, which does more between them than the functions of
 * rossym-core.h: reads the headers of an image ahead, keeps its sections in memory, and builds an index when a look-up has
 * far to go
 */
#ifndef RS_CORE_H
#define RS_CORE_H

#include "core/view.h"

/* Whether READER has a bare table: one begins with SymbolsOffset, which is 16.  Returns 1, 0 or -1. */
int rs_core_is_bare(const struct rossym_reader *reader, struct rossym_fault *fault);

/* Open a bare table; what else *CORE has becomes 0.  WIDE: its rows have one of three sizes. */
int rs_core_open_bare(struct rossym_core *core, const struct rossym_reader *reader, bool wide,
		      struct rossym_fault *fault);

/* Open the table of the image whose headers are in core->pe.  LOADED: the sections are at their RVAs. */
int rs_core_open_section(struct rossym_core *core, const struct rossym_reader *reader, bool loaded,
			 struct rossym_fault *fault);

/* As rossym_core_lookup(), or returns RS_LOOKUP_FAR as rs_lookup() with MOST. */
int rs_core_lookup(const struct rossym_core *core, uint64_t rva, unsigned flags, uint32_t most,
		   struct rossym_core_answer *answer, struct rossym_fault *fault);

/* Whether rows at AT, which are the last at or below RVA, may answer for RVA: both must be in one section.  FLAGS is
   that of rossym_core_lookup().  Returns 1, 0 or -1; with the sections in memory never -1. */
int rs_core_may_answer(const struct rossym_core *core, uint64_t rva, unsigned flags, uint64_t at,
		       struct rossym_fault *fault);

#endif
