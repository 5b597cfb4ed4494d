/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samplepdb.h - a small image and the PDB file that has its symbols
 *
 * The image has code at 0x1000.  Two modules have procedures in it, with lines, inlined calls (one inside another, one
 * whose name is in the other module), a thunk, public symbols, and a procedure that the linker has discarded.
 *
 *	0x1000  64 bytes	ns::outer, lines 10 to 14 of /src/one.cc; ns::inner inlined, and Box::get in that
 *	0x1040  32		plain, lines 20 and 21 of /src/one.h
 *	0x1060  6		the thunk "imported"
 *	0x1070  32		second, line 30 of /src/two.cc; ns::inner inlined, whose name is in the first module
 *	0x1090			public symbol _labelled@8, without a procedure, up to 0x10a0
 */
#ifndef SAMPLEPDB_H
#define SAMPLEPDB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct made { /* bytes that grow; all zeros = none */
	uint8_t *bytes;
	size_t size, room;
};

enum { MADE_STREAMS = 14 };

enum made_stream {
	MADE_INFO = 1,
	MADE_TPI,
	MADE_DBI,
	MADE_IPI,
	MADE_SYMBOLS,
	MADE_SECTIONS,
	MADE_NAMES,
	MADE_ONE,
	MADE_TWO,
	MADE_OMAP,
	MADE_OLD_SECTIONS,
	MADE_PUBLICS,
	MADE_LIST,
};

struct made_options {
	uint32_t block_size; /* 0 = 4096 */
	bool wide;	     /* PE32+ for x86-64 */
	/* code was moved: 0x1000 to 0x1060 by 0x100, 0x1070 to 0x10b0 by 0xf0; the rest was removed */
	bool omap;
	bool stripped; /* the flag: without private symbols */
	bool dotnet;   /* the PDB file says that the program is .NET's */
	uint32_t age;  /* of the PDB; the image has 1.  0 = 1 */
};

/* ----------------------------------------------------------------------------------------------- bytes */

static inline uint8_t *made_room(struct made *made, size_t more)
{
	if (made->room - made->size < more) {
		made->room = (made->size + more) * 2;
		made->bytes = realloc(made->bytes, made->room);
		if (!made->bytes)
			abort();
	}
	made->size += more;
	return made->bytes + made->size - more;
}

static inline void made_bytes(struct made *made, const void *bytes, size_t size)
{
	if (size)
		memcpy(made_room(made, size), bytes, size);
}

static inline void made_zeros(struct made *made, size_t count)
{
	if (count)
		memset(made_room(made, count), 0, count);
}

static inline void made_align(struct made *made, size_t unit)
{
	made_zeros(made, (unit - made->size % unit) % unit);
}

