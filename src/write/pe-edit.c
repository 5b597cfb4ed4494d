// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/pe-edit.h"
#include "lib/base/alloc.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "core/layout.h"

#include <inttypes.h>

bool rs_edit_get_directory(const struct rs_edit *edit, uint32_t number, uint32_t *rva, uint32_t *size)
{
	if (number >= edit->directory_count)
		return false;
	const uint8_t *p = edit->file + edit->directories + (size_t)number * PE_DIRECTORY_SIZE;
	*rva = rs_le32(p);
	*size = rs_le32(p + 4);
	return *rva != 0 && (*size != 0 || number == PE_DIRECTORY_GLOBAL_POINTER);
}

uint32_t rs_edit_find_offset(const struct rs_edit *edit, uint32_t rva, uint32_t length, uint32_t *ret_section)
{
	for (uint32_t i = 0; i < edit->pe.section_count; i++) {
		const struct rs_section *section = &edit->pe.sections[i];
		if (edit->sections[i].removed || rva < section->rva || !rs_edit_has_data(section) ||
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

/* Find the data directories: as many as the header claims, but not more than fit into the optional header. */
static void read_directories(struct rs_edit *edit)
{
	uint32_t at = edit->pe.wide ? PE_OPT_DIRECTORIES_PE32PLUS : PE_OPT_DIRECTORIES_PE32;
	edit->directories = (uint32_t)edit->pe.optional + at;
	if (edit->pe.optional_size < at)
		return;
	/* The number of directories is the 32-bit field before them. */
	uint32_t count = rs_le32(edit->file + edit->directories - 4);
	uint32_t room = (edit->pe.optional_size - at) / PE_DIRECTORY_SIZE;
	edit->directory_count = count < room ? count : room;
	if (edit->directory_count > PE_DIRECTORY_MAX)
		edit->directory_count = PE_DIRECTORY_MAX;
}

/* Read what editing needs from the optional header, and refuse values that no loader accepts. */
static int read_header_fields(struct rs_edit *edit, struct rossym_error *err)
{
	const uint8_t *file = edit->file;
	const uint64_t at = edit->pe.optional;
	const uint32_t size = edit->pe.optional_size;
	if (size < PE_OPT_EDITED)
		return rs_fail(err, ROSSYM_EREFUSED, at, "the optional header of 0x%" PRIx32 " bytes has no checksum",
			       size);
	uint32_t magic = rs_le16(file + at + PE_OPT_MAGIC);
	if (magic != (edit->pe.wide ? PE_OPT_MAGIC_PE32PLUS : PE_OPT_MAGIC_PE32))
		return rs_fail(err, ROSSYM_EREFUSED, at, "an optional header of type 0x%" PRIx32 " for machine 0x%x",
			       magic, (unsigned)edit->pe.machine);
	edit->section_alignment = rs_le32(file + at + PE_OPT_SECTION_ALIGNMENT);
	edit->file_alignment = rs_le32(file + at + PE_OPT_FILE_ALIGNMENT);
	edit->size_of_headers = rs_le32(file + at + PE_OPT_SIZE_OF_HEADERS);
	if (!is_power_of_two(edit->section_alignment))
		return rs_fail(err, ROSSYM_EREFUSED, at + PE_OPT_SECTION_ALIGNMENT,
			       "SectionAlignment 0x%" PRIx32 " is not a power of two", edit->section_alignment);
	if (!is_power_of_two(edit->file_alignment) || edit->file_alignment > 0x10000)
		return rs_fail(err, ROSSYM_EREFUSED, at + PE_OPT_FILE_ALIGNMENT,
			       "FileAlignment 0x%" PRIx32 " is not a power of two up to 0x10000", edit->file_alignment);
	read_directories(edit);
	return 0;
}

/* Find the COFF symbols and the string table after them.  Ignore symbols past the end of the file.  Ignore a string
   table that ends past the end of the file, or is shorter than its own length field. */
static void find_image_symbols(struct rs_edit *edit)
{
	uint64_t at = edit->pe.symbol_offset, count = edit->pe.symbol_count;
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

/* Refuse a file that objcopy --only-keep-debug has made: it has the headers of all sections, but only debug sections
   have bytes.  Removing the debug sections would leave an image without code.  Returns 0 or -1. */
static int check_code_has_bytes(const struct rs_edit *edit, struct rossym_error *err)
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

int rs_edit_read_headers(struct rs_edit *edit, struct rossym_error *err)
{
	edit->source = (struct rs_source){ .memory = edit->file, .fd = -1, .size = edit->size };
	if (edit->size > UINT32_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "an image of 4 GiB or more");
	if (rs_pe_read(&edit->pe, &edit->source, err) < 0 || read_header_fields(edit, err) < 0)
		return -1;
	find_image_symbols(edit);
	return check_code_has_bytes(edit, err);
}

void rs_edit_clear(struct rs_edit *edit)
{
	rs_free(edit->sections);
	rs_ranges_clear(&edit->free_rvas);
	rs_free(edit->link);
	rs_free(edit->relocations.bytes);
	rs_runs_clear(&edit->runs);
	rs_free(edit->strings);
	rs_pe_clear(&edit->pe);
}
