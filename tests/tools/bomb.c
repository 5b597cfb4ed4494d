// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bomb - small images that are as expensive as a format lets them be, for tests/hostile/hostile-limits.sh
 *
 *	bomb KIND [TIMES] >IMAGE		about 10 MB, PE32, base 0x400000, code from 0x1000 on; those with (s) TIMES smaller
 *
 *	sections	65,534 sections of code, 16 bytes each, and a row for each byte of the first 400,000
 *	gaps		65,534 sections with gaps between them, and a row in each section and in each gap
 *	names		60,000 functions whose names have the same 100 letters first
 *	strings		one string of 5 MB; 300,000 rows, each with a function that begins a byte later in it
 *	letters		the same, of letters in no order
 *	long		the same, all rows with all of the string
 *	place		600,000 rows at one address
 *	chains		(s) 300,000 rows, each inlined 512 times
 *	functions	(s) 9 million functions at address 1, of a byte each
 *	symbols		2.5 million functions with one name, at many addresses
 *
 * and with debug information or symbols instead of a table:
 *
 *	lines		(s) a line table of 10 million rows, a byte each
 *	changes		(s) 5 million rows, each with another line than the one before it, and 5 MB that nobody reads
 *	shared		300,000 units that share a line table of 5 MB
 *	small		(s) 600,000 units that share a line table of 12 rows
 *	alike		(s) 125,000 units with line tables of their own, all of them for the same code
 *	files		(s) 600,000 units that share a table of 64 file names
 *	abbreviations	250,000 units that share a table of 1,000 abbreviations, the last of which they use
 *	suffixes	(s) 250,000 units whose tables of abbreviations begin one after the other, and all end together
 *	coff		(s) 555,000 COFF symbols
 */
#include "rossym-write.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADERS = 64 + 24 + 240, CODE = 0x1000, CODE_FLAGS = 0x60000020 };

struct bytes {
	uint8_t *p;
	size_t length, room;
};

static void add(struct bytes *to, const void *from, size_t length)
{
	while (to->room - to->length < length) {
		to->room = to->room ? to->room * 2 : 1 << 20;
		to->p = realloc(to->p, to->room);
		if (!to->p)
			abort();
	}
	memcpy(to->p + to->length, from, length);
	to->length += length;
}

static void add_number(struct bytes *to, uint64_t number, unsigned bytes)
{
	for (; bytes > 0; bytes--, number >>= 8)
		add(to, &(uint8_t){ (uint8_t)number }, 1);
}

static void poke(struct bytes *to, size_t at, uint32_t number)
{
	for (int i = 0; i < 4; i++, number >>= 8)
		to->p[at + (size_t)i] = (uint8_t)number;
}

static struct bytes rows, strings, block, sections;
static struct bytes debug_info, debug_abbrev, debug_line, symbols;
static uint32_t section_count;
static uint32_t times = 1; /* smaller: kinds with (s) */

static void add_row(uint32_t rva, uint32_t function, uint32_t file, uint32_t line)
{
	const uint32_t numbers[] = { rva, function, file, line };
	for (int i = 0; i < 4; i++)
		add_number(&rows, numbers[i], 4);
}

/* The offset of a string with its NUL. */
static uint32_t add_string(const char *text, size_t length)
{
	uint32_t at = (uint32_t)strings.length;
	add(&strings, text, length);
	add_number(&strings, 0, 1);
	return at;
}

static void add_section(const char *name, uint32_t rva, uint32_t size, uint32_t offset, uint32_t raw, uint32_t flags)
{
	char field[8] = "";
	const uint32_t numbers[] = { size, rva, raw, offset, 0, 0, 0, flags };
	memcpy(field, name, strlen(name));
	add(&sections, field, sizeof field);
	for (int i = 0; i < 8; i++)
		add_number(&sections, numbers[i], 4);
	section_count++;
}

/* Begin a chunk of records with columns of these widths; returns where its length is. */
static size_t begin_chunk(const char *tag, const char *widths)
{
	add(&block, tag, 4);
	add_number(&block, 0, 4);
	add(&block, widths, 4);
	return block.length - 8;
}

static void end_chunk(size_t at)
{
	poke(&block, at, (uint32_t)(block.length - at - 4));
	while (block.length % 4)
		add_number(&block, 0, 1);
}

