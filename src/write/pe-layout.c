// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pe-layout.c - adds new sections, and decides where all parts of the new image are: headers, old data, new sections
 *
 * The section table may need room for one or two headers more.  The parts of the old file that stay keep their order.
 * New sections come after the old ones, in the file and in memory.  Last in the file is the tail: COFF symbols, and
 * overlays, which are bytes that belong to no section.
 */
#include "config.h"
#include "write/pe-edit.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "core/layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char debuglink_section[] = ".gnu_debuglink";

/* ------------------------------------------------------------------------------------------ long names */

/* A section header has 8 bytes for the name.  A longer name is in the COFF string table, and the header says where. */

/* Add NAME to the new string table.  Store "/" and the offset of NAME in FIELD, the 8 bytes for a name in a section
   header.  Returns 0 or -1. */
static int add_long_name(struct rs_edit *edit, const char *name, char *field, struct rossym_error *err)
{
	/* Names that share bytes in the old table do not share them in the new one, so allow the new table to be
	   somewhat larger.  Without a limit, a hostile image with many such names would need gigabytes. */
	const uint64_t limit = PE_STRING_TABLE_HEADER + (uint64_t)edit->strings_size + 0x10000 +
			       (edit->options.debuglink ? sizeof debuglink_section : 0);
	const size_t length = strlen(name) + 1;
	const uint32_t at = edit->new_strings_size ? edit->new_strings_size : PE_STRING_TABLE_HEADER;
	/* FIELD has room for seven digits. */
	if (length > limit - at || at > 9999999)
		return rs_fail(err, ROSSYM_EREFUSED, edit->symbols.end, "section names that overlap each other");
	if (rs_array_reserve(&edit->strings, &edit->strings_room, edit->new_strings_size,
			     PE_STRING_TABLE_HEADER + (uint64_t)length, 1) < 0)
		return rs_fail_memory(err);
	memcpy(edit->strings + at, name, length);
	edit->new_strings_size = at + (uint32_t)length;
	rs_put32(edit->strings, edit->new_strings_size);
	char text[16];
	memset(field, 0, PE_SECTION_NAME_SIZE);
	memcpy(field, text, (size_t)snprintf(text, sizeof text, "/%" PRIu32, at));
	return 0;
}

/* Put the long names of sections that stay into the new string table, because the old one is removed with the symbols.
   Returns 0 or -1. */
static int move_long_names(struct rs_edit *edit, struct rossym_error *err)
{
	for (uint32_t i = 0; i < edit->pe.section_count; i++) {
		struct rs_section *section = &edit->pe.sections[i];
		if (edit->sections[i].removed)
			continue;
		const char *name = rs_pe_section_name(&edit->pe, section, &edit->source, err);
		if (!name || (name != section->name && add_long_name(edit, name, section->name, err) < 0))
			return -1;
	}
	return 0;
}

/* --------------------------------------------------------------------------------------- new sections */

static int add_new_section(struct rs_edit *edit, const char *name, uint32_t characteristics, const uint8_t *data,
			   uint32_t size, struct rossym_error *err)
{
	struct rs_new_section *section = &edit->added[edit->added_count++];
	*section = (struct rs_new_section){ .characteristics = characteristics, .data = data, .size = size };
	if (strlen(name) > PE_SECTION_NAME_SIZE)
		return add_long_name(edit, name, section->name, err);
	memcpy(section->name, name, strlen(name));
	return 0;
}

/* Add .gnu_debuglink: the name, zeros up to a multiple of 4, and the CRC.  Returns 0 or -1. */
static int add_debuglink(struct rs_edit *edit, struct rossym_error *err)
{
	const char *name = edit->options.debuglink;
	if (!name)
		return 0;
	if (edit->keep_debug)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a link to debug information that stays here");
	size_t length = strlen(name);
	if (length == 0)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a file name without bytes for the debug link");
	if (length > 0xffff)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a file name of %zu bytes for the debug link", length);
	uint32_t at = (uint32_t)rs_align(length + 1, 4);
	edit->link = rs_alloc(1, at + 4);
	if (!edit->link)
		return rs_fail_memory(err);
	memcpy(edit->link, name, length);
	rs_put32(edit->link + at, edit->options.debuglink_crc);
	return add_new_section(edit, debuglink_section,
			       PE_SCN_CNT_INITIALIZED_DATA | PE_SCN_MEM_DISCARDABLE | PE_SCN_MEM_READ, edit->link,
			       at + 4, err);
}

/* --------------------------------------------------------------------------------- room in the headers */

static bool is_all_zero(const uint8_t *bytes, uint64_t from, uint64_t to)
{
	while (from < to && bytes[from] == 0)
		from++;
	return from >= to;
}

/* Let the headers grow up to offset NEEDED.  Refuses an image in which they would then overlap the first section in
   memory.  OLD_END, where the old section table ends in the file, is for the error.  Returns 0 or -1. */
