// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows from DWARF made by hand: every form of DWARF 5's file tables and range lists, what else a line program may do,
   and compressed sections. */
#include "config.h"
#include "tests/lib/tap.h"
#include "tests/lib/debugpe.h"
#include "tests/lib/dwarf.h"
#include "debuginfo/dwarf/dwarf-sections.h"
#include "debuginfo/read-rows.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

enum { BASE = 0x400000 };

enum { A_UNIT = 1, A_FUNCTION, A_FUNCTION_RANGES, A_SIBLINGS };

static struct debugpe m;
static struct bytes *info, *line, *line_strings, *strings, *addresses, *lists;
static struct debuginfo_options options;
static struct debuginfo di;
static size_t unit_start, table_start;

static void abbrev(struct bytes *b, unsigned code, unsigned tag, unsigned children, const unsigned *pairs)
{
	put8(b, code), put8(b, tag), put8(b, children);
	for (; *pairs; pairs += 2)
		put8(b, pairs[0]), put8(b, pairs[1]);
	put16(b, 0);
}

static void start(const char *name_of_lines)
{
	debugpe_start(&m, BASE);
	debugpe_section(&m, ".text", 0x1000, 0x1000, DEBUGPE_CODE);
	info = debugpe_content(&m, ".debug_info", 0x8000);
	struct bytes *abbrevs = debugpe_content(&m, ".debug_abbrev", 0x9000);
	line = debugpe_content(&m, name_of_lines, 0xa000);
	line_strings = debugpe_content(&m, ".debug_line_str", 0xb000);
	strings = debugpe_content(&m, ".debug_str", 0xc000);
	addresses = debugpe_content(&m, ".debug_addr", 0xd000);
	lists = debugpe_content(&m, ".debug_rnglists", 0xe000);
	put_text(line_strings, "unused"), put_text(line_strings, "line.c");
	put_text(strings, "unused too"), put_text(strings, "str.c");
	put32(addresses, 0), put16(addresses, 5), put8(addresses, 4), put8(addresses, 0);
	put32(lists, 0), put16(lists, 5), put8(lists, 4), put8(lists, 0), put32(lists, 2);
	abbrev(abbrevs, A_UNIT, TAG_UNIT, 1,
	       (const unsigned[]){ AT_STMT_LIST, FORM_SEC_OFFSET, AT_COMP_DIR, FORM_STRING, AT_LOW_PC, FORM_ADDR,
				   AT_ADDR_BASE, FORM_SEC_OFFSET, AT_RNGLISTS_BASE, FORM_SEC_OFFSET, 0 });
	abbrev(abbrevs, A_FUNCTION, TAG_SUBPROGRAM, 0,
	       (const unsigned[]){ AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4, 0 });
	abbrev(abbrevs, A_FUNCTION_RANGES, TAG_SUBPROGRAM, 0,
	       (const unsigned[]){ AT_NAME, FORM_STRING, AT_RANGES, FORM_RNGLISTX, 0 });
	abbrev(abbrevs, A_SIBLINGS, TAG_SUBPROGRAM, 0,
	       (const unsigned[]){ AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4, AT_SIBLING,
				   FORM_REF4, AT_SIBLING, FORM_REF4, 0 });
	put8(abbrevs, 0);
}

/* Lengths that only a second reader of these sections would look at. */
static void finish(void)
{
	set32(addresses, 0, (uint32_t)addresses->n - 4);
	set32(lists, 0, (uint32_t)lists->n - 4);
}

static void unit(void)
{
	unit_start = info->n;
	put32(info, 0), put16(info, 5), put8(info, 1), put8(info, 4), put32(info, 0);
	put8(info, A_UNIT);
	put32(info, (uint32_t)line->n);
	put_text(info, "/src");
	put32(info, BASE + 0x1000);
	put32(info, 8), put32(info, 12);
}

static void end_unit(void)
{
	put8(info, 0);
	set32(info, unit_start, (uint32_t)(info->n - unit_start - 4));
}

