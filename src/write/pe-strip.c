// SPDX-License-Identifier: GPL-2.0-or-later
/* pe-strip.c - which sections go with the debug information, and what else that changes */
#include "config.h"
#include "write/pe-edit.h"
#include "lib/alloc.h"
#include "core/bytes.h"
#include "lib/error.h"
#include "core/layout.h"
#include "write/pe-reloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------ what goes */

static bool is_debug(const char *name, const struct rs_section *section)
{
	/* Somebody may have called his code so. */
	if (rs_section_is_code(section->characteristics))
		return false;
	return strncmp(name, ".stab", 5) == 0 || strncmp(name, ".debug_", 7) == 0 || strncmp(name, ".zdebug_", 8) == 0;
}

static void drop(struct rs_edit *edit, uint32_t number)
{
	edit->sections[number].goes = true;
	edit->kept--;
}

static int choose_section(struct rs_edit *edit, uint32_t number, bool new_table, struct rossym_error *err)
{
	struct rs_section *section = &edit->pe.sections[number];
	const char *name = rs_pe_section_name(&edit->pe, section, &edit->source, err);
	if (!name)
		return -1;
	if (new_table && memcmp(section->name, RS_SECTION_NAME, sizeof RS_SECTION_NAME) == 0) {
		drop(edit, number);
		edit->report.tables++;
	} else if (!edit->keep_debug && is_debug(name, section)) {
		drop(edit, number);
		edit->report.sections++;
		edit->report.section_bytes += section->raw_size;
	} else if (edit->options.debuglink && strcmp(name, ".gnu_debuglink") == 0) {
		drop(edit, number);
	} else if (!edit->keep_debug && name != section->name) {
		edit->sections[number].long_name = name;
	}
	return 0;
}

/* The bytes that a section takes in memory. */
static uint32_t memory_size(const struct rs_section *section)
{
	return section->virtual_size ? section->virtual_size : section->raw_size;
}

static int find_gone(struct rs_edit *edit, struct rossym_error *err)
{
	struct rs_ranges goes, stays;
	if (rs_ranges_open(&goes, edit->pe.section_count, err) < 0)
		return -1;
	if (rs_ranges_open(&stays, (size_t)edit->pe.section_count + 1, err) < 0) {
		rs_ranges_clear(&goes);
		return -1;
	}
	rs_ranges_add(&stays, 0, edit->size_of_headers);
	for (uint32_t i = 0; i < edit->pe.section_count; i++) {
		const struct rs_section *section = &edit->pe.sections[i];
		rs_ranges_add(edit->sections[i].goes ? &goes : &stays, section->rva, memory_size(section));
	}
	int r = rs_ranges_subtract(&goes, &stays, &edit->gone, err);
	rs_ranges_clear(&goes);
	rs_ranges_clear(&stays);
	return r;
}

/* Nothing that the image needs may go: then it is no debug information, whatever its name. */
static int check_needed(struct rs_edit *edit, struct rossym_error *err)
{
	uint32_t entry = rs_le32(edit->file + edit->optional + PE_OPT_ENTRY_POINT), rva, size;
	if (entry != 0 && rs_ranges_contain(&edit->gone, entry))
		return rs_fail(err, ROSSYM_EREFUSED, edit->optional + PE_OPT_ENTRY_POINT,
			       "the entry point 0x%" PRIx32 " is in a debug section", entry);
	for (uint32_t i = 0; i < edit->directory_count; i++) {
		if (i == PE_DIRECTORY_CERTIFICATES || !rs_edit_directory(edit, i, &rva, &size) ||
		    !rs_ranges_contain(&edit->gone, rva))
			continue;
		if (i != PE_DIRECTORY_DEBUG)
			return rs_fail(err, ROSSYM_EREFUSED, edit->directories + (uint64_t)i * PE_DIRECTORY_SIZE,
				       "data directory %" PRIu32 ", at 0x%" PRIx32 ", is in a debug section", i, rva);
		edit->cleared_directories |= UINT32_C(1) << i;
		edit->report.debug_entries += size / PE_DEBUG_SIZE;
	}
	return 0;
}

int rs_edit_choose(struct rs_edit *edit, bool new_table, struct rossym_error *err)
{
	edit->sections = rs_alloc(edit->pe.section_count, sizeof *edit->sections);
	if (!edit->sections)
		return rs_fail_memory(err);
	edit->kept = edit->pe.section_count;
	for (uint32_t i = 0; i < edit->pe.section_count; i++)
		if (choose_section(edit, i, new_table, err) < 0)
			return -1;
	if (find_gone(edit, err) < 0)
		return -1;
	return check_needed(edit, err);
}

