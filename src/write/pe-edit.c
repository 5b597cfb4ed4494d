// SPDX-License-Identifier: GPL-2.0-or-later
/* pe-edit.c - rossym_embed(): put a table into an image, and take debug information out of it */
#include "config.h"
#include "write/pe-edit.h"
#include "lib/alloc.h"
#include "core/bytes.h"
#include "lib/error.h"
#include "core/layout.h"
#include "lib/sized.h"
#include "lib/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* -------------------------------------------------------------------------------------- the old headers */

bool rs_edit_has_data(const struct rs_section *section)
{
	return section->raw_size != 0 && section->raw_offset != 0;
}

bool rs_edit_directory(const struct rs_edit *edit, uint32_t number, uint32_t *rva, uint32_t *size)
{
	if (number >= edit->directory_count)
		return false;
	const uint8_t *p = edit->file + edit->directories + (size_t)number * PE_DIRECTORY_SIZE;
	*rva = rs_le32(p);
	*size = rs_le32(p + 4);
	return *rva != 0 && (*size != 0 || number == PE_DIRECTORY_GLOBAL_POINTER);
}

uint32_t rs_edit_offset(const struct rs_edit *edit, uint32_t rva, uint32_t length, uint32_t *ret_section)
{
	for (uint32_t i = 0; i < edit->pe.section_count; i++) {
		const struct rs_section *section = &edit->pe.sections[i];
		if (edit->sections[i].goes || rva < section->rva || !rs_edit_has_data(section) ||
		    !rs_in_range(rva - section->rva, length, section->raw_size))
			continue;
		*ret_section = i;
		return section->raw_offset + (rva - section->rva);
	}
	return 0;
}

static bool is_power_of_two(uint32_t number)
{
	return number != 0 && (number & (number - 1)) == 0;
}

static int read_optional_header(struct rs_edit *edit, struct rossym_error *err)
{
	const uint8_t *file = edit->file;
	edit->file_header = rs_le32(file + PE_DOS_LFANEW);
	edit->optional = edit->file_header + PE_FILE_HEADER_SIZE;
	uint32_t size = rs_le16(file + edit->file_header + PE_SIZE_OF_OPTIONAL_HEADER), at = edit->optional;
	edit->section_table = at + size;
	if (size < PE_OPT_EDITED)
		return rs_fail(err, ROSSYM_EREFUSED, at, "the optional header of 0x%" PRIx32 " bytes has no checksum", size);
	uint32_t magic = rs_le16(file + at + PE_OPT_MAGIC);
	if (magic != (edit->pe.wide ? PE_OPT_MAGIC_PE32PLUS : PE_OPT_MAGIC_PE32))
		return rs_fail(err, ROSSYM_EREFUSED, at, "an optional header of type 0x%" PRIx32 " for machine 0x%x", magic,
			       (unsigned)edit->pe.machine);
	edit->section_alignment = rs_le32(file + at + PE_OPT_SECTION_ALIGNMENT);
	edit->file_alignment = rs_le32(file + at + PE_OPT_FILE_ALIGNMENT);
	edit->size_of_headers = rs_le32(file + at + PE_OPT_SIZE_OF_HEADERS);
	if (!is_power_of_two(edit->section_alignment))
		return rs_fail(err, ROSSYM_EREFUSED, at + PE_OPT_SECTION_ALIGNMENT,
			       "SectionAlignment 0x%" PRIx32 " is not a power of two", edit->section_alignment);
	if (!is_power_of_two(edit->file_alignment) || edit->file_alignment > 0x10000)
		return rs_fail(err, ROSSYM_EREFUSED, at + PE_OPT_FILE_ALIGNMENT,
			       "FileAlignment 0x%" PRIx32 " is not a power of two up to 0x10000", edit->file_alignment);

	uint32_t directories = edit->pe.wide ? PE_OPT_DIRECTORIES_PE32PLUS : PE_OPT_DIRECTORIES_PE32;
	edit->directories = at + directories;
	if (size >= directories) {
		uint32_t count = rs_le32(file + edit->directories - 4), room = (size - directories) / PE_DIRECTORY_SIZE;
		edit->directory_count = count < room ? count : room;
		if (edit->directory_count > PE_DIRECTORY_MAX)
			edit->directory_count = PE_DIRECTORY_MAX;
	}
	return 0;
}

