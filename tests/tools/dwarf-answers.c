// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf-answers [-1] IMAGE [DWO...]	what libdwarf says of each byte of each function of IMAGE, as addr2line -afi prints it
 *
 * The functions of split units are in the DWO files.  -1: in line tables of DWARF 5, file 0 means file 1.  The standard lets each
 * sequence begin with file 1, but libdwarf with file 0, and which of both a program has said is not known.  Each range of a function or inlined call paints its addresses, and inner
 * calls, which come after outer ones, paint over them.  Each row of a line table paints up to the next one.
 */
#include "config.h"
#include "tests/lib/files.h"
#include "tests/lib/libdwarf.h"

#include <inttypes.h>
#include <stdio.h>

enum { DWOS_MAX = 16, CODE_SIZE_MAX = 64 << 20 };

static void fail(const char *path, const char *what)
{
	fprintf(stderr, "dwarf-answers: %s: %s\n", path, what);
	exit(1);
}

static uint32_t number_at(const uint8_t *p, unsigned size)
{
	uint32_t number = 0;
	for (unsigned i = size; i-- > 0;)
		number = number << 8 | p[i];
	return number;
}

/* A file that is open, until the program ends. */
struct file {
	uint8_t *bytes;
	size_t size;
	char names[WITNESS_SECTIONS][9]; /* of sections, where they are short */
	struct witness_object object;
};

/* The COUNT bytes at AT of FILE; NULL if they are not there. */
static const uint8_t *bytes_at(const struct file *file, uint64_t at, uint64_t count)
{
	return at <= file->size && count <= file->size - at ? file->bytes + at : NULL;
}

/* The name of a section, in NAME; one that begins with "/" is in the strings after the symbols, at STRINGS. */
static const char *name_of(const struct file *file, const uint8_t *header, uint64_t strings, char name[9])
{
	memcpy(name, header, 8);
	const uint8_t *string = name[0] == '/' ? bytes_at(file, strings + strtoul(name + 1, NULL, 10), 1) : NULL;
	return string && memchr(string, 0, (size_t)(file->bytes + file->size - string)) ? (const char *)string : name;
}

/* Let libdwarf read the sections of the file at PATH: a PE image, or a COFF object file.  libdwarf's own reader of PE images
   refuses small ones. */
static Dwarf_Debug open_file(struct file *file, const char *path)
{
	enum { COFF = 20, SYMBOL = 18, SECTION = 40, PE32_PLUS = 0x8664 };
	Dwarf_Debug dbg;
	file->bytes = files_read(path, &file->size);
	uint64_t at = file->size >= 64 && memcmp(file->bytes, "MZ", 2) == 0
			      ? number_at(file->bytes + 60, 4) + UINT64_C(4)
			      : 0;
	const uint8_t *coff = bytes_at(file, at, COFF);
	if (!coff)
		fail(path, "has no COFF header");
	const unsigned count = number_at(coff + 2, 2);
	const uint64_t strings = number_at(coff + 8, 4) + (uint64_t)SYMBOL * number_at(coff + 12, 4);
	file->object.wide = number_at(coff, 2) == PE32_PLUS;
	at += COFF + number_at(coff + 16, 2);
	for (unsigned i = 0; i < count; i++, at += SECTION) {
		const uint8_t *header = bytes_at(file, at, SECTION);
		if (!header)
			fail(path, "has too few section headers");
		/* Of an image, the virtual size is that without padding; an object file has none. */
		uint32_t size = number_at(header + 16, 4), virtual_size = number_at(header + 8, 4);
		size = virtual_size > 0 && virtual_size < size ? virtual_size : size;
		const char *name = name_of(file, header, strings, file->names[i % WITNESS_SECTIONS]);
		const uint8_t *bytes = bytes_at(file, number_at(header + 20, 4), size);
		if (bytes && strncmp(name, ".debug_", 7) == 0)
			witness_add_section(&file->object, name, bytes, size);
	}
	if (!witness_open(&file->object, &dbg))
		fail(path, "libdwarf cannot read it");
	return dbg;
}

