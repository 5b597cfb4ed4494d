// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pe-strip.c - which sections go
 *
 * Debug sections go by their names, and so do a table and a debug link that are replaced.  If the image needs bytes of
 * such a section, it is refused.
 */
#include "config.h"
#include "write/pe-steps.h"
#include "lib/base/alloc.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "core/layout.h"

#include <inttypes.h>
#include <string.h>

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
	} else if (!edit->keep_debug && rs_pe_is_debug(section, name)) {
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

/* Compute edit->gone: the addresses that the removed sections had and no remaining section has.  These two can have
   addresses in common, because sections may overlap, by damage or on purpose. */
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
		rs_ranges_add(edit->sections[i].goes ? &goes : &stays, section->rva, rs_edit_memory_size(section));
	}
	int r = rs_ranges_subtract(&goes, &stays, &edit->gone, err);
	rs_ranges_clear(&goes);
	rs_ranges_clear(&stays);
	return r;
}

/* Refuse if the entry point or a data directory is in a section that goes: then that is no debug information, whatever
   its name.  The debug directory may be there; it becomes empty. */
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

/* Check that the file holds all data of sections that stay, since it may have to move; and find the end of
   the headers. */
static int check_data(struct rs_edit *edit, struct rossym_error *err)
{
	edit->header_end = edit->size_of_headers < edit->size ? edit->size_of_headers : (uint32_t)edit->size;
	edit->flat = edit->section_alignment < 0x1000;
	for (uint32_t i = 0; i < edit->pe.section_count; i++) {
		const struct rs_section *section = &edit->pe.sections[i];
		if (edit->sections[i].goes || !rs_edit_has_data(section))
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
		if (choose_section(edit, i, new_table, err) < 0)
			return -1;
	return find_gone(edit, err) < 0 || check_needed(edit, err) < 0 || check_data(edit, err) < 0 ? -1 : 0;
}
