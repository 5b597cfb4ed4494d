// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * embed.c - rossym_embed(): put a table into an image, and take debug information out of it
 *
 * All decisions are made before a byte is written.  Then the parts of the old file that stay, the runs (ranges.h), are
 * copied; headers and other parts that change are written over the copies.
 */
#include "config.h"
#include "write/pe-edit.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "core/table.h"

#include <string.h>

/* Returns the new offset of the byte at OFFSET in the old file, or 0 if that byte was removed. */
static uint32_t find_new_offset(const struct rs_edit *edit, uint32_t offset)
{
	return offset < edit->header_end ? offset : (uint32_t)rs_runs_find_new_offset(&edit->runs, offset);
}

/* ----------------------------------------------------------------------------------------- the headers */

/* FIELD has the offset of a byte in the old file, or 0.  Replace it by the byte's offset in the new file; leave a 0. */
static void update_offset(const struct rs_edit *edit, uint8_t *field)
{
	uint32_t offset = rs_le32(field);
	if (offset != 0)
		rs_put32(field, find_new_offset(edit, offset));
}

static void write_old_section_header(const struct rs_edit *edit, uint32_t number, uint8_t *to)
{
	const struct rs_section *section = &edit->pe.sections[number];
	memcpy(to, edit->file + section->header_offset, PE_SECTION_SIZE);
	memcpy(to, section->name, PE_SECTION_NAME_SIZE);
	rs_put32(to + PE_SECTION_VIRTUAL_SIZE, section->virtual_size);
	rs_put32(to + PE_SECTION_RAW_SIZE, section->raw_size);
	rs_put32(to + PE_SECTION_RAW_OFFSET,
		 rs_edit_has_data(section) ? find_new_offset(edit, section->raw_offset) : 0);
	rs_put32(to + PE_SECTION_CHARACTERISTICS, section->characteristics);
	update_offset(edit, to + PE_SECTION_RELOCATIONS);
	update_offset(edit, to + PE_SECTION_LINE_NUMBERS);
	if (!edit->keep_debug) {
		rs_put32(to + PE_SECTION_LINE_NUMBERS, 0);
		rs_put16(to + PE_SECTION_LINE_NUMBER_COUNT, 0);
	}
}

static void write_new_section_header(const struct rs_new_section *section, uint8_t *to)
{
	memcpy(to, section->name, PE_SECTION_NAME_SIZE);
	rs_put32(to + PE_SECTION_VIRTUAL_SIZE, section->size);
	rs_put32(to + PE_SECTION_RVA, section->rva);
	rs_put32(to + PE_SECTION_RAW_SIZE, section->raw_size);
	rs_put32(to + PE_SECTION_RAW_OFFSET, section->raw_offset);
	rs_put32(to + PE_SECTION_CHARACTERISTICS, section->characteristics);
}

static void write_section_table(const struct rs_edit *edit, uint8_t *to)
{
	size_t old_size = (size_t)edit->pe.section_count * PE_SECTION_SIZE;
	uint8_t *at = to + edit->pe.headers;
	memset(at, 0, old_size);
	if (edit->bound_imports != 0) {
		uint32_t from, size;
		rs_edit_get_directory(edit, PE_DIRECTORY_BOUND_IMPORTS, &from, &size);
		memset(to + from, 0, size);
		memcpy(to + edit->bound_imports, edit->file + from, size);
		rs_put32(to + edit->directories + PE_DIRECTORY_BOUND_IMPORTS * PE_DIRECTORY_SIZE, edit->bound_imports);
	}
	for (uint32_t i = 0; i < edit->pe.section_count; i++)
		if (!edit->sections[i].removed) {
			write_old_section_header(edit, i, at);
			at += PE_SECTION_SIZE;
		}
	for (uint32_t i = 0; i < edit->added_count; i++, at += PE_SECTION_SIZE)
		write_new_section_header(&edit->added[i], at);
}

/* Returns SizeOfInitializedData of the new image: the old number, less the data that sections have lost, plus that of
   added ones.  Counting anew could give another number, because linkers disagree about what counts. */
static uint32_t compute_initialized_data_size(const struct rs_edit *edit)
{
	uint64_t size = rs_le32(edit->file + edit->pe.optional + PE_OPT_SIZE_OF_INITIALIZED_DATA), removed = 0;
	for (uint32_t i = 0; i < edit->pe.section_count; i++) {
		const struct rs_section *section = &edit->pe.sections[i];
		if (rs_edit_read_old_field(edit, section, PE_SECTION_CHARACTERISTICS) & PE_SCN_CNT_INITIALIZED_DATA)
			removed += rs_edit_read_old_field(edit, section, PE_SECTION_RAW_SIZE) -
				   (edit->sections[i].removed ? 0 : section->raw_size);
	}
	for (uint32_t i = 0; i < edit->added_count; i++)
		if (edit->added[i].characteristics & PE_SCN_CNT_INITIALIZED_DATA)
			size += edit->added[i].raw_size;
	return (uint32_t)(removed < size ? size - removed : 0);
}

