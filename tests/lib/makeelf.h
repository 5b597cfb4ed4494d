/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ELF files for unit tests, made in memory.  Shares no code with what is tested, and judges nothing.
 *
 *	static struct makeelf e;
 *	makeelf_start(&e, true, MAKEELF_X86_64);
 *	struct bytes *code = makeelf_section(&e, ".text", MAKEELF_PROGBITS, MAKEELF_CODE, 0x1000);
 *	put8(code, 0xc3);
 *	uint8_t *bytes = makeelf_build(&e, &size);	to be freed; not a byte longer than the file
 *
 * The file: header, contents of the sections, names, section headers.  The sections are numbered from 1.
 */
#ifndef MAKEELF_H
#define MAKEELF_H

#include "tests/lib/debugpe.h"

enum { MAKEELF_386 = 3, MAKEELF_ARM = 40, MAKEELF_X86_64 = 62, MAKEELF_AARCH64 = 183 };
enum { MAKEELF_PROGBITS = 1, MAKEELF_SYMTAB = 2, MAKEELF_STRTAB = 3, MAKEELF_RELA = 4 };
enum { MAKEELF_NOTE = 7, MAKEELF_NOBITS = 8 };
enum { MAKEELF_CODE = 6, MAKEELF_DATA = 3, MAKEELF_COMPRESSED = 0x800 };
enum { MAKEELF_MAX = 16 };

struct makeelf {
	bool wide;
	unsigned machine, type;
	uint64_t entry;
	struct makeelf_section {
		char name[24];
		uint32_t type, link, info;
		uint64_t flags, address;
		uint64_t size; /* 0 = that of the content */
		struct bytes content;
	} sections[MAKEELF_MAX];
	unsigned count;
};

static inline void makeelf_start(struct makeelf *e, bool wide, unsigned machine)
{
	memset(e, 0, sizeof *e);
	e->wide = wide;
	e->machine = machine;
	e->type = 3;
	e->count = 1;
}

/* Add a section; the number of the last one is e->count - 1. */
static inline struct bytes *makeelf_section(struct makeelf *e, const char *name, uint32_t type, uint64_t flags,
					    uint64_t address)
{
	struct makeelf_section *section = &e->sections[e->count++];
	strcpy(section->name, name);
	section->type = type;
	section->flags = flags;
	section->address = address;
	return &section->content;
}

static inline void makeelf_word(const struct makeelf *e, struct bytes *b, uint64_t value)
{
	bytetext_put(b, value, e->wide ? 8 : 4);
}

/* Add a symbol to the content B of a symbol table. */
static inline void makeelf_symbol(const struct makeelf *e, struct bytes *b, uint32_t name, unsigned type,
				  unsigned section, uint64_t value, uint64_t size)
{
	const unsigned long long at = value, length = size;
	if (e->wide)
		put_items(b, 8, "l%x %x 0 w%x q%llx q%llx", (unsigned)name, 0x10 | type, section, at, length);
	else
		put_items(b, 4, "l%x l%llx l%llx %x 0 w%x", (unsigned)name, at, length, 0x10 | type, section);
}

/* Add a relocation of TYPE to the content B of a section. */
static inline void makeelf_relocation(const struct makeelf *e, struct bytes *b, uint64_t address, unsigned type)
{
	makeelf_word(e, b, address);
	makeelf_word(e, b, e->wide ? UINT64_C(1) << 32 | type : 1u << 8 | type);
	makeelf_word(e, b, 0);
}

/* Add the note of a build-id of SIZE bytes: FIRST, FIRST + 1, and so on. */
static inline void makeelf_build_id(struct bytes *b, unsigned first, uint32_t size)
{
	put_items(b, 4, "l4 l%x l3 \"GNU\"", (unsigned)size);
	put_counted(b, first, size);
}

/* An image, and an ELF file of the same code with two symbols.  RELOCATED: one byte is another, which has a relocation. */
static inline void makeelf_pair(struct debugpe *m, struct makeelf *e, bool relocated)
{
	debugpe_start(m, 0);
	m->wide = true;
	makeelf_start(e, true, MAKEELF_X86_64);
	struct bytes *ours = debugpe_section(m, ".text", 0x1000, 0, DEBUGPE_CODE);
	struct bytes *theirs = makeelf_section(e, ".text", MAKEELF_PROGBITS, MAKEELF_CODE, 0x1000);
	for (unsigned i = 0; i < 64; i++)
		put8(ours, i), put8(theirs, relocated && i == 8 ? 0x80 : i);
	if (relocated) {
		makeelf_relocation(e, makeelf_section(e, ".rela.text", MAKEELF_RELA, 0, 0), 0x1008, 2);
		e->sections[2].info = 1;
	}
	struct bytes *symbols = makeelf_section(e, ".symtab", MAKEELF_SYMTAB, 0, 0);
	e->sections[e->count - 1].link = e->count;
	put_text(makeelf_section(e, ".strtab", MAKEELF_STRTAB, 0, 0), "first");
	makeelf_symbol(e, symbols, 0, 2, 1, 0x1000, 16);
	makeelf_symbol(e, symbols, 1, 2, 1, 0x1020, 16);
}

static inline uint8_t *makeelf_build(const struct makeelf *e, size_t *ret_size)
{
	static struct bytes file, names;
	uint32_t name_at[MAKEELF_MAX];
	uint64_t offsets[MAKEELF_MAX + 1];
	names.n = 0;
	put8(&names, 0);
	for (int pass = 0; pass < 2; pass++) {
		const uint64_t headers = file.n;
		file.n = 0;
		put_items(&file, e->wide ? 8 : 4,
			  "7f 'ELF' %x 1 1 9*0 w%x w%x l1 p%llx p0 p%llx l0 w%x w0 w0 w%x w%x w%x", e->wide ? 2u : 1u,
			  e->type, e->machine, (unsigned long long)e->entry, (unsigned long long)headers,
			  e->wide ? 64u : 52u, e->wide ? 64u : 40u, e->count + 1, e->count);
		for (unsigned i = 0; i < e->count; i++) {
			offsets[i] = file.n;
			put_all(&file, &e->sections[i].content);
			if (pass == 0) {
				name_at[i] = (uint32_t)names.n;
				put_text(&names, e->sections[i].name);
			}
		}
		offsets[e->count] = file.n;
		put_all(&file, &names);
	}
	for (unsigned i = 0; i <= e->count; i++) {
		static const struct makeelf_section last = { .type = MAKEELF_STRTAB };
		const struct makeelf_section *section = i < e->count ? &e->sections[i] : &last;
		put_items(&file, e->wide ? 8 : 4, "l%x l%x p%llx p%llx p%llx p%llx l%x l%x p1 p0",
			  i < e->count ? (unsigned)name_at[i] : 0u, (unsigned)section->type,
			  (unsigned long long)section->flags, (unsigned long long)section->address,
			  i > 0 ? (unsigned long long)offsets[i] : 0ull,
			  (unsigned long long)(i == e->count   ? names.n
					       : section->size ? section->size
							       : section->content.n),
			  (unsigned)section->link, (unsigned)section->info);
	}
	return bytes_copy(&file, ret_size);
}

#endif
