// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pe-strip.c - decides which sections are removed, and what else is removed with them
 *
 * Debug sections, which are recognised by their names, are removed.  An old table or debug link is removed if a new one
 * replaces it.  An image that needs bytes of a removed section is refused.  The base relocations of removed sections
 * are removed, too, and other sections grow over the addresses of removed ones.
 */
#include "config.h"
#include "write/pe-edit.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "core/layout.h"

#include <inttypes.h>
#include <string.h>

/* Decide whether section NUMBER is removed.  Returns 0 or -1. */
static int decide_section_removal(struct rs_edit *edit, uint32_t number, bool new_table, struct rossym_error *err)
{
	struct rs_section *section = &edit->pe.sections[number];
	const char *name = rs_pe_section_name(&edit->pe, section, &edit->source, err);
	if (!name)
		return -1;
	if (new_table && memcmp(section->name, RS_SECTION_NAME, sizeof RS_SECTION_NAME) == 0) {
		edit->sections[number].removed = true;
		edit->report.tables++;
	} else if (!edit->keep_debug && rs_pe_is_debug_section(section, name)) {
		edit->sections[number].removed = true;
		edit->report.sections++;
		edit->report.section_bytes += section->raw_size;
	} else if (edit->options.debuglink && strcmp(name, ".gnu_debuglink") == 0) {
		edit->sections[number].removed = true;
	}
	return 0;
}

/* Compute edit->free_rvas: the RVAs that only removed sections have.  A section that stays may overlap a removed one,
   by damage or on purpose.  Returns 0 or -1. */
static int find_free_rvas(struct rs_edit *edit, struct rossym_error *err)
{
	struct rs_cuts cuts;
	if (rs_cuts_begin(&cuts, (size_t)edit->pe.section_count + 1, err) < 0)
		return -1;
	rs_cuts_add(&cuts, 0, edit->size_of_headers, true);
	for (uint32_t i = 0; i < edit->pe.section_count; i++)
		rs_cuts_add(&cuts, edit->pe.sections[i].rva, rs_edit_compute_memory_size(&edit->pe.sections[i]),
			    !edit->sections[i].removed);
	return rs_cuts_end(&cuts, &edit->free_rvas, err);
}

/* Refuse an image whose entry point or data directory is in a removed section: then that section is no debug
   information, whatever its name.  The debug directory may be there; it becomes empty. */
static int check_removed_are_unneeded(struct rs_edit *edit, struct rossym_error *err)
{
	uint32_t entry = rs_le32(edit->file + edit->pe.optional + PE_OPT_ENTRY_POINT), rva, size;
	if (entry != 0 && rs_ranges_contain(&edit->free_rvas, entry))
		return rs_fail(err, ROSSYM_EREFUSED, edit->pe.optional + PE_OPT_ENTRY_POINT,
			       "the entry point 0x%" PRIx32 " is in a debug section", entry);
	for (uint32_t i = 0; i < edit->directory_count; i++) {
		if (i == PE_DIRECTORY_CERTIFICATES || !rs_edit_get_directory(edit, i, &rva, &size) ||
		    !rs_ranges_contain(&edit->free_rvas, rva))
			continue;
		if (i != PE_DIRECTORY_DEBUG)
			return rs_fail(err, ROSSYM_EREFUSED, edit->directories + (uint64_t)i * PE_DIRECTORY_SIZE,
				       "data directory %" PRIu32 ", at 0x%" PRIx32 ", is in a debug section", i, rva);
		edit->cleared_directories |= UINT32_C(1) << i;
		edit->report.debug_entries += size / PE_DEBUG_SIZE;
	}
	return 0;
}

/* Check that the file has all data of sections that stay, because this data may have to move; find the end of the
   headers, and whether file offsets are RVAs (`flat`). */
static int check_and_measure_sections(struct rs_edit *edit, struct rossym_error *err)
{
	edit->header_end = edit->size_of_headers < edit->size ? edit->size_of_headers : (uint32_t)edit->size;
	edit->flat = edit->section_alignment < 0x1000;
	for (uint32_t i = 0; i < edit->pe.section_count; i++) {
		const struct rs_section *section = &edit->pe.sections[i];
		if (edit->sections[i].removed || !rs_edit_has_data(section))
			continue;
		if (!rs_in_range(section->raw_offset, section->raw_size, edit->size))
			return rs_fail(err, ROSSYM_EREFUSED, section->header_offset + PE_SECTION_RAW_OFFSET,
				       "the data of section %s, 0x%" PRIx32 " bytes at 0x%" PRIx32
				       ", ends past the end of the file",
				       section->name, section->raw_size, section->raw_offset);
		if (section->raw_offset < edit->header_end)
			edit->header_end = section->raw_offset;
		if (section->raw_offset != section->rva)
			edit->flat = false;
	}
	uint64_t table_end = edit->pe.headers + (uint64_t)edit->pe.section_count * PE_SECTION_SIZE;
	if (table_end > edit->header_end)
		return rs_fail(err, ROSSYM_EREFUSED, edit->pe.headers,
			       "the section table ends at 0x%" PRIx64 ", past the headers' end, 0x%" PRIx32, table_end,
			       edit->header_end);
	return 0;
}

