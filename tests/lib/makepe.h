/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * makepe.h - images with a table, for tests of look-ups, made in memory: what mkimage does from text, for tests that make
 * thousands of them or want to know where each byte stands.  debugpe.h makes images with debug information.  Shares no
 * code with the library, and judges nothing.
 *
 *	static struct makepe m;
 *	makepe_start(&m, MAKEPE_32);
 *	makepe_section(&m, ".text", 0x1000, 0x100, 0x100, MAKEPE_CODE);
 *	makepe_row(&m, 0x1000, "main", "main.c", 3);
 *	uint8_t *bytes = makepe_build(&m, &size);	to be freed; not a byte longer than the file
 *
 * The file: DOS header, PE header at MAKEPE_PE, optional header, section table, the table, long names.  No section but
 * .rossym has content; nobody who looks up addresses reads any.  .rossym is the last section.
 */
#ifndef MAKEPE_H
#define MAKEPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum makepe_kind { MAKEPE_32, MAKEPE_64, MAKEPE_BARE };

enum {
	MAKEPE_PE = 64, /* where the PE header stands */
	MAKEPE_OPT = MAKEPE_PE + 24,
	MAKEPE_OPT_SIZE = 240,
	MAKEPE_HEADERS = MAKEPE_OPT + MAKEPE_OPT_SIZE, /* the section table, 40 bytes a section */
	MAKEPE_SECTIONS_MAX = 16,
	MAKEPE_ROWS_MAX = 4096,
	MAKEPE_STRINGS_MAX = 65536,
};

#define MAKEPE_CODE 0x60000020u
#define MAKEPE_DATA 0xc0000040u
#define MAKEPE_ROSSYM 0x42000802u

/* Names for functions of random tables; those after the first nine look like what the linker names so. */
static const char *const makepe_functions[] = {
	"f",
	"g",
	"main",
	"NtClose@4",
	"@KefBreak@8",
	"_Z1fv",
	"_rossym_end__",
	"__rossym_end__",
	"",
	"__ImageBase",
	"_subsystem__",
	"___size_of_heap_commit__",
	"_dll__",
	"dll__",
	"_dll___",
	"_",
	"________________________________image_base__",
};
enum { MAKEPE_FUNCTIONS = sizeof makepe_functions / sizeof *makepe_functions };

struct makepe_section {
	char name[9];
	uint32_t rva, virtual_size, raw_size, flags;
};

struct makepe_row {
	uint64_t address;
	uint32_t function, file, line, pad;
};

struct makepe {
	enum makepe_kind kind;
	unsigned width; /* of a row: 16, 20, 24 */
	uint64_t base;
	struct makepe_section sections[MAKEPE_SECTIONS_MAX];
	size_t section_count; /* without .rossym */
	uint32_t rossym_rva;
	const uint8_t *content; /* of .rossym, in place of the rows and strings; or NULL */
	size_t content_size;
	size_t padding; /* zeros after the table, which the virtual size of .rossym does not count */
	struct makepe_row rows[MAKEPE_ROWS_MAX];
	size_t row_count;
	char strings[MAKEPE_STRINGS_MAX];
	size_t strings_size;
	bool unterminated;	/* leave the last NUL out */
	const char *long_names; /* what follows the length field of a COFF string table, or NULL */
	size_t long_names_size;
	size_t table_at; /* set by makepe_build: where the table stands in the file */
};

static inline void makepe_start(struct makepe *m, enum makepe_kind kind)
{
	memset(m, 0, offsetof(struct makepe, rows));
	m->kind = kind;
	m->width = 16;
	m->base = 0x400000;
	m->rossym_rva = 0x80000000;
	m->row_count = 0;
	m->strings[0] = '\0';
	m->strings_size = 1;
	m->unterminated = false;
	m->long_names = NULL;
	m->long_names_size = 0;
}

static inline void makepe_need(bool room)
{
	if (!room) {
		puts("Bail out! makepe: too much of something");
		exit(99);
	}
}

