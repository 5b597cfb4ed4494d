/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pe-edit.h - an image that is being edited: the old file, and the decisions about the new one
 *
 * rossym_embed() works in steps (at the end of this file).  Each step reads this structure and adds its decisions; then
 * embed.c writes the bytes.  The first step that uses a number of the file checks it; later steps rely on that.
 *
 * The content of sections that stay keeps its RVA, but may move in the file.  So file offsets are updated: those of
 * data, relocations and line numbers in section headers; of data in the debug directory; of the COFF symbols in the
 * file header.  If the section table grows over bound imports, these move within the headers, and their data directory
 * is updated.  The certificates are removed.  The headers before the section table do not move, so e_lfanew stays.
 */
#ifndef RS_PE_EDIT_H
#define RS_PE_EDIT_H

#include "core/bytes.h"
#include "rossym-write.h"
#include "lib/base/pe-memory.h"
#include "write/ranges.h"
#include "lib/base/source.h"

/* The decisions about each of pe.sections.  Steps change pe.sections, too: a section can lose data at its end, or all
   its data.  The raw_offset of a section stays an offset in the old file.  Only a placeholder, a section without data
   that pe-strip.c makes to fill a gap in memory, gets 0. */
struct rs_edit_section {
	bool removed;
	uint32_t number; /* the section's number in COFF symbols of the new file */
};

struct rs_new_section {
	char name[8];
	uint32_t characteristics;
	const uint8_t *data;
	uint32_t size;
	uint32_t rva, raw_offset, raw_size;
};

enum { RS_NEW_SECTIONS_MAX = 2 };

struct rs_relocations {
	uint8_t *bytes;	  /* with room for all blocks of the old file */
	uint32_t size;	  /* bytes written, at least one */
	uint32_t dropped; /* entries that were left out */
};

struct rs_edit {
	struct rossym_embed_options options;
	bool keep_debug;
	struct rossym_embed_report report;

	/* The old file. */
	const uint8_t *file;
	uint64_t size;
	struct rs_source source;
	struct rs_pe pe;
	uint32_t directories, directory_count; /* offset and number of the data directories */
	uint32_t section_alignment, file_alignment, size_of_headers;
	uint32_t header_end;	 /* where the headers end in the file: data of sections can begin here */
	struct rs_range symbols; /* the COFF symbols and their strings; empty if there are none */
	uint32_t symbol_count;	 /* how many symbols the file has; the file header may claim more */
	uint32_t strings_size;	 /* bytes of the COFF string table, its length field included; 0: none */
	bool flat;		 /* RVAs are file offsets, so nothing may move in the file */

	/* The new file. */
	struct rs_edit_section *sections;
	struct rs_ranges free_rvas; /* RVAs that removed sections had, and no remaining section has */
	uint32_t kept;		    /* how many sections stay */
	struct rs_new_section added[RS_NEW_SECTIONS_MAX];
	uint32_t added_count;
	uint8_t *link;			   /* content of the .gnu_debuglink section */
	uint32_t cleared_directories;	   /* bit n: data directory n becomes empty */
	struct rs_relocations relocations; /* the new base relocations; if "dropped" is 0, the old ones stay */
	/* If there are new base relocations: the size of the old ones, their offset, and their section's number. */
	uint32_t relocations_old_size, relocations_offset, relocations_section;
	uint32_t new_header_end;
	uint32_t bound_imports; /* the new offset of the bound imports; 0: they do not move */
	struct rs_runs runs;
	uint32_t strings_offset; /* offset of the new COFF string table; 0: there is none */
	uint8_t *strings;
	uint32_t new_strings_size, strings_room;
	uint32_t size_of_image;
	uint64_t new_size;
};

/* Read and check the headers of edit->file.  Returns 0, or -1 and an error. */
int rs_edit_read_headers(struct rs_edit *edit, struct rossym_error *err);

void rs_edit_clear(struct rs_edit *edit);

/* Whether SECTION has bytes in the file. */
static inline bool rs_edit_has_data(const struct rs_section *section)
{
	return section->raw_size != 0 && section->raw_offset != 0;
}

/* Returns the 32-bit field at OFFSET of the header that SECTION has in the old file. */
static inline uint32_t rs_edit_read_old_field(const struct rs_edit *edit, const struct rs_section *section,
					      uint32_t offset)
{
	return rs_le32(edit->file + section->header_offset + offset);
}

/* Returns how many bytes SECTION takes in memory: its virtual size, or if that is 0 its raw size. */
static inline uint32_t rs_edit_compute_memory_size(const struct rs_section *section)
{
	return section->virtual_size ? section->virtual_size : section->raw_size;
}

/* Store RVA and size of data directory NUMBER of the old file.  Returns false if it is empty or missing. */
bool rs_edit_get_directory(const struct rs_edit *edit, uint32_t number, uint32_t *rva, uint32_t *size);

/* Returns the offset in the old file of the LENGTH bytes at RVA, and stores the number of their section in *SECTION.
   Returns 0 if no section that stays has all these bytes. */
uint32_t rs_edit_find_offset(const struct rs_edit *edit, uint32_t rva, uint32_t length, uint32_t *section);

/* ------------------------------------------------------------------------------------------------ the steps */

/* The steps of rossym_embed(), in their order; rs_edit_read_headers() comes first.  No step calls another.  They return
   0, or -1 and an error. */

/* In pe-strip.c: choose the sections to remove, and refuse an image that needs one of them.  Remove the base
   relocations for addresses in these sections, and close the gaps that the sections leave in the address space.
   NEW_TABLE: remove a .rossym section, too. */
int rs_edit_decide_removals(struct rs_edit *edit, bool new_table, struct rossym_error *err);

/* Copy the SIZE bytes of blocks of base relocations at FROM to TO->bytes, which the caller has allocated, without the
   entries for addresses in REMOVED.  A block that loses no entry is copied unchanged.  OFFSET is the offset of FROM in
   the file, for messages.  Returns 0, or -1: ROSSYM_EREFUSED for a block with an impossible size. */
int rs_relocations_filter(const uint8_t *from, uint32_t size, uint64_t offset, const struct rs_ranges *removed,
			  struct rs_relocations *to, struct rossym_error *err);

/* Make the string table for long names of sections; add a section for the debug link and, unless TABLE is NULL, one for
   the table; decide where everything is in the new file and in memory.  This step is in pe-layout.c. */
int rs_edit_lay_out(struct rs_edit *edit, const void *table, size_t table_size, struct rossym_error *err);

#endif
