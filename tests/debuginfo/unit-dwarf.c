// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows from DWARF made by hand: what compilers seldom leave, and what no compiler does. */
#include "config.h"
#include "debuginfo/read-rows.h"
#include "tests/lib/tap.h"
#include "tests/lib/debugpe.h"
#include "tests/lib/dwarf.h"

enum { BASE = 0x400000 };

static struct debugpe m;
static struct bytes *info, *line, *ranges;
static struct debuginfo_options options;
static struct debuginfo di;
static size_t unit_start, program_start, header_length_at;
static bool wide_unit;

static void abbrev(struct bytes *b, unsigned code, unsigned tag, unsigned children, const unsigned *pairs)
{
	put8(b, code);
	put8(b, tag);
	put8(b, children);
	for (; *pairs; pairs += 2) {
		put8(b, pairs[0]);
		put8(b, pairs[1]);
	}
	put16(b, 0);
}

enum {
	A_UNIT = 1,
	A_FUNCTION,
	A_INLINED,
	A_ABSTRACT,
	A_FUNCTION_RANGES,
	A_UNIT_BARE,
	A_INLINED_STRICT,
	A_UNIT_RANGE,
	A_FUNCTION_OF
};

static void start(void)
{
	debugpe_start(&m, BASE);
	debugpe_section(&m, ".text", 0x1000, 0x1000, DEBUGPE_CODE);
	debugpe_section(&m, "PAGE", 0x3000, 0x100, DEBUGPE_CODE);
	info = debugpe_content(&m, ".debug_info", 0x8000);
	struct bytes *abbrevs = debugpe_content(&m, ".debug_abbrev", 0x9000);
	line = debugpe_content(&m, ".debug_line", 0xa000);
	ranges = debugpe_content(&m, ".debug_ranges", 0xb000);
	put32(ranges, 0); /* offset 0 is nobody's */
	put32(ranges, 0);
	abbrev(abbrevs, A_UNIT, TAG_UNIT, 1,
	       (const unsigned[]){ AT_STMT_LIST, FORM_SEC_OFFSET, AT_COMP_DIR, FORM_STRING, AT_LOW_PC, FORM_ADDR, 0 });
	abbrev(abbrevs, A_FUNCTION, TAG_SUBPROGRAM, 1,
	       (const unsigned[]){ AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4, 0 });
	abbrev(abbrevs, A_INLINED, TAG_INLINED, 1,
	       (const unsigned[]){ AT_ORIGIN, FORM_REF_ADDR, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_ADDR, AT_CALL_FILE,
				   FORM_DATA1, AT_CALL_LINE, FORM_DATA1, 0 });
	abbrev(abbrevs, A_ABSTRACT, TAG_SUBPROGRAM, 0,
	       (const unsigned[]){ AT_NAME, FORM_STRING, AT_LINKAGE, FORM_STRING, 0 });
	abbrev(abbrevs, A_FUNCTION_RANGES, TAG_SUBPROGRAM, 0,
	       (const unsigned[]){ AT_NAME, FORM_STRING, AT_RANGES, FORM_SEC_OFFSET, 0 });
	abbrev(abbrevs, A_UNIT_BARE, TAG_UNIT, 1, (const unsigned[]){ AT_NAME, FORM_STRING, 0 });
	abbrev(abbrevs, A_INLINED_STRICT, TAG_INLINED, 0,
	       (const unsigned[]){ AT_ORIGIN, FORM_REF_ADDR, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_ADDR, 0 });
	abbrev(abbrevs, A_UNIT_RANGE, TAG_UNIT, 1,
	       (const unsigned[]){ AT_STMT_LIST, FORM_SEC_OFFSET, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4, 0 });
	abbrev(abbrevs, A_FUNCTION_OF, TAG_SUBPROGRAM, 0,
	       (const unsigned[]){ AT_ORIGIN, FORM_REF_ADDR, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4, 0 });
	put8(abbrevs, 0);
}

static void put_address(struct bytes *b, uint32_t rva)
{
	if (wide_unit)
		put64(b, m.base + rva);
	else
		put32(b, (uint32_t)m.base + rva);
}

