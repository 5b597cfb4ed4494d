/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pe-edit.h - an image that is being edited: the old file, and the decisions about the new one
 *
 * It goes in steps, and nothing is written before the last: read the headers, decide which sections go (pe-strip.c),
 * what that means for the rest (pe-strip.c), find room (pe-edit.c), then write (pe-write.c).  What the file says is
 * judged on the way: a step can rely on what the steps before it accepted.
 *
 * Three kinds of places are in the way of moving bytes in a file, and all are followed: the raw offsets in
 * section headers, those in the debug directory, and that of the COFF symbol table.  Nothing moves in memory.
 */
#ifndef RS_PE_EDIT_H
#define RS_PE_EDIT_H

#include "rossym-write.h"
#include "lib/pe.h"
#include "write/ranges.h"
#include "write/runs.h"
#include "lib/source.h"

struct rs_edit_section {	/* beside each of pe.sections, which are changed in place; raw_offset stays that of
				   the old file */
	bool goes;
	const char *long_name;	/* what its name is to be in the new string table; NULL: the field stays */
	uint32_t number;	/* by which COFF symbols will know it */
};

struct rs_new_section {
	char name[8];
	const char *long_name;	/* or NULL */
	uint32_t characteristics;
	const uint8_t *data;
	uint32_t size;
	uint32_t rva, raw_offset, raw_size;
};

enum { RS_NEW_SECTIONS_MAX = 2 };

struct rs_edit {
	struct rossym_embed_options options;
	bool keep_debug;
	struct rossym_embed_report report;

	/* The old file. */
	const uint8_t *file;
	uint64_t size;
	struct rs_source source;
	struct rs_pe pe;
	uint32_t file_header, optional, section_table;	/* offsets */
	uint32_t directories, directory_count;		/* offset and number of those that are there */
	uint32_t section_alignment, file_alignment, size_of_headers;
	uint32_t header_end;		/* the headers' bytes in the file: up to here nothing else is */
	struct rs_range symbols;	/* the COFF symbols and their strings; empty if there are none */
	uint32_t symbol_count;		/* of them that are really there */
	uint32_t strings_size;		/* of the COFF string table, its length included; 0: none */
	bool flat;			/* RVAs are file offsets: nothing may move in the file either */

	/* The new one. */
	struct rs_edit_section *sections;
	struct rs_ranges gone;		/* addresses of sections that go, and of none that stays */
	uint32_t kept;			/* sections that stay */
	struct rs_new_section added[RS_NEW_SECTIONS_MAX];
	uint32_t added_count;
	uint8_t *link;			/* content of the .gnu_debuglink section */
	uint32_t cleared_directories;	/* a bit for each */
	uint8_t *relocations;		/* the new base relocations, or NULL: they stay */
	uint32_t relocations_size, relocations_old_size;
	uint32_t relocations_offset;	/* in the old file */
	struct rs_range trimmed;	/* the end of the relocations' section that is no longer needed */
	struct rs_range emptied;	/* the data of a section that became a placeholder */
	uint32_t new_header_end, bound_imports;	/* where those move to, or 0 */
	struct rs_runs runs;
	uint32_t strings_offset;	/* of the new COFF string table; 0: none */
	uint8_t *strings;
	uint32_t new_strings_size;
	uint32_t size_of_image;
	uint64_t new_size;
};

/* Whether a section has bytes in the file. */
bool rs_edit_has_data(const struct rs_section *section);

/* Data directory NUMBER: false if it is empty or is not there at all. */
bool rs_edit_directory(const struct rs_edit *edit, uint32_t number, uint32_t *rva, uint32_t *size);

/* Where the LENGTH bytes at RVA are in the old file, in a section that stays, whose number is stored in *SECTION; 0 if
   they are in none. */
uint32_t rs_edit_offset(const struct rs_edit *edit, uint32_t rva, uint32_t length, uint32_t *section);

/* pe-strip.c: decide which sections go, and whether the image can be without them. */
int rs_edit_choose(struct rs_edit *edit, bool new_table, struct rossym_error *err);

/* pe-strip.c: adapt base relocations and the sections next to those that go. */
int rs_edit_close_up(struct rs_edit *edit, struct rossym_error *err);

/* pe-write.c: write the new file TO, new_size zeroed bytes. */
void rs_edit_write(struct rs_edit *edit, uint8_t *to);

#endif
