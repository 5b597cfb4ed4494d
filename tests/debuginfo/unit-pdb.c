// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows from PDB files made by hand. */
#include "config.h"
#include "debuginfo/pdb/key.h"
#include "tests/lib/tap.h"
#include "tests/lib/failing.h"
#include "tests/lib/pdbwriter.h"

enum {
	S_END = 6,
	S_THUNK32 = 0x1102,
	S_BLOCK32 = 0x1103,
	S_TRAMPOLINE = 0x112c,
	S_SEPCODE = 0x1132,
	S_FASTLINK = 0x1167
};

static struct debugpe m;
static struct pdbwriter p;
static struct debuginfo_options options;
static struct debuginfo di;

static void start_machine(bool wide)
{
	memset(&options, 0, sizeof options);
	debugpe_start(&m, 0x400000);
	m.wide = wide;
	debugpe_section(&m, ".text", 0x1000, 0x1000, DEBUGPE_CODE);
	debugpe_codeview(&m, "RSDS", 0x10, 1);
	pdbwriter_start(&p);
}

static void start(void)
{
	start_machine(false);
}

/* Read the image with the SIZE bytes as its PDB file. */
static int read_bytes(const uint8_t *bytes, size_t size, bool named)
{
	const struct debuginfo_file file = { .path = "x.pdb", .source = rs_source_in(bytes, size), .named = named };
	options.files = &file;
	options.file_count = 1;
	m.warnings[0] = '\0';
	m.warning_count = 0;
	int ret = debugpe_read(&m, &options, &di);
	options.files = NULL;
	return ret;
}

static int read_pdb(bool named)
{
	size_t size;
	uint8_t *bytes = pdbwriter_build(&p, &size);
	int ret = bytes ? read_bytes(bytes, size, named) : -1;
	free(bytes);
	return ret;
}

static void rows_are(const char *rows, const char *what)
{
	if (!ok(read_pdb(true) == 0, "%s: read", what))
		return;
	is_str(debugpe_rows(&di), rows, what);
	draft_free(&di);
}

static void warnings_are(const char *warnings, const char *what)
{
	is_str(m.warnings, warnings, what);
}

/* A range with one block: COUNT pairs of offset and line. */
static void lines(unsigned module, uint32_t file, uint32_t offset, uint32_t size, const uint32_t *pairs, unsigned count)
{
	size_t at = pdbwriter_lines(&p, module, 1, offset, size);
	pdbwriter_block(&p, module, file, count);
	for (unsigned i = 0; i < count; i++)
		pdbwriter_line(&p, module, pairs[2 * i], pairs[2 * i + 1]);
	pdbwriter_lines_end(&p, module, at);
}

/* One module with a function of two lines and a function without lines. */
static void simple(void)
{
	unsigned a = pdbwriter_module(&p);
	uint32_t file = pdbwriter_file(&p, a, "c:\\src\\a.c");
	pdbwriter_contribution(&p, a, 1, 0x10, 0x20);
	pdbwriter_contribution(&p, a, 1, 0x40, 0x08);
	pdbwriter_proc(&p, a, "ns::one", 1, 0x10, 0x20);
	pdbwriter_symbol(&p, a, S_BLOCK32, NULL, 0);
	pdbwriter_end(&p, a);
	pdbwriter_end(&p, a);
	pdbwriter_proc(&p, a, "two@8", 1, 0x40, 0x08);
	pdbwriter_end(&p, a);
	lines(a, file, 0x10, 0x20, (const uint32_t[]){ 0, 5, 8, 6 }, 2);
	pdbwriter_public(&p, "?one@ns@@YAXXZ", 2, 1, 0x10);
	pdbwriter_public(&p, "_two@8", 2, 1, 0x40);
}

static const char simple_rows[] = "1010 ns::one c:\\src\\a.c:5\n1018 ns::one c:\\src\\a.c:6\n1030 _rossym_end__ :0\n"
				  "1040 two :0\n1048 _rossym_end__ :0\n";

static void container(void)
{
	static const uint32_t sizes[] = { 512, 1024, 2048, 4096, 32768 };
	for (unsigned i = 0; i < 10; i++) {
		start();
		for (unsigned k = 0; k < 2000; k++) /* so that a stream has several blocks */
			put8(&p.names, 'x');
		put8(&p.names, 0);
		simple();
		p.block_size = sizes[i / 2];
		p.scattered = i % 2;
		char what[80];
		snprintf(what, sizeof what, "blocks of %u bytes%s", (unsigned)p.block_size,
			 p.scattered ? ", scattered" : "");
		rows_are(simple_rows, what);
	}
	start();
	simple();
	p.empty = 17000;
	rows_are(simple_rows, "the list of the directory's blocks takes two blocks");
	start_machine(true);
	simple();
	rows_are("1010 ns::one c:\\src\\a.c:5\n1018 ns::one c:\\src\\a.c:6\n1030 _rossym_end__ :0\n"
		 "1040 two@8 :0\n1048 _rossym_end__ :0\n",
		 "on amd64 names have no decoration to take off");
	start();
	simple();
	options.decorated = true;
	rows_are("1010 ?one@ns@@YAXXZ c:\\src\\a.c:5\n1018 ?one@ns@@YAXXZ c:\\src\\a.c:6\n1030 _rossym_end__ :0\n"
		 "1040 _two@8 :0\n1048 _rossym_end__ :0\n",
		 "linkage names, if they are asked for");
}

