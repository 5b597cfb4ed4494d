/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf.h - the sections of a linked ELF file, little-endian, of 32 or 64 bits
 *
 * UEFI firmware is linked as ELF and then converted to a PE image, so its DWARF is in an ELF file (elf-image.c).  This
 * reader uses the section headers, not the program headers.  It allocates nothing: it decodes a section header each
 * time that it is needed.  Only rs_elf_find_content() checks that a section is within the file, and finds its bytes.
 */
#ifndef DEBUGINFO_BASE_ELF_H
#define DEBUGINFO_BASE_ELF_H

#include "lib/base/pieces.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* processors, as the file's header numbers them */
enum { ELF_386 = 3, ELF_ARM = 40, ELF_X86_64 = 62, ELF_AARCH64 = 183, ELF_RISCV = 243, ELF_LOONGARCH = 258 };
enum { ELF_SYMTAB = 2, ELF_RELA = 4, ELF_NOTE = 7, ELF_NOBITS = 8, ELF_REL = 9 }; /* types of sections */
enum { ELF_ALLOC = 2, ELF_EXECINSTR = 4, ELF_COMPRESSED = 0x800 };		  /* flags of sections */

struct elf {
	const struct rs_source *source;
	bool wide; /* the file is of ELFCLASS64, not of ELFCLASS32 */
	uint16_t machine;
	uint64_t entry;		/* address of the entry point */
	const uint8_t *headers; /* the headers of all sections */
	uint32_t section_count;
	const uint8_t *names; /* string table with the names of sections; NULL if there is none */
	size_t names_size;
	uint32_t symbols; /* index of the section with the symbol table; 0 = there is none */
};

struct rs_elf_section {
	uint32_t number;
	const char *name; /* "" if the section has no name, or its name has no NUL */
	uint32_t type, link, info;
	uint64_t flags, address, offset, size;
};

struct rs_elf_content { /* a section's bytes; of a compressed section, those after its compression header */
	const uint8_t *bytes;
	uint64_t size;
	uint32_t compression; /* ELFCOMPRESS_*: 0 = none, 1 = zlib, 2 = zstd; others cannot be decompressed */
	uint64_t whole_size;  /* size of the bytes when they are uncompressed */
};

struct rs_elf_build_id {
	const uint8_t *bytes;
	size_t size;
};

bool rs_elf_has_magic(const void *bytes, size_t size);

/* Read the headers of the ELF file in SOURCE, which must stay valid until the last use of ELF.  Its bytes must be in
   memory or be read in pieces.  If LINKED, refuse object files.  Returns 0; or -1 with ROSSYM_EDAMAGED if the file is
   refused or cannot be read. */
int rs_elf_open(struct elf *elf, const struct rs_source *source, bool linked, struct rossym_error *err);

/* Decode the header of section NUMBER, which is below elf->section_count. */
struct rs_elf_section rs_elf_decode_section(const struct elf *elf, uint32_t number);

/* Find the first section called NAME.  Returns false if there is none. */
bool rs_elf_find_section(const struct elf *elf, const char *name, struct rs_elf_section *ret);

/* Whether SECTION has code: it is loaded, executable and not empty. */
bool rs_elf_is_code(const struct rs_elf_section *section);

/* Returns the address of a function, ADDRESS, without the bit by which ARM marks Thumb code. */
uint64_t rs_elf_clear_thumb_bit(const struct elf *elf, uint64_t address);

/* Find the bytes of SECTION.  False if SECTION has none, if not all of them are within the file, or if SECTION is
   compressed and its compression header is damaged. */
bool rs_elf_find_content(const struct elf *elf, const struct rs_elf_section *section, struct rs_elf_content *ret);

/* Find the build-id, which identifies a build; GNU ld and LLD write it as a note.  rs_elf_find_note_build_id() searches
   the SIZE bytes of notes at NOTES, rs_elf_find_build_id() the sections of ELF.  Both return false if there is none. */
bool rs_elf_find_note_build_id(const uint8_t *notes, size_t size, struct rs_elf_build_id *ret);
bool rs_elf_find_build_id(const struct elf *elf, struct rs_elf_build_id *ret);

#endif
