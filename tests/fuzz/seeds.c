// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * seeds - takes the debug sections out of images, in the form of sections.h, and tables to pieces, in that of block.h
 *
 *	seeds LETTERS IMAGE FILE	the sections with these letters; nothing is written if there are none of them
 *	seeds --block OPTIONS TABLE FILE	the parts of a bare table; OPTIONS is a number
 *	seeds --pdb OPTIONS PDB FILE		the streams of a PDB file, in the form of pdb.h
 *	seeds --damage OPTIONS TABLE FILE	these, and in FILE-1, FILE-2 ... the same with a number of the block changed
 */
#include "config.h"
#include "block.h"
#include "fuzz.h"
#include "parts.h"
#include "pdb.h"
#include "sections.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "lib/base/msf.h"
#include "lib/base/pe-memory.h"

#include <stdbool.h>

static struct rs_source source = RS_SOURCE_INIT;
static struct rs_pe pe;
static uint8_t bytes[1 << 20];

/* The part's bytes, or false. */
static bool find(const struct sections_kind *kind, uint64_t *at, uint64_t *size)
{
	struct rossym_error err;
	uint64_t symbols = (uint64_t)pe.symbol_count * 18, strings = pe.symbol_offset + symbols;
	if (!kind->name) {
		*at = kind->letter == 'c' ? pe.symbol_offset : strings + 4;
		*size = kind->letter == 'c' ? symbols : source.size - strings - 4;
		return pe.symbol_offset && strings + 4 <= source.size;
	}
	for (uint32_t i = 0; i < pe.section_count; i++) {
		const struct rs_section *section = &pe.sections[i];
		const char *name = rs_pe_section_name(&pe, section, &source, &err);
		if (!name || strcmp(name, kind->name) != 0)
			continue;
		*at = section->raw_offset;
		*size = section->raw_size;
		return rs_in_range(*at, *size, source.size);
	}
	return false;
}

static FILE *open_seed(const char *path)
{
	FILE *out = fopen(path, "wb");
	if (!out) {
		perror(path);
		exit(1);
	}
	return out;
}

static void put_part(FILE *out, char letter, const uint8_t *p, size_t size)
{
	fputs(PARTS_MARK, out);
	fputc(letter, out);
	fwrite(p, 1, size, out);
}

static size_t first_chunk(void)
{
	uint32_t strings_end = rs_le32(bytes + RS_HEADER_STRINGS_OFFSET) + rs_le32(bytes + RS_HEADER_STRINGS_LENGTH);
	return ((size_t)strings_end + 3) / 4 * 4 + RS_BLOCK_CHUNKS;
}

static void put_table(FILE *out, int options)
{
	static const struct {
		uint32_t tag;
		int part;
	} kinds[] = {
		{ RS_TAG_STRINGS, BLOCK_OWN }, { RS_TAG_OUTER, BLOCK_OUTER },	      { RS_TAG_INNER, BLOCK_INNER },
		{ RS_TAG_MAP, BLOCK_RUNS },    { RS_TAG_FUNCTIONS, BLOCK_FUNCTIONS }, { RS_TAG_LONG, BLOCK_LONGS },
		{ RS_TAG_NAMES, BLOCK_NAMES },
	};
	const char *letters = BLOCK_LETTERS;
	uint32_t rows_size = rs_le32(bytes + RS_HEADER_SYMBOLS_LENGTH),
		 strings = rs_le32(bytes + RS_HEADER_STRINGS_OFFSET);
	uint32_t strings_size = rs_le32(bytes + RS_HEADER_STRINGS_LENGTH);
	fputc(options, out);
	put_part(out, letters[BLOCK_ROWS], bytes + RS_HEADER_SIZE, rows_size);
	put_part(out, letters[BLOCK_STRINGS], bytes + strings, strings_size);
	for (size_t at = first_chunk(); at + RS_CHUNK_HEADER <= source.size;) {
		uint32_t tag = rs_le32(bytes + at), size = rs_le32(bytes + at + 4);
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
			if (kinds[i].tag == tag)
				put_part(out, letters[kinds[i].part], bytes + at + RS_CHUNK_HEADER, size);
		at += RS_CHUNK_HEADER + (size + 3) / 4 * 4;
	}
}