/* Linkage names, where linkers gave functions of equal code one address. */
static void own_publics(void)
{
	static const struct {
		const char *procedure, *publics[3], *want;
	} cases[] = {
		{ "ga<2>", { "??$fb@D@@YAHH@Z", "??$ga@$01@@YAHH@Z" }, "??$ga@$01@@YAHH@Z" },
		{ "ga<2>", { "??$ga@$01@@YAHH@Z", "??$ga@$06@@YAHH@Z" }, "ga<2>" },
		{ "ga<2>", { "_Z2fbIcEii", "_Z2gaILi2EEii" }, "_Z2gaILi2EEii" },
		{ "n::A::f", { "?g@A@n@@QAEXXZ", "?f@A@n@@QAEXXZ", "?fg@A@n@@QAEXXZ" }, "?f@A@n@@QAEXXZ" },
		{ "A::A", { "??0A@@QAE@XZ", "??0B@@QAE@XZ" }, "??0A@@QAE@XZ" },
		{ "A::~A", { "??1B@@QAE@XZ", "??1A@@QAE@XZ" }, "??1A@@QAE@XZ" },
		{ "f", { "_g@4", "_f@4", "_f2@4" }, "_f@4" },
		{ "f", { "@f@8", "_g" }, "@f@8" },
		{ "f", { "_g" }, "f" },
		{ "f", { "?f@@YAHH@Z", "?f@@YAHJ@Z" }, "f" },
		{ "A::operator()", { "??RA@@QAEXXZ" }, "??RA@@QAEXXZ" },
		{ "A::operator()", { "??RA@@QAEXXZ", "_g" }, "A::operator()" },
		{ "main$filt$0", { "?filt$0@?0??main@@YAHXZ@4HA" }, "?filt$0@?0??main@@YAHXZ@4HA" },
	};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (unsigned how = 0; how < 2; how++) {
			static const uint32_t rva[] = { 0x1012 };
			char want[80];
			start();
			unsigned a = pdbwriter_module(&p);
			pdbwriter_contribution(&p, a, 1, 0x10, 0x10);
			pdbwriter_proc(&p, a, cases[i].procedure, 1, 0x10, 0x10);
			pdbwriter_end(&p, a);
			for (unsigned k = 0; k < 3 && cases[i].publics[k]; k++)
				pdbwriter_public(&p, cases[i].publics[k], 2, 1, 0x10);
			pdbwriter_map(&p);
			options.decorated = true;
			options.wanted = how ? rva : NULL;
			options.wanted_count = how;
			sprintf(want, "1010 %s :0\n1020 _rossym_end__ :0\n", cases[i].want);
			rows_are(want, cases[i].want);
		}
	}
}

/* The header is changed: the number at OFFSET. */
static const struct {
	uint32_t offset, value;
	const char *error;
} damages[] = {
	{ 32, 256, "damaged at 0x20: its block size is not valid" },
	{ 32, 65536, "damaged at 0x20: its block size is not valid" },
	{ 32, 513, "damaged at 0x20: its block size is not valid" },
	{ 32, 0, "damaged at 0x20: its block size is not valid" },
	{ 40, 0x10000, "damaged at 0x28: the file is cut off: it has fewer blocks than it says" },
	{ 40, 0xffffffff, "damaged at 0x28: the file is cut off: it has fewer blocks than it says" },
	{ 44, 0, "damaged at 0x2c: the size of its directory is not valid" },
	{ 44, 0xffffffff, "damaged at 0x2c: the size of its directory is not valid" },
	{ 44, 8, "damaged at 0x800: its directory is too short for its number of streams" },
	{ 44, 52, "damaged at 0x810: its directory is too short for a stream of this size" },
	{ 52, 0, "damaged at 0x34: its directory is outside the file" },
	{ 52, 0xffffffff, "damaged at 0x34: its directory is outside the file" },
	{ 1536, 0, "damaged at 0x600: its directory has a block outside the file" },
	{ 1536, 0x10000, "damaged at 0x600: its directory has a block outside the file" },
	{ 2048, 0x40000000, "damaged at 0x800: its directory is too short for its number of streams" },
	{ 2048 + 8, 0x7fffffff, "damaged at 0x808: its directory is too short for a stream of this size" },
};

static void broken_container(void)
{
	size_t size;
	start();
	simple();
	uint8_t *bytes = pdbwriter_build(&p, &size);
	for (size_t i = 0; bytes && i < sizeof damages / sizeof *damages; i++) {
		uint32_t old = rs_le32(bytes + damages[i].offset);
		rs_put32(bytes + damages[i].offset, damages[i].value);
		ok(read_bytes(bytes, size, true) < 0, "damage %u", (unsigned)i);
		is_str(m.error, damages[i].error, "its message");
		rs_put32(bytes + damages[i].offset, old);
	}
	free(bytes);
}