static void write_headers(const struct rs_edit *edit, uint8_t *to)
{
	memcpy(to, edit->file, edit->header_end);

	uint8_t *header = to + edit->pe.optional - PE_FILE_HEADER_SIZE;
	rs_put16(header + PE_NUMBER_OF_SECTIONS, edit->kept + edit->added_count);
	if (edit->keep_debug) {
		update_offset(edit, header + PE_SYMBOL_TABLE);
	} else {
		rs_put32(header + PE_SYMBOL_TABLE, edit->strings_offset);
		rs_put32(header + PE_NUMBER_OF_SYMBOLS, 0);
		rs_put16(header + PE_FILE_CHARACTERISTICS,
			 rs_le16(header + PE_FILE_CHARACTERISTICS) | PE_FILE_STRIPPED);
	}

	uint8_t *optional = to + edit->pe.optional;
	rs_put32(optional + PE_OPT_SIZE_OF_INITIALIZED_DATA, compute_initialized_data_size(edit));
	rs_put32(optional + PE_OPT_SIZE_OF_IMAGE, edit->size_of_image);
	if (edit->report.header_growth > 0)
		rs_put32(optional + PE_OPT_SIZE_OF_HEADERS, edit->new_header_end);

	for (uint32_t i = 0; i < edit->directory_count; i++)
		if (edit->cleared_directories & UINT32_C(1) << i)
			memset(to + edit->directories + (size_t)i * PE_DIRECTORY_SIZE, 0, PE_DIRECTORY_SIZE);
	if (edit->relocations.dropped > 0)
		rs_put32(to + edit->directories + PE_DIRECTORY_RELOCATIONS * PE_DIRECTORY_SIZE + 4,
			 edit->relocations.size);
	write_section_table(edit, to);
}

/* ------------------------------------------------------------- relocations, debug directory, symbols */

static void write_relocations(const struct rs_edit *edit, uint8_t *to)
{
	if (edit->relocations.dropped == 0)
		return;
	const struct rs_section *section = &edit->pe.sections[edit->relocations_section];
	/* If pe-strip.c has shortened the section, the bytes after its new end belong to other data now. */
	uint32_t room = section->raw_size - (edit->relocations_offset - section->raw_offset);
	uint8_t *at = to + find_new_offset(edit, edit->relocations_offset);
	memset(at, 0, room < edit->relocations_old_size ? room : edit->relocations_old_size);
	memcpy(at, edit->relocations.bytes, edit->relocations.size);
}

static void write_debug_directory(struct rs_edit *edit, uint8_t *to)
{
	uint32_t rva, size, section;
	if (!rs_edit_get_directory(edit, PE_DIRECTORY_DEBUG, &rva, &size))
		return;
	uint32_t offset = rs_edit_find_offset(edit, rva, size, &section);
	if (offset == 0)
		return;
	for (uint8_t *entry = to + find_new_offset(edit, offset); size >= PE_DEBUG_SIZE;
	     size -= PE_DEBUG_SIZE, entry += PE_DEBUG_SIZE) {
		uint32_t old = rs_le32(entry + PE_DEBUG_DATA_OFFSET);
		if (old == 0)
			continue;
		uint32_t new = find_new_offset(edit, old);
		rs_put32(entry + PE_DEBUG_DATA_OFFSET, new);
		if (new == 0) {
			/* The entry's data was removed, for example the COFF symbols: make debuggers skip the entry. */
			rs_put32(entry + PE_DEBUG_TYPE, PE_DEBUG_TYPE_UNKNOWN);
			rs_put32(entry + PE_DEBUG_DATA_SIZE, 0);
			rs_put32(entry + PE_DEBUG_DATA_RVA, 0);
			edit->report.debug_entries++;
		}
	}
}

/* Update the section numbers in COFF symbols that stay.  Symbols stay only with ROSSYM_EMBED_KEEP_DEBUG.  Then only an
   .rossym section is removed, and the sections after it get lower numbers. */
