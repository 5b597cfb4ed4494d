// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/base/elf.h"
#include "debuginfo/base/decoder.h"
#include "lib/base/error.h"

#include <inttypes.h>
#include <string.h>

/* A file begins with "\177ELF", a byte for the class (32 or 64 bits), and a byte for the byte order. */
enum { IDENT_SIZE = 16, IDENT_CLASS = 4, IDENT_ORDER = 5, CLASS_32 = 1, CLASS_64 = 2, LITTLE_ENDIAN_ORDER = 1 };
enum { TYPE_EXECUTABLE = 2, TYPE_SHARED = 3 };
enum { FILE_HEADER_SIZE_MAX = 64 };		   /* size of a file's header in ELFCLASS64 */
enum { HEADER_SIZE_32 = 40, HEADER_SIZE_64 = 64 }; /* sizes of a section header */

/* SHN_XINDEX: the index of the section with section names does not fit in its field; "link" of section 0 has it. */
enum { INDEX_ELSEWHERE = 0xffff };

static const char magic[4] = { '\177', 'E', 'L', 'F' };

bool rs_elf_has_magic(const void *bytes, size_t size)
{
	return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

static uint32_t section_header_size(const struct elf *elf)
{
	return elf->wide ? HEADER_SIZE_64 : HEADER_SIZE_32;
}

/* Decode an address, an offset or a size: it has 8 bytes in ELFCLASS64 (WIDE), 4 in ELFCLASS32. */
static uint64_t decode_word(struct decoder *c, bool wide)
{
	return decoder_uint(c, wide ? 8 : 4);
}

/* ------------------------------------------------------------------------------------------------ sections */

/* Returns the name at OFFSET of the string table of section names; "" if no name ends within the table there. */
static const char *section_name_at(const struct elf *elf, uint32_t offset)
{
	if (!elf->names || offset >= elf->names_size || !memchr(elf->names + offset, '\0', elf->names_size - offset))
		return "";
	return (const char *)elf->names + offset;
}

struct rs_elf_section rs_elf_decode_section(const struct elf *elf, uint32_t number)
{
	const uint8_t *header = elf->headers + (size_t)number * section_header_size(elf);
	struct decoder c = { header, header + section_header_size(elf), false };
	struct rs_elf_section section = { .number = number };
	section.name = section_name_at(elf, decoder_u32(&c));
	section.type = decoder_u32(&c);
	section.flags = decode_word(&c, elf->wide);
	section.address = decode_word(&c, elf->wide);
	section.offset = decode_word(&c, elf->wide);
	section.size = decode_word(&c, elf->wide);
	section.link = decoder_u32(&c);
	section.info = decoder_u32(&c);
	return section;
}

bool rs_elf_find_section(const struct elf *elf, const char *name, struct rs_elf_section *ret)
{
	for (uint32_t i = 0; i < elf->section_count; i++) {
		*ret = rs_elf_decode_section(elf, i);
		if (strcmp(ret->name, name) == 0)
			return true;
	}
	return false;
}

bool rs_elf_is_code(const struct rs_elf_section *section)
{
	const uint64_t flags = ELF_ALLOC | ELF_EXECINSTR;
	return (section->flags & flags) == flags && section->size > 0;
}

uint64_t rs_elf_clear_thumb_bit(const struct elf *elf, uint64_t address)
{
	return elf->machine == ELF_ARM ? address & ~UINT64_C(1) : address;
}

bool rs_elf_find_content(const struct elf *elf, const struct rs_elf_section *section, struct rs_elf_content *ret)
{
	const bool has_bytes = section->type != ELF_NOBITS && section->size > 0;
	const uint8_t *bytes = has_bytes ? rs_source_bytes(elf->source, section->offset, section->size) : NULL;
	if (!bytes)
		return false;
	*ret = (struct rs_elf_content){ .bytes = bytes, .size = section->size, .whole_size = section->size };
	if (!(section->flags & ELF_COMPRESSED))
		return true;
	struct decoder c = { ret->bytes, ret->bytes + ret->size, false };
	ret->compression = decoder_u32(&c);
	if (elf->wide)
		decoder_u32(&c); /* reserved */
	ret->whole_size = decode_word(&c, elf->wide);
	decode_word(&c, elf->wide); /* the alignment */
	ret->bytes = c.at;
	ret->size = decoder_left(&c);
	return !c.bad && ret->compression != 0;
}

/* ------------------------------------------------------------------------------------------------ the headers */

/* Fields of the file's header that struct elf does not store. */
struct file_header {
	unsigned type, entry_size, names;
	uint64_t sections; /* the file offset of the section headers */
};

/* Decode the file's header from the first SIZE bytes of the file, at BYTES.  False if the file ends within it. */
static bool decode_header(struct elf *elf, struct file_header *header, const uint8_t *bytes, size_t size)
{
	struct decoder c = { bytes, bytes + size, false };
	decoder_take(&c, IDENT_SIZE);
	header->type = decoder_u16(&c);
	elf->machine = decoder_u16(&c);
	decoder_u32(&c); /* the version */
	elf->entry = decode_word(&c, elf->wide);
	decode_word(&c, elf->wide); /* where the program headers are */
	header->sections = decode_word(&c, elf->wide);
	decoder_take(&c, 4 + 2 + 2 + 2); /* flags, the size of this header, the size and number of program headers */
	header->entry_size = decoder_u16(&c);
	elf->section_count = decoder_u16(&c);
	header->names = decoder_u16(&c);
	return !c.bad;
}

/* Find the section headers, the names of sections, and the symbol table.  If the number of section headers is too large
   for its field in the file's header, the field is 0, and the size of section 0 is the number. */
static int find_elf_sections(struct elf *elf, const struct file_header *header, struct rossym_error *err)
{
	const uint32_t size = section_header_size(elf);
	const uint64_t at = header->sections;
	struct rs_elf_content names;
	if (at == 0)
		return rs_fail(err, ROSSYM_EDAMAGED, 0, "an ELF file without section headers");
	if (header->entry_size != size)
		return rs_fail(err, ROSSYM_EDAMAGED, at, "section headers of %u bytes in an ELF file",
			       header->entry_size);
	elf->headers = rs_source_bytes(elf->source, at, size);
	if (!elf->headers)
		return rs_fail(err, ROSSYM_EDAMAGED, at, "the section headers are past the end of the file");
	struct rs_elf_section first = rs_elf_decode_section(elf, 0);
	uint64_t count = elf->section_count > 0 ? elf->section_count : first.size;
	const uint64_t most = (elf->source->size - at) / size;
	elf->headers = count <= most ? rs_source_bytes(elf->source, at, count * size) : NULL;
	if (!elf->headers)
		return rs_fail(err, ROSSYM_EDAMAGED, at, "%" PRIu64 " section headers end past the end of the file",
			       count);
	elf->section_count = (uint32_t)count;
	uint32_t number = header->names == INDEX_ELSEWHERE ? first.link : header->names;
	if (number < count) {
		struct rs_elf_section section = rs_elf_decode_section(elf, number);
		if (rs_elf_find_content(elf, &section, &names) && names.compression == 0) {
			elf->names = names.bytes;
			elf->names_size = (size_t)names.size;
		}
	}
	for (uint32_t i = 0; i < count && elf->symbols == 0; i++)
		if (rs_elf_decode_section(elf, i).type == ELF_SYMTAB)
			elf->symbols = i;
	return 0;
}

int rs_elf_open(struct elf *elf, const struct rs_source *source, bool linked, struct rossym_error *err)
{
	const size_t size = source->size < FILE_HEADER_SIZE_MAX ? (size_t)source->size : FILE_HEADER_SIZE_MAX;
	const uint8_t *bytes = rs_source_bytes(source, 0, size);
	struct file_header header;
	*elf = (struct elf){ .source = source };
	if (!bytes || !rs_elf_has_magic(bytes, size) || size < IDENT_SIZE)
		return rs_fail(err, ROSSYM_EDAMAGED, 0, "not an ELF file");
	if (bytes[IDENT_CLASS] != CLASS_32 && bytes[IDENT_CLASS] != CLASS_64)
		return rs_fail(err, ROSSYM_EDAMAGED, IDENT_CLASS, "an ELF file of the unknown class %u",
			       bytes[IDENT_CLASS]);
	if (bytes[IDENT_ORDER] != LITTLE_ENDIAN_ORDER)
		return rs_fail(err, ROSSYM_EDAMAGED, IDENT_ORDER, "an ELF file that is not little-endian");
	elf->wide = bytes[IDENT_CLASS] == CLASS_64;
	if (!decode_header(elf, &header, bytes, size))
		return rs_fail(err, ROSSYM_EDAMAGED, 0, "the ELF header is cut off");
	if (linked && header.type != TYPE_EXECUTABLE && header.type != TYPE_SHARED)
		return rs_fail(err, ROSSYM_EDAMAGED, IDENT_SIZE,
			       "an ELF file of type %u, which is not a linked program", header.type);
	return find_elf_sections(elf, &header, err);
}

/* ------------------------------------------------------------------------------------------------ the build-id */

/* A note consists of the size of its name, the size of its content, its type, then the name and the content, each
   padded to a multiple of 4. */
enum { NOTE_ALIGNMENT = 4, NOTE_BUILD_ID = 3 };

bool rs_elf_find_note_build_id(const uint8_t *notes, size_t size, struct rs_elf_build_id *ret)
{
	struct decoder c = { notes, notes + size, false };
	while (!c.bad && decoder_left(&c) > 0) {
		uint32_t name_size = decoder_u32(&c), content_size = decoder_u32(&c), type = decoder_u32(&c);
		const uint8_t *name = decoder_take(&c, rs_align(name_size, NOTE_ALIGNMENT));
		const uint8_t *content = decoder_take(&c, content_size);
		if (content && content_size > 0 && type == NOTE_BUILD_ID && name_size == 4 &&
		    memcmp(name, "GNU", 4) == 0) {
			*ret = (struct rs_elf_build_id){ content, content_size };
			return true;
		}
		size_t padding = (size_t)(rs_align(content_size, NOTE_ALIGNMENT) - content_size);
		decoder_take(&c, padding < decoder_left(&c) ? padding : decoder_left(&c));
	}
	return false;
}

bool rs_elf_find_build_id(const struct elf *elf, struct rs_elf_build_id *ret)
{
	/* Bytes of notes that may still be searched.  Sections of a sound file do not overlap, so together they are not
	   larger than the file.  The limit bounds the time that a hostile file can take. */
	uint64_t left = elf->source->size;
	for (uint32_t i = 0; i < elf->section_count; i++) {
		struct rs_elf_section section = rs_elf_decode_section(elf, i);
		struct rs_elf_content notes;
		/* EDK2's linker script puts the note into a section .build-id, which is not of type SHT_NOTE. */
		if ((section.type != ELF_NOTE && strcmp(section.name, ".build-id") != 0) ||
		    !rs_elf_find_content(elf, &section, &notes) || notes.compression != 0 || notes.size > left)
			continue;
		left -= notes.size;
		if (rs_elf_find_note_build_id(notes.bytes, (size_t)notes.size, ret))
			return true;
	}
	return false;
}