/* A directory of many streams that all have the same blocks. */
static void repeated_blocks(void)
{
	enum { BLOCK = 512, STREAMS = 300 };
	static uint8_t file[BLOCK * 12];
	memcpy(file,
	       "Microsoft C/C++ MSF 7.00\r\n\x1a"
	       "DS\0\0",
	       32);
	rs_put32(file + 32, BLOCK);
	rs_put32(file + 40, 12);
	rs_put32(file + 44, 4 + STREAMS * 8);
	rs_put32(file + 52, 3);
	for (uint32_t i = 0; i < 5; i++)
		rs_put32(file + (size_t)3 * BLOCK + 4 * (size_t)i, 4 + i);
	rs_put32(file + (size_t)4 * BLOCK, STREAMS);
	for (uint32_t i = 0; i < STREAMS; i++) {
		rs_put32(file + (size_t)4 * BLOCK + 4 + 4 * (size_t)i, BLOCK);
		rs_put32(file + (size_t)4 * BLOCK + 4 + 4 * (size_t)(STREAMS + i), 9);
	}
	start();
	ok(read_bytes(file, sizeof file, true) < 0, "streams that repeat blocks");
	is_str(m.error, "damaged at 0x834: its streams have more blocks than the file", "its message");
}

static void line_rules(void)
{
	start();
	unsigned a = pdbwriter_module(&p);
	uint32_t one = pdbwriter_file(&p, a, "a.asm"), two = pdbwriter_file(&p, a, "a.inc");
	pdbwriter_contribution(&p, a, 1, 0, 0x100);
	pdbwriter_proc(&p, a, "odd", 1, 0x00, 0x20);
	pdbwriter_end(&p, a);
	lines(a, one, 0x00, 0x20, (const uint32_t[]){ 0x10, 45, 0x10, 47, 0x14, 48, 0x20, 49, 0x7fffffff, 50 }, 5);
	pdbwriter_proc(&p, a, "hidden", 1, 0x20, 0x20);
	pdbwriter_end(&p, a);
	lines(a, one, 0x20, 0x20, (const uint32_t[]){ 0, 1, 4, 0xf00f00, 8, 2, 12, 0xfeefee }, 4);
	pdbwriter_proc(&p, a, "mixed", 1, 0x40, 0x20);
	pdbwriter_end(&p, a);
	size_t at = pdbwriter_lines(&p, a, 1, 0x40, 0x18); /* two files take turns; the last 8 bytes have no line */
	pdbwriter_block(&p, a, one, 2);
	pdbwriter_line(&p, a, 0, 60);
	pdbwriter_line(&p, a, 0xc, 61);
	pdbwriter_block(&p, a, two, 2);
	pdbwriter_line(&p, a, 4, 25);
	pdbwriter_line(&p, a, 8, 26);
	pdbwriter_lines_end(&p, a, at);
	/* the first range at an address holds; this one has more */
	lines(a, two, 0x40, 0x20, (const uint32_t[]){ 0, 99 }, 1);
	pdbwriter_proc(&p, a, "columns", 1, 0x60, 0x10);
	pdbwriter_end(&p, a);
	at = pdbwriter_lines(&p, a, 1, 0x60, 0x10);
	p.modules[a].c13.b[at + 10] = 1; /* columns follow the lines of each block */
	pdbwriter_block(&p, a, one, 1);
	pdbwriter_line(&p, a, 0, 7);
	put32(&p.modules[a].c13, 0x00030001);
	pdbwriter_block(&p, a, two, 1);
	pdbwriter_line(&p, a, 8, 8);
	put32(&p.modules[a].c13, 0x00030001);
	pdbwriter_lines_end(&p, a, at);
	rows_are("1000 odd :0\n1010 odd a.asm:47\n1014 odd a.asm:48\n"
		 "1020 hidden a.asm:1\n1024 hidden a.asm:0\n1028 hidden a.asm:2\n102c hidden a.asm:0\n"
		 "1040 mixed a.asm:60\n1044 mixed a.inc:25\n1048 mixed a.inc:26\n104c mixed a.asm:61\n1058 mixed "
		 "a.inc:99\n"
		 "1060 columns a.asm:7\n1068 columns a.inc:8\n1070 _rossym_end__ :0\n",
		 "lines");
}

static void folded(void)
{
	start();
	unsigned a = pdbwriter_module(&p), b = pdbwriter_module(&p);
	uint32_t in_a = pdbwriter_file(&p, a, "a.c"), in_b = pdbwriter_file(&p, b, "b.c");
	pdbwriter_contribution(&p, b, 1, 0, 0x10);
	pdbwriter_proc(&p, a, "other", 1, 0, 0x10);
	pdbwriter_end(&p, a);
	lines(a, in_a, 0, 0x10, (const uint32_t[]){ 0, 1 }, 1);
	pdbwriter_proc(&p, b, "first", 1, 0, 0x10);
	pdbwriter_end(&p, b);
	pdbwriter_proc(&p, b, "second", 1, 0, 0x10);
	pdbwriter_end(&p, b);
	pdbwriter_proc(&p, b, "discarded", 0, 0, 0x10);
	pdbwriter_end(&p, b);
	pdbwriter_proc(&p, b, "absolute", 3, 0, 0x10);
	pdbwriter_end(&p, b);
	pdbwriter_proc(&p, b, "outside", 1, 0x1000, 0x10);
	pdbwriter_end(&p, b);
	lines(b, in_b, 0, 0x10, (const uint32_t[]){ 0, 2, 4, 3 }, 2);
	rows_are("1000 first b.c:2\n1004 first b.c:3\n1010 _rossym_end__ :0\n",
		 "name and line come from the module whose contribution it is");
}

