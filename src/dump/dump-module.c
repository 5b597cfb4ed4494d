// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/dump-module.h"
#include "core/bytes.h"

#include <stddef.h>
#include <string.h>

/* Append the character CODE to NAME as UTF-8, at index *AT.  Blanks and control characters would end a name in a log,
   so they become '_' and '?'. */
static void append_character(char *name, size_t *at, uint32_t code)
{
	if (code == ' ')
		code = '_';
	if (code < 0x20 || code == 0x7f)
		code = '?';
	if (code < 0x80) {
		name[(*at)++] = (char)code;
		return;
	}
	const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
	static const unsigned first[] = { 0, 0xc0, 0xe0, 0xf0 };
	name[(*at)++] = (char)(first[more] | code >> 6 * more);
	for (int i = more - 1; i >= 0; i--)
		name[(*at)++] = (char)(0x80 | (code >> 6 * i & 0x3f));
}

/* Returns the character that begins at unit *I of COUNT UNITS; "?" for half a surrogate pair.  *I becomes the index of
   the character's last unit: the second unit of a pair. */
static uint32_t decode_character(const uint8_t *units, size_t count, size_t *i)
{
	const uint32_t code = rs_le16(units + 2 * *i);
	if ((code & 0xfc00) == 0xd800 && *i + 1 < count && (rs_le16(units + 2 * *i + 2) & 0xfc00) == 0xdc00)
		return 0x10000 + ((code & 0x3ff) << 10) + (rs_le16(units + 2 * ++*i) & 0x3ff);
	return (code & 0xf800) == 0xd800 ? '?' : code;
}

void rs_dump_write_name(char *name, const uint8_t *units, uint32_t count, bool is_path)
{
	size_t at = 0;
	for (size_t i = 0; i < count; i++) {
		const uint32_t code = decode_character(units, count, &i);
		if (code == 0)
			break;
		if (is_path && (code == '\\' || code == '/'))
			at = 0;
		else if (!is_path && code < 0x80 && strchr("()<>[]{}+=:!*,", (int)code))
			append_character(name, &at, '?');
		else
			append_character(name, &at, code);
	}
	name[at] = '\0';
}

void rs_dump_read_name(const struct dump_input *input, struct dump_problems *problems, const char *what,
		       uint64_t offset, uint32_t unit, bool is_path, char *name)
{
	uint8_t length[4], units[2 * DUMP_UNITS];
	const char *wrong = NULL;
	uint64_t size = 0;
	if (!rs_dump_read(input, offset, length, sizeof length))
		wrong = rs_dump_past_end;
	else if ((size = (uint64_t)rs_le32(length) * unit) > sizeof units)
		wrong = "is too long";
	else if (!rs_dump_read(input, offset + sizeof length, units, (size_t)size))
		wrong = rs_dump_past_end;
	if (wrong)
		rs_dump_add_problem(problems, what, offset, wrong);
	rs_dump_write_name(name, units, wrong ? 0 : (uint32_t)size / 2, is_path);
}

void rs_dump_store_version(struct dump_module *module, const uint8_t *info)
{
	const uint32_t signature = 0xfeef04bd;
	if (rs_le32(info) != signature)
		return;
	module->version[0] = rs_le16(info + 10);
	module->version[1] = rs_le16(info + 8);
	module->version[2] = rs_le16(info + 14);
	module->version[3] = rs_le16(info + 12);
}

bool rs_dump_store_key(struct dump_module *module, const uint8_t *record)
{
	module->has_key = memcmp(record, "RSDS", 4) == 0;
	if (module->has_key)
		memcpy(module->key, record + 4, DUMP_KEY);
	return module->has_key;
}

bool rs_dump_parse_exception(struct dump_exception *exception, bool wide, const uint8_t *bytes)
{
	/* Offsets of the fields of an EXCEPTION_RECORD. */
	static const struct {
		uint8_t address, count, parameters;
	} layouts[] = { { 0x0c, 0x10, 0x14 }, { 0x10, 0x18, 0x20 } };
	const uint32_t count = rs_le32(bytes + layouts[wide].count);
	*exception = (struct dump_exception){ .code = rs_le32(bytes),
					      .address = rs_dump_parse_pointer(wide, bytes + layouts[wide].address),
					      .parameter_count = count <= DUMP_PARAMETERS ? count : 0 };
	for (size_t i = 0; i < exception->parameter_count; i++)
		exception->parameters[i] = rs_dump_parse_pointer(wide,
								 bytes + layouts[wide].parameters + i * (wide ? 8 : 4));
	return count <= DUMP_PARAMETERS;
}

/* ------------------------------------------------------------------------------------------------ image headers */

enum { AT_PE = 60 }; /* offset of the field with the RVA of the PE headers */

/* Read the first SIZE bytes of the PE headers of IMAGE to BYTES, which must also have room for the first AT_PE + 4
   bytes of IMAGE.  Returns the RVA of the PE headers; 0 if MEMORY lacks them. */
