/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pe.h - the headers of a PE image: its image base and its sections
 *
 * Reading the headers checks only that the section table lies in the file.  Addresses and sizes of sections are stored
 * as they are in the file: sections may overlap, be out of order, or lie outside of the file.  Code that reads a
 * section's bytes checks that they exist.
 *
 * A caller with memory gives pe->sections an array after rs_pe_open(); rs_pe_open_sections() fills it.  Without an
 * array, section headers are read again whenever one is needed.
 */
#ifndef RS_CORE_PE_H
#define RS_CORE_PE_H

#include "core/view.h"

#include <stdbool.h>

/*@ predicate arrayed{L}(struct rs_pe *pe) =
      \valid(pe->sections + (0 .. pe->section_count - 1)) &&
      \separated(pe, pe->sections + (0 .. pe->section_count - 1)) &&
      (pe->reader.memory != \null ==>
       \separated(pe->sections + (0 .. pe->section_count - 1),
                  (uint8_t *)pe->reader.memory + (0 .. pe->reader.size - 1)));
    predicate headed{L}(struct rs_pe *pe) =
      \valid_read(pe) && readable(&pe->reader) && pe->table_section <= pe->section_count &&
      (pe->sections != \null ==> arrayed(pe)); */

/* Read the file header and the optional header; the other fields of *PE become 0.  Returns 0 or -1. */
int rs_pe_open(struct rs_pe *pe, const struct rossym_reader *reader, struct rossym_fault *fault);

/* Read the file header of a COFF object file, in place of rs_pe_open().  Objects have no optional header, and their
   sections no addresses.  Returns 0 or -1. */
int rs_pe_open_object(struct rs_pe *pe, const struct rossym_reader *reader, struct rossym_fault *fault);

/* Read all section headers, after one of the two functions above.  Returns 0 or -1. */
int rs_pe_open_sections(struct rs_pe *pe, struct rossym_fault *fault);

/* Returns section NUMBER, which must exist: from the array or, without one, read into BUFFER.  NULL on a fault. */
const struct rs_section *rs_pe_get_section(const struct rs_pe *pe, uint32_t number, struct rs_section *buffer,
					   struct rossym_fault *fault);

/* Find the section that contains RVA, the first in the section table if several do.  *RET points into the array or to
   BUFFER.  Returns 1; 0 if no section contains RVA; or -1 on a fault, but never if the sections are in an array. */
int rs_pe_find_section_at(const struct rs_pe *pe, uint64_t rva, struct rs_section *buffer,
			  const struct rs_section **ret, struct rossym_fault *fault);

/* Whether a section with these CHARACTERISTICS has code. */
/*@ assigns \nothing; */
bool rs_section_is_code(uint32_t characteristics);

#endif