static void unit(uint32_t lines, const char *comp_dir)
{
	unit_start = info->n;
	put32(info, 0);
	put16(info, 4);
	put32(info, 0);
	put8(info, wide_unit ? 8 : 4);
	put8(info, A_UNIT);
	put32(info, lines);
	put_text(info, comp_dir);
	put_address(info, 0x1000);
}

static void end_unit(void)
{
	put8(info, 0);
	set32(info, unit_start, (uint32_t)(info->n - unit_start - 4));
}

static uint32_t abstract(const char *name, const char *linkage)
{
	uint32_t at = (uint32_t)info->n;
	put8(info, A_ABSTRACT);
	put_text(info, name);
	put_text(info, linkage);
	return at;
}

static void function(const char *name, uint32_t rva, uint32_t length)
{
	put8(info, A_FUNCTION);
	put_text(info, name);
	put_address(info, rva);
	put32(info, length);
}

static void inlined(uint32_t origin, uint32_t low, uint32_t high, unsigned file, unsigned at)
{
	put8(info, A_INLINED);
	put32(info, origin);
	put_address(info, low);
	put_address(info, high);
	put8(info, file);
	put8(info, at);
}

/* A line table of version 2 with the directories "sub" and "/abs", and files 1 to 4. */
static uint32_t lines(void)
{
	uint32_t at = (uint32_t)line->n;
	put32(line, 0);
	put16(line, 2);
	header_length_at = line->n;
	put32(line, 0);
	put8(line, 1), put8(line, 1), put8(line, 0xff), put8(line, 4), put8(line, 10);
	for (int i = 1; i < 10; i++)
		put8(line, (const unsigned[]){ 0, 1, 1, 1, 1, 0, 0, 0, 1 }[i - 1]);
	put_text(line, "sub"), put_text(line, "/abs"), put8(line, 0);
	put_text(line, "a.c"), put8(line, 0), put16(line, 0);
	put_text(line, "a.h"), put8(line, 1), put16(line, 0);
	put_text(line, "b.h"), put8(line, 2), put16(line, 0);
	put_text(line, "/c.h"), put8(line, 1), put16(line, 0);
	put8(line, 0);
	set32(line, header_length_at, (uint32_t)(line->n - header_length_at - 4));
	program_start = at;
	return at;
}

/* Rows of one sequence: RVA, file and line, ended by a row with line UINT32_MAX. */
static void sequence(const uint32_t (*rows)[3])
{
	uint32_t number = 1;
	for (;; rows++) {
		put8(line, 0), put8(line, wide_unit ? 9 : 5), put8(line, 2);
		put_address(line, (*rows)[0]);
		if ((*rows)[2] == UINT32_MAX)
			break;
		put8(line, 4), put8(line, (*rows)[1]);
		uint32_t by = (*rows)[2] - number;
		put8(line, 3);
		for (int i = 0; i < 4; i++, by >>= 7)
			put8(line, (by & 0x7f) | 0x80);
		put8(line, by & 0xf ? 0x7f : 0);
		number = (*rows)[2];
		put8(line, 1);
	}
	put8(line, 0), put8(line, 1), put8(line, 1);
}

static void end_lines(void)
{
	set32(line, program_start, (uint32_t)(line->n - program_start - 4));
}

static void rows_are(const char *rows, unsigned warnings, const char *what)
{
	if (ok(debugpe_read(&m, &options, &di) == 0, "%s: read", what)) {
		is_str(debugpe_rows(&di), rows, what);
		if (!ok(m.warning_count == warnings, "%s: %u warnings", what, warnings))
			diag("%s", m.warnings);
	}
}

static void chains(void)
{
	start();
	unit(lines(), "/src");
	uint32_t in1 = abstract("in1", "_Z3in1v"), in2 = abstract("in2", "");
	function("outer@8", 0x1000, 0x40);
	inlined(in1, 0x1010, 0x1030, 1, 7);
	inlined(in2, 0x1018, 0x1020, 2, 9);
	put8(info, 0), put8(info, 0), put8(info, 0);
	end_unit();
	sequence((const uint32_t[][3]){ { 0x1000, 1, 5 },
					{ 0x1008, 1, 6 },
					{ 0x1010, 2, 20 },
					{ 0x1018, 3, 30 },
					{ 0x1018, 4, 31 },
					{ 0x1020, 2, 0 },
					{ 0x1030, 1, 8 },
					{ 0x1048, 0, UINT32_MAX } });
	end_lines();
	rows_are("1000 outer /src/a.c:5\n1008 outer /src/a.c:6\n"
		 "1010 _Z3in1v /src/sub/a.h:20 < outer /src/a.c:7\n"
		 "1018  /c.h:31 < _Z3in1v /src/sub/a.h:9 < outer /src/a.c:7\n"
		 "1020 _Z3in1v /src/sub/a.h:0 < outer /src/a.c:7\n"
		 "1030 outer /src/a.c:8\n1040  /src/a.c:8\n1048 _rossym_end__ :0\n",
		 0, "inlined calls, the last of equal addresses, line 0, padding");
	is_uint(di.draft->function_count, 1, "one out-of-line function");
	is_uint(di.draft->functions[0].length, 0x40, "its length");
	draft_free(&di);
}