static inline void makepe_section(struct makepe *m, const char *name, uint32_t rva, uint32_t virtual_size,
				  uint32_t raw_size, uint32_t flags)
{
	struct makepe_section *s = &m->sections[m->section_count];

	makepe_need(++m->section_count < MAKEPE_SECTIONS_MAX && strlen(name) <= 8);
	memset(s->name, 0, sizeof s->name);
	memcpy(s->name, name, strlen(name));
	s->rva = rva;
	s->virtual_size = virtual_size;
	s->raw_size = raw_size;
	s->flags = flags;
}

/* .text, and a section of data with a long name.  After that in the string table is a name that nothing ends. */
static inline void makepe_two_sections(struct makepe *m)
{
	m->long_names = m->kind == MAKEPE_BARE ? NULL : "a_long_name\0and_one_that_nothing_ends";
	m->long_names_size = 12 + 25;
	makepe_section(m, ".text", 0x1000, 0x1000, 0x1000, MAKEPE_CODE);
	makepe_section(m, "/4", 0x3000, 0x1000, 0x1000, MAKEPE_DATA);
}

/* Put TEXT behind the strings, even if it is there already.  Returns its offset. */
static inline uint32_t makepe_new_string(struct makepe *m, const char *text)
{
	size_t at = m->strings_size, size = strlen(text) + 1;

	makepe_need(size <= sizeof m->strings - at);
	memcpy(m->strings + at, text, size);
	m->strings_size += size;
	return (uint32_t)at;
}

/* The offset of TEXT, which is put behind the strings if it is not there; "" is 0. */
static inline uint32_t makepe_string(struct makepe *m, const char *text)
{
	for (size_t at = 0; at < m->strings_size; at += strlen(m->strings + at) + 1)
		if (strcmp(m->strings + at, text) == 0)
			return (uint32_t)at;
	return makepe_new_string(m, text);
}

static inline void makepe_raw_row(struct makepe *m, uint64_t address, uint32_t function, uint32_t file, uint32_t line)
{
	makepe_need(m->row_count < MAKEPE_ROWS_MAX);
	m->rows[m->row_count++] = (struct makepe_row){ address, function, file, line, 0 };
}

static inline void makepe_row(struct makepe *m, uint64_t address, const char *function, const char *file, uint32_t line)
{
	uint32_t function_at = makepe_string(m, function), file_at = makepe_string(m, file);

	makepe_raw_row(m, address, function_at, file_at, line);
}

static inline void makepe_put(uint8_t *p, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (uint8_t)(value >> (8 * i));
}

static inline uint64_t makepe_get(const uint8_t *p, unsigned bytes)
{
	uint64_t value = 0;

	while (bytes-- > 0)
		value = value << 8 | p[bytes];
	return value;
}

static inline size_t makepe_table_size(const struct makepe *m)
{
	return m->content ? m->content_size
			  : 16 + m->row_count * m->width + m->strings_size - (m->unterminated ? 1 : 0);
}

static inline void makepe_put_table(const struct makepe *m, uint8_t *p)
{
	size_t symbols = m->row_count * m->width, strings = m->strings_size - (m->unterminated ? 1 : 0);

	if (m->content) {
		memcpy(p, m->content, m->content_size);
		return;
	}
	makepe_put(p, 16, 4);
	makepe_put(p + 4, symbols, 4);
	makepe_put(p + 8, 16 + symbols, 4);
	makepe_put(p + 12, strings, 4);
	memcpy(p + 16 + symbols, m->strings, strings);
	p += 16;
	for (size_t i = 0; i < m->row_count; i++, p += m->width) {
		const struct makepe_row *row = &m->rows[i];
		unsigned wide = m->width == 16 ? 0 : 4;

		makepe_put(p, row->address, 4 + wide);
		makepe_put(p + 4 + wide, row->function, 4);
		makepe_put(p + 8 + wide, row->file, 4);
		makepe_put(p + 12 + wide, row->line, 4);
		if (m->width == 24)
			makepe_put(p + 20, row->pad, 4);
	}
}