static uint32_t read_mapped_headers(const struct dump_memory *memory, const struct dump_range *image, uint8_t *bytes,
				    size_t size)
{
	if (!rs_dump_read_mapped(memory, image, 0, bytes, AT_PE + 4) || memcmp(bytes, "MZ", 2) != 0)
		return 0;
	const uint32_t at_pe = rs_le32(bytes + AT_PE);
	return rs_dump_read_mapped(memory, image, at_pe, bytes, size) && memcmp(bytes, "PE\0", 4) == 0 ? at_pe : 0;
}

/* ------------------------------------------------------------------------------------------------ the version */

enum {
	RESOURCE_DIRECTORY = 16,
	NAMED = 12, /* offset of two counts: of the entries with names, then of those with ids */
	RESOURCE_ENTRY = 8,
	ENTRIES_MAX = 256, /* the most entries of a directory that are read; Windows defines 24 types of resources */
	RT_VERSION = 16,
	/* Offset of VS_FIXEDFILEINFO in the resource.  Before it are a header and "VS_VERSION_INFO" in UTF-16. */
	VERSION_INFO = 40,
	RESOURCE = VERSION_INFO + DUMP_VERSION_INFO,
};

#define IS_DIRECTORY UINT32_C(0x80000000) /* flag in an offset: a directory is there, not data */

/* Find the entry of TYPE (0: the first entry) in the resource directory that is AT bytes after the root directory at
   RVA ROOT.  Returns the offset from ROOT to which the entry leads, with the flag IS_DIRECTORY; UINT32_MAX: there is no
   such entry. */
static uint32_t find_resource_entry(const struct dump_memory *memory, const struct dump_range *image, uint32_t root,
				    uint32_t at, uint32_t type)
{
	uint8_t bytes[RESOURCE_DIRECTORY], entry[RESOURCE_ENTRY];
	if (!rs_dump_read_mapped(memory, image, (uint64_t)root + at, bytes, sizeof bytes))
		return UINT32_MAX;
	const uint32_t count = (uint32_t)rs_le16(bytes + NAMED) + rs_le16(bytes + NAMED + 2);
	for (uint32_t i = 0; i < count && i < ENTRIES_MAX; i++) {
		if (!rs_dump_read_mapped(memory, image,
					 (uint64_t)root + at + RESOURCE_DIRECTORY + (uint64_t)RESOURCE_ENTRY * i, entry,
					 RESOURCE_ENTRY))
			break;
		if (type == 0 || rs_le32(entry) == type)
			return rs_le32(entry + 4);
	}
	return UINT32_MAX;
}

/* Store the version of MODULE, whose resource directory is at RVA.  The version is in the first resource of type
   RT_VERSION.  Resources are in a tree: a directory of types leads to one of names, and that to one of languages.  If
   MEMORY lacks the resource, the version stays as it is. */
static void read_file_version(const struct dump_memory *memory, struct dump_module *module, uint32_t rva)
{
	static const uint32_t types[] = { RT_VERSION, 0, 0 };
	uint8_t data[16], resource[RESOURCE];
	const struct dump_range image = { module->base, module->size };
	uint32_t at = IS_DIRECTORY;
	for (unsigned i = 0; i < 3; i++) {
		if (at == UINT32_MAX || !(at & IS_DIRECTORY))
			return;
		at = find_resource_entry(memory, &image, rva, at & ~IS_DIRECTORY, types[i]);
	}
	if (at & IS_DIRECTORY || !rs_dump_read_mapped(memory, &image, (uint64_t)rva + at, data, sizeof data) ||
	    rs_le32(data + 4) < RESOURCE ||
	    !rs_dump_read_mapped(memory, &image, rs_le32(data), resource, sizeof resource))
		return;
	rs_dump_store_version(module, resource + VERSION_INFO);
}

/* ------------------------------------------------------------------------------------------------ the build */

enum {
	STAMP = 8,
	OPTIONAL = 24, /* the optional header; CHECKSUM is an offset in it */
	CHECKSUM = 64,
	RESOURCES = 2, /* RESOURCES and DEBUG_DIRECTORY are indices of data directories */
	DEBUG_DIRECTORY = 6,
	HEADERS = OPTIONAL + 112 + 8 * (DEBUG_DIRECTORY + 1),
	DEBUG_ENTRY = 28,
	DEBUG_ENTRIES = 32, /* the most debug entries that are read */
	DEBUG_CODEVIEW = 2,
};

/* If ENTRY of the debug directory points to a CodeView record with the GUID and age of a PDB file, store these, and
   return true. */
static bool read_pdb_key(const struct dump_memory *memory, struct dump_module *module, const uint8_t *entry)
{
	uint8_t record[DUMP_KEY_RECORD];
	const struct dump_range image = { module->base, module->size };
	return rs_le32(entry + 12) == DEBUG_CODEVIEW &&
	       rs_dump_read_mapped(memory, &image, rs_le32(entry + 20), record, sizeof record) &&
	       rs_dump_store_key(module, record);
}