/* Calls that are inlined into one another more often than a chain can be long, in lines 1, 2 and so on of a.c. */
static void deep_chain(unsigned calls, unsigned kept)
{
	static char want[16384];
	char *at;
	start();
	unit(lines(), "/src");
	uint32_t in1 = abstract("in1", "in1");
	function("outer", 0x1000, 0x10);
	for (unsigned i = 1; i <= calls; i++)
		inlined(in1, 0x1000, 0x1008, 1, i % 250);
	for (unsigned i = 0; i <= calls; i++)
		put8(info, 0);
	end_unit();
	sequence((const uint32_t[][3]){ { 0x1000, 1, 900 }, { 0x1008, 1, 901 }, { 0x1010, 0, UINT32_MAX } });
	end_lines();
	at = want + sprintf(want, "1000 in1 /src/a.c:900 < in1 /src/a.c:%u", calls % 250);
	for (unsigned i = kept - 1; i > 1; i--)
		at += sprintf(at, " < in1 /src/a.c:%u", i % 250);
	sprintf(at, " < outer /src/a.c:1\n1008 outer /src/a.c:901\n1010 _rossym_end__ :0\n");
	rows_are(want, 0, "a deep chain");
	draft_free(&di);
}

static void deep_chains(void)
{
	deep_chain(499, 499);
	deep_chain(500, 500);
	deep_chain(501, 500);
	deep_chain(700, 500);
}

static void places(void)
{
	start();
	unit(lines(), "rel");
	put8(info, A_FUNCTION_RANGES);
	put_text(info, "split");
	put32(info, (uint32_t)ranges->n);
	put32(ranges, 0x100), put32(ranges, 0x110);
	put32(ranges, 0xffffffff), put32(ranges, BASE + 0x3000);
	put32(ranges, 0), put32(ranges, 0x10);
	put32(ranges, 0), put32(ranges, 0);
	function("gone", 0x1000, 0x10);
	set32(info, info->n - 8, 0); /* discarded: at address 0 */
	put8(info, 0);
	end_unit();
	sequence((const uint32_t[][3]){ { 0x3000, 1, 9 }, { 0x3010, 0, UINT32_MAX } });
	sequence((const uint32_t[][3]){ { 0x1100, 3, 3 }, { 0x1110, 0, UINT32_MAX } });
	sequence((const uint32_t[][3]){ { 0x1104, 1, 1 }, { 0x1118, 0, UINT32_MAX } });
	sequence((const uint32_t[][3]){ { 0u - BASE, 1, 1 }, { 8u - BASE, 0, UINT32_MAX } });
	end_lines();
	rows_are("1100 split /abs/b.h:3\n1110  rel/a.c:1\n1118 _rossym_end__ :0\n"
		 "3000 split rel/a.c:9\n3010 _rossym_end__ :0\n",
		 0, "ranges, sequences in disorder, that overlap, that were discarded");
	draft_free(&di);
}

static void assembler(void)
{
	start();
	unit(lines(), "/src");
	end_unit();
	sequence((const uint32_t[][3]){ { 0x1000, 1, 1 }, { 0x1004, 1, 2 }, { 0x1010, 0, UINT32_MAX } });
	end_lines();
	debugpe_symbol(&m, "_a", 2, 1, 0, 2);
	debugpe_symbol(&m, "_b", 8, 1, 0, 2);
	debugpe_symbol(&m, "_c", 0x20, 1, 0x20, 2);
	rows_are("1000  /src/a.c:1\n1002 a /src/a.c:1\n1004 a /src/a.c:2\n1008 b /src/a.c:2\n1010 _rossym_end__ :0\n"
		 "1020 c :0\n2000 _rossym_end__ :0\n",
		 0, "code without functions, and symbols where there is no DWARF");
	draft_free(&di);
}