/* The headers, from the beginning of FILE on, and those of all sections. */
static void put_headers(struct bytes *file)
{
	add(file, "MZ", 2);
	while (file->length < HEADERS)
		add_number(file, 0, 1);
	poke(file, 60, 64);
	memcpy(file->p + 64, "PE\0\0\x4c\1", 6);
	file->p[64 + 6] = (uint8_t)section_count;
	file->p[64 + 7] = (uint8_t)(section_count >> 8);
	file->p[64 + 20] = 240;
	file->p[64 + 24] = 0x0b;
	file->p[64 + 25] = 1;
	poke(file, 64 + 24 + 28, 0x400000);
	poke(file, 64 + 24 + 56, 0x7fff0000);
	add(file, sections.p, sections.length);
}

static void write_file(struct bytes *file)
{
	if (fwrite(file->p, 1, file->length, stdout) != file->length || fflush(stdout) != 0)
		exit(1);
	free(file->p);
}

/* Write the image: headers, sections, the table, what is behind it. */
static void put_image(void)
{
	struct bytes table = { NULL, 0, 0 }, file = { NULL, 0, 0 };
	const uint32_t head = HEADERS + (section_count + 1) * 40;
	add_number(&table, 16, 4);
	add_number(&table, rows.length, 4);
	add_number(&table, 16 + rows.length, 4);
	add_number(&table, strings.length, 4);
	add(&table, rows.p, rows.length);
	add(&table, strings.p, strings.length);
	if (block.length > 0) {
		poke(&block, 8, (uint32_t)block.length);
		poke(&block, 16, (uint32_t)(rows.length / 16));
		poke(&block, 20, rossym_debuglink_crc(0, table.p, table.length));
		poke(&block, 12, rossym_debuglink_crc(0, block.p + 16, block.length - 16));
		while (table.length % 4)
			add_number(&table, 0, 1);
		add(&table, block.p, block.length);
	}
	add_section(".rossym", 0x70000000, (uint32_t)table.length, head, (uint32_t)table.length, 0x42000802);

	put_headers(&file);
	add(&file, table.p, table.length);
	write_file(&file);
	free(table.p);
}

/* Write an image with debug information and symbols; the names of sections are too long for anything but strings. */
static void put_debug_image(void)
{
	static const char names[] = ".debug_info\0.debug_abbrev\0.debug_line";
	struct bytes *const contents[] = { &debug_info, &debug_abbrev, &debug_line };
	static const char *const fields[] = { "/4", "/16", "/30" };
	struct bytes file = { NULL, 0, 0 };
	size_t at = HEADERS + (section_count + 3) * 40;
	for (int i = 0; i < 3; i++) {
		const uint32_t length = (uint32_t)contents[i]->length;
		add_section(fields[i], 0x20000000 + (uint32_t)i * 0x2000000, length, (uint32_t)at, length, 0x42100040);
		at += length;
	}
	put_headers(&file);
	poke(&file, 64 + 24 + 32, 0x1000); /* alignments */
	poke(&file, 64 + 24 + 36, 0x200);
	poke(&file, 64 + 24 + 60, HEADERS + section_count * 40);
	poke(&file, 64 + 12, (uint32_t)at);
	poke(&file, 64 + 16, (uint32_t)(symbols.length / 18));
	for (int i = 0; i < 3; i++)
		add(&file, contents[i]->p, contents[i]->length);
	add(&file, symbols.p, symbols.length);
	add_number(&file, 4 + sizeof names, 4);
	add(&file, names, sizeof names);
	write_file(&file);
}

static void add_code(void)
{
	add_section(".text", CODE, 0x10000000, 0, 0x10000000, CODE_FLAGS);
}

/* --------------------------------------------------------------------------------------------------- kinds */

enum { SECTIONS_MAX = 65534 };

static void make_sections(uint32_t distance)
{
	uint32_t function = add_string("main", 4), file = add_string("main.c", 6);
	for (uint32_t i = 0; i < SECTIONS_MAX; i++)
		add_section(".text", CODE + i * distance, 16, 0, 16, CODE_FLAGS);
	if (distance == 16)
		for (uint32_t i = 0; i < 400000; i++)
			add_row(CODE + i, function, file, i + 1);
	else
		for (uint32_t i = 0; i < SECTIONS_MAX * 2; i++)
			add_row(CODE + i * distance / 2, function, file, i + 1);
}

static void sections_bomb(void)
{
	make_sections(16);
}

static void gaps_bomb(void)
{
	make_sections(32);
}

static void names_bomb(void)
{
	char name[128];
	uint32_t file = add_string("main.c", 6);
	add_code();
	for (uint32_t i = 0; i < 60000; i++) {
		memset(name, 'x', 100);
		int length = 100 + snprintf(name + 100, sizeof name - 100, "%u", (unsigned)i);
		add_row(CODE + i * 16, add_string(name, (size_t)length), file, 1);
	}
}

