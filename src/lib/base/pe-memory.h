/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pe-memory.h - the headers of an image in a struct rs_pe (core/pe.h), with all sections in an array; finds sections */
#ifndef RS_PE_H
#define RS_PE_H

#include "core/pe.h"
#include "lib/base/source.h"

/* Read the headers and the section table from SOURCE into *PE.  Returns 0; or -1: ROSSYM_EARCHIVE for an archive,
   ROSSYM_ENOTPE for another file that is no PE image, or an error of reading.  Call rs_pe_clear() in both cases. */
int rs_pe_read(struct rs_pe *pe, const struct rs_source *source, struct rossym_error *err);
void rs_pe_clear(struct rs_pe *pe);

/* Adapt the sections of PE, which was read from a loaded image: the loader has put their raw data at their RVAs, so
   store the RVAs as their file offsets.  Drop long names, because the loader does not load their string table. */
void rs_pe_adapt_to_loaded(struct rs_pe *pe);

/* Do what rs_pe_read() does, for a COFF object file.  It has no optional header, and its sections have no addresses. */
int rs_pe_read_object(struct rs_pe *pe, const struct rs_source *source, struct rossym_error *err);

/* Returns the first section in the section table that contains RVA; NULL if none does. */
const struct rs_section *rs_pe_section_at(const struct rs_pe *pe, uint64_t rva);

/* Returns the file offset of the SIZE bytes at RVA; 0 if they are not in a section, or not in the file. */
uint64_t rs_pe_file_offset_of(const struct rs_pe *pe, const struct rs_source *source, uint64_t rva, size_t size);

/* Returns the name of SECTION: the long name, if its header refers to one that is in the file; else the name in its
   header, of at most 8 bytes.  Valid until rs_pe_clear().  NULL on an error. */
const char *rs_pe_section_name(struct rs_pe *pe, const struct rs_section *section, const struct rs_source *source,
			       struct rossym_error *err);

/* Store the first section called NAME in *RET.  Returns 1; 0 if there is none; or -1 on an error. */
int rs_pe_find_section(struct rs_pe *pe, const struct rs_source *source, const char *name,
		       const struct rs_section **ret, struct rossym_error *err);

/* Whether SECTION, whose name is NAME, is a debug section, which rossym_embed() removes. */
bool rs_pe_is_debug_section(const struct rs_section *section, const char *name);

#endif