/* The headers of an image without sections, of which all bytes are 0 before. */
static inline void makepe_put_start(uint8_t *p, bool wide, uint64_t base, uint32_t size_of_image)
{
	memcpy(p, "MZ", 2);
	makepe_put(p + 60, MAKEPE_PE, 4);
	memcpy(p + MAKEPE_PE, "PE\0\0", 4);
	makepe_put(p + MAKEPE_PE + 4, wide ? 0x8664 : 0x14c, 2);
	makepe_put(p + MAKEPE_PE + 20, MAKEPE_OPT_SIZE, 2);
	makepe_put(p + MAKEPE_PE + 22, 0x10e, 2);
	makepe_put(p + MAKEPE_OPT, wide ? 0x20b : 0x10b, 2);
	makepe_put(p + MAKEPE_OPT + (wide ? 24 : 28), base, wide ? 8 : 4);
	makepe_put(p + MAKEPE_OPT + 56, size_of_image, 4);
}

/* Section NUMBER, from 0, whose bytes are at OFFSET of the file.  The image has so many sections then. */
static inline void makepe_put_section(uint8_t *p, size_t number, const struct makepe_section *s, size_t offset)
{
	uint8_t *header = p + MAKEPE_HEADERS + 40 * number;
	memcpy(header, s->name, 8);
	makepe_put(header + 8, s->virtual_size, 4);
	makepe_put(header + 12, s->rva, 4);
	makepe_put(header + 16, s->raw_size, 4);
	makepe_put(header + 20, offset, 4);
	makepe_put(header + 36, s->flags, 4);
	makepe_put(p + MAKEPE_PE + 6, number + 1, 2);
}

static inline void makepe_put_headers(const struct makepe *m, uint8_t *p, size_t long_names_at)
{
	const uint32_t table = (uint32_t)makepe_table_size(m);
	const struct makepe_section rossym = { ".rossym", m->rossym_rva, table, table + (uint32_t)m->padding,
					       MAKEPE_ROSSYM };
	makepe_put_start(p, m->kind == MAKEPE_64, m->base, 0x90000000);
	makepe_put(p + MAKEPE_PE + 8, 0x12345678, 4);
	makepe_put(p + MAKEPE_PE + 12, m->long_names ? long_names_at : 0, 4);
	for (size_t i = 0; i < m->section_count; i++)
		makepe_put_section(p, i, &m->sections[i], 0);
	makepe_put_section(p, m->section_count, &rossym, m->table_at);
}

static inline uint8_t *makepe_build(struct makepe *m, size_t *size)
{
	size_t table = makepe_table_size(m) + m->padding;

	m->table_at = m->kind == MAKEPE_BARE ? 0 : MAKEPE_HEADERS + 40 * (m->section_count + 1);
	*size = m->table_at + table + (m->long_names ? 4 + m->long_names_size : 0);
	uint8_t *p = malloc(*size);
	makepe_need(p != NULL);
	memset(p, 0, *size);
	makepe_put_table(m, p + m->table_at);
	if (m->kind != MAKEPE_BARE)
		makepe_put_headers(m, p, m->table_at + table);
	if (m->long_names) {
		makepe_put(p + m->table_at + table, 4 + m->long_names_size, 4);
		memcpy(p + m->table_at + table + 4, m->long_names, m->long_names_size);
	}
	return p;
}

/* The same with CONTENT_SIZE bytes at CONTENT in .rossym, at RVA, and code at 0x1000; PADDING as in struct makepe. */
static inline uint8_t *makepe_build_around(struct makepe *m, enum makepe_kind kind, const void *content,
					   size_t content_size, uint32_t rva, size_t padding, size_t *size)
{
	makepe_start(m, kind);
	m->rossym_rva = rva;
	m->content = content;
	m->content_size = content_size;
	m->padding = padding;
	makepe_section(m, ".text", 0x1000, 0x1000, 0x1000, MAKEPE_CODE);
	return makepe_build(m, size);
}

/* Write SIZE bytes into a new file and its path into PATH.  The caller unlinks it. */
static inline bool makepe_file(char path[4096], const void *bytes, size_t size)
{
	const char *directory = getenv("TMPDIR");

	snprintf(path, 4096, "%s/rossym-unit.XXXXXX", directory && *directory ? directory : "/tmp");
	int fd = mkstemp(path);
	if (fd < 0)
		return false;
	bool good = write(fd, bytes, (unsigned)size) == (ssize_t)size; /* the size is unsigned int on Windows */
	return close(fd) == 0 && good;
}

#endif