static void publics(void)
{
	start();
	unsigned a = pdbwriter_module(&p), b = pdbwriter_module(&p);
	uint32_t file = pdbwriter_file(&p, a, "a.asm");
	pdbwriter_contribution(&p, a, 1, 0x00, 0x30);
	pdbwriter_contribution(&p, b, 1, 0x40, 0x20);
	pdbwriter_contribution(&p, b, 1, 0x80, 0x20);
	set32(&p.contributions, p.contributions.n - 16, DEBUGPE_DATA);
	pdbwriter_public(&p, "_table", 0, 1, 0x80);
	pdbwriter_public(&p, "_late", 2, 1, 0x10);
	pdbwriter_public(&p, "_early", 0, 1, 0x04);
	pdbwriter_public(&p, "_data", 0, 1, 0x20);
	pdbwriter_public(&p, "@fast@4", 2, 1, 0x20);
	pdbwriter_public(&p, "_padding", 2, 1, 0x38);
	pdbwriter_public(&p, "_p", 2, 1, 0x40);
	pdbwriter_public(&p, "_after", 2, 1, 0x58);
	pdbwriter_public(&p, "_nowhere", 2, 0, 0x44);
	pdbwriter_public(&p, "_absolute", 2, 9, 0x44);
	lines(a, file, 0x00, 0x30, (const uint32_t[]){ 0x08, 3, 0x18, 4 }, 2);
	pdbwriter_proc(&p, b, "p", 1, 0x40, 0x10);
	pdbwriter_end(&p, b);
	rows_are("1004 early :0\n1008 early a.asm:3\n1010 late a.asm:3\n1018 late a.asm:4\n1020 fast a.asm:4\n1030 "
		 "_rossym_end__ :0\n"
		 "1040 p :0\n1050 _rossym_end__ :0\n1058 after :0\n1060 _rossym_end__ :0\n",
		 "publics name code up to the next one and within a contribution");
}

/* Linkage names of C++ become names as procedures have them; those that are more than a name stay. */
static void linkage_names(void)
{
	static const char *const names[][2] = {
		{ "?f@@YAXXZ", "f" },
		{ "?f@C@ns@@QAEXXZ", "ns::C::f" },
		{ "??0C@ns@@QAE@XZ", "ns::C::C" },
		{ "??1C@@QAE@XZ", "C::~C" },
		{ "??2@YAPAXI@Z", "??2@YAPAXI@Z" },
		{ "??$t@H@@YAXH@Z", "??$t@H@@YAXH@Z" },
		{ "?g@0@YAXXZ", "?g@0@YAXXZ" },
		{ "?f", "?f" },
		{ "?", "?" },
		{ "?@", "?@" },
		{ "??0", "??0" },
		{ "?a@b@c@d@e@f@g@h@i@@YAXXZ", "?a@b@c@d@e@f@g@h@i@@YAXXZ" },
		{ "?f@?A0x1@@YAXXZ", "?f@?A0x1@@YAXXZ" },
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char rows[128];
		start();
		unsigned a = pdbwriter_module(&p);
		pdbwriter_contribution(&p, a, 1, 0, 0x10);
		pdbwriter_public(&p, names[i][0], 2, 1, 0);
		snprintf(rows, sizeof rows, "1000 %s :0\n1010 _rossym_end__ :0\n", names[i][1]);
		rows_are(rows, names[i][0]);
	}
}

/* The numbers of a record, as halves. */
#define HALVES(n) (uint16_t)((n)&0xffff), (uint16_t)((uint32_t)(n) >> 16)

static void parts_and_jumps(void)
{
	start();
	unsigned a = pdbwriter_module(&p), b = pdbwriter_module(&p);
	pdbwriter_contribution(&p, a, 1, 0x00, 0x40);
	pdbwriter_contribution(&p, a, 1, 0x100, 0x10);
	pdbwriter_contribution(&p, b, 1, 0x200, 0x40);
	pdbwriter_proc(&p, a, "f", 1, 0x00, 0x20);
	pdbwriter_symbol(&p, a, 0x1166, NULL, 0); /* something unknown */
	pdbwriter_end(&p, a);
	const uint16_t cold[] = { 0, 0, 0, 0, HALVES(0x10), 0, 0, HALVES(0x100), HALVES(0x00), 1, 1 };
	pdbwriter_symbol(&p, a, S_SEPCODE, cold, 14);
	pdbwriter_end(&p, a);
	const uint16_t thunk[] = { 0, 0, 0, 0, 0, 0, HALVES(0x20), 1, 6, 't' << 8, 'h' };
	pdbwriter_symbol(&p, a, S_THUNK32, thunk, 12);
	pdbwriter_end(&p, a);
	const uint16_t jump[] = { 0, 5, HALVES(0x205), HALVES(0x00), 1, 1 },
		       lost[] = { 0, 5, HALVES(0x20a), HALVES(0x30), 1, 1 };
	pdbwriter_symbol(&p, b, S_TRAMPOLINE, jump, 8);
	pdbwriter_symbol(&p, b, S_TRAMPOLINE, lost, 8);
	pdbwriter_public(&p, "_f", 2, 1, 0x00);
	rows_are("1000 f :0\n1020 th :0\n1026 _rossym_end__ :0\n1100 f :0\n1110 _rossym_end__ :0\n1205 @ILT+0(f) "
		 ":0\n120a _rossym_end__ :0\n",
		 "a part elsewhere, a thunk, jumps of an incremental link");
}

