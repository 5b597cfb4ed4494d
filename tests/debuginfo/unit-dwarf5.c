// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows from DWARF 5 made by hand: every kind of range, line tables whose entries come in any form, indexes
   into tables. */
#include "config.h"
#include "tests/lib/tap.h"
#include "tests/lib/debugpe.h"
#include "tests/lib/dwarf.h"

enum { BASE = 0x400000, LINE_NAMES = 0xf000 };

enum { END_OF_LIST, BASE_ADDRESSX, STARTX_ENDX, STARTX_LENGTH, OFFSET_PAIR, BASE_ADDRESS, START_END, START_LENGTH };

static struct debugpe m;
static struct bytes *info, *line, *names, *line_names, *lists;
static uint32_t line_names_bias;
static unsigned thumb; /* bit 0 of addresses */
static struct debuginfo_options options;
static struct debuginfo di;

/* Their lengths, when they are known. */
static void end(struct bytes *b, size_t length_at)
{
	set32(b, length_at, (uint32_t)(b->n - length_at - 4));
}

static uint32_t string(struct bytes *b, const char *text)
{
	uint32_t at = (uint32_t)b->n;
	put_text(b, text);
	return at;
}

/* ------------------------------------------------------------------------------------------------ the sections */

enum { A_UNIT = 1, A_LISTX, A_LIST, A_PLAIN, A_CALLER, A_INLINED, A_UNREADABLE };

static void put_abbrevs(void)
{
	struct bytes *b = debugpe_content(&m, ".debug_abbrev", 0x9000);
	PUT(b, A_UNIT, TAG_UNIT, 1, AT_STR_OFFSETS_BASE, FORM_SEC_OFFSET, AT_ADDR_BASE, FORM_SEC_OFFSET,
	    AT_RNGLISTS_BASE, FORM_SEC_OFFSET, AT_NAME, FORM_STRX1, AT_COMP_DIR, FORM_LINE_STRP, AT_STMT_LIST,
	    FORM_SEC_OFFSET, AT_LOW_PC, FORM_ADDRX, 0, 0);
	PUT(b, A_LISTX, TAG_SUBPROGRAM, 0, AT_NAME, FORM_STRX1, AT_RANGES, FORM_RNGLISTX, 0, 0);
	PUT(b, A_LIST, TAG_SUBPROGRAM, 0, AT_NAME, FORM_STRP, AT_RANGES, FORM_SEC_OFFSET, 0, 0);
	PUT(b, A_PLAIN, TAG_SUBPROGRAM, 0, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDRX, AT_HIGH_PC, FORM_UDATA, 0, 0);
	PUT(b, A_CALLER, TAG_SUBPROGRAM, 1, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDRX, AT_HIGH_PC, FORM_UDATA, 0, 0);
	PUT(b, A_INLINED, TAG_INLINED, 0, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDRX, AT_HIGH_PC, FORM_UDATA,
	    AT_CALL_FILE, FORM_DATA1, AT_CALL_LINE, FORM_DATA1, 0, 0);
	/* Form 0x2001 is LLVM's own. */
	PUT(b, A_UNREADABLE, TAG_SUBPROGRAM, 0, AT_NAME, FORM_STRING, AT_LOW_PC, 0x7f, 0, 0);
	put8(b, 0);
}

/* .debug_addr; numbers of addresses. */
enum { AT_1000, AT_1020, AT_1030, AT_1040, AT_1050, AT_1060 };

static void put_addresses(void)
{
	static const uint16_t rvas[] = { 0x1000, 0x1020, 0x1030, 0x1040, 0x1050, 0x1060 };
	struct bytes *b = debugpe_content(&m, ".debug_addr", 0xa000);
	put32(b, 0);
	put16(b, 5), put8(b, 4), put8(b, 0);
	for (size_t i = 0; i < sizeof rvas / sizeof *rvas; i++)
		put32(b, BASE + rvas[i] + thumb);
	end(b, 0);
}

/* Returns where the third list stands. */
static uint32_t put_lists(void)
{
	enum { HEADER = 12, LISTS = 3 };
	uint32_t third;
	lists = debugpe_content(&m, ".debug_rnglists", 0xb000);
	put32(lists, 0);
	put16(lists, 5), put8(lists, 4), put8(lists, 0);
	put32(lists, LISTS);
	for (int i = 0; i < LISTS; i++)
		put32(lists, 0);
	set32(lists, HEADER, (uint32_t)lists->n - HEADER);
	PUT(lists, START_LENGTH, 0x00, 0x10, 0x40, 0x00, 0x10, END_OF_LIST);
	set32(lists, HEADER + 4, (uint32_t)lists->n - HEADER);
	PUT(lists, BASE_ADDRESS, 0x00, 0x10, 0x40, 0x00, OFFSET_PAIR, 0x10, 0x20, OFFSET_PAIR, 0x30, 0x30, END_OF_LIST);
	set32(lists, HEADER + 8, (uint32_t)lists->n - HEADER);
	third = (uint32_t)lists->n;
	PUT(lists, BASE_ADDRESSX, AT_1020, OFFSET_PAIR, 0x00, 0x10, STARTX_LENGTH, AT_1030, 0x10, STARTX_ENDX, AT_1040,
	    AT_1050, START_END, 0x50, 0x10, 0x40, 0x00, 0x60, 0x10, 0x40, 0x00, END_OF_LIST);
	end(lists, 0);
	return third;
}