/* An address of discarded code is 0, or 0 and an offset. */
static bool is_code(uint64_t low)
{
	return low >= 4096;
}

static void print_place(const char *file, uint64_t line)
{
	if (file && line > 0)
		printf("%s:%" PRIu64 "\n", file, line);
	else
		printf("%s:?\n", file ? file : "??");
}

static void print_answers(const struct witness *w, const struct witness *lines, bool first_is_1)
{
	uint64_t base = UINT64_MAX, end = 0;
	for (size_t i = 0; i < w->range_count; i++) {
		if (!is_code(w->ranges[i].low))
			continue;
		base = w->ranges[i].low < base ? w->ranges[i].low : base;
		end = w->ranges[i].high > end ? w->ranges[i].high : end;
	}
	if (base >= end || end - base > CODE_SIZE_MAX)
		return;
	/* Numbers of scopes and of rows, counted from 1. */
	uint32_t *scopes = calloc(end - base, sizeof *scopes), *rows = calloc(end - base, sizeof *rows);
	if (!scopes || !rows)
		abort();
	for (size_t i = 0; i < w->range_count; i++)
		for (uint64_t at = w->ranges[i].low; is_code(w->ranges[i].low) && at < w->ranges[i].high; at++)
			scopes[at - base] = (uint32_t)w->ranges[i].scope + 1;
	for (size_t i = 0; i < lines->row_count; i++)
		for (uint64_t at = lines->rows[i].low; at < lines->rows[i].high; at++)
			if (at >= base && at < end)
				rows[at - base] = (uint32_t)i + 1;
	for (uint64_t at = base; at < end; at++) {
		if (scopes[at - base] == 0)
			continue;
		const struct witness_row *row = rows[at - base] ? &lines->rows[rows[at - base] - 1] : NULL;
		printf("0x%0*" PRIx64 "\n", 2 * (int)w->address_size, at);
		for (int scope = (int)scopes[at - base] - 1, call = -1; scope >= 0; scope = w->scopes[call].parent) {
			const char *name = witness_name(w, scope);
			printf("%s\n", name && name[0] ? name : "??");
			if (call < 0)
				print_place(!row		       ? NULL
					    : first_is_1 && row->other ? row->other
								       : row->file,
					    row ? row->line : 0);
			else
				print_place(w->scopes[call].call_file, w->scopes[call].call_line);
			call = scope;
		}
	}
	free(scopes);
	free(rows);
}

int main(int argc, char **argv)
{
	struct witness image = { .faults = 0 };
	Dwarf_Error error = NULL;
	static struct file files[1 + DWOS_MAX];
	unsigned faults;
	const bool first_is_1 = argc > 1 && strcmp(argv[1], "-1") == 0;
	argc -= first_is_1, argv += first_is_1;
	if (argc < 2 || argc > 1 + DWOS_MAX) {
		fprintf(stderr, "usage: dwarf-answers [-1] IMAGE [DWO...]\n");
		return 1;
	}
	Dwarf_Debug dbg = open_file(&files[0], argv[1]);
	witness_read(&image, dbg);
	faults = image.faults;
	if (argc == 2)
		print_answers(&image, &image, first_is_1);
	for (int i = 2; i < argc; i++) {
		struct witness split = { .faults = 0 };
		Dwarf_Debug dwo = open_file(&files[i - 1], argv[i]);
		if (dwarf_set_tied_dbg(dwo, dbg, &error) != DW_DLV_OK)
			fail(argv[i], "libdwarf cannot tie it to the image");
		witness_read(&split, dwo);
		print_answers(&split, &image, first_is_1);
		faults += split.faults;
		witness_free(&split);
		witness_close(dwo);
		witness_free_object(&files[i - 1].object);
	}
	witness_free(&image);
	witness_close(dbg);
	witness_free_object(&files[0].object);
	if (faults > 0)
		fprintf(stderr, "dwarf-answers: %s: libdwarf could not read %u parts\n", argv[1], faults);
	return 0;
}