/* The linker of Visual C++ 2005 does not say in which section its own list of jumps is. */
static void unplaced_jumps(void)
{
	static const uint32_t rvas[] = { 0x120a };
	const uint16_t first[] = { 0, 5, HALVES(0x205), HALVES(0x00), 1, 1 },
		       second[] = { 0, 5, HALVES(0x20a), HALVES(0x40), 1, 1 };
	const uint16_t taken[] = { 0, 5, HALVES(0x3e), HALVES(0x00), 1, 1 },
		       last[] = { 0, 5, HALVES(0xffe), HALVES(0x00), 1, 1 };
	for (unsigned i = 0; i < 3; i++) {
		start();
		unsigned a = pdbwriter_module(&p), b = pdbwriter_module(&p);
		pdbwriter_symbol(&p, a, S_TRAMPOLINE, first, 8);
		pdbwriter_symbol(&p, a, S_TRAMPOLINE, second, 8);
		pdbwriter_symbol(&p, a, S_TRAMPOLINE, taken, 8);
		pdbwriter_symbol(&p, a, S_TRAMPOLINE, last, 8);
		pdbwriter_proc(&p, a, "nowhere", 1, 0x300, 0x10);
		pdbwriter_end(&p, a);
		pdbwriter_contribution(&p, b, 1, 0x40, 0x10);
		pdbwriter_proc(&p, b, "g", 1, 0x40, 0x10);
		pdbwriter_end(&p, b);
		pdbwriter_public(&p, "_f", 2, 1, 0x00);
		pdbwriter_public(&p, "_g", 2, 1, 0x40);
		p.modules[a].unplaced = i < 2 ? 20 : 0;
		if (i == 1) {
			options.wanted = rvas;
			options.wanted_count = 1;
		}
		rows_are(i == 0	  ? "103e @ILT+0(f) :0\n1040 g :0\n1050 _rossym_end__ :0\n1205 @ILT+455(f) :0\n120a "
				    "@ILT+460(g) :0\n"
				    "120f _rossym_end__ :0\n1ffe @ILT+4032(f) :0\n2000 _rossym_end__ :0\n"
			 : i == 1 ? "120a @ILT+460(g) :0\n120f _rossym_end__ :0\n"
				  : "1040 g :0\n1050 _rossym_end__ :0\n",
			 i == 0	  ? "jumps of a linker that does not say where they are"
			 : i == 1 ? "... one of them"
				  : "... for a module that has no code");
	}
	start();
	unsigned only = pdbwriter_module(&p);
	pdbwriter_symbol(&p, only, S_TRAMPOLINE, first, 8);
	lines(only, pdbwriter_file(&p, only, "a.c"), 0x205, 5, (const uint32_t[]){ 0, 5 }, 1);
	pdbwriter_public(&p, "_f", 2, 1, 0x00);
	p.modules[only].unplaced = 20;
	rows_are("1205 @ILT+0(f) :0\n120a _rossym_end__ :0\n", "... in a file without any contribution");
}

static void moved(void)
{
	start();
	unsigned a = pdbwriter_module(&p);
	uint32_t file = pdbwriter_file(&p, a, "a.c");
	/* The old section was at 0x3000.  Its bytes 0x10 to 0x20 came to 0x1100; after them is a new part; then bytes 0
	   to 0x10. */
	static const uint32_t omap[] = { 0x1100, 0x3010, 0x1110, 0, 0x1118, 0x3000, 0x1128, 0x80000000 };
	for (unsigned i = 0; i < 8; i++)
		put32(&p.omap, omap[i]);
	const uint32_t section[10] = { 0, 0, 0x100, 0x3000 };
	for (unsigned i = 0; i < 10; i++)
		put32(&p.sections, section[i]);
	pdbwriter_contribution(&p, a, 1, 0, 0x30);
	pdbwriter_proc(&p, a, "f", 1, 0, 0x20);
	pdbwriter_end(&p, a);
	lines(a, file, 0, 0x20, (const uint32_t[]){ 0, 1, 8, 2, 0x18, 3 }, 3);
	pdbwriter_public(&p, "_removed", 2, 1, 0x20);
	rows_are("1100 f a.c:2\n1108 f a.c:3\n1110 f :0\n1118 f a.c:1\n1120 f a.c:2\n1128 _rossym_end__ :0\n",
		 "code that was moved after the link");
}

