/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pe.h - the headers of a PE image: where it wants to be loaded, and its sections
 *
 * What must hold for the rest to make sense is judged when the headers are read: the section table is whole.  The
 * sections' own numbers are kept as they stand; overlapping, unordered or absurd ones are legal here, and
 * whoever reads a section's bytes checks that they exist.
 */
#ifndef RS_PE_H
#define RS_PE_H

#include "lib/source.h"
#include "rossym.h"

#include <stdbool.h>

struct rs_section {
	char name[9];		/* the field of the file, and a NUL; "/123" stands for a long name */
	uint32_t rva;
	uint32_t size;		/* of the part that has addresses; see struct rossym_section */
	uint32_t virtual_size;
	uint32_t raw_size;
	uint32_t raw_offset;
	uint32_t characteristics;
	uint64_t header_offset;	/* where its header stands in the file, for messages */
};

struct rs_pe {
	uint16_t machine;
	bool wide;		/* PE32+ */
	uint32_t time_date_stamp;
	uint64_t image_base;
	uint32_t size_of_image;
	uint64_t optional;	/* where the optional header begins in the file */
	uint32_t optional_size;
	uint32_t section_count;
	struct rs_section *sections;
	uint32_t symbol_offset;	/* the COFF symbol table as the header has it, which nobody has checked */
	uint32_t symbol_count;
	bool ordered;		/* the sections ascend and do not overlap */
	struct rs_part long_names;	/* the COFF string table, with its length field; empty if there is none */
};

/* Read the headers.  ROSSYM_EARCHIVE for an archive, ROSSYM_ENOTPE if there is anything else that other PE readers refuse.
   *PE wants rs_pe_clear(). */
int rs_pe_read(struct rs_pe *pe, const struct rs_source *source, struct rossym_error *err);
void rs_pe_clear(struct rs_pe *pe);

/* The same for a COFF object file, which has only a machine and sections without addresses. */
int rs_pe_read_object(struct rs_pe *pe, const struct rs_source *source, struct rossym_error *err);

/* The section that contains RVA, the first in the table if there are several; NULL if none does. */
const struct rs_section *rs_pe_section_at(const struct rs_pe *pe, uint64_t rva);

bool rs_section_is_code(uint32_t characteristics);

/* The name of a section, the long one where it has one that exists.  NULL on error. */
const char *rs_pe_section_name(struct rs_pe *pe, const struct rs_section *section, const struct rs_source *source,
			       struct rossym_error *err);

#endif
