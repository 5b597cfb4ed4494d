// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/pe.h"
#include "lib/alloc.h"
#include "core/bytes.h"
#include "lib/error.h"
#include "lib/kind.h"
#include "core/layout.h"

#include <string.h>

enum { MACHINE_I386 = 0x14c, MACHINE_AMD64 = 0x8664 };

/* One read of this many bytes gets all headers of nearly every image. */
enum { HEAD_SIZE = 4096 };

enum { UNORDERED_MAX = 1024 };

static int not_pe(struct rossym_error *err, uint64_t offset, const char *what)
{
	return rs_fail(err, ROSSYM_ENOTPE, offset, "%s", what);
}

/* Fail for a file with an MZ header that is not a PE image.  AT is where e_lfanew points; SIGNATURE is the bytes there, or NULL
   if there are none. */
static int not_pe_but_mz(struct rossym_error *err, const uint8_t *head, uint64_t at, const uint8_t *signature)
{
	/* If a file has a second header, the relocations of its DOS program begin after the whole DOS header. */
	uint16_t relocations = rs_le16(head + PE_DOS_RELOCATIONS);
	if (signature && memcmp(signature, "NE", 2) == 0)
		return not_pe(err, at, "an NE image (16-bit Windows or OS/2)");
	if (signature && (memcmp(signature, "LE", 2) == 0 || memcmp(signature, "LX", 2) == 0))
		return not_pe(err, at, "an LE or LX image (a VxD, DOS extender or OS/2)");
	if (relocations > 0 && relocations < PE_DOS_SIZE)
		return not_pe(err, PE_DOS_RELOCATIONS, "a DOS program");
	if (!signature)
		return not_pe(err, PE_DOS_LFANEW, "e_lfanew points past the end of the file");
	return not_pe(err, at, "no PE signature");
}

/* The bytes at OFFSET, from HEAD if they are in it. */
static const uint8_t *header_bytes(const struct rs_source *source, const uint8_t *head, uint64_t offset, size_t length,
				   uint8_t *buffer, struct rossym_error *err)
{
	if (offset + length <= HEAD_SIZE)
		return head + offset;
	return rs_source_view(source, offset, length, buffer, err);
}

/* Of the two layouts of the optional header the machine decides, as in BFD, whatever the magic says; the magic does
   where the machine is none of those that BFD reads so. */
static int is_wide(uint16_t machine, uint16_t magic, bool *wide)
{
	if (machine == MACHINE_I386 || machine == MACHINE_AMD64)
		*wide = machine == MACHINE_AMD64;
	else if (magic == PE_OPT_MAGIC_PE32 || magic == PE_OPT_MAGIC_PE32PLUS)
		*wide = magic == PE_OPT_MAGIC_PE32PLUS;
	else
		return -1;
	return 0;
}

static void read_section(struct rs_section *section, const uint8_t *p, uint64_t offset)
{
	memcpy(section->name, p, PE_SECTION_NAME_SIZE);
	section->name[PE_SECTION_NAME_SIZE] = '\0';
	section->virtual_size = rs_le32(p + PE_SECTION_VIRTUAL_SIZE);
	section->rva = rs_le32(p + PE_SECTION_RVA);
	section->raw_size = rs_le32(p + PE_SECTION_RAW_SIZE);
	section->raw_offset = rs_le32(p + PE_SECTION_RAW_OFFSET);
	section->characteristics = rs_le32(p + PE_SECTION_CHARACTERISTICS);
	section->header_offset = offset;
	section->size = section->raw_size;
	if (section->raw_size == 0 || (section->virtual_size != 0 && section->virtual_size < section->raw_size))
		section->size = section->virtual_size;
}

/* The end of the last section: what SizeOfImage would be at least. */
static uint64_t sections_end(const struct rs_pe *pe)
{
	uint64_t end = 0;
	for (uint32_t i = 0; i < pe->section_count; i++) {
		uint64_t at = (uint64_t)pe->sections[i].rva + pe->sections[i].size;
		if (at > end)
			end = at;
	}
	return end;
}

/* Find the COFF string table, if a section has a long name.  A table that is not there leaves such names as they
   are: nothing that we answer depends on them. */