/* Bytes that a tool has inserted are of the function around them, or of the line. */
static void inserted(void)
{
	/* The old section was at 0x3000: f has 0x20 bytes, g 0x10, and a public 0x10. */
	static const uint32_t omap[] = {
		0x1100, 0x3000, 0x1104, 0x80000000, 0x110c, 0x3004, /* in line 1 of f */
		/* between lines 1 and 2, and before the end of line 2 */
		0x1110, 0x80000000, 0x1118, 0x3008, 0x1120, 0, 0x1124, 0x80000004, 0x1128, 0x3010, 0x1138,
		0x80000000,					    /* ... twice; then between f and g */
		0x1140, 0x3020, 0x1148, 0x80000000, 0x114c, 0x3008, /* between g and f */
		/* from g to the public without any, and in it */
		0x1150, 0x3028, 0x1158, 0x3030, 0x1160, 0x80000000, 0x1164, 0x3038, 0x116c,
		0x80000000, /* after the last code */
	};
	start();
	unsigned a = pdbwriter_module(&p);
	uint32_t file = pdbwriter_file(&p, a, "a.c");
	for (unsigned i = 0; i < sizeof omap / sizeof *omap; i++)
		put32(&p.omap, omap[i]);
	const uint32_t section[10] = { 0, 0, 0x100, 0x3000 };
	for (unsigned i = 0; i < 10; i++)
		put32(&p.sections, section[i]);
	pdbwriter_contribution(&p, a, 1, 0, 0x40);
	pdbwriter_proc(&p, a, "f", 1, 0, 0x20);
	pdbwriter_end(&p, a);
	lines(a, file, 0, 0x20, (const uint32_t[]){ 0, 1, 8, 2 }, 2);
	pdbwriter_proc(&p, a, "g", 1, 0x20, 0x10);
	pdbwriter_end(&p, a);
	pdbwriter_public(&p, "_h", 2, 1, 0x30);
	if (!ok(read_pdb(true) == 0, "inserted bytes: read"))
		return;
	is_str(debugpe_rows(&di),
	       "1100 f a.c:1\n1110 f :0\n1118 f a.c:2\n1138 _rossym_end__ :0\n1140 g :0\n1148 _rossym_end__ :0\n"
	       "114c f a.c:2\n1150 g :0\n1158 h :0\n116c _rossym_end__ :0\n",
	       "inserted bytes are of the function around them, or of the line");
	is_uint(di.draft->function_count, 3, "three functions");
	is_uint(di.draft->functions[0].length, 0x38, "one of them with what was inserted in it");
	is_uint(di.draft->functions[1].length, 0x8, "... one up to what is between functions");
	is_uint(di.draft->functions[2].length, 0x14, "... and so has the public");
	draft_free(&di);
}

static void partial(void)
{
	start();
	simple();
	p.flags = 2;
	if (read_pdb(true) == 0)
		draft_free(&di);
	warnings_are("x.pdb is stripped: it has names of functions but no lines\n", "a stripped file");

	start();
	unsigned a = pdbwriter_module(&p);
	uint32_t file = pdbwriter_file(&p, a, "a.c");
	pdbwriter_contribution(&p, a, 1, 0, 0x20);
	pdbwriter_symbol(&p, a, S_FASTLINK, (const uint16_t[]){ 1, 2, 3 }, 3);
	lines(a, file, 0, 0x20, (const uint32_t[]){ 0, 1, 8, 2 }, 2);
	pdbwriter_public(&p, "_f", 2, 1, 0);
	rows_are("1000 f a.c:1\n1008 f a.c:2\n1020 _rossym_end__ :0\n", "FASTLINK: lines and publics");
	warnings_are(
		"x.pdb was linked with /DEBUG:FASTLINK: it has lines and public names, the rest is in object files\n",
		"... and a warning");
}

static void refused(const char *why, const char *what)
{
	char warning[200];
	ok(read_pdb(true) < 0, "%s: an error if the file was named", what);
	is_str(m.error, why, "... which says why");
	if (!ok(read_pdb(false) == 0, "... a warning if it was found"))
		return;
	snprintf(warning, sizeof warning, "x.pdb is not used: %s\n", why);
	warnings_are(warning, "... which says why");
	is_uint(di.draft->rows.count, 0, "... and no rows");
	draft_free(&di);
}

static void identity(void)
{
	start();
	simple();
	p.info_age = 4;
	rows_are(simple_rows, "the age is that of the DBI stream");
	p.age = 2;
	p.info_age = 1;
	refused("GUID 1312111015141716"
		"18191A1B1C1D1E1F, age 2; the image needs 131211101514171618191A1B1C1D1E1F, age 1",
		"another age");
	p.age = 1;
	p.guid = 0x20;
	refused("GUID 2322212025242726"
		"28292A2B2C2D2E2F, age 1; the image needs 131211101514171618191A1B1C1D1E1F, age 1",
		"another GUID");
	p.guid = 0x10;
	p.no_dbi = true;
	refused("no symbols of a program: it is a compiler's PDB file of types", "a file of types");
	p.no_dbi = false;
	m.debug_directory = 0;
	refused("nothing shows that it belongs to the image, which names no PDB file", "an image without a record");
}

static void dotnet(void)
{
	start();
	simple();
	p.machine = 0xc0ee;
	ok(read_pdb(true) < 0, "a PDB of .NET that was named");
	is_str(m.error, "a .NET PDB file, which has no symbols of machine code", "its message");
	if (!ok(read_pdb(false) == 0, "... that was found"))
		return;
	ok(di.counts.pdb_dotnet && di.counts.pdb_file == 1, "is the image's");
	is_uint(di.draft->rows.count, 0, "... has no rows");
	is_str(m.warnings, "", "... and no warning");
	draft_free(&di);
	p.guid = 0x20;
	refused("GUID 2322212025242726"
		"28292A2B2C2D2E2F, age 1; the image needs 131211101514171618191A1B1C1D1E1F, age 1",
		"one of another image");
	ok(!di.counts.pdb_dotnet, "is not the image's");
}

