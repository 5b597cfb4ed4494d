// SPDX-License-Identifier: GPL-2.0-or-later
/* pe-memory.c - reads the headers of an image into memory; detects the kind of a file that is no image */
#include "config.h"
#include "lib/base/pe-memory.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "lib/base/source.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ other files */

/* Kinds of files that are recognised by their first bytes. */
static const struct {
	const char *magic, *what;
} known_kinds[] = {
	{ "!<arch>\n", "an archive" },
	{ "!<thin>\n", "a thin archive" },
	{ "\177ELF", "an ELF file" },
	{ "\316\372\355\376", "a Mach-O file" },
	{ "\317\372\355\376", "a Mach-O file" },
	{ "\376\355\372\316", "a Mach-O file" },
	{ "\376\355\372\317", "a Mach-O file" },
	{ "Microsoft C/C++ MSF 7.00\r\n\032DS", "a PDB file" },
	{ "Microsoft C/C++ program database 2.00\r\n\032JG", "a PDB file" },
	{ "BSJB", "a portable PDB file" },
};

/* Whether NUMBER is the number of a machine for which compilers write COFF objects.  A COFF object has no magic number
   but this one, so a longer list would take too many other files for objects. */
static bool is_object_machine(uint16_t number)
{
	static const uint16_t machines[] = {
		0x14c, 0x8664, 0xaa64, 0xa641, 0xa64e, 0x1c0, 0x1c2, 0x1c4, 0x200, 0x5032, 0x5064, 0x6232, 0x6264,
	};
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i] == number)
			return true;
	return false;
}

/* Whether HEAD is the beginning of a COFF object.  An object begins with the file header of an image, without the 4
   bytes of the PE signature; it has sections, and no optional header. */
static bool is_coff_object(const uint8_t *head, size_t length)
{
	return length >= PE_FILE_HEADER_SIZE - 4 && is_object_machine(rs_le16(head)) &&
	       rs_le16(head + PE_NUMBER_OF_SECTIONS - 4) > 0 && rs_le16(head + PE_SIZE_OF_OPTIONAL_HEADER - 4) == 0;
}

/* Whether HEAD is the beginning of an "anonymous" object: the 16-bit numbers 0 and 0xffff, a version, and the machine.
   The version is 0 for import objects, and 1 or more for objects that can have more than 65279 sections. */
static bool is_anonymous_object(const uint8_t *head, size_t length)
{
	return length >= PE_FILE_HEADER_SIZE - 4 && rs_le32(head) == 0xffff0000 && is_object_machine(rs_le16(head + 6));
}

/* Store the error for a file that is no image: it names the kind of file that begins with the LENGTH bytes at HEAD.
   Returns -1. */
static int fail_by_file_kind(const uint8_t *head, size_t length, struct rossym_error *err)
{
	for (size_t i = 0; i < sizeof known_kinds / sizeof *known_kinds; i++) {
		size_t needed = strlen(known_kinds[i].magic);
		if (length >= needed && memcmp(head, known_kinds[i].magic, needed) == 0)
			return rs_fail(err, head[0] == '!' ? ROSSYM_EARCHIVE : ROSSYM_ENOTPE, 0, "%s",
				       known_kinds[i].what);
	}
	const bool anonymous = is_anonymous_object(head, length);
	if (anonymous || is_coff_object(head, length))
		return rs_fail(err, ROSSYM_ENOTPE, 0, "a COFF %s for machine 0x%x",
			       anonymous && rs_le16(head + 4) == 0 ? "import object" : "object",
			       (unsigned)rs_le16(head + (anonymous ? 6 : 0)));
	return rs_fail(err, ROSSYM_ENOTPE, 0, "no MZ header");
}

/* ------------------------------------------------------------------------------------------------ headers */

/* The memory that librossym allocates for a struct rs_pe. */
struct rs_pe_storage {
	struct rs_part long_names; /* the COFF string table, with its length field; length 0: there is none */
	struct rs_section sections[];
};

/* Store in *RET the offset that is encoded in FIELD, the name in a section's header, as "/" and at most seven decimal
   digits or, for larger offsets, "//" and six base64 digits, the highest first.  False: FIELD encodes no offset. */