static inline void made_number(struct made *made, uint64_t value, unsigned size)
{
	uint8_t bytes[8];
	for (unsigned i = 0; i < size; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	made_bytes(made, bytes, size);
}

#define made_u8(made, value) made_number(made, value, 1)
#define made_u16(made, value) made_number(made, value, 2)
#define made_u32(made, value) made_number(made, value, 4)

static inline void made_text(struct made *made, const char *text)
{
	made_bytes(made, text, strlen(text) + 1);
}

/* Store VALUE in 2 or 4 bytes that are there already. */
static inline void made_set(struct made *made, size_t at, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		made->bytes[at + i] = (uint8_t)(value >> 8 * i);
}

/* --------------------------------------------------------------------------------------------- records */

static inline uint32_t made_get(const struct made *made, size_t at)
{
	const uint8_t *p = made->bytes + at;
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A symbol or type record begins with its length, a u16 that does not count itself, and its kind, a u16.  made_begin()
   writes both, made_end() sets the length. */
static inline size_t made_begin(struct made *made, uint32_t kind)
{
	made_u16(made, 0);
	made_u16(made, kind);
	return made->size - 4;
}

static inline void made_end(struct made *made, size_t begin)
{
	made_align(made, 4);
	made_set(made, begin, made->size - begin - 2, 2);
}

static inline void made_procedure(struct made *made, uint32_t kind, uint32_t offset, uint32_t segment, uint32_t size,
				  const char *name)
{
	size_t begin = made_begin(made, kind);
	made_zeros(made, 12);
	made_u32(made, size);
	made_zeros(made, 12);
	made_u32(made, offset);
	made_u16(made, segment);
	made_u8(made, 0);
	made_text(made, name);
	made_end(made, begin);
}

static inline void made_site(struct made *made, uint32_t inlinee, const char *annotations, size_t size)
{
	size_t begin = made_begin(made, 0x114d);
	made_zeros(made, 8);
	made_u32(made, inlinee);
	made_bytes(made, annotations, size);
	made_end(made, begin);
}

static inline void made_ending(struct made *made, uint32_t kind)
{
	made_end(made, made_begin(made, kind));
}

static inline void made_public(struct made *made, uint32_t flags, uint32_t offset, const char *name)
{
	size_t begin = made_begin(made, 0x110e);
	made_u32(made, flags);
	made_u32(made, offset);
	made_u16(made, 1);
	made_text(made, name);
	made_end(made, begin);
}

/* C13 subsections: u32 kind, u32 size. */
static inline size_t made_part(struct made *made, uint32_t kind)
{
	made_u32(made, kind);
	made_u32(made, 0);
	return made->size;
}

static inline void made_part_end(struct made *made, size_t begin)
{
	made_set(made, begin - 4, made->size - begin, 4);
	made_align(made, 4);
}

/* Lines of one file: pairs of an offset in the range and a line. */
static inline void made_lines(struct made *made, uint32_t offset, uint32_t size, uint32_t file,
			      const uint32_t (*lines)[2], uint32_t count)
{
	size_t begin = made_part(made, 0xf2);
	made_u32(made, offset);
	made_u16(made, 1);
	made_u16(made, 0);
	made_u32(made, size);
	made_u32(made, file);
	made_u32(made, count);
	made_u32(made, 12 + 8 * count);
	for (uint32_t i = 0; i < count; i++) {
		made_u32(made, lines[i][0]);
		made_u32(made, lines[i][1] | 0x80000000u);
	}
	made_part_end(made, begin);
}

/* --------------------------------------------------------------------------------------------- streams */

static inline void made_info(struct made *made, uint32_t age)
{
	made_u32(made, 20000404);
	made_u32(made, 0x12345678);
	made_u32(made, age);
	made_bytes(made, "rossym-test-guid", 16);
	made_u32(made, 7);
	made_text(made, "/names");
	made_u32(made, 1); /* one pair, room for one */
	made_u32(made, 1);
	made_u32(made, 1);
	made_u32(made, 1);
	made_u32(made, 0);
	made_u32(made, 0);
	made_u32(made, MADE_NAMES);
	made_u32(made, 20140508);
}

static inline size_t made_types(struct made *made, uint32_t last)
{
	made_u32(made, 20040203);
	made_u32(made, 56);
	made_u32(made, 0x1000);
	made_u32(made, last);
	made_u32(made, 0);
	made_zeros(made, 36);
	made_set(made, 20, 0xffff, 2);
	made_set(made, 22, 0xffff, 2);
	made_set(made, 24, 4, 4); /* bytes of a hash */
	made_set(made, 28, 0x1000, 4);
	return made->size;
}

static inline void made_tpi(struct made *made)
{
	size_t begin = made_types(made, 0x1001), record = made_begin(made, 0x1505);
	made_u16(made, 0);
	made_u16(made, 0x200);
	made_zeros(made, 12);
	made_u16(made, 4); /* its size, a number without a kind */
	made_text(made, "Box");
	made_text(made, ".?AUBox@@");
	made_end(made, record);
	made_set(made, 16, made->size - begin, 4);
}

/* With a list of where some records begin, which becomes *LIST. */
static inline void made_ipi(struct made *made, struct made *list)
{
	size_t begin = made_types(made, 0x1003), record = made_begin(made, 0x1605);
	made_u32(made, 0);
	made_text(made, "ns");
	made_end(made, record);
	record = made_begin(made, 0x1601);
	made_u32(made, 0x1000);
	made_u32(made, 0x74);
	made_text(made, "inner");
	made_end(made, record);
	made_u32(list, 0x1000);
	made_u32(list, 0);
	made_u32(list, 0x1002);
	made_u32(list, (uint32_t)(made->size - begin));
	made_set(made, 20, MADE_LIST, 2);
	made_set(made, 44, list->size, 4);
	record = made_begin(made, 0x1602);
	made_u32(made, 0x1000);
	made_u32(made, 0x74);
	made_text(made, "get");
	made_end(made, record);
	made_set(made, 16, made->size - begin, 4);
}

/* "/names": where each path is, is returned by made_path(). */
static const char made_paths[] = "\0/src/one.cc\0/src/one.h\0/src/two.cc\0/obj/one.obj";

static inline uint32_t made_path(const char *path)
{
	size_t at = 1;
	while (strcmp(made_paths + at, path) != 0)
		at += strlen(made_paths + at) + 1;
	return (uint32_t)at;
}

static inline void made_names(struct made *made)
{
	made_u32(made, 0xeffeeffe);
	made_u32(made, 1);
	made_u32(made, (sizeof made_paths + 3) / 4 * 4);
	made_bytes(made, made_paths, sizeof made_paths);
	made_align(made, 4);
	made_u32(made, 4);
	made_u32(made, made_path("/src/one.cc"));
	made_u32(made, made_path("/src/one.h"));
	made_u32(made, made_path("/src/two.cc"));
	made_u32(made, made_path("/obj/one.obj"));
	made_u32(made, 4);
}

/* F4 with one file of each kind of checksum, or without one: MD5 has 16 bytes. */
static inline void made_checksum(struct made *made, const char *path, uint32_t kind)
{
	made_u32(made, made_path(path));
	made_u8(made, kind ? 16 : 0);
	made_u8(made, kind);
	made_zeros(made, kind ? 16 : 0);
	made_align(made, 4);
}

static inline void made_inlinee(struct made *made, uint32_t id, uint32_t file, uint32_t line)
{
	made_u32(made, id);
	made_u32(made, file);
	made_u32(made, line);
}

struct made_sizes {
	uint32_t symbols, c13;
};

static inline struct made_sizes made_one(struct made *made)
{
	static const uint32_t outer[][2] = { { 0, 10 }, { 4, 11 }, { 40, 13 }, { 40, 14 } },
			      plain[][2] = { { 0, 20 }, { 16, 21 } };
	/* Offset 8, line + 1, 24 bytes; inside: offset 12, 4 bytes; then offset + 4, line + 2, 4 bytes, as Microsoft's
	   compiler does. */
	static const char inner[] = "\x06\x02\x03\x08\x04\x18", get[] = "\x03\x0c\x04\x04\x0b\x44\x0c\x04\x04";
	struct made_sizes sizes;
	made_u32(made, 4);
	made_procedure(made, 0x1110, 0, 1, 64, "ns::outer");
	made_site(made, 0x1001, inner, sizeof inner);
	made_site(made, 0x1002, get, sizeof get);
	made_ending(made, 0x114e);
	made_ending(made, 0x114e);
	made_ending(made, 6);
	made_procedure(made, 0x110f, 64, 1, 32, "plain");
	made_ending(made, 6);
	made_procedure(made, 0x110f, 0, 0, 32, "discarded");
	made_ending(made, 6);
	sizes.symbols = (uint32_t)made->size;
	size_t begin = made_part(made, 0xf4);
	made_checksum(made, "/src/one.cc", 1);
	made_checksum(made, "/src/one.h", 0);
	made_part_end(made, begin);
	made_lines(made, 0, 64, 0, outer, 4);
	made_lines(made, 64, 32, 24, plain, 2);
	begin = made_part(made, 0xf6);
	made_u32(made, 0);
	made_inlinee(made, 0x1001, 0, 100);
	made_inlinee(made, 0x1002, 24, 200);
	made_part_end(made, begin);
	begin = made_part(made, 0xf8);
	made_u32(made, 0x80000007u);
	made_u32(made, 0x1001);
	made_part_end(made, begin);
	sizes.c13 = (uint32_t)made->size - sizes.symbols;
	made_u32(made, 0);
	return sizes;
}

static inline struct made_sizes made_two(struct made *made)
{
	static const uint32_t lines[][2] = { { 0, 30 } };
	static const char annotations[] = "\x03\x04\x04\x08";
	struct made_sizes sizes;
	made_u32(made, 4);
	size_t begin = made_begin(made, 0x1102);
	made_zeros(made, 12);
	made_u32(made, 0x60);
	made_u16(made, 1);
	made_u16(made, 6);
	made_u8(made, 0);
	made_text(made, "imported");
	made_end(made, begin);
	made_ending(made, 6);
	made_procedure(made, 0x1110, 0x70, 1, 32, "second");
	made_site(made, 0x80000000u, annotations, sizeof annotations);
	made_ending(made, 0x114e);
	made_ending(made, 6);
	sizes.symbols = (uint32_t)made->size;
	made_lines(made, 0x70, 32, 0, lines, 1);
	begin = made_part(made, 0xf6);
	made_u32(made, 1);
	made_inlinee(made, 0x80000000u, 0, 300);
	made_u32(made, 1);
	made_u32(made, 0);
	made_part_end(made, begin);
	begin = made_part(made, 0xf7);
	made_u32(made, made_path("/obj/one.obj"));
	made_u32(made, 1);
	made_u32(made, 0x80000007u);
	made_part_end(made, begin);
	begin = made_part(made, 0xf4);
	made_checksum(made, "/src/two.cc", 1);
	made_part_end(made, begin);
	sizes.c13 = (uint32_t)made->size - sizes.symbols;
	made_u32(made, 0);
	return sizes;
}

static inline void made_symbols(struct made *made)
{
	made_public(made, 2, 0, "?outer@ns@@YAXXZ");
	made_public(made, 2, 0x40, "_plain");
	made_public(made, 2, 0x70, "_second");
	made_public(made, 2, 0x90, "_labelled@8");
}

static inline void made_sections(struct made *made, uint32_t text_rva)
{
	static const char *const names[] = { ".text\0\0", ".rdata\0" };
	for (uint32_t i = 0; i < 2; i++) {
		made_bytes(made, names[i], 8);
		made_u32(made, 0x1000);
		made_u32(made, i == 0 ? text_rva : 0x2000);
		made_u32(made, 0x200);
		made_u32(made, 0x400 + 0x200 * i);
		made_zeros(made, 12);
		made_u32(made, i == 0 ? 0x60000020 : 0x40000040);
	}
}

static inline void made_contribution(struct made *made, uint32_t offset, uint32_t size, uint32_t module)
{
	made_u16(made, 1);
	made_u16(made, 0);
	made_u32(made, offset);
	made_u32(made, size);
	made_u32(made, 0x60000020);
	made_u16(made, module);
	made_u16(made, 0);
	made_zeros(made, 8);
}

static inline void made_module(struct made *made, uint32_t offset, uint32_t size, uint32_t number, uint32_t stream,
			       struct made_sizes sizes, const char *name)
{
	made_u32(made, 0);
	made_contribution(made, offset, size, number);
	made_u16(made, 0);
	made_u16(made, stream);
	made_u32(made, sizes.symbols);
	made_u32(made, 0);
	made_u32(made, sizes.c13);
	made_zeros(made, 16);
	made_text(made, name);
	made_text(made, name);
	made_align(made, 4);
}

static inline void made_dbi(struct made *made, const struct made_options *options, struct made_sizes one,
			    struct made_sizes two)
{
	static const struct made_sizes nothing;
	size_t at;
	made_u32(made, UINT32_MAX);
	made_u32(made, 19990903);
	made_u32(made, options->age ? options->age : 1);
	made_u16(made, 0xffff);
	made_u16(made, 0x8e1d);
	made_u16(made, MADE_PUBLICS);
	made_u16(made, 0);
	made_u16(made, MADE_SYMBOLS);
	made_u16(made, 0);
	made_zeros(made, 32);
	made_u16(made, options->stripped ? 2 : 0);
	made_u16(made, options->dotnet ? 0xc0ee : options->wide ? 0x8664 : 0x14c);
	made_u32(made, 0);
	at = made->size;
	made_module(made, 0, 0x60, 0, MADE_ONE, one, "/OBJ/one.obj");
	made_module(made, 0x60, 0x40, 1, MADE_TWO, two, "/obj/two.obj");
	made_module(made, 0, 0, 2, 0xffff, nothing, "* Linker *");
	made_set(made, 24, made->size - at, 4);
	at = made->size;
	made_u32(made, 0xf12eba2d);
	made_contribution(made, 0, 0x60, 0);
	made_contribution(made, 0x60, 6, 1);
	made_contribution(made, 0x70, 0x20, 1);
	made_contribution(made, 0x90, 0x10, 1);
	made_set(made, 28, made->size - at, 4);
	at = made->size; /* the source files of each module: none are listed */
	made_u16(made, 3);
	made_zeros(made, 2 + 4 * 3);
	made_set(made, 36, made->size - at, 4);
	at = made->size;
	for (int i = 0; i < 11; i++)
		made_u16(made, i == 5			  ? MADE_SECTIONS
			       : options->omap && i == 3  ? MADE_OMAP
			       : options->omap && i == 10 ? MADE_OLD_SECTIONS
							  : 0xffff);
	made_set(made, 48, made->size - at, 4);
}

/* The address map of the publics in RECORDS, which all are in one segment, after a header and a hash table that has
   only a header. */
static inline void made_publics(struct made *made, const struct made *records)
{
	enum { BEFORE = 28 + 16 };
	made_zeros(made, BEFORE);
	for (uint32_t at = 0, size; at < records->size; at += 2 + size) {
		const uint8_t *record = records->bytes + at;
		size = record[0] | (uint32_t)record[1] << 8;
		if (record[2] != 0x0e || record[3] != 0x11)
			continue;
		size_t i = made->size;
		made_u32(made, at);
		for (; i > BEFORE && memcmp(records->bytes + made_get(made, i - 4) + 8, record + 8, 2) > 0; i -= 4)
			made_set(made, i, made_get(made, i - 4), 4);
		made_set(made, i, at, 4);
	}
	made_set(made, 0, 16, 4);
	made_set(made, 4, made->size - BEFORE, 4);
	made_set(made, 28, UINT32_MAX, 4);
	made_set(made, 32, 0xeffe0000 + 19990810, 4);
	made_set(made, 36, (made->size - BEFORE) / 4 * 8, 4);
}

static inline void made_omap(struct made *made)
{
	static const uint32_t pairs[][2] = { { 0x1000, 0 }, { 0x1100, 0x1000 }, { 0x1160, 0x1070 }, { 0x11a0, 0 } };
	for (int i = 0; i < 4; i++) {
		made_u32(made, pairs[i][0]);
		made_u32(made, pairs[i][1]);
	}
}

/* Make all streams; the caller frees them. */
static inline void made_streams(const struct made_options *options, struct made streams[MADE_STREAMS])
{
	memset(streams, 0, MADE_STREAMS * sizeof *streams);
	made_info(&streams[MADE_INFO], options->age ? options->age : 1);
	made_tpi(&streams[MADE_TPI]);
	made_ipi(&streams[MADE_IPI], &streams[MADE_LIST]);
	made_symbols(&streams[MADE_SYMBOLS]);
	made_publics(&streams[MADE_PUBLICS], &streams[MADE_SYMBOLS]);
	made_sections(&streams[MADE_SECTIONS], 0x1000);
	made_sections(&streams[MADE_OLD_SECTIONS], 0x1000);
	made_names(&streams[MADE_NAMES]);
	made_omap(&streams[MADE_OMAP]);
	struct made_sizes one = made_one(&streams[MADE_ONE]), two = made_two(&streams[MADE_TWO]);
	made_dbi(&streams[MADE_DBI], options, one, two);
}

/* --------------------------------------------------------------------------------------------- the file */

/* Put COUNT streams into a container; the caller frees it. */
static inline void made_container(const struct made *streams, uint32_t count, uint32_t block_size, struct made *pdb)
{
	struct made directory = { .size = 0 }, blocks = { .size = 0 };
	uint32_t next = 3;
	made_u32(&directory, count);
	for (uint32_t i = 0; i < count; i++)
		made_u32(&directory, streams[i].size);
	made_zeros(pdb, (size_t)block_size * 3);
	for (uint32_t i = 0; i < count; i++) {
		for (size_t at = 0; at < streams[i].size; at += block_size)
			made_u32(&directory, next++);
		made_bytes(pdb, streams[i].bytes, streams[i].size);
		made_align(pdb, block_size);
	}
	for (size_t at = 0; at < directory.size; at += block_size)
		made_u32(&blocks, next++);
	made_bytes(pdb, directory.bytes, directory.size);
	made_align(pdb, block_size);
	made_bytes(pdb, blocks.bytes, blocks.size);
	made_align(pdb, block_size);
	memcpy(pdb->bytes,
	       "Microsoft C/C++ MSF 7.00\r\n\x1a"
	       "DS\0\0",
	       32);
	made_set(pdb, 32, block_size, 4);
	made_set(pdb, 36, 1, 4);
	made_set(pdb, 40, pdb->size / block_size, 4);
	made_set(pdb, 44, directory.size, 4);
	made_set(pdb, 52, next, 4);
	free(directory.bytes);
	free(blocks.bytes);
}

static inline void made_pdb(const struct made_options *options, struct made *pdb)
{
	struct made streams[MADE_STREAMS];
	made_streams(options, streams);
	made_container(streams, MADE_STREAMS, options->block_size ? options->block_size : 4096, pdb);
	for (int i = 0; i < MADE_STREAMS; i++)
		free(streams[i].bytes);
}

/* --------------------------------------------------------------------------------------------- the image */

static inline void made_image(const struct made_options *options, struct made *image)
{
	const size_t pe = 64, opt = pe + 24, sections = opt + 240, record = 0x600 + 28;
	const size_t directories = opt + (options->wide ? 112 : 96);
	struct made headers = { .size = 0 };
	made_zeros(image, 0x800);
	memcpy(image->bytes, "MZ", 2);
	made_set(image, 60, pe, 4);
	memcpy(image->bytes + pe, "PE\0\0", 4);
	made_set(image, pe + 4, options->wide ? 0x8664 : 0x14c, 2);
	made_set(image, pe + 6, 2, 2);
	made_set(image, pe + 20, 240, 2);
	made_set(image, pe + 22, 0x102, 2);
	made_set(image, opt, options->wide ? 0x20b : 0x10b, 2);
	made_set(image, opt + (options->wide ? 24 : 28), 0x400000, 4);
	made_set(image, opt + 32, 0x1000, 4);
	made_set(image, opt + 36, 0x200, 4);
	made_set(image, opt + 56, 0x3000, 4);
	made_set(image, opt + 60, 0x400, 4);
	made_set(image, directories - 4, 16, 4);
	made_set(image, directories + 8 * 6, 0x2000, 4);
	made_set(image, directories + 8 * 6 + 4, 28, 4);
	made_sections(&headers, 0x1000);
	memcpy(image->bytes + sections, headers.bytes, headers.size);
	free(headers.bytes);
	memset(image->bytes + 0x400, 0x90, 0x200);
	made_set(image, 0x600 + 12, 2, 4);
	made_set(image, 0x600 + 16, 24 + 7, 4);
	made_set(image, 0x600 + 20, 0x2000 + 28, 4);
	made_set(image, 0x600 + 24, record, 4);
	memcpy(image->bytes + record, "RSDSrossym-test-guid\1\0\0\0x.pdb", 24 + 6);
}

#endif