static void other_files(void)
{
	static const struct {
		const char *bytes, *why;
	} files[] = {
		{ "Microsoft C/C++ program database 2.00\r\n\x1aJG",
		  "a PDB 2.00 file, as Visual C++ 6 makes; only PDB 7.00 can be read" },
		{ "BSJB", "a portable PDB file, which has no symbols of machine code" },
		{ "M", "not a PDB file" },
		{ "", "not a PDB file" },
	};
	start();
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		ok(read_bytes((const uint8_t *)files[i].bytes, strlen(files[i].bytes), true) < 0, "file %u",
		   (unsigned)i);
		is_str(m.error, files[i].why, "its message");
	}
}

/* The key by itself: without an image, it is that of the file whatever the image needs. */
static void keys(void)
{
	struct pdb_key key;
	struct rossym_error err;
	size_t size;
	start();
	simple();
	p.age = 0x89abcdef;
	p.info_age = 4;
	uint8_t *bytes = pdbwriter_build(&p, &size);
	ok(bytes && rs_pdb_key_read(bytes, size, &key, &err) == 0, "the key of a file");
	is_uint(key.age, 0x89abcdef, "the age is that of the DBI stream");
	is_uint(key.guid[0], 0x10, "the GUID begins as in the file");
	is_uint(key.guid[15], 0x1f, "... and ends so");
	free(bytes);
	for (int i = 0; i < 200; i++)
		pdbwriter_contribution(&p, 0, 1, 0x10000, 1);
	allocated = 0;
	bytes = pdbwriter_build(&p, &size);
	ok(bytes && rs_pdb_key_read(bytes, size, &key, &err) == 0 && key.age == 0x89abcdef, "the key of a larger file");
	ok(allocated > 0 && allocated < 28 * 200, "... without a copy of the stream that has the age");
	free(bytes);
	p.no_dbi = true;
	bytes = pdbwriter_build(&p, &size);
	ok(bytes && rs_pdb_key_read(bytes, size, &key, &err) < 0, "a file of types has none");
	is_str(err.what, "no symbols of a program: it is a compiler's PDB file of types", "... which is said");
	free(bytes);
	ok(rs_pdb_key_read("BSJB", 4, &key, &err) < 0, "nor has a portable one");
	is_str(err.what, "a portable PDB file, which has no symbols of machine code", "... which is said");
}

/* With wanted addresses, modules and contributions that have none of them are not read, and the rest stays as it is. */
static void wanted(void)
{
	static const uint32_t rvas[] = { 0x1044, 0x1500 };
	start();
	simple();
	unsigned b = pdbwriter_module(&p);
	pdbwriter_contribution(&p, b, 1, 0x100, 0x10);
	pdbwriter_proc(&p, b, "far", 1, 0x100, 0x10);
	pdbwriter_end(&p, b);
	options.wanted = rvas;
	options.wanted_count = 2;
	if (!ok(read_pdb(true) == 0, "read what is wanted"))
		return;
	is_str(debugpe_rows(&di), "1040 two :0\n1048 _rossym_end__ :0\n",
	       "the rows of the contribution that has a wanted address");
	is_uint(di.counts.pdb_modules, 1, "the other module is not read");
	draft_free(&di);
}

/* Of the address map of publics, what is wrong: the last item is right. */
static void break_map(unsigned how)
{
	uint32_t first = rs_le32(p.map.b), last = rs_le32(p.map.b + p.map.n - 4);
	switch (how) {
	case 0: /* not ascending */
		set32(&p.map, 0, last);
		set32(&p.map, p.map.n - 4, first);
		break;
	case 1: /* outside of the records */
		set32(&p.map, 8, 0x7fffffff);
		break;
	case 2: /* in the middle of a record */
		set32(&p.map, 8, rs_le32(p.map.b + 8) + 4);
		break;
	case 3: /* another record */
		set32(&p.map, 8, (uint32_t)p.records.n);
		put32(&p.records, 0x110f0006);
		put32(&p.records, 0);
		break;
	case 4:
		p.map.n = 0;
		break;
	case 5: /* not all: one that is not wanted is missing, and so is one that is */
		memmove(p.map.b, p.map.b + 4, p.map.n - 4);
		p.map.n -= 4;
		p.map_short = UINT32_MAX;
		break;
	default:
		break;
	}
}