/* A chain of origins that is a circle; an origin in a later unit; no call site. */
static void origins(void)
{
	start();
	unit(lines(), "/src");
	function("f", 0x1000, 0x20);
	size_t at = info->n + 1;
	put8(info, A_INLINED_STRICT), put32(info, 0), put_address(info, 0x1008), put_address(info, 0x1010);
	uint32_t self = (uint32_t)info->n;
	put8(info, A_INLINED_STRICT), put32(info, self), put_address(info, 0x1010), put_address(info, 0x1018);
	put8(info, 0);
	end_unit();
	sequence((const uint32_t[][3]){ { 0x1000, 1, 1 }, { 0x1020, 0, UINT32_MAX } });
	end_lines();
	size_t second = info->n;
	put32(info, 0), put16(info, 4), put32(info, 0), put8(info, 4), put8(info, A_UNIT_BARE), put_text(info, "late");
	set32(info, at, abstract("late", "_Z4latev"));
	put8(info, 0);
	set32(info, second, (uint32_t)(info->n - second - 4));
	rows_are("1000 f /src/a.c:1\n1008 _Z4latev /src/a.c:1 < f :0\n1010  /src/a.c:1 < f :0\n1018 f /src/a.c:1\n"
		 "1020 _rossym_end__ :0\n",
		 0, "origins elsewhere and nowhere");
	draft_free(&di);
	options.no_frames = true;
	ok(debugpe_read(&m, &options, &di) == 0 && di.draft->frames.count == 0, "no frames if none are wanted");
	draft_free(&di);
	options.no_frames = false;
}

/* Functions without names, as gcc -flto writes them: a symbol at the beginning names one, but no symbol before it or in
   it does. */
static void nameless(void)
{
	static const uint32_t wanted[] = { 0x1030 };
	start();
	unit(lines(), "/src");
	uint32_t in1 = abstract("in1", "_Z3in1v");
	function("", 0x1000, 0x40);
	inlined(in1, 0x1010, 0x1018, 1, 7);
	put8(info, 0), put8(info, 0);
	function("", 0x1108, 8);
	put8(info, 0);
	end_unit();
	sequence((const uint32_t[][3]){
		{ 0x1000, 1, 5 }, { 0x1010, 2, 20 }, { 0x1018, 1, 8 }, { 0x1030, 1, 9 }, { 0x1040, 0, UINT32_MAX } });
	sequence((const uint32_t[][3]){ { 0x1108, 1, 11 }, { 0x1110, 0, UINT32_MAX } });
	end_lines();
	debugpe_symbol(&m, "_two@8", 0, 1, 0x20, 2);
	debugpe_symbol(&m, "_inside", 0x20, 1, 0, 2);
	debugpe_symbol(&m, "_before", 0x100, 1, 0x20, 2);
	rows_are("1000 two /src/a.c:5\n1010 _Z3in1v /src/sub/a.h:20 < two /src/a.c:7\n1018 two /src/a.c:8\n1030 two "
		 "/src/a.c:9\n"
		 "1040 _rossym_end__ :0\n1100 before :0\n1108  /src/a.c:11\n1110 _rossym_end__ :0\n",
		 0, "functions without names");
	is_uint(di.draft->function_count, 3, "those with a symbol's name are functions");
	is_uint(di.draft->functions[1].length, 0, "and a symbol inside is another name");
	draft_free(&di);
	options.wanted = wanted, options.wanted_count = 1;
	rows_are("1030 two /src/a.c:9\n1040 _rossym_end__ :0\n", 0,
		 "one answer, with the name of a symbol that is not near");
	options.wanted = NULL, options.wanted_count = 0;
	draft_free(&di);
}

static void good_unit(uint32_t rva, unsigned number)
{
	uint32_t table = lines();
	unit(table, "/src");
	function("good", rva, 0x10);
	put8(info, 0);
	end_unit();
	sequence((const uint32_t[][3]){ { rva, 1, number }, { rva + 0x10, 0, UINT32_MAX } });
	end_lines();
}