/* CHANGE: one change, or NULL. */
static int write_table(int options, const char *path, const uint8_t change[4])
{
	FILE *out = open_seed(path);
	put_table(out, options);
	if (change)
		put_part(out, BLOCK_LETTERS[BLOCK_DAMAGE], change, 4);
	return fclose(out) != 0;
}

/* The first numbers of each chunk, one at a time: in each of the ways of block.c. */
static int write_damaged(int options, const char *path)
{
	static const uint8_t changes[][2] = {
		{ 0, 127 }, { 0, 129 }, { 1, 0 }, { 1, 2 }, { 2, 1 }, { 3, 0 }, { 4, 0 }, { 5, 0 }, { 6, 0 }, { 7, 0 },
	};
	enum { NUMBERS = 8, CHANGES = sizeof changes / sizeof *changes };
	unsigned count = 0;
	char name[1024];
	for (size_t chunk = first_chunk(), begin; chunk + RS_CHUNK_HEADER <= source.size;) {
		begin = chunk + RS_CHUNK_HEADER;
		chunk = begin + (rs_le32(bytes + chunk + 4) + 3) / 4 * 4;
		for (size_t at = begin; at < chunk && at < begin + 4 * NUMBERS; at += 4)
			for (int i = 0; i < CHANGES; i++) {
				size_t word = (at - first_chunk() + RS_BLOCK_CHUNKS) / 4;
				uint8_t change[4] = { (uint8_t)word, (uint8_t)(word >> 8), changes[i][0],
						      changes[i][1] };
				snprintf(name, sizeof name, "%s-%u", path, ++count);
				if (write_table(options, name, change) != 0)
					return 1;
			}
	}
	return 0;
}

static int take_table(int options, const char *path, bool damage)
{
	struct rossym_image *image;
	/* Only of what can be trusted. */
	if (rossym_open_memory(bytes, source.size, NULL, &image, NULL) < 0 || rossym_read_block(image, NULL, NULL) < 0)
		return 1;
	rossym_close(image);
	return write_table(options, path, NULL) || (damage && write_damaged(options, path));
}

static int take_streams(int options, const char *path)
{
	struct msf msf;
	const struct rossym_reader file = { bytes, source.size, NULL, NULL };
	if (rs_msf_open(&msf, &file, NULL) < 0)
		return 1;
	FILE *out = open_seed(path);
	fputc(options, out);
	for (uint32_t i = 0; i < PDB_STREAMS; i++) {
		struct msf_stream stream;
		if (rs_msf_copy_stream(&msf, i, &stream, NULL) == 0 && stream.size)
			put_part(out, PDB_LETTERS[i], stream.bytes, stream.size);
		rs_msf_stream_free(&stream);
	}
	rs_msf_close(&msf);
	return fclose(out) != 0;
}

static int take_sections(const char *letters, const char *path)
{
	struct rossym_error err;
	if (rs_pe_read(&pe, &source, &err) < 0)
		return 0; /* some unit tests make images that are none */
	FILE *out = NULL;
	for (int i = 0; i < SECTIONS_KINDS; i++) {
		uint64_t at, size;
		if (!strchr(letters, sections_kinds[i].letter) || !find(&sections_kinds[i], &at, &size) || size == 0)
			continue;
		if (!out) {
			out = open_seed(path);
			fputc(pe.wide ? SECTIONS_WIDE : 0, out);
		}
		put_part(out, sections_kinds[i].letter, bytes + at, (size_t)size);
	}
	rs_pe_clear(&pe);
	return out && fclose(out) != 0;
}

int main(int argc, char **argv)
{
	bool damage = argc == 5 && strcmp(argv[1], "--damage") == 0,
	     block = damage || (argc == 5 && strcmp(argv[1], "--block") == 0);
	bool pdb = argc == 5 && strcmp(argv[1], "--pdb") == 0;
	FILE *in = block || pdb || argc == 4 ? fopen(argv[argc - 2], "rb") : NULL;
	if (!in) {
		fputs("Usage: seeds LETTERS IMAGE FILE\n       seeds --block|--damage OPTIONS TABLE FILE\n       seeds "
		      "--pdb OPTIONS PDB FILE\n",
		      stderr);
		return 2;
	}
	source.memory = bytes;
	source.size = fread(bytes, 1, sizeof bytes, in);
	fclose(in);
	if (pdb)
		return take_streams(atoi(argv[2]), argv[4]);
	return block ? take_table(atoi(argv[2]), argv[4], damage) : take_sections(argv[1], argv[3]);
}