static void find_symbols(struct rs_edit *edit)
{
	const uint8_t *header = edit->file + edit->file_header;
	uint64_t at = rs_le32(header + PE_SYMBOL_TABLE), count = rs_le32(header + PE_NUMBER_OF_SYMBOLS);
	if (at == 0 || at >= edit->size)
		return;
	if (count > (edit->size - at) / PE_COFF_SYMBOL_SIZE)
		count = (edit->size - at) / PE_COFF_SYMBOL_SIZE;
	uint64_t end = at + count * PE_COFF_SYMBOL_SIZE;
	edit->symbol_count = (uint32_t)count;
	if (rs_in_range(end, PE_STRING_TABLE_HEADER, edit->size)) {
		uint32_t strings = rs_le32(edit->file + end);
		if (strings >= PE_STRING_TABLE_HEADER && rs_in_range(end, strings, edit->size)) {
			edit->strings_size = strings;
			end += strings;
		}
	}
	edit->symbols = (struct rs_range){ at, end };
}

/* Refuse a file of objcopy --only-keep-debug: it has the headers of all sections, but only debug sections have bytes. */
static int check_contents(const struct rs_edit *edit, struct rossym_error *err)
{
	const struct rs_section *empty_code = NULL;
	bool has_bytes = false;
	for (uint32_t i = 0; i < edit->pe.section_count; i++) {
		const struct rs_section *section = &edit->pe.sections[i];
		bool is_code = rs_section_is_code(section->characteristics);
		if (is_code && section->raw_size > 0)
			return 0;
		if (is_code && section->virtual_size > 0)
			empty_code = section;
		has_bytes |= section->raw_size > 0;
	}
	if (!empty_code || !has_bytes)
		return 0;
	return rs_fail(err, ROSSYM_EREFUSED, empty_code->header_offset,
		       "a debug file (--only-keep-debug): its code has no bytes; only --table-only can use it");
}

static int read_headers(struct rs_edit *edit, struct rossym_error *err)
{
	edit->source.memory = edit->file;
	edit->source.size = edit->size;
	if (edit->size > UINT32_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "an image of 4 GiB or more");
	if (rs_pe_read(&edit->pe, &edit->source, err) < 0 || read_optional_header(edit, err) < 0)
		return -1;
	find_symbols(edit);
	return check_contents(edit, err);
}

/* The data of sections that stay must be in the file, because it may have to be moved. */
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
				       ", ends past the end of the file", section->name, section->raw_size, section->raw_offset);
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

/* --------------------------------------------------------------------------------------- new sections */

static void add_section(struct rs_edit *edit, const char *name, uint32_t characteristics, const uint8_t *data,
			uint32_t size)
{
	struct rs_new_section *section = &edit->added[edit->added_count++];
	*section = (struct rs_new_section){ .characteristics = characteristics, .data = data, .size = size };
	if (strlen(name) > PE_SECTION_NAME_SIZE)
		section->long_name = name;
	else
		memcpy(section->name, name, strlen(name));
}

/* The name, zeros up to a multiple of 4, the CRC. */
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
	add_section(edit, ".gnu_debuglink",
		    PE_SCN_CNT_INITIALIZED_DATA | PE_SCN_MEM_DISCARDABLE | PE_SCN_MEM_READ, edit->link, at + 4);
	return 0;
}

static int check_table(const void *table, size_t size, struct rossym_error *err)
{
	struct rs_table checked;
	struct rs_source source = RS_SOURCE_INIT;
	source.memory = table;
	source.size = size;
	memset(&checked, 0, sizeof checked);
	if (size > UINT32_MAX / 2)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a table of 2 GiB or more");
	int r = rs_table_open(&checked, &source, 0, size, false, err);
	rs_table_clear(&checked);
	return r;
}

/* ------------------------------------------------------------------------------------------ long names */