static void damage(void)
{
	start();
	good_unit(0x1000, 1);
	size_t bad = info->n;
	good_unit(0x1100, 2);
	good_unit(0x1200, 3);
	info->b[bad + 4] = 77; /* the version */
	rows_are("1000 good /src/a.c:1\n1010 _rossym_end__ :0\n1200 good /src/a.c:3\n1210 _rossym_end__ :0\n", 1,
		 "a unit of an unknown version");
	is_uint(di.counts.dwarf_units_rejected, 1, "one is rejected");
	draft_free(&di);

	start();
	good_unit(0x1000, 1);
	bad = info->n;
	good_unit(0x1100, 2);
	good_unit(0x1200, 3);
	info->b[bad + 11] = 99; /* the abbreviation of the unit's entry */
	rows_are("1000 good /src/a.c:1\n1010 _rossym_end__ :0\n1200 good /src/a.c:3\n1210 _rossym_end__ :0\n", 1,
		 "a unit without an entry");
	draft_free(&di);

	start();
	good_unit(0x1000, 1);
	size_t table = line->n;
	good_unit(0x1100, 2);
	good_unit(0x1200, 3);
	line->b[table + 4] = 9;
	rows_are("1000 good /src/a.c:1\n1010 _rossym_end__ :0\n1200 good /src/a.c:3\n1210 _rossym_end__ :0\n", 1,
		 "a line table of an unknown version");
	draft_free(&di);

	start();
	for (uint32_t i = 0; i < 12; i++) {
		table = line->n;
		good_unit(0x1000 + 0x10 * i, 1);
		line->b[table + 4] = 9;
	}
	rows_are("", 11, "many units that cannot be read");
	ok(strstr(m.warnings, "\nDWARF: 2 more warnings; 12 of 12 units are left out\n") != NULL,
	   "are counted in the end");
	draft_free(&di);

	start();
	good_unit(0x1000, 1);
	bad = info->n;
	good_unit(0x1100, 2);
	set32(info, bad, 0x10000000);
	ok(debugpe_read(&m, &options, &di) == 0, "a unit longer than its section: read");
	is_str(debugpe_rows(&di), "1000 good /src/a.c:1\n1010 _rossym_end__ :0\n", "what stands before it is there");
	draft_free(&di);

	start();
	put32(info, 0xffffffff);
	ok(debugpe_read(&m, &options, &di) == 0 && di.draft->rows.count == 0, "nothing but half a header");
	draft_free(&di);

	/* Ranges without end, which is where the next section begins. */
	start();
	unit(lines(), "/src");
	put8(info, A_FUNCTION_RANGES), put_text(info, "f"), put32(info, (uint32_t)ranges->n);
	put32(ranges, 0), put32(ranges, 4);
	put8(info, 0);
	end_unit();
	end_lines();
	rows_are("", 1, "a range list without end");
	draft_free(&di);
}

static uint8_t *read_info; /* the .debug_info of the image that is being read */

static void give_back(void *context, enum debuginfo_discard which, size_t units)
{
	size_t *given = context;
	if (which == DISCARD_UNITS)
		memset(read_info, 0xff, *given = units);
}

/* Units lose their bytes when they were read.  The names in them stay, also for later units. */
static void given_back(void)
{
	struct rossym_error err = { .what = "" };
	struct rs_pe pe = { 0 };
	size_t size = 0, given = 0;
	struct debuginfo_options giving = { .have_read = give_back, .context = &given };
	start();
	unit(lines(), "/src");
	end_lines();
	uint32_t in1 = abstract("in1", "_Z3in1v");
	function("first", 0x1000, 0x10);
	put8(info, 0), put8(info, 0);
	end_unit();
	unit(lines(), "/src");
	function("second", 0x1010, 0x20);
	inlined(in1, 0x1018, 0x1020, 1, 7);
	put8(info, 0), put8(info, 0);
	end_unit();
	sequence((const uint32_t[][3]){ { 0x1000, 1, 5 }, { 0x1030, 0, UINT32_MAX } });
	end_lines();
	uint8_t *bytes = debugpe_build(&m, &size);
	struct rs_source source = { .memory = bytes, .fd = -1, .size = size };
	ok(bytes && rs_pe_read(&pe, &source, &err) == 0, "units are given back: the image");
	read_info = bytes + pe.sections[2].raw_offset;
	ok(draft_read(&di, &pe, &source, &giving, &err) == 0, "... read");
	is_str(debugpe_rows(&di),
	       "1000 first :0\n1010 second /src/a.c:5\n1018 _Z3in1v /src/a.c:5 < second /src/a.c:7\n"
	       "1020 second /src/a.c:5\n1030 _rossym_end__ :0\n",
	       "... and names are there");
	is_uint(given, info->n, "... all units");
	draft_free(&di);
	rs_pe_clear(&pe);
	free(bytes);
}