static int find_long_names(struct rs_pe *pe, const struct rs_source *source, struct rossym_error *err)
{
	uint32_t i = 0;
	while (i < pe->section_count && pe->sections[i].name[0] != '/')
		i++;
	if (i == pe->section_count || pe->symbol_offset == 0)
		return 0;

	uint64_t offset = pe->symbol_offset + (uint64_t)pe->symbol_count * PE_COFF_SYMBOL_SIZE;
	if (!rs_in_range(offset, PE_STRING_TABLE_HEADER, source->size))
		return 0;
	uint8_t buffer[PE_STRING_TABLE_HEADER];
	const uint8_t *p = rs_source_view(source, offset, sizeof buffer, buffer, err);
	if (!p)
		return -1;
	uint32_t length = rs_le32(p);
	if (length >= PE_STRING_TABLE_HEADER && rs_in_range(offset, length, source->size)) {
		pe->long_names.offset = offset;
		pe->long_names.length = length;
	}
	return 0;
}

static int read_sections(struct rs_pe *pe, const struct rs_source *source, const uint8_t *head, uint64_t offset,
			 struct rossym_error *err)
{
	if (!rs_in_range(offset, (uint64_t)pe->section_count * PE_SECTION_SIZE, source->size))
		return not_pe(err, offset, "the section table is cut off");
	pe->sections = rs_alloc(pe->section_count, sizeof *pe->sections);
	if (!pe->sections)
		return rs_fail_memory(err);

	const uint64_t first = offset;
	pe->ordered = true;
	uint64_t end = 0;
	for (uint32_t i = 0; i < pe->section_count; i++, offset += PE_SECTION_SIZE) {
		uint8_t buffer[PE_SECTION_SIZE];
		const uint8_t *p = header_bytes(source, head, offset, sizeof buffer, buffer, err);
		if (!p)
			return -1;
		struct rs_section *section = &pe->sections[i];
		read_section(section, p, offset);
		if (section->rva < end)
			pe->ordered = false;
		end = (uint64_t)section->rva + section->size;
	}
	/* Such sections have to be searched one by one.  No loader takes them, so there never are many. */
	if (!pe->ordered && pe->section_count > UNORDERED_MAX)
		return not_pe(err, first, "too many sections, and they overlap or are not sorted");
	return 0;
}

/* P is where an image has its PE signature. */
static void read_file_header(struct rs_pe *pe, const uint8_t *p)
{
	pe->machine = rs_le16(p + PE_MACHINE);
	pe->section_count = rs_le16(p + PE_NUMBER_OF_SECTIONS);
	pe->time_date_stamp = rs_le32(p + PE_TIME_DATE_STAMP);
	pe->symbol_offset = rs_le32(p + PE_SYMBOL_TABLE);
	pe->symbol_count = rs_le32(p + PE_NUMBER_OF_SYMBOLS);
}

static int read_headers(struct rs_pe *pe, const struct rs_source *source, const uint8_t *head, struct rossym_error *err)
{
	if (source->size < PE_DOS_SIZE || head[0] != 'M' || head[1] != 'Z')
		return rs_kind_fail(head, source->size < HEAD_SIZE ? (size_t)source->size : HEAD_SIZE, err);
	uint64_t at = rs_le32(head + PE_DOS_LFANEW);
	if (!rs_in_range(at, PE_FILE_HEADER_SIZE, source->size))
		return not_pe_but_mz(err, head, at, NULL);

	uint8_t buffer[PE_OPT_NEEDED];
	const uint8_t *p = header_bytes(source, head, at, PE_FILE_HEADER_SIZE, buffer, err);
	if (!p)
		return -1;
	if (memcmp(p, "PE\0\0", 4) != 0)
		return not_pe_but_mz(err, head, at, p);
	read_file_header(pe, p);
	size_t optional_size = rs_le16(p + PE_SIZE_OF_OPTIONAL_HEADER);

	uint64_t optional = at + PE_FILE_HEADER_SIZE;
	pe->optional = optional;
	pe->optional_size = (uint32_t)optional_size;
	size_t have = optional_size < PE_OPT_NEEDED ? optional_size : PE_OPT_NEEDED;
	if (have < PE_OPT_IMAGE_BASE_PE32 + 4)
		return not_pe(err, at + PE_SIZE_OF_OPTIONAL_HEADER, "the optional header is too short for an image base");
	if (!rs_in_range(optional, optional_size, source->size))
		return not_pe(err, optional, "the optional header is cut off");
	p = header_bytes(source, head, optional, have, buffer, err);
	if (!p)
		return -1;
	if (is_wide(pe->machine, rs_le16(p + PE_OPT_MAGIC), &pe->wide) < 0)
		return not_pe(err, optional, "unknown machine and unknown optional header");
	pe->image_base = pe->wide ? rs_le64(p + PE_OPT_IMAGE_BASE_PE32PLUS) : rs_le32(p + PE_OPT_IMAGE_BASE_PE32);
	bool has_size = have >= PE_OPT_SIZE_OF_IMAGE + 4;
	if (has_size)
		pe->size_of_image = rs_le32(p + PE_OPT_SIZE_OF_IMAGE);

	if (read_sections(pe, source, head, optional + optional_size, err) < 0)
		return -1;
	if (!has_size) {
		uint64_t end = sections_end(pe);
		pe->size_of_image = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
	}
	return find_long_names(pe, source, err);
}