/* Add a name to the new string table, and write its place into the 8 bytes of its section's header. */
static int add_long_name(struct rs_edit *edit, const char *name, uint64_t limit, char *field, struct rossym_error *err)
{
	size_t length = strlen(name) + 1;
	uint32_t at = edit->new_strings_size;
	/* The field has room for seven digits. */
	if (length > limit - at || at > 9999999)
		return rs_fail(err, ROSSYM_EREFUSED, edit->symbols.end, "section names that overlap each other");
	memcpy(edit->strings + at, name, length);
	edit->new_strings_size += (uint32_t)length;
	char text[16];
	memset(field, 0, PE_SECTION_NAME_SIZE);
	memcpy(field, text, (size_t)snprintf(text, sizeof text, "/%" PRIu32, at));
	return 0;
}

/* The COFF string table is removed with the symbols.  If it holds names of sections, make a new one for these. */
static int collect_long_names(struct rs_edit *edit, struct rossym_error *err)
{
	/* Names can share bytes in the old table, but not in the new one, so allow the new one to be somewhat larger. */
	uint64_t limit = PE_STRING_TABLE_HEADER + (uint64_t)edit->strings_size + 0x10000;
	bool any = false;
	for (uint32_t i = 0; i < edit->added_count; i++)
		if (edit->added[i].long_name) {
			limit += strlen(edit->added[i].long_name) + 1;
			any = true;
		}
	for (uint32_t i = 0; i < edit->pe.section_count && !any; i++)
		any = !edit->sections[i].goes && edit->sections[i].long_name;
	if (!any)
		return 0;
	edit->strings = rs_alloc((size_t)limit, 1);
	if (!edit->strings)
		return rs_fail_memory(err);
	edit->new_strings_size = PE_STRING_TABLE_HEADER;
	for (uint32_t i = 0; i < edit->pe.section_count; i++)
		if (!edit->sections[i].goes && edit->sections[i].long_name &&
		    add_long_name(edit, edit->sections[i].long_name, limit, edit->pe.sections[i].name, err) < 0)
			return -1;
	for (uint32_t i = 0; i < edit->added_count; i++)
		if (edit->added[i].long_name &&
		    add_long_name(edit, edit->added[i].long_name, limit, edit->added[i].name, err) < 0)
			return -1;
	rs_put32(edit->strings, edit->new_strings_size);
	return 0;
}

/* --------------------------------------------------------------------------------- room in the headers */

static bool all_zero(const uint8_t *bytes, uint64_t from, uint64_t to)
{
	while (from < to && bytes[from] == 0)
		from++;
	return from >= to;
}

/*
 * Find room for the section table, COUNT headers.  After the old table there may be zeros, or bound imports, which can be
 * moved within the headers, where a loader looks for them.  Anything else is refused, since some program may look for it
 * there.  If there is no room the headers grow, as long as they still end before the first section in memory.
 */
static int find_header_room(struct rs_edit *edit, uint32_t count, struct rossym_error *err)
{
	uint64_t old_end = edit->section_table + (uint64_t)edit->pe.section_count * PE_SECTION_SIZE;
	uint64_t end = edit->section_table + (uint64_t)count * PE_SECTION_SIZE;
	edit->new_header_end = edit->header_end;
	if (count > 0xffff)
		return rs_fail(err, ROSSYM_EREFUSED, edit->section_table, "more than 65535 sections");
	if (end <= old_end)
		return 0;

	uint32_t bound, bound_size;
	uint64_t needed = end;
	if (rs_edit_directory(edit, PE_DIRECTORY_BOUND_IMPORTS, &bound, &bound_size) && bound >= old_end && bound < end &&
	    rs_in_range(bound, bound_size, edit->header_end)) {
		uint64_t to = rs_align(end, 4);
		needed = to + bound_size;
		edit->bound_imports = (uint32_t)to;
		if (!all_zero(edit->file, old_end, bound) ||
		    !all_zero(edit->file, bound + bound_size, needed < edit->header_end ? needed : edit->header_end))
			goto occupied;
	} else if (!all_zero(edit->file, old_end, end < edit->header_end ? end : edit->header_end)) {
		goto occupied;
	}
	if (needed <= edit->header_end)
		return 0;

	uint32_t lowest = UINT32_MAX;
	for (uint32_t i = 0; i < edit->pe.section_count; i++)
		if (!edit->sections[i].goes && edit->pe.sections[i].rva < lowest)
			lowest = edit->pe.sections[i].rva;
	uint64_t grown = rs_align(needed, edit->file_alignment);
	if (edit->flat || grown > lowest)
		return rs_fail(err, ROSSYM_EREFUSED, old_end,
			       "no room for one more section header, and the headers cannot grow%s",
			       edit->flat ? " where file offsets are addresses" : "");
	edit->report.header_growth = (uint32_t)(grown - edit->header_end);
	edit->new_header_end = (uint32_t)grown;
	return 0;
occupied:
	return rs_fail(err, ROSSYM_EREFUSED, old_end, "no room for one more section header: something else stands here");
}

