// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows from stabs made by hand. */
#include "config.h"
#include "tests/lib/tap.h"
#include "tests/lib/debugpe.h"

enum { N_UNDF = 0, N_FUN = 0x24, N_SLINE = 0x44, N_SO = 0x64, N_SOL = 0x84 };
enum { BASE = 0x400000 };

static struct debugpe m;
static struct bytes *stab, *stabstr;
static size_t strings_start;
static struct debuginfo_options options;
static struct debuginfo di;

static void start(void)
{
	debugpe_start(&m, BASE);
	debugpe_section(&m, ".text", 0x1000, 0x1000, DEBUGPE_CODE);
	stab = debugpe_content(&m, ".stab", 0x8000);
	stabstr = debugpe_content(&m, ".stabstr", 0x9000);
	put8(stabstr, 0);
	strings_start = 0;
}

static void record(unsigned type, unsigned desc, uint32_t value, const char *text)
{
	put32(stab, text && text[0] ? (uint32_t)(stabstr->n - strings_start) : 0);
	put8(stab, type);
	put8(stab, 0);
	put16(stab, desc);
	put32(stab, value);
	if (text && text[0])
		put_text(stabstr, text);
}

static void rows_are(const char *rows, const char *what)
{
	if (ok(debugpe_read(&m, &options, &di) == 0, "%s: read", what))
		is_str(debugpe_rows(&di), rows, what);
}

static void functions(void)
{
	start();
	record(N_UNDF, 0, 0, NULL);
	record(N_SO, 0, BASE + 0x1000, "/src/");
	record(N_SO, 0, BASE + 0x1000, "a.c");
	record(N_FUN, 3, BASE + 0x1000, "one@4:F(0,1)");
	record(N_SLINE, 3, 0, NULL);
	record(N_SLINE, 4, 8, NULL);
	record(N_SOL, 0, BASE + 0x1010, "inc/a.h");
	record(N_SLINE, 9, 0x10, NULL);
	record(N_SLINE, 10, 0x10, NULL);
	record(N_SOL, 0, BASE + 0x1018, "/abs.c");
	record(N_SLINE, 5, 0x18, NULL);
	record(N_FUN, 0, 0x20, "");
	record(N_SOL, 0, BASE + 0x1030, "a.c");
	record(N_FUN, 20, BASE + 0x1030, "two:f(0,1)");
	record(N_SLINE, 21, 4, NULL);
	record(N_FUN, 30, BASE + 0x1040, "@three@8:f(0,1)");
	record(N_SLINE, 30, 0, NULL);
	record(N_SO, 0, BASE + 0x1050, "");
	rows_are("1000 one /src/a.c:3\n1008 one /src/a.c:4\n1010 one /src/inc/a.h:10\n1018 one /abs.c:5\n"
		 "1020 _rossym_end__ :0\n1030 two /src/a.c:21\n1040 three /src/a.c:30\n1050 _rossym_end__ :0\n",
		 "functions end at their end, at the next, at the file's end");
	is_uint(di.draft->function_count, 3, "three functions");
	is_uint(di.draft->functions[0].length, 0x20, "the length of the first");
	draft_free(&di);
}

static void object_files(void)
{
	start();
	record(N_UNDF, 0, 0, NULL);
	record(N_SO, 0, BASE + 0x1000, "a.c");
	record(N_FUN, 1, BASE + 0x1000, "a:F1");
	record(N_SLINE, 1, 0, NULL);
	record(N_FUN, 0, 0x10, "");
	set32(stab, 8, (uint32_t)stabstr->n); /* how many bytes of strings this one has */
	strings_start = stabstr->n;
	put8(stabstr, 0);
	record(N_UNDF, 0, 0, NULL);
	record(N_SO, 0, BASE + 0x1010, "b.c");
	record(N_FUN, 7, BASE + 0x1010, "b:F1");
	record(N_SLINE, 7, 0, NULL);
	record(N_FUN, 0, 0x10, "");
	rows_are("1000 a a.c:1\n1010 b b.c:7\n1020 _rossym_end__ :0\n", "each object file has its own strings");
	draft_free(&di);
}