int rs_pe_read(struct rs_pe *pe, const struct rs_source *source, struct rossym_error *err)
{
	uint8_t buffer[HEAD_SIZE];
	size_t length = source->size < HEAD_SIZE ? (size_t)source->size : HEAD_SIZE;
	const uint8_t *head = rs_source_view(source, 0, length, buffer, err);
	return head ? read_headers(pe, source, head, err) : -1;
}

int rs_pe_read_object(struct rs_pe *pe, const struct rs_source *source, struct rossym_error *err)
{
	enum { SIGNATURE_SIZE = 4, HEADER_SIZE = PE_FILE_HEADER_SIZE - SIGNATURE_SIZE };
	uint8_t buffer[HEAD_SIZE], header[PE_FILE_HEADER_SIZE] = { 0 };
	size_t length = source->size < HEAD_SIZE ? (size_t)source->size : HEAD_SIZE;
	if (length < HEADER_SIZE)
		return not_pe(err, 0, "the section table is cut off");
	const uint8_t *head = rs_source_view(source, 0, length, buffer, err);
	if (!head)
		return -1;
	memcpy(header + SIGNATURE_SIZE, head, HEADER_SIZE);
	read_file_header(pe, header);
	uint64_t sections = HEADER_SIZE + (uint64_t)rs_le16(header + PE_SIZE_OF_OPTIONAL_HEADER);
	return read_sections(pe, source, head, sections, err) < 0 ? -1 : find_long_names(pe, source, err);
}

void rs_pe_clear(struct rs_pe *pe)
{
	rs_free(pe->sections);
	rs_part_clear(&pe->long_names);
}

static bool contains(const struct rs_section *section, uint64_t rva)
{
	return rva >= section->rva && rva - section->rva < section->size;
}

const struct rs_section *rs_pe_section_at(const struct rs_pe *pe, uint64_t rva)
{
	if (!pe->ordered) {
		for (uint32_t i = 0; i < pe->section_count; i++)
			if (contains(&pe->sections[i], rva))
				return &pe->sections[i];
		return NULL;
	}
	uint32_t low = 0, high = pe->section_count;	/* those before low begin at or below rva */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (pe->sections[middle].rva <= rva)
			low = middle + 1;
		else
			high = middle;
	}
	/* Empty sections may share their address with the one before them that contains it. */
	while (low > 0 && pe->sections[low - 1].size == 0)
		low--;
	return low > 0 && contains(&pe->sections[low - 1], rva) ? &pe->sections[low - 1] : NULL;
}

bool rs_section_is_code(uint32_t characteristics)
{
	return (characteristics & (PE_SCN_CNT_CODE | PE_SCN_MEM_EXECUTE)) != 0;
}

const char *rs_pe_section_name(struct rs_pe *pe, const struct rs_section *section, const struct rs_source *source,
			       struct rossym_error *err)
{
	const char *field = section->name;
	if (field[0] != '/' || field[1] == '\0' || pe->long_names.length == 0)
		return field;

	uint32_t offset = 0;	/* at most seven digits */
	for (const char *p = field + 1; *p; p++) {
		if (*p < '0' || *p > '9')
			return field;
		offset = offset * 10 + (uint32_t)(*p - '0');
	}
	if (offset < PE_STRING_TABLE_HEADER || offset >= pe->long_names.length)
		return field;
	const char *names = rs_part_get(&pe->long_names, source, err);
	return names ? names + offset : NULL;
}