static void put_string_offsets(void)
{
	struct bytes *b = debugpe_content(&m, ".debug_str_offsets", 0xc000);
	put32(b, 0);
	put16(b, 5), put16(b, 0);
	put32(b, string(names, "unit.c"));
	put32(b, string(names, "one"));
	put32(b, string(names, "two"));
	end(b, 0);
}

static void put_line_name(const char *text)
{
	put32(line, string(line_names, text) + line_names_bias);
}

/* A line table with three files in two directories, and one sequence: file 0 at 1000, 1 at 1020, 2 at 1040, up
   to 1100. */
static uint32_t put_lines(bool other_forms)
{
	uint32_t at = (uint32_t)line->n;
	put32(line, 0);
	PUT(line, 5, 0, 4, 0);
	size_t header_length_at = line->n;
	put32(line, 0);
	PUT(line, 1, 1, 1, 0xff, 4, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1);
	if (other_forms) {
		PUT(line, 2, LNCT_TIME, FORM_DATA4, LNCT_PATH, FORM_STRING, 2);
		put32(line, 7), put_text(line, "/src");
		put32(line, 7), put_text(line, "sub");
		PUT(line, 5, LNCT_PATH, FORM_STRP, LNCT_DIRECTORY, FORM_DATA2, LNCT_SIZE, FORM_BLOCK, LNCT_TIME,
		    FORM_DATA8, LNCT_MD5, FORM_DATA16, 3);
		for (unsigned i = 0; i < 3; i++) {
			static const char *const files[] = { "a.c", "a.h", "/b.h" };
			put32(line, string(names, files[i]));
			put16(line, i > 0);
			PUT(line, 1, 99);
			put64(line, 0);
			put64(line, 1), put64(line, 2);
		}
	} else {
		PUT(line, 1, LNCT_PATH, FORM_LINE_STRP, 2);
		put_line_name("/src");
		put_line_name("sub");
		PUT(line, 3, LNCT_PATH, FORM_LINE_STRP, LNCT_DIRECTORY, FORM_UDATA, LNCT_SIZE, FORM_DATA1, 3);
		put_line_name("a.c"), PUT(line, 0, 9);
		put_line_name("a.h"), PUT(line, 1, 9);
		put_line_name("/b.h"), PUT(line, 1, 9);
	}
	end(line, header_length_at);
	PUT(line, 0, 5, 2, (uint8_t)thumb, 0x10, 0x40, 0x00, 4, 0, 3, 9, 1); /* 1000: file 0, line 10 */
	/* 1020: file 1, line 20 */
	PUT(line, 0, 5, 2, 0x20 + (uint8_t)thumb, 0x10, 0x40, 0x00, 4, 1, 3, 10, 1);
	/* 1040: file 2, line 30 */
	PUT(line, 0, 5, 2, 0x40 + (uint8_t)thumb, 0x10, 0x40, 0x00, 4, 2, 3, 10, 1);
	PUT(line, 0, 5, 2, (uint8_t)thumb, 0x11, 0x40, 0x00, 0, 1, 1);
	end(line, at);
	return at;
}

static void make(bool other_forms)
{
	debugpe_start(&m, BASE);
	debugpe_section(&m, ".text", 0x1000, 0x1000, DEBUGPE_CODE);
	info = debugpe_content(&m, ".debug_info", 0x8000);
	line = debugpe_content(&m, ".debug_line", 0xd000);
	names = debugpe_content(&m, ".debug_str", 0xe000);
	line_names = debugpe_content(&m, ".debug_line_str", LINE_NAMES);
	put_abbrevs();
	put_addresses();
	put_string_offsets();
	uint32_t third = put_lists(), comp_dir = string(line_names, "/src"), lines = put_lines(other_forms);
	put32(info, 0);
	PUT(info, 5, 0, 1, 4);
	put32(info, 0);
	put8(info, A_UNIT);
	put32(info, 8), put32(info, 8), put32(info, 12);
	put8(info, 0), put32(info, comp_dir), put32(info, lines), put8(info, AT_1000);
	PUT(info, A_LISTX, 1, 0, A_LISTX, 2, 1);
	put8(info, A_LIST), put32(info, string(names, "three")), put32(info, third);
	put8(info, A_PLAIN), put_text(info, "four"), PUT(info, AT_1060, 0x20);
	put8(info, 0);
	end(info, 0);
}