/* --------------------------------------------------------------------------------------- the new layout */

/* Divide the file's bytes into those to remove and those to keep. */
static int find_runs(struct rs_edit *edit, struct rossym_error *err)
{
	struct rs_ranges cut = { NULL, 0 }, keep = { NULL, 0 }, gone = { NULL, 0 };
	uint32_t certificates, size;
	uint64_t tail = edit->header_end;
	int r = -1;
	if (rs_ranges_open(&cut, (size_t)edit->pe.section_count + 4, err) < 0 ||
	    rs_ranges_open(&keep, (size_t)edit->pe.section_count + 2, err) < 0)
		goto out;
	rs_ranges_add(&keep, 0, edit->header_end);
	for (uint32_t i = 0; i < edit->pe.section_count; i++) {
		const struct rs_section *section = &edit->pe.sections[i];
		uint64_t end = (uint64_t)section->raw_offset + section->raw_size;
		if (!rs_edit_has_data(section)) {
			continue;
		} else if (!edit->sections[i].goes) {
			rs_ranges_add(&keep, section->raw_offset, section->raw_size);
			tail = end > tail ? end : tail;
		} else if (section->raw_offset < edit->size) {
			end = end < edit->size ? end : edit->size;
			rs_ranges_add(&cut, section->raw_offset, end - section->raw_offset);
		}
	}
	rs_ranges_add(&cut, edit->trimmed.begin, edit->trimmed.end - edit->trimmed.begin);
	rs_ranges_add(&cut, edit->emptied.begin, edit->emptied.end - edit->emptied.begin);
	rs_ranges_add(edit->keep_debug ? &keep : &cut, edit->symbols.begin, edit->symbols.end - edit->symbols.begin);
	if (!edit->keep_debug)
		edit->report.symbols = edit->symbol_count;
	if (rs_edit_directory(edit, PE_DIRECTORY_CERTIFICATES, &certificates, &size)) {
		edit->cleared_directories |= UINT32_C(1) << PE_DIRECTORY_CERTIFICATES;
		edit->report.certificate = size;
		if (certificates < edit->size)
			rs_ranges_add(&cut, certificates,
				      size < edit->size - certificates ? size : edit->size - certificates);
	}
	if (rs_ranges_subtract(&cut, &keep, &gone, err) < 0)
		goto out;
	r = rs_runs_open(&edit->runs, edit->file, edit->size, edit->header_end, tail, edit->file_alignment, &gone, err);
out:
	rs_ranges_clear(&cut);
	rs_ranges_clear(&keep);
	rs_ranges_clear(&gone);
	return r;
}

