// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/codeview.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "core/crc.h"

#include <string.h>

/* The most entries of the debug directory that are read; linkers write three or four. */
enum { ENTRIES_MAX = 32 };

/* Offsets of the fields in the two kinds of CodeView records, which begin with "RSDS" or "NB10" and end with a path. */
enum { RSDS_GUID = 4, RSDS_AGE = 20, RSDS_PATH = 24, NB10_TIME_STAMP = 8, NB10_AGE = 12, NB10_PATH = 16 };
enum { RECORD_SIZE_MAX = RSDS_PATH + ROSSYM_REFERENCE_NAME_MAX };

/* Store in *OFFSET the file offset of the debug directory, or 0 if its place is not in the file, and in *COUNT how many
   of its entries to read.  Returns 1; 0 if none can be read, and then *OFFSET and *COUNT may be unset; or -1. */
static int find_debug_directory(const struct rs_pe *pe, const struct rs_source *source, uint64_t *offset,
				uint32_t *count, struct rossym_error *err)
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
	if (rs_le32(optional + directories - 4) <= PE_DIRECTORY_DEBUG) /* the left number is NumberOfRvaAndSizes */
		return 0;
	*count = rs_le32(entry + 4) / PE_DEBUG_SIZE;
	if (*count > ENTRIES_MAX)
		*count = ENTRIES_MAX;
	*offset = rs_pe_file_offset_of(pe, source, rs_le32(entry), *count * PE_DEBUG_SIZE);
	return *count > 0 && *offset > 0;
}

/* Store the path at PATH, which has at most SIZE bytes and may lack its NUL, in NAME.  False if it is too long. */
static bool store_pdb_path(const uint8_t *path, size_t size, char name[ROSSYM_REFERENCE_NAME_MAX])
{
	const uint8_t *end = memchr(path, '\0', size);
	size_t length = end ? (size_t)(end - path) : size;
	if (length >= ROSSYM_REFERENCE_NAME_MAX)
		return false;
	memcpy(name, path, length);
	name[length] = '\0';
	return true;
}

/* Decode RECORD, of SIZE bytes, into *REFERENCE.  False: its kind is unknown, it is short, or its path is too long. */
static bool decode_codeview(const uint8_t *record, size_t size, struct rossym_debug_reference *reference)
{
	memset(reference, 0, sizeof *reference);
	if (size >= RSDS_PATH && memcmp(record, "RSDS", 4) == 0) {
		memcpy(reference->guid, record + RSDS_GUID, sizeof reference->guid);
		reference->age = rs_le32(record + RSDS_AGE);
		if (!store_pdb_path(record + RSDS_PATH, size - RSDS_PATH, reference->name))
			return false;
		reference->kind = reference->name[0] ? ROSSYM_REFERENCE_PDB : ROSSYM_REFERENCE_BUILD_ID;
		return true;
	}
	if (size >= NB10_PATH && memcmp(record, "NB10", 4) == 0) {
		reference->kind = ROSSYM_REFERENCE_PDB_2;
		reference->time_date_stamp = rs_le32(record + NB10_TIME_STAMP);
		reference->age = rs_le32(record + NB10_AGE);
		return store_pdb_path(record + NB10_PATH, size - NB10_PATH, reference->name);
	}
	return false;
}

/* Read into *REFERENCE the record of ENTRY, an entry of the debug directory.  Returns 1; 0 with NULL in *FAULT if ENTRY
   has no CodeView record; 0 with the reason in *FAULT if the record is not in the file or cannot be decoded; or -1. */
static int read_codeview(const struct rs_pe *pe, const struct rs_source *source, bool loaded, const uint8_t *entry,
			 struct rossym_debug_reference *reference, const char **fault, struct rossym_error *err)
{
	uint8_t buffer[RECORD_SIZE_MAX];
	uint32_t size = rs_le32(entry + PE_DEBUG_DATA_SIZE), length = size < RECORD_SIZE_MAX ? size : RECORD_SIZE_MAX;
	/* In a file, use the file offset: some linkers store no RVA, and records that are not loaded have none. */
	uint64_t offset = loaded ? rs_pe_file_offset_of(pe, source, rs_le32(entry + PE_DEBUG_DATA_RVA), length)
				 : rs_le32(entry + PE_DEBUG_DATA_OFFSET);
	reference->offset = 0;
	*fault = NULL;
	if (rs_le32(entry + PE_DEBUG_TYPE) != PE_DEBUG_TYPE_CODEVIEW)
		return 0;
	*fault = "its record is not in the file, by the entry of the debug directory";
	if (offset == 0 || !rs_in_range(offset, length, source->size))
		return 0;
	const uint8_t *record = rs_source_view(source, offset, length, buffer, err);
	if (!record)
		return -1;
	*fault = "its record is of an unknown kind, damaged or too long,";
	int known = decode_codeview(record, length, reference);
	reference->offset = offset;
	return known;
}