/* The same, with a call that was inlined from FILE and LINE. */
static void make_inlined(unsigned file, unsigned at)
{
	make(false);
	info->n--;
	put8(info, A_CALLER), put_text(info, "outer"), PUT(info, AT_1060, 0x20);
	put8(info, A_INLINED), put_text(info, "in"), PUT(info, AT_1060, 0x10);
	put8(info, file), put8(info, at);
	put16(info, 0);
	end(info, 0);
}

/* -------------------------------------------------------------------------------------------------------- tests */

static void rows_are(const char *rows, unsigned warnings, const char *what)
{
	if (ok(debugpe_read(&m, &options, &di) == 0, "%s: read", what)) {
		is_str(debugpe_rows(&di), rows, what);
		if (!ok(m.warning_count == warnings, "%s: %u warnings", what, warnings))
			diag("%s", m.warnings);
	}
	draft_free(&di);
}

int main(void)
{
	static const char good[] = "1000 one /src/a.c:10\n1010 two /src/a.c:10\n1020 three /src/sub/a.h:20\n"
				   "1040 three /b.h:30\n1060 four /b.h:30\n1080  /b.h:30\n1100 _rossym_end__ :0\n";
	static const char no_names[] = "1000 one :10\n1010 two :10\n1020 three :20\n1040 three :30\n1060 four :30\n"
				       "1080  :30\n1100 _rossym_end__ :0\n";
	static const char before_three[] = "1000 one /src/a.c:10\n1010 two /src/a.c:10\n1020  /src/sub/a.h:20\n"
					   "1040  /b.h:30\n1100 _rossym_end__ :0\n";
	make(false);
	rows_are(good, 0, "ranges of all kinds");
	make(true);
	rows_are(good, 0, "other forms");

	/* File 0 is a file, whatever the line is. */
	for (unsigned at = 0; at < 2; at++) {
		char rows[512];
		make_inlined(0, at);
		snprintf(rows, sizeof rows,
			 "1000 one /src/a.c:10\n1010 two /src/a.c:10\n1020 three /src/sub/a.h:20\n"
			 "1040 three /b.h:30\n1060 in /b.h:30 < outer /src/a.c:%u\n1070 outer /b.h:30\n1080  /b.h:30\n"
			 "1100 _rossym_end__ :0\n",
			 at);
		rows_are(rows, 0, at ? "a call from file 0, line 1" : "a call from file 0, line 0");
	}

	/* References that a linker took for addresses. */
	enum { DIRECTORY_1 = 35 };
	line_names_bias = BASE + LINE_NAMES;
	make(false);
	rows_are(good, 0, "relocated references to names");
	make(false);
	set32(line, DIRECTORY_1, 5);
	rows_are(no_names, 1, "one reference is not relocated");
	line_names_bias++;
	make(false);
	rows_are(no_names, 1, "references to nowhere");
	line_names_bias = 0;

	/* Instructions of ARM are at even addresses, whatever bit 0 says. */
	thumb = 1;
	make(false);
	m.machine = 0x1c4;
	rows_are(good, 0, "addresses with the Thumb bit");
	thumb = 0;
	make(false);
	m.machine = 0x1c4;
	rows_are(good, 0, "addresses without the Thumb bit");

	/* What can be read is kept, but not what is around an entry that cannot. */
	make(false);
	info->n--;
	put8(info, A_CALLER), put_text(info, "outer"), PUT(info, AT_1060, 0x30);
	put8(info, A_INLINED), put_text(info, "in"), PUT(info, AT_1060, 0x10, 0, 7);
	put8(info, A_UNREADABLE), put_text(info, "never"), put64(info, 0);
	end(info, 0);
	debugpe_symbol(&m, "_label", 0x70, 1, 0x20, 2);
	rows_are("1000 one /src/a.c:10\n1010 two /src/a.c:10\n1020 three /src/sub/a.h:20\n1040 three /b.h:30\n"
		 "1060 in /b.h:30 < outer /src/a.c:7\n1070 four /b.h:30\n1080 label /b.h:30\n"
		 "1100 _rossym_end__ :0\n",
		 1, "an entry that cannot be read");
	ok(strstr(m.warnings, "DWARF unit at 0x0: functions and inlined calls around and after the entry at 0x") !=
		   NULL,
	   "the warning says where: %s", m.warnings);

	make(false);
	lists->b[lists->n - 1] = 8;
	rows_are(before_three, 1, "a range of an unknown kind");
	make(false);
	lists->n--;
	rows_are(before_three, 1, "a list without end");
	make(true);
	line->b[29] = 0x77; /* of a directory's time */
	rows_are("", 1, "a line table with an unknown form");
	return done_testing();
}