/* Nine units of 0x10 bytes of code, one of 0x18 that has a function of 0x10 at its end, and what follows that. */
static void ten_units(uint32_t last_lines)
{
	start();
	for (uint32_t i = 0; i < 10; i++) {
		uint32_t table = lines(), rva = 0x1000 + 0x20 * i, length = i < 9 ? 0x10 : 0x18;
		sequence((const uint32_t[][3]){ { rva, 1, 1 }, { rva + length, 0, UINT32_MAX } });
		end_lines();
		unit_start = info->n;
		put32(info, 0), put16(info, 4), put32(info, 0), put8(info, 4), put8(info, A_UNIT_RANGE);
		put32(info, i < 9 || !last_lines ? table : last_lines), put_address(info, rva), put32(info, length);
		function("f", rva + length - 0x10, 0x10);
		put8(info, 0);
		if (i < 9)
			end_unit();
	}
}

/* Whether the table of the image with ten units is partial, and why. */
static void partial_is(const char *expected, unsigned warnings, const char *what)
{
	char why[128] = "no";
	ok(debugpe_read(&m, &options, &di) == 0, "%s: read", what);
	is_uint(m.warning_count, warnings, what);
	rs_debuginfo_is_partial(&di.counts, why, sizeof why);
	is_str(why, expected, what);
	draft_free(&di);
}

/* How much is left out: of the code of all units if their ranges are known, else of the bytes of all units. */
static void partial(void)
{
	char why[128];
	ten_units(0), end_unit();
	partial_is("no", 0, "all is read");
	ten_units(0xffff), end_unit();
	partial_is("24 of 168 bytes of code in its DWARF units are left out", 1, "a unit whose lines are not there");
	ten_units(0), put8(info, 99), end_unit();
	partial_is("no", 1, "a unit with an entry that cannot be read, after its function");
	ten_units(0), info->n -= 12, put8(info, 99), end_unit();
	partial_is("24 of 168 bytes of code in its DWARF units are left out", 1, "... in place of its function");
	ten_units(0), end_unit(), info->b[unit_start + 4] = 9;
	partial_is("no", 1, "a tenth of the units is of an unknown version");
	ten_units(0), put8(info, 0), end_unit(), info->b[unit_start + 4] = 9;
	partial_is("38 of 371 bytes of its DWARF units are left out", 1, "more than a tenth is");
	ten_units(0), end_unit(), info->b[3] = 0x10;
	partial_is("370 of 370 bytes of its DWARF units are left out", 2, "a unit longer than the section");

	ok(!rs_debuginfo_is_partial(&(struct debuginfo_counts){ .dwarf_code = 10, .dwarf_code_lost = 1 }, why,
				    sizeof why),
	   "a tenth is allowed");
	ok(rs_debuginfo_is_partial(&(struct debuginfo_counts){ .dwarf_code = 9, .dwarf_code_lost = 1 }, why,
				   sizeof why),
	   "a ninth is not");
	ok(rs_debuginfo_is_partial(&(struct debuginfo_counts){ .unreadable = 1 }, why, sizeof why),
	   "nor is a section that cannot be read");
	is_str(why, "1 of its debug sections cannot be read", "which is told");
}

static void unit_with(const char *name, uint32_t rva, uint32_t length, unsigned number)
{
	unit(lines(), "/src");
	function(name, rva, length);
	put8(info, 0);
	end_unit();
	sequence((const uint32_t[][3]){ { rva, 1, number }, { rva + length, 0, UINT32_MAX } });
	end_lines();
}