static void oddities(void)
{
	start();
	record(N_SO, 0, BASE + 0x1100, "asm.s");
	record(N_SLINE, 2, BASE + 0x1100, NULL);
	record(N_SLINE, 3, BASE + 0x1104, NULL);
	record(N_SO, 0, BASE + 0x1108, "");
	debugpe_symbol(&m, "_stub", 0x100, 1, 0, 2);
	debugpe_symbol(&m, "_stub2", 0x106, 1, 0, 2);
	rows_are("1100 stub asm.s:2\n1104 stub asm.s:3\n1106 stub2 asm.s:3\n1108 _rossym_end__ :0\n",
		 "code without functions is named after labels");
	draft_free(&di);

	/* An assembler says neither where code ends nor that the next line is in another section, behind other code. */
	start();
	record(N_SO, 0, BASE + 0x1100, "asm.s");
	record(N_SLINE, 2, BASE + 0x1100, NULL);
	record(N_SLINE, 3, BASE + 0x1104, NULL);
	record(N_SLINE, 9, BASE + 0x1300, NULL);
	record(N_SLINE, 10, BASE + 0x1302, NULL);
	record(N_SLINE, 5, BASE + 0x1200, NULL);
	record(N_SO, 0, BASE + 0x1180, "a.c");
	record(N_FUN, 1, BASE + 0x1180, "f:F1");
	record(N_SLINE, 1, 0, NULL);
	record(N_FUN, 0, 8, "");
	debugpe_symbol(&m, ".text", 0x100, 1, 0, 3);
	debugpe_symbol(&m, "_here", 0x100, 1, 0, 2);
	debugpe_symbol(&m, "_lib", 0x110, 1, 0, 2);
	debugpe_symbol(&m, ".text", 0x110, 1, 0, 3);
	debugpe_symbol(&m, ".text$a", 0x200, 1, 0, 3);
	debugpe_symbol(&m, ".text", 0x208, 1, 0, 3);
	debugpe_symbol(&m, "_there", 0x300, 1, 0, 2);
	debugpe_symbol(&m, ".text$x", 0x310, 1, 0, 3);
	rows_are("1100 here asm.s:2\n1104 here asm.s:3\n1110 lib :0\n1180 f a.c:1\n1188 _rossym_end__ :0\n"
		 "1200  asm.s:5\n1208 _rossym_end__ :0\n1300 there asm.s:9\n1302 there asm.s:10\n"
		 "1310 _rossym_end__ :0\n",
		 "code without functions ends where another object file begins");
	draft_free(&di);

	start();
	record(N_SO, 0, BASE + 0x1000, "a.c");
	record(N_FUN, 1, 0, "gone:F1");
	record(N_SLINE, 1, 0, NULL);
	record(N_FUN, 0, 0x10, "");
	record(N_FUN, 1, BASE + 0x1000, "big:F1");
	record(N_SLINE, 65530, 0, NULL);
	record(N_SLINE, 2, 4, NULL);
	record(N_FUN, 0, 8, "");
	rows_are("1000 big a.c:65530\n1004 big a.c:2\n1008 _rossym_end__ :0\n", "a discarded function");
	is_uint(m.warning_count, 1, "lines that wrapped are a warning");
	draft_free(&di);

	start();
	record(N_SO, 0, BASE + 0x1000, "a.c");
	record(N_FUN, 1, BASE + 0x1000, "f:F1");
	set32(stab, stab->n - 12, 0x7fffffff);
	record(N_SLINE, 1, 0xffffffff, NULL);
	put32(stab, 5);
	rows_are("", "bad offsets and half a record");
	draft_free(&di);
}

/* Images that were moved after the link: stabs have the addresses of before. */
static void moved(void)
{
	static const uint32_t shifts[] = { 0, 0x30000, (uint32_t)-0x10000 };
	for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
		const uint32_t base = BASE + shifts[i];
		start();
		record(N_SO, 0, base + 0x1000, "a.c");
		record(N_FUN, 1, base + 0x1000, "one:F1");
		record(N_SLINE, 1, 0, NULL);
		record(N_FUN, 0, 0x10, "");
		record(N_FUN, 2, base + 0x1010, "two:f1");
		record(N_SLINE, 2, 0, NULL);
		record(N_FUN, 0, 0x10, "");
		debugpe_symbol(&m, "_one", 0, 1, 0x20, 2);
		debugpe_symbol(&m, "_two", 0x10, 1, 0x20, 3);
		debugpe_symbol(&m, "_three", 0x20, 1, 0x20, 2);
		rows_are("1000 one a.c:1\n1010 two a.c:2\n1020 three :0\n2000 _rossym_end__ :0\n", "a moved image");
		is_uint(m.warning_count, 0, "... without a warning");
		draft_free(&di);
	}
	start();
	record(N_SO, 0, BASE + 0x1000, "a.c");
	record(N_FUN, 1, BASE + 0x41000, "one:F1");
	record(N_FUN, 2, BASE + 0x31010, "two:f1");
	debugpe_symbol(&m, "_one", 0, 1, 0x20, 2);
	debugpe_symbol(&m, "_two", 0x10, 1, 0x20, 3);
	rows_are("1000 one :0\n1010 two :0\n2000 _rossym_end__ :0\n", "functions that were moved differently");
	is_str(m.warnings,
	       "stabs is not used: the image was moved after the link, and its symbols do not tell by how much: "
	       "-0x40000 or -0x30000\n",
	       "... are told");
	draft_free(&di);
}

int main(void)
{
	functions();
	object_files();
	oddities();
	moved();
	return done_testing();
}
