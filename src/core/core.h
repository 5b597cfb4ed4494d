/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core.h - the steps of opening, for the library, which reads the headers of an image ahead and keeps its sections in memory */
#ifndef RS_CORE_H
#define RS_CORE_H

#include "core/view.h"

/* Whether READER has a bare table: one begins with SymbolsOffset, which is 16.  Returns 1, 0 or -1. */
int rs_core_is_bare(const struct rossym_reader *reader, struct rossym_fault *fault);

/* Open a bare table; what else *CORE has becomes 0.  WIDE: its rows have one of three sizes. */
int rs_core_open_bare(struct rossym_core *core, const struct rossym_reader *reader, bool wide, struct rossym_fault *fault);

/* Open the table of the image whose headers are in core->pe.  LOADED: the sections are at their RVAs. */
int rs_core_open_section(struct rossym_core *core, const struct rossym_reader *reader, bool loaded,
			 struct rossym_fault *fault);

#endif