static int grow_headers(struct rs_edit *edit, uint64_t needed, uint64_t old_end, struct rossym_error *err)
{
	uint32_t lowest = UINT32_MAX;
	for (uint32_t i = 0; i < edit->pe.section_count; i++)
		if (!edit->sections[i].removed && edit->pe.sections[i].rva < lowest)
			lowest = edit->pe.sections[i].rva;
	uint64_t grown = rs_align(needed, edit->file_alignment);
	if (edit->flat || grown > lowest)
		return rs_fail(err, ROSSYM_EREFUSED, old_end,
			       "no room for one more section header, and the headers cannot grow%s",
			       edit->flat ? " where file offsets are addresses" : "");
	edit->report.header_growth = (uint32_t)(grown - edit->header_end);
	edit->new_header_end = (uint32_t)grown;
	return 0;
}

/*
 * Find room for the new section table.  If zeros come after the old table, it can grow over them.  Bound imports can
 * move within the headers, because loaders find them by their data directory.  An image with other bytes after the old
 * table is refused, because some program may look for them at that place.  Also numbers the sections that stay.
 * Returns 0 or -1.
 */
static int find_header_room(struct rs_edit *edit, struct rossym_error *err)
{
	for (uint32_t i = 0; i < edit->pe.section_count; i++)
		edit->sections[i].number = edit->sections[i].removed ? PE_COFF_SYMBOL_ABSOLUTE : ++edit->kept;
	uint32_t count = edit->kept + edit->added_count, bound, bound_size;
	uint64_t old_end = edit->pe.headers + (uint64_t)edit->pe.section_count * PE_SECTION_SIZE;
	uint64_t end = edit->pe.headers + (uint64_t)count * PE_SECTION_SIZE, needed = end;
	uint32_t limit = edit->header_end;
	bool is_empty;
	edit->new_header_end = limit;
	if (count > 0xffff)
		return rs_fail(err, ROSSYM_EREFUSED, edit->pe.headers, "more than 65535 sections");
	if (end <= old_end)
		return 0;
	if (rs_edit_get_directory(edit, PE_DIRECTORY_BOUND_IMPORTS, &bound, &bound_size) && bound >= old_end &&
	    bound < end && rs_in_range(bound, bound_size, limit)) {
		uint64_t to = rs_align(end, 4);
		needed = to + bound_size;
		edit->bound_imports = (uint32_t)to;
		is_empty = is_all_zero(edit->file, old_end, bound) &&
			   is_all_zero(edit->file, bound + bound_size, needed < limit ? needed : limit);
	} else {
		is_empty = is_all_zero(edit->file, old_end, end < limit ? end : limit);
	}
	if (!is_empty)
		return rs_fail(err, ROSSYM_EREFUSED, old_end,
			       "no room for one more section header: something else stands here");
	return needed <= limit ? 0 : grow_headers(edit, needed, old_end, err);
}

/* ------------------------------------------------------------------------------------- the old file's data */

/* Remove the certificates: they sign the whole old file, so they are wrong for the new one.  Their directory has a file
   offset, not an RVA. */
static void remove_certificates(struct rs_edit *edit, struct rs_cuts *cuts)
{
	uint32_t certificates, size;
	if (!rs_edit_get_directory(edit, PE_DIRECTORY_CERTIFICATES, &certificates, &size))
		return;
	edit->cleared_directories |= UINT32_C(1) << PE_DIRECTORY_CERTIFICATES;
	edit->report.certificate = size;
	if (certificates < edit->size)
		rs_cuts_add(cuts, certificates, size < edit->size - certificates ? size : edit->size - certificates,
			    false);
}

/* Add to CUTS, as ranges to cut, the data that all sections have in the old file; and as ranges to keep, the data that
   stays.  Returns the offset at which the data that stays ends. */
static uint64_t list_section_data(const struct rs_edit *edit, struct rs_cuts *cuts)
{
	uint64_t tail = edit->header_end;
	for (uint32_t i = 0; i < edit->pe.section_count; i++) {
		const struct rs_section *section = &edit->pe.sections[i];
		const uint64_t old = rs_edit_read_old_field(edit, section, PE_SECTION_RAW_OFFSET),
			       left = edit->size - old;
		const uint64_t size = rs_edit_read_old_field(edit, section, PE_SECTION_RAW_SIZE);
		if (old != 0 && old < edit->size)
			rs_cuts_add(cuts, old, size < left ? size : left, false);
		if (edit->sections[i].removed || !rs_edit_has_data(section))
			continue;
		rs_cuts_add(cuts, section->raw_offset, section->raw_size, true);
		const uint64_t end = (uint64_t)section->raw_offset + section->raw_size;
		tail = end > tail ? end : tail;
	}
	return tail;
}