static void make_strings(uint32_t step, bool mixed)
{
	enum { LONG = 5000000, ROWS = 300000 };
	char *text = malloc(LONG);
	if (!text)
		abort();
	memset(text, 'x', LONG);
	for (uint32_t i = 0, seed = 1; mixed && i < LONG; i++, seed = seed * 1664525 + 1013904223)
		text[i] = (char)('a' + (seed >> 24) % 26);
	uint32_t at = add_string(text, LONG);
	free(text);
	add_code();
	for (uint32_t i = 0; i < ROWS; i++)
		add_row(CODE + i * 16, at + i * step, at, 1);
}

static void strings_bomb(void)
{
	make_strings(1, false);
}

static void letters_bomb(void)
{
	make_strings(1, true);
}

static void long_bomb(void)
{
	make_strings(0, false);
}

static void place_bomb(void)
{
	uint32_t function = add_string("main", 4), file = add_string("main.c", 6);
	add_code();
	for (uint32_t i = 0; i < 600000; i++)
		add_row(CODE, function, file, 0);
}

static void begin_block(void)
{
	add(&block, "ROSSYMX2", 8);
	for (int i = 0; i < 4; i++)
		add_number(&block, 0, 4);
}

static void chains_bomb(void)
{
	enum { DEEP = 512, ROWS = 300000 };
	uint32_t function = add_string("main", 4), file = add_string("main.c", 6);
	add_code();
	for (uint32_t i = 0; i < ROWS / times; i++)
		add_row(CODE + i * 16, function, file, i + 1);
	begin_block();
	size_t at = begin_chunk("INLN", "\x20\x20\x20\x20");
	for (uint32_t i = 0; i < DEEP; i++) {
		const uint32_t numbers[] = { function, file, i + 1, i - 1 };
		for (int j = 0; j < 4; j++)
			add_number(&block, numbers[j], 4);
	}
	end_chunk(at);
	at = begin_chunk("IMAP", "\x10\x10\0");
	add_number(&block, 0, 2);
	add_number(&block, DEEP - 1, 2);
	end_chunk(at);
}

/* A record is a byte: a bit is the address, 0 or 1; seven are the name, of which there are seven. */
static void functions_bomb(void)
{
	add_section(".text", 0, 0x10000000, 0, 0x10000000, CODE_FLAGS);
	uint32_t function = add_string("nopqrst", 7);
	add_row(CODE, function, function, 1);
	begin_block();
	size_t at = begin_chunk("FUNC", "\1\0\7");
	for (uint32_t i = 0; i < 9000000 / times; i++)
		add_number(&block, 1 | (function + i % 7) << 1, 1);
	end_chunk(at);
}

static void symbols_bomb(void)
{
	add_code();
	add_string("", 0);
	uint32_t function = add_string("main", 4);
	add_row(CODE, function, function, 1);
	begin_block();
	size_t at = begin_chunk("FUNC", "\x1c\0\4");
	for (uint32_t i = 0; i < 2500000; i++)
		add_number(&block, (CODE + i) | (uint64_t)function << 28, 4);
	end_chunk(at);
}

/* ------------------------------------------------------------------------------- kinds of debug information */

/* Abbreviation 1: a unit without children, and with a line table or without. */
static void add_abbreviations(bool has_lines)
{
	add(&debug_abbrev, has_lines ? "\1\x11\0\x10\x17" : "\1\x11\0", has_lines ? 5 : 3);
	add_number(&debug_abbrev, 0, 2);
}

static void add_unit(uint32_t abbreviations, bool has_lines, uint32_t lines)
{
	add_number(&debug_info, has_lines ? 12 : 8, 4);
	add_number(&debug_info, 4, 2);
	add_number(&debug_info, abbreviations, 4);
	add_number(&debug_info, 4, 1); /* bytes of an address */
	add_number(&debug_info, 1, 1);
	if (has_lines)
		add_number(&debug_info, lines, 4);
}