static bool parse_long_name(const char *field, uint64_t *ret)
{
	const bool base64 = field[0] == '/' && field[1] == '/';
	const char *digits = base64 ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" : "0123456789";
	const char *p = field + (base64 ? 2 : 1);
	if (field[0] != '/' || *p == '\0')
		return false;
	uint64_t offset = 0;
	for (; *p; p++) {
		const char *digit = strchr(digits, *p);
		if (!digit)
			return false;
		offset = offset * (base64 ? 64 : 10) + (uint64_t)(digit - digits);
	}
	*ret = offset;
	return true;
}

/* Find the end of the last section name in the COFF string table, and cut pe->storage->long_names there: the symbols'
   names after it can be megabytes.  A very long name is not looked for; then nothing is cut.  Returns 0 or -1. */
static int cut_long_names(struct rs_pe *pe, const struct rossym_reader *reader, struct rossym_error *err)
{
	struct rs_part *long_names = &pe->storage->long_names;
	uint64_t last = 0, offset;
	uint8_t buffer[256];
	for (uint32_t i = 0; i < pe->section_count; i++)
		if (parse_long_name(pe->sections[i].name, &offset) && offset < long_names->length && offset > last)
			last = offset;
	const uint64_t left = long_names->length - last;
	const size_t length = left < sizeof buffer ? (size_t)left : sizeof buffer;
	const uint8_t *name = rs_reader_view(reader, long_names->offset + last, length, buffer, err);
	if (!name)
		return -1;
	const uint8_t *end = memchr(name, '\0', length);
	if (end)
		long_names->length = (uint32_t)last + (uint32_t)(end - name) + 1;
	return 0;
}

/* If a section has a long name, store in PE where the COFF string table is, up to the last of these names.  The header
   of such a section has "/123" or "//AAmJaA" in place of the name: an offset in that table.  If the file lacks the
   table, the name stays "/123", because no answer depends on it.  Returns 0 or -1. */
static int find_long_names(struct rs_pe *pe, const struct rossym_reader *reader, struct rossym_error *err)
{
	if (!pe->long_names || pe->symbol_offset == 0)
		return 0;
	uint64_t offset = pe->symbol_offset + (uint64_t)pe->symbol_count * PE_COFF_SYMBOL_SIZE;
	if (!rs_in_range(offset, PE_STRING_TABLE_HEADER, reader->size))
		return 0;
	uint8_t buffer[PE_STRING_TABLE_HEADER];
	const uint8_t *p = rs_reader_view(reader, offset, sizeof buffer, buffer, err);
	if (!p)
		return -1;
	uint32_t length = rs_le32(p);
	if (length < PE_STRING_TABLE_HEADER || !rs_in_range(offset, length, reader->size))
		return 0;
	pe->storage->long_names.offset = offset;
	pe->storage->long_names.length = length;
	return cut_long_names(pe, reader, err);
}

/* Read the section table of PE, whose other headers have been read, into an array.  Returns 0 or -1. */
static int read_sections(struct rs_pe *pe, struct rossym_error *err)
{
	struct rossym_fault fault;
	/* If the file cannot hold the section table, allocate no memory: rs_pe_open_sections() will fail. */
	bool there = rs_in_range(pe->headers, (uint64_t)pe->section_count * PE_SECTION_SIZE, pe->reader.size);
	if (there) {
		pe->storage = rs_alloc(1, sizeof *pe->storage + pe->section_count * sizeof *pe->storage->sections);
		if (!pe->storage)
			return rs_fail_memory(err);
		pe->sections = pe->storage->sections;
	}
	return rs_pe_open_sections(pe, &fault) < 0 ? rs_fail_fault(err, &fault) : 0;
}

typedef int open_function(struct rs_pe *pe, const struct rossym_reader *reader, struct rossym_fault *fault);

/* Read the headers with OPEN, which is rs_pe_open() or rs_pe_open_object().  OPEN reads a few bytes at a time, so read
   the first 4 KiB ahead: in nearly every image, they have all headers.  Returns 0 or -1. */