/* ------------------------------------------------------------------------------------ base relocations */

/* Base relocations are the places that a loader patches when it does not load an image at its image base.  They come
   in blocks, one for each page.  A block is a header and entries of two bytes, padded to a multiple of four.  The
   entries for a removed section must be removed, too, or the loader would patch what is at its addresses then. */

enum { EMPTY = 12 }; /* bytes of a block of relocations that has only padding */

/* Copy a block of SIZE bytes, but leave out the entries for addresses in REMOVED, and add their number to *DROPPED.
   Returns the size of the new block; 0 if no entry stays. */
static uint32_t filter_relocation_block(const uint8_t *from, uint32_t size, const struct rs_ranges *removed,
					uint8_t *to, uint32_t *dropped)
{
	uint32_t page = rs_le32(from), at = PE_RELOCATIONS_HEADER, end = PE_RELOCATIONS_HEADER, lost = 0;
	while (at + 2 <= size) {
		uint32_t entry = rs_le16(from + at), type = entry >> 12, length = 2;
		/* An entry of this type has the low half of its number in the next entry. */
		if (type == PE_RELOCATION_HIGHADJ && at + 4 <= size)
			length = 4;
		if (type != PE_RELOCATION_ABSOLUTE) {
			if (rs_ranges_contain(removed, (uint64_t)page + (entry & 0xfff))) {
				lost++;
			} else {
				memcpy(to + end, from + at, length);
				end += length;
			}
		}
		at += length;
	}
	*dropped += lost;
	if (lost == 0) {
		memcpy(to, from, size);
		return size;
	}
	if (end == PE_RELOCATIONS_HEADER)
		return 0;
	if (end % 4 != 0) {
		rs_put16(to + end, PE_RELOCATION_ABSOLUTE << 12);
		end += 2;
	}
	rs_put32(to, page);
	rs_put32(to + 4, end);
	return end;
}

int rs_relocations_filter(const uint8_t *from, uint32_t size, uint64_t offset, const struct rs_ranges *removed,
			  struct rs_relocations *to, struct rossym_error *err)
{
	uint32_t at = 0, end = 0;
	to->dropped = 0;
	while (size - at >= PE_RELOCATIONS_HEADER) {
		uint32_t block = rs_le32(from + at + 4);
		if (block == 0)
			break; /* some linkers end the relocations with a size of 0 */
		if (block < PE_RELOCATIONS_HEADER || block > size - at)
			return rs_fail(err, ROSSYM_EREFUSED, offset + at + 4,
				       "a block of base relocations has 0x%" PRIx32 " bytes of 0x%" PRIx32, block,
				       size - at);
		end += filter_relocation_block(from + at, block, removed, to->bytes + end, &to->dropped);
		at += block;
	}
	memcpy(to->bytes + end, from + at, size - at);
	end += size - at;
	if (end == 0) {
		/* GNU ld writes one block of padding for an image that needs no relocations; do the same. */
		end = size < EMPTY ? size : EMPTY;
		memset(to->bytes, 0, end);
		rs_put32(to->bytes + 4, end);
	}
	to->size = end;
	return 0;
}

/* Shorten section NUMBER, in which the base relocations are at RVA, to their new size.  Do nothing if it has other
   content, or if a section comes after it in memory: the loader of Windows NT refuses gaps between sections. */
static void trim_relocations_section(struct rs_edit *edit, uint32_t number, uint32_t rva)
{
	struct rs_section *section = &edit->pe.sections[number];
	if (section->rva != rva || edit->relocations_old_size < section->virtual_size)
		return;
	for (uint32_t i = 0; i < edit->pe.section_count; i++)
		if (!edit->sections[i].removed && edit->pe.sections[i].rva > section->rva)
			return;
	uint64_t raw = rs_align(edit->relocations.size, edit->file_alignment);
	section->virtual_size = edit->relocations.size;
	if (raw < section->raw_size)
		section->raw_size = (uint32_t)raw;
}