/* A line table of ROWS rows from the beginning of the code on, CHANGE lines apart. */
static uint32_t add_lines(uint32_t files, uint32_t count, int change)
{
	const uint32_t at = (uint32_t)debug_line.length;
	add_number(&debug_line, 0, 4);
	add_number(&debug_line, 2, 2);
	add_number(&debug_line, 0, 4);
	const uint32_t header = (uint32_t)debug_line.length;
	/* least length 1, statements, line base, line range 14, opcode base 10 */
	const uint8_t fields[] = { 1, 1, 0, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0 };
	add(&debug_line, fields, sizeof fields);
	for (uint32_t i = 0; i < files; i++)
		add(&debug_line, "a.c\0\0\0", 7);
	add_number(&debug_line, 0, 1);
	poke(&debug_line, header - 4, (uint32_t)debug_line.length - header);
	add(&debug_line, "\0\5\2\0\x10\x40\0", 7); /* the address */
	for (uint32_t i = 0; i < count; i++)
		add_number(&debug_line, 10u + 14u + (unsigned)(change ? i % 2 + 1 : 0), 1);
	add(&debug_line, "\2\1\0\1\1", 5); /* an address on, and the end */
	poke(&debug_line, at, (uint32_t)debug_line.length - at - 4);
	return at;
}

static void make_shared(uint32_t units, uint32_t files, uint32_t count)
{
	add_code();
	add_abbreviations(true);
	const uint32_t at = add_lines(files, count, 1);
	for (uint32_t i = 0; i < units; i++)
		add_unit(0, true, at);
}

static void lines_bomb(void)
{
	add_code();
	add_abbreviations(true);
	add_unit(0, true, add_lines(1, 10000000 / times, 0));
}

static void changes_bomb(void)
{
	make_shared(1, 1, 5000000 / times);
	for (uint32_t i = 0; i < 5000000 / 8 / times; i++)
		add_number(&debug_abbrev, 0, 8);
}

static void shared_bomb(void)
{
	make_shared(300000, 1, 5000000);
}

static void small_bomb(void)
{
	make_shared(600000 / times, 1, 12);
}

static void files_bomb(void)
{
	make_shared(600000 / times, 64, 1);
}

static void alike_bomb(void)
{
	add_code();
	add_abbreviations(true);
	for (uint32_t i = 0; i < 125000 / times; i++)
		add_unit(0, true, add_lines(1, 20, 1));
}

/* Abbreviations with codes of 3 bytes, a tag each, no children and no attributes. */
static void add_unused(uint32_t count)
{
	for (uint32_t i = 0x4000; i < 0x4000 + count; i++) {
		add_number(&debug_abbrev, (i & 127) | (i >> 7 & 127) << 8 | i >> 14 << 16 | 0x8080, 3);
		add(&debug_abbrev, "\x34\0\0\0", 4);
	}
}

static void make_abbreviations(uint32_t units, uint32_t count, uint32_t step)
{
	add_code();
	add_unused(count);
	add_abbreviations(false);
	for (uint32_t i = 0; i < units; i++)
		add_unit(i * step, false, 0);
}

static void abbreviations_bomb(void)
{
	make_abbreviations(250000, 1000, 0);
}

static void suffixes_bomb(void)
{
	make_abbreviations(250000 / times, 1000000 / times, 28);
}

static void coff_bomb(void)
{
	add_code();
	for (uint32_t i = 0; i < 555000 / times; i++) {
		char name[9];
		snprintf(name, sizeof name, "f%07u", (unsigned)i);
		add(&symbols, name, 8);
		add_number(&symbols, i * 16, 4);
		add_number(&symbols, 1, 2);
		add_number(&symbols, 0x20, 2);
		add_number(&symbols, 2, 2); /* external; no auxiliary record */
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*make)(void);
	} kinds[] = {
		{ "sections", sections_bomb },
		{ "gaps", gaps_bomb },
		{ "names", names_bomb },
		{ "strings", strings_bomb },
		{ "letters", letters_bomb },
		{ "long", long_bomb },
		{ "place", place_bomb },
		{ "chains", chains_bomb },
		{ "functions", functions_bomb },
		{ "symbols", symbols_bomb },
		{ "lines", lines_bomb },
		{ "changes", changes_bomb },
		{ "shared", shared_bomb },
		{ "small", small_bomb },
		{ "files", files_bomb },
		{ "alike", alike_bomb },
		{ "abbreviations", abbreviations_bomb },
		{ "suffixes", suffixes_bomb },
		{ "coff", coff_bomb },
	};
	if (argc == 3)
		times = (uint32_t)strtoul(argv[2], NULL, 10);
	for (size_t i = 0; argc >= 2 && times > 0 && i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(argv[1], kinds[i].name) == 0) {
			add_number(&strings, 0, 1); /* offset 0 is unknown */
			kinds[i].make();
			if (rows.length > 0)
				put_image();
			else
				put_debug_image();
			return 0;
		}
	fprintf(stderr, "Usage: bomb KIND [TIMES]\n");
	return 2;
}