static int lay_out(struct rs_edit *edit, struct rossym_error *err)
{
	uint64_t end = rs_align(edit->new_header_end, edit->section_alignment);	/* in memory */
	for (uint32_t i = 0; i < edit->pe.section_count; i++) {
		const struct rs_section *section = &edit->pe.sections[i];
		uint64_t at = (uint64_t)section->rva +
			      (section->virtual_size ? section->virtual_size : section->raw_size);
		if (!edit->sections[i].goes && at > end)
			end = at;
	}
	uint64_t offset = rs_runs_place(&edit->runs, edit->new_header_end, edit->file_alignment, edit->flat);
	if (offset < edit->new_header_end)
		offset = edit->new_header_end;
	for (uint32_t i = 0; i < edit->added_count; i++) {
		struct rs_new_section *section = &edit->added[i];
		uint64_t rva = rs_align(end, edit->section_alignment);
		offset = rs_align(offset, edit->file_alignment);
		if (edit->flat) {
			rva = rva > offset ? rva : offset;
			rva = rs_align(rva, edit->section_alignment > edit->file_alignment ? edit->section_alignment
											   : edit->file_alignment);
			/* Do not fill a hole with file bytes that the image has in memory only. */
			if (rva - offset > edit->size)
				return rs_fail(err, ROSSYM_EREFUSED, edit->section_table,
					       "sections that are addressed by file offsets end far past the end of the file");
			offset = rva;
		}
		end = rva + section->size;
		section->raw_size = (uint32_t)rs_align(section->size, edit->file_alignment);
		if (end > UINT32_MAX || offset + section->raw_size > UINT32_MAX)
			return rs_fail(err, ROSSYM_EREFUSED, edit->section_table, "no room below 4 GiB for the table");
		section->rva = (uint32_t)rva;
		section->raw_offset = (uint32_t)offset;
		offset += section->raw_size;
	}
	end = rs_align(end, edit->section_alignment);
	if (edit->new_strings_size > 0) {
		edit->strings_offset = (uint32_t)offset;
		offset += edit->new_strings_size;
	}
	edit->report.overlay = rs_runs_place_tail(&edit->runs, offset) - offset;
	edit->new_size = offset + edit->report.overlay;
	if (edit->keep_debug && edit->symbols.end - edit->symbols.begin <= edit->report.overlay)
		edit->report.overlay -= edit->symbols.end - edit->symbols.begin;
	if (end > UINT32_MAX || edit->new_size > UINT32_MAX || edit->new_size > SIZE_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, edit->section_table, "the new image has 4 GiB or more");
	edit->size_of_image = (uint32_t)end;
	return 0;
}

static int plan(struct rs_edit *edit, const void *table, size_t table_size, struct rossym_error *err)
{
	if ((table && check_table(table, table_size, err) < 0) || read_headers(edit, err) < 0 ||
	    rs_edit_choose(edit, table != NULL, err) < 0 || check_data(edit, err) < 0 ||
	    rs_edit_close_up(edit, err) < 0 || add_debuglink(edit, err) < 0)
		return -1;
	if (table)
		add_section(edit, RS_SECTION_NAME, RS_SECTION_CHARACTERISTICS, table, (uint32_t)table_size);
	if (collect_long_names(edit, err) < 0 || find_header_room(edit, edit->kept + edit->added_count, err) < 0 ||
	    find_runs(edit, err) < 0 || lay_out(edit, err) < 0)
		return -1;
	if (table) {
		edit->report.table_rva = edit->added[edit->added_count - 1].rva;
		edit->report.table_offset = edit->added[edit->added_count - 1].raw_offset;
	}
	return 0;
}

static void clear(struct rs_edit *edit)
{
	rs_free(edit->sections);
	rs_ranges_clear(&edit->gone);
	rs_free(edit->link);
	rs_free(edit->relocations);
	rs_runs_clear(&edit->runs);
	rs_free(edit->strings);
	rs_pe_clear(&edit->pe);
}

int rossym_embed(const void *image, size_t size, const void *table, size_t table_size,
		 const struct rossym_embed_options *options, void **ret, size_t *ret_size,
		 struct rossym_embed_report *report, struct rossym_error *err)
{
	struct rs_edit edit;
	memset(&edit, 0, sizeof edit);
	if ((options && rs_sized_take(&edit.options, sizeof edit.options, sizeof edit.options, options, err) < 0) ||
	    (report && rs_sized_check(report, sizeof edit.report, err) < 0))
		return -1;
	if (edit.options.flags & ~ROSSYM_EMBED_KEEP_DEBUG)
		return rs_fail_flags(err, edit.options.flags & ~ROSSYM_EMBED_KEEP_DEBUG);
	edit.keep_debug = (edit.options.flags & ROSSYM_EMBED_KEEP_DEBUG) != 0;
	edit.file = image;
	edit.size = size;
	edit.source.fd = -1;

	uint8_t *new = NULL;
	if (plan(&edit, table, table_size, err) == 0 && !(new = rs_alloc(1, (size_t)edit.new_size)))
		rs_fail_memory(err);
	if (new) {
		rs_edit_write(&edit, new);
		*ret = new;
		*ret_size = (size_t)edit.new_size;
		if (report)
			rs_sized_give(report, &edit.report, sizeof edit.report);
	}
	clear(&edit);
	return new ? 0 : -1;
}