/* With wanted addresses, publics are found by their address map; if that is not as it should be, among all records. */
static void wanted_publics(void)
{
	static const uint32_t rvas[] = { 0x1004, 0x1018, 0x1029, 0x1205 };
	for (unsigned how = 0; how < 14; how++) {
		start();
		unsigned a = pdbwriter_module(&p), b = pdbwriter_module(&p);
		pdbwriter_contribution(&p, a, 1, 0x00, 0x40);
		pdbwriter_contribution(&p, b, 1, 0x200, 0x40);
		pdbwriter_symbol(&p, b, S_TRAMPOLINE, (const uint16_t[]){ 0, 5, HALVES(0x205), HALVES(0x40), 1, 1 }, 8);
		pdbwriter_proc(&p, a, "procedure", 1, 0x28, 0x08);
		pdbwriter_end(&p, a);
		pdbwriter_public(&p, "_target", 2, 1, 0x40);
		pdbwriter_public(&p, "_late", 2, 1, 0x18);
		pdbwriter_public(&p, "?same@@3HA", 0, 1, 0x10);
		pdbwriter_public(&p, "_same", 2, 1, 0x10);
		pdbwriter_public(&p, "_early", 2, 1, 0x00);
		pdbwriter_public(&p, "@procedure@4", 2, 1, 0x28);
		pdbwriter_public(&p, "_after", 2, 1, 0x30);
		pdbwriter_map(&p);
		break_map(how / 2);
		options.wanted = rvas;
		options.wanted_count = 4;
		options.decorated = how % 2;
		char what[40];
		snprintf(what, sizeof what, "publics, map %u%s", how / 2, how % 2 ? ", decorated" : "");
		rows_are(how % 2 ? "1000 _early :0\n1010 _rossym_end__ :0\n1018 _late :0\n1028 @procedure@4 :0\n1030 "
				   "_rossym_end__ :0\n"
				   "1205 @ILT+0(_target) :0\n120a _rossym_end__ :0\n"
				 : "1000 early :0\n1010 _rossym_end__ :0\n1018 late :0\n1028 procedure :0\n1030 "
				   "_rossym_end__ :0\n"
				   "1205 @ILT+0(target) :0\n120a _rossym_end__ :0\n",
			 what);
		warnings_are("", "... without a warning");
	}
	/* Only if the map is used can these be found: what comes before them would end the search among all records. */
	start();
	unsigned c = pdbwriter_module(&p);
	pdbwriter_contribution(&p, c, 1, 0x00, 0x40);
	pdbwriter_public(&p, "_f", 2, 1, 0x00);
	pdbwriter_public(&p, "_g", 2, 1, 0x20);
	pdbwriter_map(&p);
	struct bytes rest = p.records;
	p.records.n = 0;
	put32(&p.records, 0xffffffff);
	pdbwriter_append(&p.records, &rest);
	for (size_t i = 0; i < p.map.n; i += 4)
		set32(&p.map, i, rs_le32(p.map.b + i) + 4);
	options.wanted = rvas;
	options.wanted_count = 1;
	rows_are("1000 f :0\n1020 _rossym_end__ :0\n", "the map is used, and no other public is read");
	warnings_are("", "... without a warning");
	options.wanted = NULL;
	p.map.n = 0;
	rows_are("", "... without it they are not found");
	warnings_are("x.pdb: stream 6, offset 0x2c: a record of a symbol is damaged\n", "... and a warning");
}

/* Change each byte, and cut the file after each; reading never fails but for a file that is refused, which is a
   warning here. */
static void damage(void)
{
	size_t size, bad = 0;
	struct pdb_key key;
	struct rossym_error err;
	start();
	simple();
	p.scattered = true;
	pdbwriter_symbol(&p, 0, S_TRAMPOLINE, (const uint16_t[]){ 0, 5, HALVES(0x45), HALVES(0x00), 1, 1 }, 8);
	uint8_t *bytes = pdbwriter_build(&p, &size);
	for (size_t i = 0; bytes && i < 3 * size; i++) {
		static const uint8_t values[] = { 0xff, 0x00, 0x80 };
		uint8_t old = bytes[i / 3];
		if (old == values[i % 3])
			continue;
		bytes[i / 3] = values[i % 3];
		if (read_bytes(bytes, size, false) == 0)
			draft_free(&di);
		else
			bad++;
		bad += rs_pdb_key_read(bytes, size, &key, &err) < 0 && !err.what[0];
		bytes[i / 3] = old;
	}
	is_uint(bad, 0, "no changed byte makes reading fail");
	for (size_t n = 0; bytes && n < size; n += 7) {
		uint8_t *cut = malloc(n ? n : 1);
		if (cut && n)
			memcpy(cut, bytes, n);
		if (cut && read_bytes(cut, n, false) == 0)
			draft_free(&di);
		else
			bad++;
		bad += cut && rs_pdb_key_read(cut, n, &key, &err) == 0;
		free(cut);
	}
	is_uint(bad, 0, "... and no file that is cut off");
	free(bytes);
}

/* A damaged record ends the symbols, and a warning says where. */
static void damaged_records(void)
{
	start();
	simple();
	put16(&p.modules[0].symbols, 0x7000);
	put16(&p.modules[0].symbols, S_END);
	rows_are(simple_rows, "symbols up to a damaged record");
	warnings_are("x.pdb: stream 10, offset 0x74: a record of a symbol is damaged\n", "... and a warning");
}

int main(void)
{
	container();
	own_publics();
	broken_container();
	repeated_blocks();
	line_rules();
	folded();
	publics();
	linkage_names();
	parts_and_jumps();
	unplaced_jumps();
	moved();
	inserted();
	partial();
	identity();
	dotnet();
	other_files();
	keys();
	wanted();
	wanted_publics();
	damage();
	damaged_records();
	return done_testing();
}
