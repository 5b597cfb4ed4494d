/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pe.h - the core's struct rs_pe with its sections in an array, and their long names */
#ifndef RS_PE_H
#define RS_PE_H

#include "core/pe.h"
#include "lib/source.h"

/* Read the headers.  ROSSYM_EARCHIVE for an archive, ROSSYM_ENOTPE if there is anything else that other PE readers refuse.
   *PE wants rs_pe_clear(). */
int rs_pe_read(struct rs_pe *pe, const struct rs_source *source, struct rossym_error *err);
void rs_pe_clear(struct rs_pe *pe);

/* Turn the headers of a file into those of the loaded image: the loader has put each section at its RVA. */
void rs_pe_make_loaded(struct rs_pe *pe);

/* The same for a COFF object file, which has only a machine and sections without addresses. */
int rs_pe_read_object(struct rs_pe *pe, const struct rs_source *source, struct rossym_error *err);

/* The section that contains RVA, the first in the table if there are several; NULL if none does. */
const struct rs_section *rs_pe_section_at(const struct rs_pe *pe, uint64_t rva);

/* The name of a section, the long one where it has one that exists.  NULL on error. */
const char *rs_pe_section_name(struct rs_pe *pe, const struct rs_section *section, const struct rs_source *source,
			       struct rossym_error *err);

#endif