void rs_dump_read_image_headers(const struct dump_memory *memory, struct dump_module *module)
{
	uint8_t bytes[HEADERS], entry[DEBUG_ENTRY];
	const struct dump_range image = { module->base, module->size };
	if (!read_mapped_headers(memory, &image, bytes, sizeof bytes))
		return;
	const uint16_t magic = rs_le16(bytes + OPTIONAL);
	if (magic != 0x10b && magic != 0x20b)
		return;
	module->stamp = rs_le32(bytes + STAMP);
	module->checksum = rs_le32(bytes + OPTIONAL + CHECKSUM);
	/* At DIRECTORY is NumberOfRvaAndSizes, and after it are the data directories. */
	const uint8_t *directory = bytes + OPTIONAL + (magic == 0x20b ? 108 : 92);
	if (rs_le32(directory) > RESOURCES)
		read_file_version(memory, module, rs_le32(directory + 4 + 8 * RESOURCES));
	if (rs_le32(directory) <= DEBUG_DIRECTORY)
		return;
	const uint32_t rva = rs_le32(directory + 4 + 8 * DEBUG_DIRECTORY);
	const uint32_t count = rs_le32(directory + 8 + 8 * DEBUG_DIRECTORY) / DEBUG_ENTRY;
	for (uint32_t i = 0; i < count && i < DEBUG_ENTRIES; i++)
		if (!rs_dump_read_mapped(memory, &image, rva + (uint64_t)i * DEBUG_ENTRY, entry, sizeof entry) ||
		    read_pdb_key(memory, module, entry))
			break;
}

/* ------------------------------------------------------------------------------------------------ sections */

enum {
	SECTION_SIZE = 40,   /* bytes of a section header */
	SECTIONS_MAX = 96,   /* Windows' loader accepts no more */
	LONG_NAMES_MAX = 16, /* the most sections with long names in which a CIE is looked for */
	NAME_LENGTH = 8,
	AT_VIRTUAL_SIZE = 8, /* offsets in a section header */
	AT_RVA = 12,
};

/* Whether what is at RVA looks like a CIE: a length, 0, a version, and an augmentation string that begins with z. */
static bool is_cie(const struct dump_memory *memory, const struct dump_range *image, uint32_t rva)
{
	enum { LENGTH = 16, CIE_SIZE_MAX = 256, AT_VERSION = 8, AUGMENTATION = 9 };
	uint8_t cie[LENGTH];
	if (!rs_dump_read_mapped(memory, image, rva, cie, sizeof cie) || rs_le32(cie) > CIE_SIZE_MAX ||
	    rs_le32(cie + 4) != 0 || (cie[AT_VERSION] != 1 && cie[AT_VERSION] != 3) || cie[AUGMENTATION] != 'z')
		return false;
	size_t at = AUGMENTATION;
	while (at < LENGTH && cie[at] && strchr("zRPLS", cie[at]))
		at++;
	return at < LENGTH && cie[at] == '\0';
}

/* Read the section table, at most SECTIONS_MAX entries.  Returns how many were read; 0 if MEMORY lacks the table. */
static unsigned read_section_table(const struct dump_memory *memory, const struct dump_range *image,
				   uint8_t table[SECTIONS_MAX * SECTION_SIZE])
{
	enum { COUNT = 6, OPTIONAL_SIZE = 20 };
	uint8_t bytes[AT_PE + 4];
	const uint32_t at_pe = read_mapped_headers(memory, image, bytes, OPTIONAL);
	if (!at_pe)
		return 0;
	const unsigned count = rs_le16(bytes + COUNT) < SECTIONS_MAX ? rs_le16(bytes + COUNT) : SECTIONS_MAX;
	const uint64_t at = (uint64_t)at_pe + OPTIONAL + rs_le16(bytes + OPTIONAL_SIZE);
	return rs_dump_read_mapped(memory, image, at, table, (size_t)count * SECTION_SIZE) ? count : 0;
}

bool rs_dump_find_mapped_section(const struct dump_memory *memory, const struct dump_range *image, const char *name,
				 uint32_t *rva, uint32_t *size)
{
	uint8_t table[SECTIONS_MAX * SECTION_SIZE];
	const size_t length = strlen(name);
	const bool by_content = strcmp(name, ".eh_frame") == 0;
	const unsigned count = read_section_table(memory, image, table);
	unsigned looked_at = 0;
	for (const uint8_t *section = table; section < table + (size_t)count * SECTION_SIZE; section += SECTION_SIZE) {
		*rva = rs_le32(section + AT_RVA);
		*size = rs_le32(section + AT_VIRTUAL_SIZE);
		if (length <= NAME_LENGTH && memcmp(section, name, length) == 0 &&
		    (length == NAME_LENGTH || !section[length]))
			return true;
		if (by_content && *section == '/' && looked_at++ < LONG_NAMES_MAX && is_cie(memory, image, *rva))
			return true;
	}
	return false;
}
