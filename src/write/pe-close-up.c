// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pe-close-up.c - base relocations and address space of removed sections
 *
 * Removes the base relocations of removed sections, and lets other sections grow over the addresses of removed ones.
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

/* ------------------------------------------------------------------------------------ base relocations */

/* They are the places that a loader patches when it does not load an image at its image base.  They come in blocks, one for
   each page.  A block is a header and entries of two bytes, padded to a multiple of four.  The entries for a removed
   section must be removed, too, or the loader would patch whatever is at these addresses afterwards. */

/* Bytes of a block of relocations that has only padding. */
enum { EMPTY = 12 };

/* Copy a block of SIZE bytes without the entries for addresses in REMOVED, and add the number of these to *DROPPED.
   Returns the size of the new block; 0 if no entry stays. */
static uint32_t filter_block(const uint8_t *from, uint32_t size, const struct rs_ranges *removed, uint8_t *to,
			     uint32_t *dropped)
{
	uint32_t page = rs_le32(from), at = PE_RELOCATIONS_HEADER, end = PE_RELOCATIONS_HEADER, lost = 0, kept = 0;
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
				kept++;
			}
		}
		at += length;
	}
	*dropped += lost;
	if (lost == 0) {
		memcpy(to, from, size);
		return size;
	}
	if (kept == 0)
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
		end += filter_block(from + at, block, removed, to->bytes + end, &to->dropped);
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

/* Whether section NUMBER has the highest address of all sections that stay. */
static bool is_last_in_memory(const struct rs_edit *edit, uint32_t number)
{
	for (uint32_t i = 0; i < edit->pe.section_count; i++)
		if (!edit->sections[i].removed && edit->pe.sections[i].rva > edit->pe.sections[number].rva)
			return false;
	return true;
}

/* Section NUMBER has the base relocations, at RVA.  Shorten it to the relocations that are left, unless it has other
   content, or another section comes after it: the loader of Windows NT refuses gaps between sections. */
static void trim_relocations_section(struct rs_edit *edit, uint32_t number, uint32_t rva)
{
	struct rs_section *section = &edit->pe.sections[number];
	if (section->rva != rva || edit->relocations_old_size < section->virtual_size ||
	    !is_last_in_memory(edit, number))
		return;
	uint64_t raw = rs_align(edit->relocations_size, edit->file_alignment);
	section->virtual_size = edit->relocations_size;
	if (raw < section->raw_size) {
		edit->trimmed.begin = section->raw_offset + raw;
		edit->trimmed.end = (uint64_t)section->raw_offset + section->raw_size;
		section->raw_size = (uint32_t)raw;
	}
}

/* Remove the base relocations for the addresses in edit->free_rvas.  Returns 0 or -1. */
static int remove_relocations(struct rs_edit *edit, struct rossym_error *err)
{
	uint32_t rva, size, section;
	if (edit->free_rvas.count == 0 || !rs_edit_directory(edit, PE_DIRECTORY_RELOCATIONS, &rva, &size) || size == 0)
		return 0;
	uint32_t offset = rs_edit_offset(edit, rva, size, &section);
	if (offset == 0)
		return rs_fail(err, ROSSYM_EREFUSED, edit->directories + PE_DIRECTORY_RELOCATIONS * PE_DIRECTORY_SIZE,
			       "the base relocations, 0x%" PRIx32 " bytes at 0x%" PRIx32 ", are in no section", size,
			       rva);
	struct rs_relocations new = { .bytes = rs_alloc(1, size) };
	if (!new.bytes)
		return rs_fail_memory(err);
	int r = rs_relocations_filter(edit->file + offset, size, offset, &edit->free_rvas, &new, err);
	if (r < 0 || new.dropped == 0) {
		rs_free(new.bytes);
		return r;
	}
	edit->relocations = new.bytes;
	edit->relocations_size = new.size;
	edit->relocations_old_size = size;
	edit->relocations_offset = offset;
	edit->report.relocations = new.dropped;
	trim_relocations_section(edit, section, rva);
	return 0;
}

/* ---------------------------------------------------------------------------------------------- holes */

struct rva_order {
	uint32_t rva, number;
};

/* Keep section NUMBER, which was to be removed, as a placeholder for the addresses up to END, without data. */
static void make_placeholder(struct rs_edit *edit, uint32_t number, uint32_t end)
{
	struct rs_section *section = &edit->pe.sections[number];
	edit->sections[number].removed = false;
	edit->kept++;
	edit->sections[number].long_name = NULL;
	if (rs_edit_has_data(section) && section->raw_offset < edit->size) {
		uint64_t data_end = (uint64_t)section->raw_offset + section->raw_size;
		edit->emptied.begin = section->raw_offset;
		edit->emptied.end = data_end < edit->size ? data_end : edit->size;
	}
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
	rs_sort(places, count, sizeof *places, rs_by_two);

	/* BEFORE: the last section so far that stays; FREED: the first removed section after BEFORE. */
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
			if ((uint64_t)section->rva + rs_edit_memory_size(section) < at->rva) {
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

int rs_edit_close_up(struct rs_edit *edit, struct rossym_error *err)
{
	if (remove_relocations(edit, err) < 0)
		return -1;
	/* A flat image is mapped as one piece, so there are bytes in its gaps. */
	if (edit->free_rvas.count == 0 || edit->flat)
		return 0;
	return close_gaps(edit, err);
}