/* A unit with one function for what the line table says. */
static void unit_of(const char *name, uint32_t rva, uint32_t length)
{
	unit();
	put8(info, A_FUNCTION), put_text(info, name), put32(info, BASE + rva), put32(info, length);
	end_unit();
}

static void rows_are(const char *rows, unsigned warnings, const char *what)
{
	finish();
	if (ok(debugpe_read(&m, &options, &di) == 0, "%s: read", what)) {
		is_str(debugpe_rows(&di), rows, what);
		if (!ok(m.warning_count == warnings, "%s: %u warnings", what, warnings))
			diag("%s", m.warnings);
	}
	draft_free(&di);
}

/* ------------------------------------------------------------------------------------------------ line programs */

static void set_address(uint32_t rva)
{
	put8(line, 0), put8(line, 5), put8(line, 2), put32(line, BASE + rva);
}

static void end_sequence(void)
{
	put8(line, 0), put8(line, 1), put8(line, 1);
}

static void end_table(void)
{
	set32(line, table_start, (uint32_t)(line->n - table_start - 4));
}

/* Version 4, one file; OPERATIONS an instruction. */
static void old_table(unsigned operations, unsigned line_range)
{
	table_start = line->n;
	put32(line, 0), put16(line, 4);
	size_t header = line->n;
	put32(line, 0);
	put8(line, 4), put8(line, operations), put8(line, 1), put8(line, 0), put8(line, line_range), put8(line, 10);
	for (int i = 1; i < 10; i++)
		put8(line, (const unsigned[]){ 0, 1, 1, 1, 1, 0, 0, 0, 1 }[i - 1]);
	put8(line, 0);
	put_text(line, "a.c"), put8(line, 0), put16(line, 0);
	put8(line, 0);
	set32(line, header, (uint32_t)(line->n - header - 4));
}

static void programs(void)
{
	start(".debug_line");
	unit_of("f", 0x1000, 0x100);
	old_table(1, 4);
	set_address(0x1000), put8(line, 1);
	put8(line, 9), put16(line, 0x10), put8(line, 10 + 1); /* fixed_advance_pc, line + 1 */
	put8(line, 8), put8(line, 1);			      /* const_add_pc: 61 instructions */
	end_sequence(), end_table();
	rows_are("1000 f /src/a.c:1\n1010 f /src/a.c:2\n1100  /src/a.c:2\n1104 _rossym_end__ :0\n", 0,
		 "advances of all kinds");

	/* Two operations an instruction of four bytes: five are two and a half instructions. */
	start(".debug_line");
	unit_of("f", 0x1000, 0x20);
	old_table(2, 4);
	set_address(0x1000), put8(line, 1);
	put8(line, 2), put8(line, 5), put8(line, 10 + 1);
	put8(line, 2), put8(line, 1), put8(line, 10 + 1);
	put8(line, 2), put8(line, 10), end_sequence(), end_table();
	rows_are("1000 f /src/a.c:1\n1008 f /src/a.c:2\n100c f /src/a.c:3\n1020 _rossym_end__ :0\n", 0,
		 "several operations an instruction");

	/* Rows that go back, an odd number of them; of equal addresses the last one counts. */
	start(".debug_line");
	unit_of("f", 0x1000, 0x50);
	old_table(1, 4);
	static const uint32_t addresses_back[] = { 0x1040, 0x1000, 0x1030, 0x1000, 0x1020 };
	for (unsigned i = 0; i < 5; i++)
		set_address(addresses_back[i]), put8(line, i == 0 ? 1 : 10 + 1);
	set_address(0x1050), end_sequence(), end_table();
	rows_are("1000 f /src/a.c:4\n1020 f /src/a.c:5\n1030 f /src/a.c:3\n1040 f /src/a.c:1\n1050 _rossym_end__ :0\n",
		 0, "a sequence in disorder");

	/* Of sequences that begin at one address the longest holds, and of equal ones the last. */
	start(".debug_line");
	unit_of("f", 0x1000, 0x40);
	old_table(1, 4);
	set_address(0x1000), put8(line, 10 + 1), set_address(0x1010), end_sequence();
	set_address(0x1000), put8(line, 10 + 2), set_address(0x1020), end_sequence();
	set_address(0x1000), put8(line, 10 + 3), set_address(0x1020), end_sequence();
	end_table();
	rows_are("1000 f /src/a.c:4\n1020 f :0\n1040 _rossym_end__ :0\n", 0, "sequences that begin together");

	static const struct {
		const char *name;
		unsigned operations, range;
		uint8_t bytes[12];
		unsigned count;
	} bad[] = {
		{ "no operations", 0, 4, { 1 }, 1 },
		{ "a special opcode without a range of lines", 1, 0, { 11 }, 1 },
		{ "const_add_pc without one", 1, 0, { 8 }, 1 },
		{ "an address of ten bytes", 1, 4, { 0, 11, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, 12 },
		{ "an extended opcode without a byte", 1, 4, { 0, 0, 0 }, 3 },
		{ "an extended opcode longer than the table", 1, 4, { 0, 100, 2 }, 3 },
	};
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		start(".debug_line");
		unit_of("f", 0x1000, 0x10);
		old_table(bad[i].operations, bad[i].range);
		for (unsigned k = 0; k < bad[i].count; k++)
			put8(line, bad[i].bytes[k]);
		end_table();
		rows_are("", 1, bad[i].name);
	}
}