/* Remove the base relocations for the addresses in edit->free_rvas.  Returns 0 or -1. */
static int remove_relocations(struct rs_edit *edit, struct rossym_error *err)
{
	uint32_t rva, size, section;
	if (edit->free_rvas.count == 0 || !rs_edit_get_directory(edit, PE_DIRECTORY_RELOCATIONS, &rva, &size) ||
	    size == 0)
		return 0;
	uint32_t offset = rs_edit_find_offset(edit, rva, size, &section);
	if (offset == 0)
		return rs_fail(err, ROSSYM_EREFUSED, edit->directories + PE_DIRECTORY_RELOCATIONS * PE_DIRECTORY_SIZE,
			       "the base relocations, 0x%" PRIx32 " bytes at 0x%" PRIx32 ", are in no section", size,
			       rva);
	struct rs_relocations *new = &edit->relocations;
	new->bytes = rs_alloc(1, size);
	if (!new->bytes)
		return rs_fail_memory(err);
	if (rs_relocations_filter(edit->file + offset, size, offset, &edit->free_rvas, new, err) < 0)
		return -1;
	edit->relocations_old_size = size;
	edit->relocations_offset = offset;
	edit->relocations_section = section;
	edit->report.relocations = new->dropped;
	if (new->dropped > 0)
		trim_relocations_section(edit, section, rva);
	return 0;
}

/* ---------------------------------------------------------------------------------------------- gaps */

struct rva_order {
	uint32_t rva, number;
};

/* Keep section NUMBER, which was to be removed, as a placeholder for the addresses up to END, without data. */
static void make_placeholder(struct rs_edit *edit, uint32_t number, uint32_t end)
{
	struct rs_section *section = &edit->pe.sections[number];
	edit->sections[number].removed = false;
	memcpy(section->name, ".pad\0\0\0", PE_SECTION_NAME_SIZE);
	section->virtual_size = end - section->rva;
	section->raw_size = 0;
	section->raw_offset = 0;
	section->characteristics = PE_SCN_CNT_UNINITIALIZED_DATA | PE_SCN_MEM_DISCARDABLE | PE_SCN_MEM_READ;
}

/*
 * The loader of Windows NT requires that each section begins where the one before it ends.  A removed section leaves a
 * gap if another one comes after it.  The section before the gap grows over it, by zeros that take no room in the file.
 * If no section that stays is before the gap, the first removed section becomes a placeholder.  Returns 0 or -1.
 */
static int close_gaps(struct rs_edit *edit, struct rossym_error *err)
{
	uint32_t count = edit->pe.section_count;
	struct rva_order *places = rs_alloc(count, sizeof *places);
	if (!places)
		return rs_fail_memory(err);
	for (uint32_t i = 0; i < count; i++)
		places[i] = (struct rva_order){ edit->pe.sections[i].rva, i };
	rs_sort(places, count, sizeof *places, rs_compare_two_numbers);

	/* `before`: the last section so far that stays; `freed`: the first removed section after that one. */
	const struct rva_order *before = NULL, *freed = NULL;
	for (uint32_t i = 0; i < count; i++) {
		const struct rva_order *at = &places[i];
		if (edit->sections[at->number].removed) {
			if (!freed)
				freed = at;
			continue;
		}
		if (freed && before) {
			struct rs_section *section = &edit->pe.sections[before->number];
			if ((uint64_t)section->rva + rs_edit_compute_memory_size(section) < at->rva) {
				section->virtual_size = at->rva - section->rva;
				edit->report.holes++;
			}
		} else if (freed && freed->rva < at->rva) {
			make_placeholder(edit, freed->number, at->rva);
			edit->report.holes++;
		}
		before = at;
		freed = NULL;
	}
	rs_free(places);
	return 0;
}

/* ------------------------------------------------------------------------------------------------ all removals */

int rs_edit_decide_removals(struct rs_edit *edit, bool new_table, struct rossym_error *err)
{
	edit->sections = rs_alloc(edit->pe.section_count, sizeof *edit->sections);
	if (!edit->sections)
		return rs_fail_memory(err);
	for (uint32_t i = 0; i < edit->pe.section_count; i++)
		if (decide_section_removal(edit, i, new_table, err) < 0)
			return -1;
	if (find_free_rvas(edit, err) < 0 || check_removed_are_unneeded(edit, err) < 0 ||
	    check_and_measure_sections(edit, err) < 0 || remove_relocations(edit, err) < 0)
		return -1;
	/* A flat image (RVAs are file offsets) is mapped as one piece, so gaps between its sections do no harm. */
	return edit->free_rvas.count == 0 || edit->flat ? 0 : close_gaps(edit, err);
}
