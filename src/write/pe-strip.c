// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pe-strip.c - which sections are removed
 *
 * Removed are debug sections, which are known by their names, and an old table and an old debug link if a new one
 * replaces them.  An image that needs bytes of such a section is refused.
 */
#include "config.h"
#include "write/pe-edit.h"
#include "lib/base/alloc.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "core/layout.h"

#include <inttypes.h>
#include <string.h>

static void remove_section(struct rs_edit *edit, uint32_t number)
{
	edit->sections[number].removed = true;
	edit->kept--;
}

/* Decide whether section NUMBER is removed.  If it stays, note its long name for the new string table.  Returns 0
   or -1. */
static int decide_about_section(struct rs_edit *edit, uint32_t number, bool new_table, struct rossym_error *err)
{
	struct rs_section *section = &edit->pe.sections[number];
	const char *name = rs_pe_section_name(&edit->pe, section, &edit->source, err);
	if (!name)
		return -1;
	if (new_table && memcmp(section->name, RS_SECTION_NAME, sizeof RS_SECTION_NAME) == 0) {
		remove_section(edit, number);
		edit->report.tables++;
	} else if (!edit->keep_debug && rs_pe_is_debug(section, name)) {
		remove_section(edit, number);
		edit->report.sections++;
		edit->report.section_bytes += section->raw_size;
	} else if (edit->options.debuglink && strcmp(name, ".gnu_debuglink") == 0) {
		remove_section(edit, number);
	} else if (!edit->keep_debug && name != section->name) {
		edit->sections[number].long_name = name;
	}
	return 0;
}

/* Compute edit->free_rvas.  Removed and remaining sections can have addresses in common, because sections may overlap,
   by damage or on purpose. */
static int find_free_rvas(struct rs_edit *edit, struct rossym_error *err)
{
	struct rs_ranges removed, kept;
	if (rs_ranges_open(&removed, edit->pe.section_count, err) < 0)
		return -1;
	if (rs_ranges_open(&kept, (size_t)edit->pe.section_count + 1, err) < 0) {
		rs_ranges_clear(&removed);
		return -1;
	}
	rs_ranges_add(&kept, 0, edit->size_of_headers);
	for (uint32_t i = 0; i < edit->pe.section_count; i++) {
		const struct rs_section *section = &edit->pe.sections[i];
		rs_ranges_add(edit->sections[i].removed ? &removed : &kept, section->rva, rs_edit_memory_size(section));
	}
	int r = rs_ranges_subtract(&removed, &kept, &edit->free_rvas, err);
	rs_ranges_clear(&removed);
	rs_ranges_clear(&kept);
	return r;
}

/* Refuse an image whose entry point or data directory is in a removed section: then that section is no debug
   information, whatever its name.  The debug directory may be there; it becomes empty. */
static int check_removed_are_unneeded(struct rs_edit *edit, struct rossym_error *err)
{
	uint32_t entry = rs_le32(edit->file + edit->optional + PE_OPT_ENTRY_POINT), rva, size;
	if (entry != 0 && rs_ranges_contain(&edit->free_rvas, entry))
		return rs_fail(err, ROSSYM_EREFUSED, edit->optional + PE_OPT_ENTRY_POINT,
			       "the entry point 0x%" PRIx32 " is in a debug section", entry);
	for (uint32_t i = 0; i < edit->directory_count; i++) {
		if (i == PE_DIRECTORY_CERTIFICATES || !rs_edit_directory(edit, i, &rva, &size) ||
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
static int check_kept_data(struct rs_edit *edit, struct rossym_error *err)
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
	uint64_t table_end = edit->section_table + (uint64_t)edit->pe.section_count * PE_SECTION_SIZE;
	if (table_end > edit->header_end)
		return rs_fail(err, ROSSYM_EREFUSED, edit->section_table,
			       "the section table ends at 0x%" PRIx64 ", past the headers' end, 0x%" PRIx32, table_end,
			       edit->header_end);
	return 0;
}

int rs_edit_choose(struct rs_edit *edit, bool new_table, struct rossym_error *err)
{
	edit->sections = rs_alloc(edit->pe.section_count, sizeof *edit->sections);
	if (!edit->sections)
		return rs_fail_memory(err);
	edit->kept = edit->pe.section_count;
	for (uint32_t i = 0; i < edit->pe.section_count; i++)
		if (decide_about_section(edit, i, new_table, err) < 0)
			return -1;
	return find_free_rvas(edit, err) < 0 || check_removed_are_unneeded(edit, err) < 0 ||
			       check_kept_data(edit, err) < 0
		       ? -1
		       : 0;
}