/* ------------------------------------------------------------------------------------------------ file tables */

static void put_path(unsigned form, const char *text)
{
	if (form == FORM_LINE_STRP)
		put32(line, 7);
	else if (form == FORM_STRP)
		put32(line, 11);
	else
		put_text(line, text);
}

static void put_number(unsigned form, uint32_t number)
{
	switch (form) {
	case FORM_DATA1:
	case FORM_UDATA:
		put8(line, number);
		break;
	case FORM_DATA2:
		put16(line, number);
		break;
	case FORM_DATA4:
		put32(line, number);
		break;
	case FORM_DATA8:
		put64(line, number);
		break;
	case FORM_DATA16:
		put64(line, 0), put64(line, 0);
		break;
	case FORM_BLOCK:
		put8(line, 3), put16(line, 0), put8(line, 0);
		break;
	default:
		put32(line, 0);
		break;
	}
}

/* One directory besides the unit's, one file in it; WIDE: DWARF of 64 bits. */
static void new_table(unsigned path, unsigned directory, unsigned extra_content, unsigned extra, bool wide)
{
	table_start = line->n;
	if (wide)
		put32(line, 0xffffffff), put64(line, 0);
	else
		put32(line, 0);
	put16(line, 5), put8(line, 4), put8(line, 0);
	size_t header = line->n;
	if (wide)
		put64(line, 0);
	else
		put32(line, 0);
	size_t behind = line->n;
	put8(line, 1), put8(line, 1), put8(line, 1), put8(line, 0), put8(line, 4), put8(line, 10);
	for (int i = 1; i < 10; i++)
		put8(line, (const unsigned[]){ 0, 1, 1, 1, 1, 0, 0, 0, 1 }[i - 1]);
	put8(line, 1), put8(line, LNCT_PATH), put8(line, FORM_STRING);
	put8(line, 2), put_text(line, "/src"), put_text(line, "sub");
	put8(line, 3), put8(line, LNCT_PATH), put8(line, path), put8(line, LNCT_DIRECTORY), put8(line, directory);
	put8(line, extra_content), put8(line, extra);
	put8(line, 2);
	for (unsigned i = 0; i < 2; i++)
		put_path(path, "file.c"), put_number(directory, 1), put_number(extra, 77);
	set32(line, header, (uint32_t)(line->n - behind));
	set_address(0x1000), put8(line, 1), set_address(0x1010), end_sequence();
	set32(line, table_start + (wide ? 4 : 0), (uint32_t)(line->n - table_start - (wide ? 12 : 4)));
}