int rs_codeview_read_record(const struct rs_pe *pe, const struct rs_source *source, bool loaded, uint32_t *number,
			    struct rossym_debug_reference *reference, struct rossym_error *err)
{
	const char *unused;
	uint64_t directory = 0;
	uint32_t count = 0;
	int found = find_debug_directory(pe, source, &directory, &count, err);
	if (found <= 0)
		return found;
	for (uint32_t i = 0; i < count; i++) {
		uint8_t buffer[PE_DEBUG_SIZE];
		const uint8_t *entry = rs_source_view(source, directory + (uint64_t)i * PE_DEBUG_SIZE, sizeof buffer,
						      buffer, err);
		if (!entry)
			return -1;
		found = read_codeview(pe, source, loaded, entry, reference, &unused, err);
		if (found < 0 || (found > 0 && (*number)-- == 0))
			return found;
	}
	return 0;
}

const char *rs_codeview_find_fault(const struct rs_pe *pe, const struct rs_source *source, uint64_t *at)
{
	uint32_t count = 0;
	uint8_t buffer[PE_DEBUG_SIZE];
	struct rossym_debug_reference reference;
	const char *fault;
	*at = 0;
	if (find_debug_directory(pe, source, at, &count, NULL) == 0 && count > 0) {
		*at = pe->optional + (pe->wide ? PE_OPT_DIRECTORIES_PE32PLUS : PE_OPT_DIRECTORIES_PE32) +
		      PE_DIRECTORY_DEBUG * PE_DIRECTORY_SIZE;
		return "the debug directory is not in the file, by its entry";
	}
	for (uint32_t i = 0; i < count; i++, *at += PE_DEBUG_SIZE) {
		const uint8_t *entry = rs_source_view(source, *at, sizeof buffer, buffer, NULL);
		if (!entry || read_codeview(pe, source, false, entry, &reference, &fault, NULL) != 0 || !fault)
			continue;
		if (reference.offset > 0)
			*at = reference.offset;
		return fault;
	}
	return NULL;
}

/* ------------------------------------------------------------------------------------------------ .gnu_debuglink */

uint32_t rossym_debuglink_crc(uint32_t crc, const void *data, size_t size)
{
	/* Fill the tables in each call, which takes two microseconds, because the library has no global variables. */
	struct rs_crc_tables tables;
	rs_crc_fill_tables(&tables);
	return rs_crc_update(&tables, crc, data, size);
}

/* The section .gnu_debuglink is a file name with its NUL, zeros up to a multiple of 4, and the CRC of that file. */
int rs_debuglink_read(struct rs_pe *pe, const struct rs_source *source, struct rossym_debug_reference *reference,
		      struct rossym_error *err)
{
	enum { CRC_SIZE = 4, LENGTH_MAX = ROSSYM_REFERENCE_NAME_MAX + CRC_SIZE };
	uint8_t buffer[LENGTH_MAX];
	const struct rs_section *section;
	memset(reference, 0, sizeof *reference);
	int found = rs_pe_find_section(pe, source, ".gnu_debuglink", &section, err);
	if (found <= 0)
		return found;
	reference->kind = ROSSYM_REFERENCE_DEBUGLINK;
	reference->offset = section->raw_offset;
	size_t length = section->raw_size < LENGTH_MAX ? section->raw_size : LENGTH_MAX;
	if (!rs_in_range(section->raw_offset, length, source->size))
		return 0;
	const uint8_t *bytes = rs_source_view(source, section->raw_offset, length, buffer, err);
	if (!bytes)
		return -1;
	const uint8_t *end = memchr(bytes, '\0', length);
	size_t name = end ? (size_t)(end - bytes) : 0, crc = (name + CRC_SIZE) / CRC_SIZE * CRC_SIZE;
	if (name == 0 || name >= ROSSYM_REFERENCE_NAME_MAX || crc + CRC_SIZE > length)
		return 0;
	reference->crc = rs_le32(bytes + crc);
	memcpy(reference->name, bytes, name + 1);
	return 1;
}