/* Find the runs (ranges.h), the parts of the old file that stay.  Returns 0 or -1. */
static int find_runs(struct rs_edit *edit, struct rossym_error *err)
{
	struct rs_cuts cuts;
	struct rs_ranges removed;
	if (rs_cuts_begin(&cuts, 2 * (size_t)edit->pe.section_count + 3, err) < 0)
		return -1;
	rs_cuts_add(&cuts, 0, edit->header_end, true);
	const uint64_t tail = list_section_data(edit, &cuts);
	rs_cuts_add(&cuts, edit->symbols.begin, edit->symbols.end - edit->symbols.begin, edit->keep_debug);
	edit->report.symbols = edit->keep_debug ? 0 : edit->symbol_count;
	remove_certificates(edit, &cuts);
	if (rs_cuts_end(&cuts, &removed, err) < 0)
		return -1;
	const struct rs_runs_file file = { edit->file, edit->size, edit->header_end, tail, edit->file_alignment };
	const int r = rs_runs_make(&edit->runs, &file, &removed, err);
	rs_ranges_clear(&removed);
	return r;
}

/* --------------------------------------------------------------------------------------- the new layout */

/* Returns the RVA at which headers and sections that stay end. */
static uint64_t find_memory_end(const struct rs_edit *edit)
{
	uint64_t end = rs_align(edit->new_header_end, edit->section_alignment);
	for (uint32_t i = 0; i < edit->pe.section_count; i++) {
		const struct rs_section *section = &edit->pe.sections[i];
		uint64_t at = (uint64_t)section->rva + rs_edit_compute_memory_size(section);
		if (!edit->sections[i].removed && at > end)
			end = at;
	}
	return end;
}

/* Place a new section at *RVA and *OFFSET, or at the next aligned ones, and move both to its end.  Returns 0 or -1. */
static int place_new_section(struct rs_edit *edit, struct rs_new_section *section, uint64_t *rva, uint64_t *offset,
			     struct rossym_error *err)
{
	*rva = rs_align(*rva, edit->section_alignment);
	*offset = rs_align(*offset, edit->file_alignment);
	if (edit->flat) {
		*rva = *rva > *offset ? *rva : *offset;
		*rva = rs_align(*rva, edit->section_alignment > edit->file_alignment ? edit->section_alignment
										     : edit->file_alignment);
		/* In a flat image (RVAs are file offsets), a gap in memory takes as many bytes of the file: gigabytes,
		   if the image is hostile. */
		if (*rva - *offset > edit->size)
			return rs_fail(err, ROSSYM_EREFUSED, edit->pe.headers,
				       "sections that are addressed by file offsets end far past the end of the file");
		*offset = *rva;
	}
	uint64_t raw_size = rs_align(section->size, edit->file_alignment);
	if (*rva + section->size > UINT32_MAX || *offset + raw_size > UINT32_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, edit->pe.headers, "no room below 4 GiB for the table");
	section->rva = (uint32_t)*rva;
	section->raw_offset = (uint32_t)*offset;
	section->raw_size = (uint32_t)raw_size;
	*rva += section->size;
	*offset += raw_size;
	return 0;
}

static int finish_layout(struct rs_edit *edit, struct rossym_error *err)
{
	uint64_t end = find_memory_end(edit);
	uint64_t offset = rs_runs_place(&edit->runs, false, edit->new_header_end,
					edit->flat ? UINT64_MAX : edit->file_alignment - 1);
	if (offset < edit->new_header_end)
		offset = edit->new_header_end;
	for (uint32_t i = 0; i < edit->added_count; i++)
		if (place_new_section(edit, &edit->added[i], &end, &offset, err) < 0)
			return -1;
	end = rs_align(end, edit->section_alignment);
	if (edit->new_strings_size > 0) {
		edit->strings_offset = (uint32_t)offset;
		offset += edit->new_strings_size;
	}
	edit->report.overlay = rs_runs_place(&edit->runs, true, offset, 0) - offset;
	edit->new_size = offset + edit->report.overlay;
	if (edit->keep_debug && edit->symbols.end - edit->symbols.begin <= edit->report.overlay)
		edit->report.overlay -= edit->symbols.end - edit->symbols.begin;
	if (end > UINT32_MAX || edit->new_size > UINT32_MAX || edit->new_size > SIZE_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, edit->pe.headers, "the new image has 4 GiB or more");
	edit->size_of_image = (uint32_t)end;
	return 0;
}

int rs_edit_lay_out(struct rs_edit *edit, const void *table, size_t table_size, struct rossym_error *err)
{
	if ((!edit->keep_debug && move_long_names(edit, err) < 0) || add_debuglink(edit, err) < 0)
		return -1;
	/* By convention the table is in the last section. */
	if (table &&
	    add_new_section(edit, RS_SECTION_NAME, RS_SECTION_CHARACTERISTICS, table, (uint32_t)table_size, err) < 0)
		return -1;
	return find_header_room(edit, err) < 0 || find_runs(edit, err) < 0 ? -1 : finish_layout(edit, err);
}