static void forms(void)
{
	static const struct {
		const char *name;
		unsigned path, directory, content, extra;
		bool wide;
		const char *file;
	} good[] = {
		{ "string, data1, size as data2", FORM_STRING, FORM_DATA1, LNCT_SIZE, FORM_DATA2, false, "file.c" },
		{ "line_strp, udata, MD5", FORM_LINE_STRP, FORM_UDATA, LNCT_MD5, FORM_DATA16, false, "line.c" },
		{ "strp, data2, a block", FORM_STRP, FORM_DATA2, 0x20, FORM_BLOCK, false, "str.c" },
		{ "string, data4, size as data8", FORM_STRING, FORM_DATA4, LNCT_SIZE, FORM_DATA8, false, "file.c" },
		{ "string, data8, 64 bits", FORM_STRING, FORM_DATA8, LNCT_SIZE, FORM_UDATA, true, "file.c" },
	};
	char want[128];
	for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
		start(".debug_line");
		unit_of("f", 0x1000, 0x10);
		new_table(good[i].path, good[i].directory, good[i].content, good[i].extra, good[i].wide);
		snprintf(want, sizeof want, "1000 f /src/sub/%s:1\n1010 _rossym_end__ :0\n", good[i].file);
		rows_are(want, 0, good[i].name);
	}

	/* Names that are not there are unknown; the lines hold. */
	start(".debug_line");
	unit_of("f", 0x1000, 0x10);
	new_table(FORM_LINE_STRP, FORM_DATA1, LNCT_SIZE, FORM_UDATA, false);
	line_strings->n = 7;
	rows_are("1000 f :1\n1010 _rossym_end__ :0\n", 1, "a name past the end of its section");

	start(".debug_line");
	unit_of("f", 0x1000, 0x10);
	new_table(FORM_STRING, FORM_DATA1, LNCT_SIZE, 0x7f, false);
	rows_are("", 1, "a form that does not exist");

	start(".debug_line");
	unit_of("f", 0x1000, 0x10);
	new_table(FORM_STRING, FORM_DATA1, LNCT_SIZE, FORM_UDATA, false);
	line->b[table_start + 7] = 1;
	rows_are("", 1, "segments");

	start(".debug_line");
	unit_of("f", 0x1000, 0x10);
	new_table(FORM_STRING, FORM_DATA1, LNCT_SIZE, FORM_UDATA, false);
	set32(line, table_start + 8, 0x10000);
	rows_are("", 1, "a header longer than the table");

	/* The number of directories stands behind their format, 1 byte for the count of it and 2 for it. */
	start(".debug_line");
	unit_of("f", 0x1000, 0x10);
	new_table(FORM_STRING, FORM_DATA1, LNCT_SIZE, FORM_UDATA, false);
	line->b[table_start + 12 + 15 + 3] = 0x7f;
	rows_are("", 1, "more directories than bytes");
}

/* ------------------------------------------------------------------------------------------------ range lists */

static void range_unit(unsigned index)
{
	unit();
	put8(info, A_FUNCTION_RANGES), put_text(info, "f"), put8(info, index);
	end_unit();
	old_table(1, 4);
	set_address(0x1000), put8(line, 1), set_address(0x1500), end_sequence();
	end_table();
}

