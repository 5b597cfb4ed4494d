// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/codeview.h"
#include "core/bytes.h"
#include "core/layout.h"

#include <string.h>

/* Linkers write three or four entries; more than ENTRIES_MAX are not looked at.  PATH_SIZE is more than the longest path
   that most Windows programs can open, 260 characters. */
enum { ENTRIES_MAX = 32, PATH_SIZE = 1024 };

/* Whether there are COFF symbols, or a section for DWARF or stabs.  Any section with a long name counts as one for DWARF, since
   nearly all of them are. */
static bool may_have_other(const struct rs_pe *pe)
{
	for (uint32_t i = 0; i < pe->section_count; i++) {
		const char *name = pe->sections[i].name;
		if (name[0] == '/' || strncmp(name, ".stab", 5) == 0 || strncmp(name, ".debug_", 7) == 0 ||
		    strncmp(name, ".zdebug_", 8) == 0)
			return true;
	}
	return pe->symbol_count > 0;
}

/* The file offset of SIZE bytes at RVA; 0 if the file does not have them. */
static uint64_t in_file(const struct rs_pe *pe, const struct rs_source *source, uint32_t rva, uint32_t size)
{
	const struct rs_section *section = rs_pe_section_at(pe, rva);
	if (!section || !rs_in_range(rva - section->rva, size, section->raw_size))
		return 0;
	uint64_t offset = (uint64_t)section->raw_offset + (rva - section->rva);
	return rs_in_range(offset, size, source->size) ? offset : 0;
}

/* Find the debug directory: its file offset and number of entries.  1, 0 if there is none, -1. */
static int find_directory(const struct rs_pe *pe, const struct rs_source *source, uint64_t *offset, uint32_t *count,
			  struct rossym_error *err)
{
	uint32_t directories = pe->wide ? PE_OPT_DIRECTORIES_PE32PLUS : PE_OPT_DIRECTORIES_PE32;
	uint32_t end = directories + (PE_DIRECTORY_DEBUG + 1) * PE_DIRECTORY_SIZE;
	uint8_t buffer[PE_OPT_DIRECTORIES_PE32PLUS + (PE_DIRECTORY_DEBUG + 1) * PE_DIRECTORY_SIZE];
	if (pe->optional_size < end)
		return 0;
	const uint8_t *optional = rs_source_view(source, pe->optional, end, buffer, err);
	if (!optional)
		return -1;
	const uint8_t *entry = optional + end - PE_DIRECTORY_SIZE;
	if (rs_le32(optional + directories - 4) <= PE_DIRECTORY_DEBUG)
		return 0;
	*count = rs_le32(entry + 4) / PE_DEBUG_SIZE;
	if (*count > ENTRIES_MAX)
		*count = ENTRIES_MAX;
	*offset = in_file(pe, source, rs_le32(entry), *count * PE_DEBUG_SIZE);
	return *count > 0 && *offset > 0;
}

/* Store the last part of the LENGTH bytes at PATH.  False if there is none. */
static bool take_name(const char *path, size_t length, char *name, size_t size)
{
	const char *end = memchr(path, '\0', length), *last = path;
	if (!end)
		end = path + length;
	for (const char *p = path; p < end; p++)
		if (*p == '/' || *p == '\\')
			last = p + 1;
	size_t taken = (size_t)(end - last) < size ? (size_t)(end - last) : size - 1;
	for (size_t i = 0; i < taken; i++)
		name[i] = (unsigned char)last[i] < ' ' || last[i] == 0x7f ? '?' : last[i];
	name[taken] = '\0';
	return taken > 0;
}

/* Read the name from the record of SIZE bytes at OFFSET: "RSDS", GUID, age, path; or "NB10", offset, time, age, path. */
static int read_record(const struct rs_source *source, uint64_t offset, uint32_t size, char *name, size_t name_size,
		       struct rossym_error *err)
{
	uint8_t buffer[PATH_SIZE];
	size_t length = size < PATH_SIZE ? size : PATH_SIZE;
	if (length < 4 || !rs_in_range(offset, length, source->size))
		return 0;
	const uint8_t *record = rs_source_view(source, offset, length, buffer, err);
	if (!record)
		return -1;
	size_t path = memcmp(record, "RSDS", 4) == 0 ? 24 : memcmp(record, "NB10", 4) == 0 ? 16 : length;
	return path < length && take_name((const char *)record + path, length - path, name, name_size);
}

int rs_codeview_name(const struct rs_pe *pe, const struct rs_source *source, char *name, size_t size, uint64_t *at,
		     struct rossym_error *err)
{
	uint64_t directory = 0;
	uint32_t count = 0;
	int found = may_have_other(pe) ? 0 : find_directory(pe, source, &directory, &count, err);
	if (found <= 0)
		return found;
	found = 0;
	for (uint32_t i = 0; i < count && found == 0; i++) {
		uint8_t buffer[PE_DEBUG_SIZE];
		const uint8_t *entry = rs_source_view(source, directory + (uint64_t)i * PE_DEBUG_SIZE, sizeof buffer, buffer,
						      err);
		if (!entry)
			return -1;
		*at = rs_le32(entry + PE_DEBUG_DATA_OFFSET);
		if (rs_le32(entry + PE_DEBUG_TYPE) == PE_DEBUG_TYPE_CODEVIEW)
			found = read_record(source, *at, rs_le32(entry + PE_DEBUG_DATA_SIZE), name, size, err);
	}
	return found;
}