/* Who holds where several speak of one address: the first unit; DWARF before stabs. */
static void overlaps(void)
{
	start();
	unit_with("one", 0x1000, 0x20, 1);
	unit_with("two", 0x1010, 0x20, 2);
	unit_with("three", 0x1004, 8, 3);
	rows_are("1000 one /src/a.c:1\n1020 two /src/a.c:2\n1030 _rossym_end__ :0\n", 0, "the first unit holds");
	is_uint(di.draft->function_count, 3, "all functions are known");
	draft_free(&di);

	start();
	unit_with("two", 0x1010, 0x20, 2);
	unit_with("one", 0x1000, 0x40, 1);
	rows_are("1000 one /src/a.c:1\n1010 two /src/a.c:2\n1030 one /src/a.c:1\n1040 _rossym_end__ :0\n", 0,
		 "and the others before and behind it");
	draft_free(&di);

	/* The linker keeps one copy of inline functions, and each unit describes it. */
	start();
	unit_with("same", 0x1000, 0x10, 1);
	unit_with("same", 0x1000, 0x10, 1);
	unit_with("same", 0x1000, 0x18, 1);
	unit_with("alias", 0x1000, 0x10, 1);
	rows_are("1000 same /src/a.c:1\n1018 _rossym_end__ :0\n", 0, "several units with one function");
	is_uint(di.draft->function_count, 3, "each is there once");
	is_uint(di.draft->functions[0].length, 0x10, "the shortest first");
	is_uint(di.draft->functions[2].length, 0x18, "the longest last");
	draft_free(&di);

	enum { N_UNDF = 0, N_FUN = 0x24, N_SLINE = 0x44, N_SO = 0x64 };
	static const struct {
		unsigned type, desc;
		uint32_t value;
		const char *text;
	} stabs[] = {
		{ N_UNDF, 0, 0, "" },
		{ N_SO, 0, BASE + 0x1000, "/old/" },
		{ N_SO, 0, BASE + 0x1000, "s.c" },
		{ N_FUN, 0, BASE + 0x1000, "stabbed:F(0,1)" },
		{ N_SLINE, 5, 0, "" },
		{ N_FUN, 0, 0x30, "" },
		{ N_SO, 0, BASE + 0x1030, "" },
	};
	start();
	unit_with("dwarf", 0x1010, 0x10, 7);
	struct bytes *stab = debugpe_content(&m, ".stab", 0xc000), *stabstr = debugpe_content(&m, ".stabstr", 0xd000);
	put8(stabstr, 0);
	for (unsigned i = 0; i < sizeof stabs / sizeof *stabs; i++) {
		put32(stab, stabs[i].text[0] ? (uint32_t)stabstr->n : 0);
		put8(stab, stabs[i].type), put8(stab, 0), put16(stab, stabs[i].desc), put32(stab, stabs[i].value);
		if (stabs[i].text[0])
			put_text(stabstr, stabs[i].text);
	}
	rows_are("1000 stabbed /old/s.c:5\n1010 dwarf /src/a.c:7\n1020 stabbed /old/s.c:5\n1030 _rossym_end__ :0\n", 0,
		 "DWARF holds before stabs");
	draft_free(&di);
}

/* A unit with one function, whose addresses are RVA plus SHIFT.  With DECLARED, its name is in another entry. */
static void moved_unit(const char *name, uint32_t rva, uint32_t shift, unsigned number, bool declared)
{
	const uint32_t table = lines();
	rva += shift;
	unit_start = info->n;
	put32(info, 0);
	put16(info, 4);
	put32(info, 0);
	put8(info, 4);
	put8(info, A_UNIT_RANGE);
	put32(info, table);
	put_address(info, rva);
	put32(info, 0x10);
	if (declared) {
		const uint32_t origin = abstract("method", name);
		put8(info, A_FUNCTION_OF);
		put32(info, origin);
		put_address(info, rva);
		put32(info, 0x10);
	} else {
		function(name, rva, 0x10);
		put8(info, 0);
	}
	end_unit();
	sequence((const uint32_t[][3]){ { rva, 1, number }, { rva + 0x10, 0, UINT32_MAX } });
	end_lines();
}