static void ranges(void)
{
	start(".debug_line");
	range_unit(1);
	static const uint32_t indexed[] = { 0x1000, 0x1010, 0x1020, 0x1100 };
	for (unsigned i = 0; i < 4; i++)
		put32(addresses, BASE + indexed[i]);
	put32(lists, 8), put32(lists, 9);
	put8(lists, 0);									/* list 0: empty */
	put8(lists, 2), put8(lists, 0), put8(lists, 1);					/* startx_endx */
	put8(lists, 3), put8(lists, 2), put8(lists, 0x10);				/* startx_length */
	put8(lists, 1), put8(lists, 3), put8(lists, 4), put8(lists, 0), put8(lists, 8); /* base_addressx, offset_pair */
	/* base_address */
	put8(lists, 5), put32(lists, BASE + 0x1200), put8(lists, 4), put8(lists, 4), put8(lists, 12);
	put8(lists, 6), put32(lists, BASE + 0x1300), put32(lists, BASE + 0x1310); /* start_end */
	put8(lists, 7), put32(lists, BASE + 0x1400), put8(lists, 0x10);		  /* start_length */
	/* an address that there is not */
	put8(lists, 3), put8(lists, 99), put8(lists, 0x10);
	put8(lists, 0);
	rows_are("1000 f /src/a.c:1\n1010  /src/a.c:1\n1020 f /src/a.c:1\n1030  /src/a.c:1\n1100 f /src/a.c:1\n"
		 "1108  /src/a.c:1\n1204 f /src/a.c:1\n120c  /src/a.c:1\n1300 f /src/a.c:1\n1310  /src/a.c:1\n"
		 "1400 f /src/a.c:1\n1410  /src/a.c:1\n1500 _rossym_end__ :0\n",
		 0, "a range list of every kind");

	start(".debug_line");
	range_unit(0);
	put32(lists, 8), put32(lists, 8);
	put8(lists, 0x55);
	rows_are("1000  /src/a.c:1\n1500 _rossym_end__ :0\n", 1, "an entry of an unknown kind");

	start(".debug_line");
	range_unit(0);
	put32(lists, 8), put32(lists, 8);
	put8(lists, 7), put32(lists, BASE + 0x1000), put8(lists, 0x10);
	rows_are("1000  /src/a.c:1\n1500 _rossym_end__ :0\n", 1, "a list without end");

	start(".debug_line");
	range_unit(0x7f);
	put32(lists, 8), put32(lists, 8), put8(lists, 0);
	rows_are("1000  /src/a.c:1\n1500 _rossym_end__ :0\n", 1, "a list that there is not");
}

/* ------------------------------------------------------------------------------------------------ .zdebug_* */

/* CONTENT as zlib stores it, in one block that is not compressed. */
static void put_zipped(struct bytes *content, uint32_t claimed)
{
	static struct bytes plain;
	uint32_t a = 1, b = 0;
	plain = *content;
	content->n = 0;
	for (const char *p = "ZLIB"; *p; p++)
		put8(content, (unsigned char)*p);
	put32(content, 0);
	for (int shift = 24; shift >= 0; shift -= 8)
		put8(content, claimed >> shift & 255);
	put8(content, 0x78), put8(content, 0x01), put8(content, 1);
	put16(content, (unsigned)plain.n), put16(content, (unsigned)plain.n ^ 0xffff);
	for (size_t i = 0; i < plain.n; i++) {
		put8(content, plain.b[i]);
		a = (a + plain.b[i]) % 65521;
		b = (b + a) % 65521;
	}
	for (int shift = 8; shift >= 0; shift -= 8)
		put8(content, b >> shift & 255);
	for (int shift = 8; shift >= 0; shift -= 8)
		put8(content, a >> shift & 255);
}

static void compressed(void)
{
	static const char want[] = "1000 f /src/sub/file.c:1\n1010 _rossym_end__ :0\n";
	static const struct {
		const char *name;
		int more;
		unsigned spoilt;
	} sections[] = {
		{ "a compressed section", 0, 0 },  { "one that claims more than it has", 1, 0 },
		{ "one that claims less", -1, 0 }, { "one that claims more than any has", 0x100000, 0 },
		{ "one that is spoilt", 0, 13 },   { "one that is compressed in another way", 0, 1 },
	};
	for (unsigned i = 0; i < sizeof sections / sizeof *sections; i++) {
		start(".zdebug_line");
		unit_of("f", 0x1000, 0x10);
		line->n = 0;
		new_table(FORM_STRING, FORM_DATA1, LNCT_SIZE, FORM_UDATA, false);
		put_zipped(line, (uint32_t)((int)line->n + sections[i].more));
		if (sections[i].spoilt)
			line->b[sections[i].spoilt] ^= 0x55;
#ifdef HAVE_ZLIB
		if (i == 0) {
			rows_are(want, 0, sections[i].name);
			continue;
		}
#else
		(void)want;
		if (i == 0)
			skip("compressed sections that are sound", "built without zlib");
#endif
		/* One warning of the section, one of the unit whose lines stand in it. */
		rows_are("", 2, sections[i].name);
	}
}