static void renumber_symbol_sections(struct rs_edit *edit, uint8_t *to)
{
	uint64_t begin = edit->symbols.begin, end = edit->symbols.end;
	if (!edit->keep_debug || edit->report.tables == 0 || edit->symbol_count == 0 || begin < edit->header_end ||
	    rs_runs_find_new_offset(&edit->runs, end - 1) - rs_runs_find_new_offset(&edit->runs, begin) !=
		    end - 1 - begin)
		return;
	uint8_t *symbol = to + rs_runs_find_new_offset(&edit->runs, begin);
	for (uint32_t left = edit->symbol_count; left > 0;) {
		uint32_t section = rs_le16(symbol + PE_COFF_SYMBOL_SECTION);
		uint32_t entries = 1 + (uint32_t)symbol[PE_COFF_SYMBOL_AUXILIARIES];
		if (section > 0 && section <= edit->pe.section_count)
			rs_put16(symbol + PE_COFF_SYMBOL_SECTION, edit->sections[section - 1].number);
		if (entries > left)
			break;
		left -= entries;
		symbol += (size_t)entries * PE_COFF_SYMBOL_SIZE;
	}
}

/* Returns the checksum of a PE file: the sum of all 16-bit words, to which its own carries are added, plus the file's
   length.  The field of the checksum must be 0 during the call. */
static uint32_t compute_checksum(const uint8_t *file, size_t size)
{
	uint64_t sum = 0;
	for (size_t i = 0; i + 1 < size; i += 2)
		sum += rs_le16(file + i);
	if (size % 2 != 0)
		sum += file[size - 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint32_t)(sum + size);
}

/* Write the new file to TO, which has EDIT->new_size bytes, all zeros. */
static void write_image(struct rs_edit *edit, uint8_t *to)
{
	for (uint32_t i = 0; i < edit->runs.count; i++) {
		const struct rs_run *run = &edit->runs.list[i];
		memcpy(to + run->to, edit->file + run->from, (size_t)run->length);
	}
	write_headers(edit, to);
	write_relocations(edit, to);
	write_debug_directory(edit, to);
	renumber_symbol_sections(edit, to);
	for (uint32_t i = 0; i < edit->added_count; i++)
		memcpy(to + edit->added[i].raw_offset, edit->added[i].data, edit->added[i].size);
	if (edit->strings_offset != 0)
		memcpy(to + edit->strings_offset, edit->strings, edit->new_strings_size);

	uint8_t *sum = to + edit->pe.optional + PE_OPT_CHECKSUM;
	rs_put32(sum, 0);
	rs_put32(sum, compute_checksum(to, (size_t)edit->new_size));
}

/* ------------------------------------------------------------------------------------------------ all */

/* Check the header of TABLE, which is untrusted, and that rows and strings lie in its SIZE bytes.  Returns 0 or -1. */
static int check_embedded_table(const void *table, size_t size, struct rossym_error *err)
{
	const struct rossym_reader reader = { table, size, NULL, NULL };
	struct rs_table checked;
	struct rossym_fault fault;
	if (size > UINT32_MAX / 2)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a table of 2 GiB or more");
	return rs_table_open(&checked, &reader, 0, size, false, &fault) < 0 ? rs_fail_fault(err, &fault) : 0;
}

/* Make all decisions about the new image, before a byte is written.  Returns 0 or -1. */
static int decide_changes(struct rs_edit *edit, const void *table, size_t table_size, struct rossym_error *err)
{
	if ((table && check_embedded_table(table, table_size, err) < 0) || rs_edit_read_headers(edit, err) < 0 ||
	    rs_edit_decide_removals(edit, table != NULL, err) < 0 || rs_edit_lay_out(edit, table, table_size, err) < 0)
		return -1;
	if (table) {
		edit->report.table_rva = edit->added[edit->added_count - 1].rva;
		edit->report.table_offset = edit->added[edit->added_count - 1].raw_offset;
	}
	return 0;
}

int rossym_embed(const void *image, size_t size, const void *table, size_t table_size,
		 const struct rossym_embed_options *options, void **ret, size_t *ret_size,
		 struct rossym_embed_report *report, struct rossym_error *err)
{
	struct rs_edit edit;
	memset(&edit, 0, sizeof edit);
	if ((options && rs_sized_copy_in(&edit.options, sizeof edit.options, sizeof edit.options, options, err) < 0) ||
	    (report && rs_sized_check(report, sizeof edit.report, err) < 0) ||
	    rs_check_flags(edit.options.flags, ROSSYM_EMBED_KEEP_DEBUG, err) < 0)
		return -1;
	edit.keep_debug = (edit.options.flags & ROSSYM_EMBED_KEEP_DEBUG) != 0;
	edit.file = image;
	edit.size = size;

	uint8_t *new = NULL;
	if (decide_changes(&edit, table, table_size, err) == 0 && !(new = rs_alloc(1, (size_t)edit.new_size)))
		rs_fail_memory(err);
	if (new) {
		write_image(&edit, new);
		*ret = new;
		*ret_size = (size_t)edit.new_size;
		if (report)
			rs_sized_fill(report, &edit.report, sizeof edit.report);
	}
	rs_edit_clear(&edit);
	return new ? 0 : -1;
}
