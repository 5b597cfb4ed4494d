/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pe.h - the headers of a PE image: where it wants to be loaded, and its sections
 *
 * Reading the headers checks only that the section table lies in the file.  The numbers of each section are kept as
 * they are; overlapping, unordered or absurd ones are legal here.  Code that reads a section's bytes checks that they
 * exist.
 *
 * A caller with memory gives pe->sections an array after rs_pe_open(); rs_pe_open_sections() fills it.  Without an
 * array, section headers are read again whenever one is needed.
 */
#ifndef RS_CORE_PE_H
#define RS_CORE_PE_H

#include "rossym-core.h"

#include <stdbool.h>

/* Read the file header and the optional header; what else *PE has becomes 0.  Returns 0 or -1. */
int rs_pe_open(struct rs_pe *pe, const struct rossym_reader *reader, struct rossym_fault *fault);

/* Read the header of a COFF object file, which has only a machine and sections without addresses. */
int rs_pe_open_object(struct rs_pe *pe, const struct rossym_reader *reader, struct rossym_fault *fault);

/* Then read all section headers. */
int rs_pe_open_sections(struct rs_pe *pe, struct rossym_fault *fault);

/* Section NUMBER, which exists: in the array or read into BUFFER.  NULL on a fault. */
const struct rs_section *rs_pe_section(const struct rs_pe *pe, uint32_t number, struct rs_section *buffer,
				       struct rossym_fault *fault);

/* Find the section that contains RVA, the first in the table if there are several: in the array or read into BUFFER.
   Returns 1, 0 if none does, or -1; with an array never -1. */
int rs_pe_find(const struct rs_pe *pe, uint64_t rva, struct rs_section *buffer, const struct rs_section **ret,
	       struct rossym_fault *fault);

/* Whether a section with these CHARACTERISTICS has code. */
/*@ assigns \nothing; */
bool rs_section_is_code(uint32_t characteristics);

#endif