/* A line table, and zeros after it, which compress to a hundredth; and the limits of what is believed. */
static void much_compressed(void)
{
#ifdef HAVE_ZLIB
	static struct bytes plain;
	start(".zdebug_line");
	unit_of("f", 0x1000, 0x10);
	line->n = 0;
	new_table(FORM_STRING, FORM_DATA1, LNCT_SIZE, FORM_UDATA, false);
	while (line->n < 16000)
		put8(line, 0);
	plain = *line;
	line->n = 0;
	put_zipped(line, (uint32_t)plain.n);
	uLongf size = sizeof line->b - DW_Z_HEADER;
	ok(compress(line->b + DW_Z_HEADER, &size, plain.b, plain.n) == Z_OK && plain.n / size > 64, "a large ratio");
	line->n = DW_Z_HEADER + size;
	rows_are("1000 f /src/sub/file.c:1\n1010 _rossym_end__ :0\n", 0, "... is read");
#else
	skip("a large ratio", "built without zlib");
#endif
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

/* The same of a file with these bytes, which are not in memory. */
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
	const struct rs_source file = rs_source_in(bytes, *size);
	size_t result = rs_debuginfo_uncompressed_size(&file) - *size;
	is_uint(file_size(bytes, *size), result + *size, "... and as much in a file");
	free(bytes);
	return result;
}

static void sizes(void)
{
	enum { CLAIMED = 3000 };
	size_t size;
	start(".debug_line");
	put32(line, 1);
	is_uint(more(false, &size), 0, "a file without compressed sections has its size");
	start(".zdebug_line");
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
	const struct rs_source other = rs_source_in("Microsoft C/C++ MSF 7.00", 24), none = rs_source_in(NULL, 0);
	is_uint(rs_debuginfo_uncompressed_size(&other), 24, "a file of another kind has its size");
	is_uint(rs_debuginfo_uncompressed_size(&none), 0, "none has none");
}

/* An entry that says twice where its sibling is, perhaps wrongly: nothing depends on it. */
static void siblings(void)
{
	enum { RIGHT, BACK };
	static const unsigned cases[][2] = { { RIGHT, RIGHT }, { RIGHT, BACK }, { BACK, RIGHT } };
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		start(".debug_line");
		unit();
		put8(info, A_SIBLINGS), put_text(info, "f"), put32(info, BASE + 0x1000), put32(info, 0x10);
		for (int n = 0; n < 2; n++)
			put32(info, cases[i][n] == BACK ? 12 : (uint32_t)(info->n - unit_start) + (n ? 4 : 8));
		put8(info, A_FUNCTION), put_text(info, "g"), put32(info, BASE + 0x1010), put32(info, 0x10);
		end_unit();
		old_table(1, 4);
		set_address(0x1000), put8(line, 1);
		put8(line, 2), put8(line, 8);
		end_sequence(), end_table();
		rows_are("1000 f /src/a.c:1\n1010 g /src/a.c:1\n1020 _rossym_end__ :0\n", 0,
			 cases[i][0] == RIGHT ? "the first sibling is right" : "the first sibling is wrong");
	}
}

int main(void)
{
	programs();
	forms();
	ranges();
	compressed();
	much_compressed();
	sizes();
	siblings();
	return done_testing();
}
