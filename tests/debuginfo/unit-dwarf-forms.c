// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows from DWARF made by hand: cases of forms, and compressed sections. */
#include "config.h"
#include "debuginfo/dwarf/dwarf-sections.h"
#include "tests/lib/debugcases.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

/* CONTENT as zlib stores it, in one block that is not compressed. */
static void put_zipped(struct bytes *content, uint32_t claimed)
{
	static struct bytes plain;
	plain = *content;
	content->n = 0;
	put_items(content, 4, "'ZLIB' l0 %x %x %x %x", claimed >> 24, claimed >> 16 & 255, claimed >> 8 & 255,
		  claimed & 255);
	put_stored(content, &plain);
}

/* The section .debug_line of the image, under the name of a compressed one. */
static struct bytes *rename_lines(struct debugcases *d)
{
	unsigned i = 0;
	while (strcmp(d->m.sections[i].name, ".debug_line") != 0)
		i++;
	strcpy(d->m.sections[i].name, ".zdebug_line");
	return &d->m.sections[i].content;
}

static void compressed(struct debugcases *d, const char *name)
{
	static const char rows[] = "1000 f /src/sub/file.c:1\n1010 _rossym_end__ :0";
	int more = 0;
	unsigned spoilt = 0;
	sscanf(d->cases.input, "%d %u", &more, &spoilt);
	const bool sound = more == 0 && spoilt == 0;
	debugcases_make(d, d->image);
	struct bytes *line = rename_lines(d);
	put_zipped(line, (uint32_t)((int)line->n + more));
	if (spoilt)
		line->b[spoilt] ^= 0x55;
#ifdef HAVE_ZLIB
	if (sound) {
		debugcases_answer(d, rows, 0, name);
		return;
	}
#else
	(void)rows;
	if (sound)
		skip("compressed sections that are sound", "built without zlib");
#endif
	/* One warning of the section, one of the unit whose lines are in it. */
	debugcases_answer(d, "", 2, name);
}

static void much_compressed(struct debugcases *d, const char *name)
{
#ifdef HAVE_ZLIB
	static struct bytes plain;
	debugcases_make(d, d->image);
	struct bytes *line = rename_lines(d);
	plain = *line;
	line->n = 0;
	put_zipped(line, (uint32_t)plain.n);
	uLongf size = sizeof line->b - DW_Z_HEADER;
	ok(compress(line->b + DW_Z_HEADER, &size, plain.b, plain.n) == Z_OK && plain.n / size > 64, "%s", name);
	line->n = DW_Z_HEADER + size;
	debugcases_answer(d, "1000 f /src/sub/file.c:1\n1010 _rossym_end__ :0", 0, "... is read");
#else
	(void)d;
	skip(name, "built without zlib");
#endif
}

static void limits(void)
{
	enum { MIB = 1 << 20, LARGE = 1 << 14 };
	is_uint(rs_dw_credible_size(1032 * 100, 100, 1), 1032 * 100, "as much as zlib's format can have");
	is_uint(rs_dw_credible_size(1032 * 100 + 1, 100, 1), 0, "more");
	is_uint(rs_dw_credible_size(1032 * 100 + 1, 100, 2), 1032 * 100 + 1, "which zstd's format can have");
	is_uint(rs_dw_credible_size(8 * MIB + 64 * LARGE, LARGE, 1), 8 * MIB + 64 * LARGE,
		"as much as a section may have");
	is_uint(rs_dw_credible_size(8 * MIB + 64 * LARGE + 1, LARGE, 1), 0, "more than that");
	is_uint(rs_dw_credible_total(UINT64_C(1) << 40, MIB), (64 + 9 * 8) * (uint64_t)MIB, "a file of a megabyte");
	is_uint(rs_dw_credible_total(5 * MIB, MIB), 5 * MIB, "one that claims less");
}

static struct debugpe m;

/* An image with eight sections, of which NAME is the fourth. */
static struct bytes *start(const char *name)
{
	static const char *const others[] = { ".debug_str", ".debug_addr", ".debug_ranges", ".debug_loc" };
	debugpe_start(&m, 0x400000);
	debugpe_section(&m, ".text", 0x1000, 0x1000, DEBUGPE_CODE);
	put32(debugpe_content(&m, ".debug_info", 0x8000), 0);
	put32(debugpe_content(&m, ".debug_abbrev", 0x9000), 0);
	struct bytes *content = debugpe_content(&m, name, 0xa000);
	for (uint32_t i = 0; i < 4; i++)
		put32(debugpe_content(&m, others[i], 0xb000 + 0x1000 * i), 0);
	return content;
}

/* How many bytes a file with these bytes can have when it is uncompressed; it is not in memory. */
static size_t file_size(const uint8_t *bytes, size_t size)
{
	FILE *stream = tmpfile();
	if (!stream || fwrite(bytes, 1, size, stream) != size || fflush(stream) != 0)
		return SIZE_MAX;
	const struct rs_source file = { .size = size, .fd = fileno(stream) };
	size_t result = rs_debuginfo_uncompressed_size(&file);
	fclose(stream);
	return result;
}

/* How many bytes the file that is in `m` can have more when it is uncompressed.  Its section headers after the one of
   the lines become copies of that, if OVERLAP.  Stores the size of the file in *SIZE. */
static size_t more(bool overlap, size_t *size)
{
	enum { HEADERS = 64 + 24 + 96, HEADER = 40, LINES = 3 };
	uint8_t *bytes = debugpe_build(&m, size);
	if (!bytes)
		return SIZE_MAX;
	for (unsigned i = LINES + 1; overlap && i < m.section_count; i++)
		memcpy(bytes + HEADERS + i * HEADER, bytes + HEADERS + LINES * HEADER, HEADER);
	const struct rs_source file = rs_source_from_memory(bytes, *size);
	size_t result = rs_debuginfo_uncompressed_size(&file) - *size;
	is_uint(file_size(bytes, *size), result + *size, "... and as much in a file");
	free(bytes);
	return result;
}

static void sizes(void)
{
	enum { CLAIMED = 3000 };
	size_t size;
	struct bytes *line = start(".debug_line");
	put32(line, 1);
	is_uint(more(false, &size), 0, "a file without compressed sections has its size");
	line = start(".zdebug_line");
	while (line->n < 500)
		put32(line, 1);
	put_zipped(line, CLAIMED);
	is_uint(more(false, &size), CLAIMED, "one with a compressed section has that uncompressed besides");
	size_t overlapping = more(true, &size);
	/* There are five such sections now, which have more bytes together than the file. */
	ok(5 * line->n > size && overlapping == size / line->n * CLAIMED, "no bytes are counted twice");
	line->n = 0;
	put_text(line, "text");
	put_zipped(line, 1 << 20);
	is_uint(more(false, &size), 0, "nor what cannot be true");
	const struct rs_source other = rs_source_from_memory("Microsoft C/C++ MSF 7.00", 24),
			       none = rs_source_from_memory(NULL, 0);
	is_uint(rs_debuginfo_uncompressed_size(&other), 24, "a file of another kind has its size");
	is_uint(rs_debuginfo_uncompressed_size(&none), 0, "none has none");
}

int main(void)
{
	static const struct debugcases_kind more_checks[] = { { "zipped", compressed },
							      { "much_zipped", much_compressed },
							      { NULL, NULL } };
	limits();
	sizes();
	return debugcases_run("tests/debuginfo/unit-dwarf-forms.cases", "forms", more_checks);
}