/* ------------------------------------------------------------------------------------ base relocations */

/* Whether a section that stays lies above this one. */
static bool is_last(const struct rs_edit *edit, uint32_t number)
{
	for (uint32_t i = 0; i < edit->pe.section_count; i++)
		if (!edit->sections[i].goes && edit->pe.sections[i].rva > edit->pe.sections[number].rva)
			return false;
	return true;
}

/* Cut the section that holds the relocations to what is left of them, if it holds nothing else and nothing comes
   behind it: a loader wants no gap between sections. */
static void trim_section(struct rs_edit *edit, uint32_t number, uint32_t rva)
{
	struct rs_section *section = &edit->pe.sections[number];
	if (section->rva != rva || edit->relocations_old_size < section->virtual_size || !is_last(edit, number))
		return;
	uint64_t raw = rs_align(edit->relocations_size, edit->file_alignment);
	section->virtual_size = edit->relocations_size;
	if (raw < section->raw_size) {
		edit->trimmed.begin = section->raw_offset + raw;
		edit->trimmed.end = (uint64_t)section->raw_offset + section->raw_size;
		section->raw_size = (uint32_t)raw;
	}
}

static int filter_relocations(struct rs_edit *edit, struct rossym_error *err)
{
	uint32_t rva, size, section;
	if (edit->gone.count == 0 || !rs_edit_directory(edit, PE_DIRECTORY_RELOCATIONS, &rva, &size) || size == 0)
		return 0;
	uint32_t offset = rs_edit_offset(edit, rva, size, &section);
	if (offset == 0)
		return rs_fail(err, ROSSYM_EREFUSED,
			       edit->directories + PE_DIRECTORY_RELOCATIONS * PE_DIRECTORY_SIZE,
			       "the base relocations, 0x%" PRIx32 " bytes at 0x%" PRIx32 ", are in no section", size, rva);
	uint8_t *new = rs_alloc(1, size);
	if (!new)
		return rs_fail_memory(err);
	uint32_t new_size, dropped;
	int r = rs_relocations_filter(edit->file + offset, size, offset, &edit->gone, new, &new_size, &dropped, err);
	if (r < 0 || dropped == 0) {
		rs_free(new);
		return r;
	}
	edit->relocations = new;
	edit->relocations_size = new_size;
	edit->relocations_old_size = size;
	edit->relocations_offset = offset;
	edit->report.relocations = dropped;
	trim_section(edit, section, rva);
	return 0;
}

/* ---------------------------------------------------------------------------------------------- holes */

struct place {
	uint32_t rva, number;
};

static int by_rva(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	if (x->rva != y->rva)
		return x->rva < y->rva ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* A section without data, for addresses that nothing else has. */
static void make_placeholder(struct rs_edit *edit, uint32_t number, uint32_t end)
{
	struct rs_section *section = &edit->pe.sections[number];
	edit->sections[number].goes = false;
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
 * The loader of Windows NT wants each section to begin where the one before it ends.  A section that went from
 * between others leaves a hole: the section before it grows over it, by zeros that take no room in the file.  In front of
 * all others there is none; the first that went becomes an empty one.
 */
static int close_holes(struct rs_edit *edit, struct rossym_error *err)
{
	uint32_t count = edit->pe.section_count;
	struct place *places = rs_alloc(count, sizeof *places);
	if (!places)
		return rs_fail_memory(err);
	for (uint32_t i = 0; i < count; i++)
		places[i] = (struct place){ edit->pe.sections[i].rva, i };
	qsort(places, count, sizeof *places, by_rva);

	const struct place *before = NULL, *gone = NULL;	/* the last that stays, the first that went after it */
	for (uint32_t i = 0; i < count; i++) {
		const struct place *place = &places[i];
		if (edit->sections[place->number].goes) {
			if (!gone)
				gone = place;
			continue;
		}
		if (gone && before) {
			struct rs_section *section = &edit->pe.sections[before->number];
			if ((uint64_t)section->rva + memory_size(section) < place->rva) {
				section->virtual_size = place->rva - section->rva;
				edit->report.holes++;
			}
		} else if (gone && gone->rva < place->rva) {
			make_placeholder(edit, gone->number, place->rva);
			edit->report.holes++;
		}
		before = place;
		gone = NULL;
	}
	rs_free(places);
	return 0;
}

int rs_edit_close_up(struct rs_edit *edit, struct rossym_error *err)
{
	if (filter_relocations(edit, err) < 0)
		return -1;
	/* A flat image is mapped as it is; what went is zeros there. */
	if (edit->gone.count == 0 || edit->flat)
		return 0;
	return close_holes(edit, err);
}
