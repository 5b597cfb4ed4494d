/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pe-memory.h - the core's struct rs_pe with its sections in an array, and their long names */
#ifndef RS_PE_H
#define RS_PE_H

#include "core/pe.h"
#include "lib/base/source.h"

/* Read the headers and keep all sections in memory.  Returns 0; or -1 with ROSSYM_EARCHIVE for an archive,
   ROSSYM_ENOTPE for anything that other PE readers refuse too.  Call rs_pe_clear() on *PE in both cases. */
int rs_pe_read(struct rs_pe *pe, const struct rs_source *source, struct rossym_error *err);
void rs_pe_clear(struct rs_pe *pe);

/* Turn the headers of a file into those of the loaded image: the loader has put each section at its RVA. */
void rs_pe_make_loaded(struct rs_pe *pe);

/* Read the headers of a COFF object file, which has only a machine and sections without addresses. */
int rs_pe_read_object(struct rs_pe *pe, const struct rs_source *source, struct rossym_error *err);

/* Returns the section that contains RVA, the first in the table if there are several; NULL if none does. */
const struct rs_section *rs_pe_section_at(const struct rs_pe *pe, uint64_t rva);

/* Returns the name of SECTION: the long name if it has one and the file has that too, else the 8 bytes of its header.
   Valid until rs_pe_clear().  NULL on error. */
const char *rs_pe_section_name(struct rs_pe *pe, const struct rs_section *section, const struct rs_source *source,
			       struct rossym_error *err);

/* Whether SECTION, whose name is NAME, has debug information and nothing else: it goes when the image gets a table. */
bool rs_pe_is_debug(const struct rs_section *section, const char *name);

#endif