/* Images that were moved after the link: DWARF has the addresses of before. */
static void moved(void)
{
	static const uint32_t shifts[] = { 0, 0x30000, (uint32_t)-0x10000 }, wanted[] = { 0x1018 };
	for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
		start();
		debugpe_symbol(&m, "_one@4", 0, 1, 0x20, 2);
		debugpe_symbol(&m, "__Z3twov", 0x10, 1, 0x20, 2);
		debugpe_symbol(&m, "_three", 0x20, 1, 0x20, 2);
		moved_unit("one", 0x1000, shifts[i], 1, false);
		moved_unit("_Z3twov", 0x1010, shifts[i], 2, true);
		rows_are("1000 one a.c:1\n1010 _Z3twov a.c:2\n1020 three :0\n2000 _rossym_end__ :0\n", 0,
			 "a moved image");
		is_uint(di.draft->functions[0].length, 0x10, "... and its functions");
		draft_free(&di);
		options.wanted = wanted, options.wanted_count = 1;
		rows_are("1010 _Z3twov a.c:2\n1020 _rossym_end__ :0\n", 0, "... one address of it");
		options.wanted = NULL, options.wanted_count = 0;
		draft_free(&di);
	}

	/* A function of the same name that is static and elsewhere does not count: its address has other lower 16 bits. */
	start();
	debugpe_symbol(&m, "_f", 0, 1, 0x20, 3);
	debugpe_symbol(&m, "_f", 0x20, 1, 0x20, 3);
	moved_unit("f", 0x1020, 0x40000, 1, false);
	moved_unit("f", 0x1000, 0x40000, 2, false);
	rows_are("1000 f a.c:2\n1010 _rossym_end__ :0\n1020 f a.c:1\n1030 _rossym_end__ :0\n", 0,
		 "... with two functions of one name");
	draft_free(&di);

	start();
	debugpe_symbol(&m, "_one", 0, 1, 0x20, 2);
	debugpe_symbol(&m, "_two", 0x10, 1, 0x20, 2);
	moved_unit("one", 0x1000, 0x10000, 1, false);
	moved_unit("two", 0x1010, 0x20000, 2, false);
	rows_are("1000 one :0\n1010 two :0\n2000 _rossym_end__ :0\n", 1, "units that were moved differently");
	is_str(m.warnings,
	       "DWARF is not used: the image was moved after the link, and its symbols do not tell by how much: "
	       "-0x10000 or -0x20000\n",
	       "... are told");
	is_uint(di.counts.unreadable, 1, "... and count as unreadable");
	draft_free(&di);

	start();
	moved_unit("one", 0x1000, 0x30000, 1, false);
	rows_are("", 1, "a moved image without symbols");
	is_str(m.warnings,
	       "DWARF has no lines for the image: all its addresses are outside of the code, as after the image was "
	       "moved, and no symbol tells by how much\n",
	       "... is told");
	draft_free(&di);

	/* Symbols without units at them, which were not moved. */
	start();
	debugpe_symbol(&m, "_x", 0x800, 1, 0x20, 2);
	moved_unit("one", 0x1000, 0, 1, false);
	rows_are("1000 one a.c:1\n1010 _rossym_end__ :0\n1800 x :0\n2000 _rossym_end__ :0\n", 0,
		 "few symbols of an image that was not moved");
	draft_free(&di);
}

static void high_base(void)
{
	start();
	m.wide = wide_unit = true;
	m.base = 0x7fff00000000;
	good_unit(0x1000, 4);
	rows_are("1000 good /src/a.c:4\n1010 _rossym_end__ :0\n", 0, "an image base above 4 GiB");
	draft_free(&di);
	wide_unit = false;
}

static void cut_names(void)
{
	static const char *const names[] = { ".debug_a", ".debug_i", ".debug_a", ".debug_x", ".zdebug_" };
	debugpe_start(&m, BASE);
	debugpe_section(&m, ".text", 0x1000, 0x1000, DEBUGPE_CODE);
	for (unsigned i = 0; i < 5; i++)
		put32(debugpe_content(&m, names[i], 0x8000 + 0x1000 * i), 0);
	rows_are("", 1, "names of sections that are cut");
	is_str(m.warnings,
	       "debug information is not read where names of sections are cut to 8 bytes: .debug_a, .debug_i, "
	       ".zdebug_\n",
	       "are told, each once");
	draft_free(&di);
}

int main(void)
{
	cut_names();
	chains();
	deep_chains();
	places();
	assembler();
	origins();
	nameless();
	damage();
	given_back();
	partial();
	overlaps();
	moved();
	high_base();
	return done_testing();
}