static int read_headers(struct rs_pe *pe, const struct rs_source *source, open_function *open, struct rossym_error *err)
{
	const struct rossym_reader reader = rs_source_reader(source);
	struct rossym_fault fault;
	struct rs_ahead ahead;
	struct rs_ahead_window window;
	const struct rossym_reader ahead_reader = rs_ahead_reader(&ahead, &reader, &window, 1);
	*pe = (struct rs_pe){ .machine = 0 };
	if (open(pe, &ahead_reader, &fault) < 0) {
		if (fault.code != ROSSYM_FAULT_NO_MZ)
			return rs_fail_fault(err, &fault);
		const size_t length = reader.size < RS_AHEAD_SIZE ? (size_t)reader.size : RS_AHEAD_SIZE;
		const uint8_t *first = rs_reader_view(&reader, 0, length, window.bytes, err);
		return first ? fail_by_file_kind(first, length, err) : -1;
	}
	int result = read_sections(pe, err);
	pe->reader = reader;
	return result < 0 ? -1 : find_long_names(pe, &reader, err);
}

int rs_pe_read(struct rs_pe *pe, const struct rs_source *source, struct rossym_error *err)
{
	return read_headers(pe, source, rs_pe_open, err);
}

int rs_pe_read_object(struct rs_pe *pe, const struct rs_source *source, struct rossym_error *err)
{
	return read_headers(pe, source, rs_pe_open_object, err);
}

void rs_pe_adapt_to_loaded(struct rs_pe *pe)
{
	for (uint32_t i = 0; i < pe->section_count; i++) {
		struct rs_section *section = &pe->sections[i];
		section->raw_offset = section->rva;
		section->raw_size = section->size;
	}
	pe->storage->long_names.length = 0; /* the COFF string table is not loaded */
}

void rs_pe_clear(struct rs_pe *pe)
{
	if (pe->storage)
		rs_part_clear(&pe->storage->long_names);
	rs_free(pe->storage);
}

const struct rs_section *rs_pe_section_at(const struct rs_pe *pe, uint64_t rva)
{
	/* rs_pe_find_section_at() uses neither BUFFER nor FAULT, because the sections are in an array. */
	struct rs_section buffer;
	struct rossym_fault fault;
	const struct rs_section *section = NULL;
	return rs_pe_find_section_at(pe, rva, &buffer, &section, &fault) > 0 ? section : NULL;
}

uint64_t rs_pe_file_offset_of(const struct rs_pe *pe, const struct rs_source *source, uint64_t rva, size_t size)
{
	const struct rs_section *section = rs_pe_section_at(pe, rva);
	if (!section || !rs_in_range(rva - section->rva, size, section->raw_size))
		return 0;
	const uint64_t offset = section->raw_offset + (rva - section->rva);
	return rs_in_range(offset, size, source->size) ? offset : 0;
}

bool rs_pe_is_debug_section(const struct rs_section *section, const char *name)
{
	/* A section of code is no debug section, whatever its name: it must never be removed. */
	if (rs_section_is_code(section->characteristics))
		return false;
	return strncmp(name, ".stab", 5) == 0 || strncmp(name, ".debug_", 7) == 0 || strncmp(name, ".zdebug_", 8) == 0;
}

const char *rs_pe_section_name(struct rs_pe *pe, const struct rs_section *section, const struct rs_source *source,
			       struct rossym_error *err)
{
	const struct rossym_reader reader = rs_source_reader(source);
	struct rs_part *long_names = &pe->storage->long_names;
	const char *field = section->name;
	uint64_t offset;
	if (long_names->length == 0 || !parse_long_name(field, &offset) || offset < PE_STRING_TABLE_HEADER ||
	    offset >= long_names->length)
		return field;
	const char *names = rs_part_get(long_names, &reader, err);
	return names ? names + offset : NULL;
}

int rs_pe_find_section(struct rs_pe *pe, const struct rs_source *source, const char *name,
		       const struct rs_section **ret, struct rossym_error *err)
{
	for (uint32_t i = 0; i < pe->section_count; i++) {
		const char *own = rs_pe_section_name(pe, &pe->sections[i], source, err);
		if (!own)
			return -1;
		*ret = &pe->sections[i];
		if (strcmp(own, name) == 0)
			return 1;
	}
	return 0;
}
