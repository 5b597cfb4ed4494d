/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/address.c: GNU addr2line's grammar row by row, and the two forms that it does not have. */
#include "config.h"

#include "tests/lib/tap.h"
#include "tool/address.h"

/* TEXT as a name of a test, which is one line of ASCII. */
static const char *printable(const char *text)
{
	static char buffer[256];
	size_t i;

	for (i = 0; text[i] && i < sizeof buffer - 1; i++)
		buffer[i] = text[i] >= ' ' && text[i] <= '~' && text[i] != '#' ? text[i] : '?';
	buffer[i] = '\0';
	return buffer;
}

static void is_number(const char *text, uint64_t number)
{
	struct address a;

	address_parse(text, &a);
	if (!ok(a.kind == ADDRESS_NUMBER && a.number == number, "number '%s'", printable(text)))
		diag("kind %d, 0x%llx", (int)a.kind, (unsigned long long)a.number);
}

static void is_named(enum address_kind kind, const char *text, const char *name, uint64_t number)
{
	struct address a;

	address_parse(text, &a);
	if (!ok(a.kind == kind && a.number == number && a.name_length == strlen(name) &&
			memcmp(a.name, name, a.name_length) == 0 && a.name >= text && a.name <= text + strlen(text),
		"%s '%s'", kind == ADDRESS_MODULE ? "module" : "symbol", printable(text)))
		diag("kind %d, '%.*s', 0x%llx", (int)a.kind, a.kind == ADDRESS_NUMBER ? 0 : (int)a.name_length, a.name,
		     (unsigned long long)a.number);
}

static void is_symbol(const char *text, const char *name, uint64_t offset)
{
	is_named(ADDRESS_SYMBOL, text, name, offset);
}

static void is_module(const char *text, const char *name, uint64_t rva)
{
	is_named(ADDRESS_MODULE, text, name, rva);
}

static void numbers(void)
{
	static const char *const same[] = {
		"0x4015e0",	     "4015e0",	   "0X4015E0",	    "4015E0",	 "  4015e0",
		"4015e0  ",	     "\t0x4015e0", "\v\f\r 4015e0", "\n4015e0",	 "0x00000000000000004015e0",
		"4015e0h",	     "4015e0g",	   "4015e0:",	    "0x4015e0;", "0x4015e0]",
		"0x4015e0 0x4015f8", "4015e0+8",   "0x4015e0+0x18", "4015e0\r",
	};
	char zeros[207];

	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		is_number(same[i], 0x4015e0);
	memset(zeros, '0', 200);
	memcpy(zeros + 200, "4015e0", 7);
	is_number(zeros, 0x4015e0);

	is_number("", 0);
	is_number("   ", 0);
	is_number("0x", 0);
	is_number("0xg", 0);
	is_number("0x0x4015e0", 0);
	is_number("0o17", 0);
	is_number("4,015e0", 4);
	is_number("4015_e0", 0x4015);
	is_number("0b101", 0xb101);
	is_number("ffffffffffffffff", UINT64_MAX);
	is_number("fffffffffffffffe", UINT64_MAX - 1);
	is_number("1ffffffffffffffff", UINT64_MAX);
	is_number("10000000000000000", UINT64_MAX);
	is_number("99999999999999999999999", UINT64_MAX);
	is_number("0000000000000000000010", 0x10);
	is_number("0xffffffff004015e0", UINT64_C(0xffffffff004015e0));
	is_number("0x1004015e0", UINT64_C(0x1004015e0));
	is_number("8000000000000000", UINT64_C(0x8000000000000000));
	/* Letters that are digits make a number, unless there is an offset. */
	is_number("decode", 0xdec);
	is_number("feed_me", 0xfeed);
	is_number("callee2", 0xca);
	is_number("cfun", 0xcf);
	is_number("FEED", 0xfeed);
	is_number("a", 0xa);
	is_number("f`", 0xf);
}

static void symbols(void)
{
	is_symbol("callee2+0", "callee2", 0);
	is_symbol("beef+0", "beef", 0);
	is_symbol("cfun+0", "cfun", 0);
	is_symbol("beef +1", "beef", 1);
	is_symbol("+4015e0", "", 4015);
	is_symbol("+0x4015e0", "", 0x4015e0);
	is_symbol("-4015e0", "-4015e0", 0);
	is_symbol("-1", "-1", 0);
	is_symbol("-", "-", 0);
	is_symbol("x4015e0", "x4015e0", 0);
	is_symbol("zz", "zz", 0);
	is_symbol("[0x4015e0]", "[0x4015e0]", 0);
	is_symbol("<4015e0>", "<4015e0>", 0);
	is_symbol("*4015e0", "*4015e0", 0);
	is_symbol("@4015e0", "@4015e0", 0);
	is_symbol("(outer+0x18)", "(outer", 0x18);
	is_symbol("x.exe(outer+0x18)", "x.exe(outer", 0x18);
	is_symbol(",", ",", 0);
	is_symbol("outer", "outer", 0);
	is_symbol("_outer", "_outer", 0);
	is_symbol("outer+", "outer", 0);
	is_symbol("outer+zz", "outer", 0);
	is_symbol(".text+0x5e0", ".text", 0x5e0);
	is_symbol("outer+24", "outer", 24);
	is_symbol("outer+030", "outer", 24);
	is_symbol("outer + 0x18", "outer", 24);
	is_symbol("outer +0x18", "outer", 24);
	is_symbol("outer+ 0x18", "outer", 24);
	is_symbol("outer\t+\t0x18", "outer", 24);
	is_symbol("  outer+0x18", "outer", 24);
	is_symbol("outer+0x18zz", "outer", 24);
	is_symbol("outer+0x18\r", "outer", 24);
	is_symbol("outer+-8", "outer", UINT64_MAX - 7);
	is_symbol("outer++8", "outer", 8);
	is_symbol("outer-8", "outer-8", 0);
	is_symbol("outer 8", "outer", 0);
	is_symbol("outer+99999999999999999999", "outer", UINT64_MAX);
	is_symbol("overload(char const*, unsigned long)", "overload(char", 0);
	is_symbol("# comment", "#", 0);
	is_symbol("\xef\xbb\xbf"
		  "4015e0",
		  "\xef\xbb\xbf"
		  "4015e0",
		  0);
	is_symbol("\xc1", "\xc1", 0);
	is_symbol("\xe1"
		  "b",
		  "\xe1"
		  "b",
		  0);
}

static void modules(void)
{
	is_module("<ntoskrnl.exe:1a2b>", "ntoskrnl.exe", 0x1a2b);
	is_module("<ntoskrnl.exe: 1a2b>", "ntoskrnl.exe", 0x1a2b);
	is_module("<x.sys:0x1A2B>", "x.sys", 0x1a2b);
	is_module("  <x.sys:1>", "x.sys", 1);
	is_module("<x.sys:1a2b (ntoskrnl/ke/bug.c:12 (KeBugCheck))>", "x.sys", 0x1a2b);
	is_module("<x.sys:1>\r", "x.sys", 1);
	is_module("<x.sys:1> and more", "x.sys", 1);
	is_module("<c:\\reactos\\x.sys:1>", "c:\\reactos\\x.sys", 1);
	is_module("<c:\\abc\\x.sys:1>", "c:\\abc\\x.sys", 1);
	is_module("<c:abc\\x.sys:1>", "c:abc\\x.sys", 1);
	is_module("<a b.sys:1>", "a b.sys", 1);
	is_module("<x+y.sys:1>", "x+y.sys", 1);
	is_module("<:1>", "", 1);
	is_module("<x:10000000000000000>", "x", UINT64_MAX);
	is_symbol("<x.sys:>", "<x.sys:>", 0);
	is_symbol("<x.sys:zz>", "<x.sys:zz>", 0);
	is_symbol("<x.sys:1", "<x.sys:1", 0);
	is_symbol("<x.sys:1z>", "<x.sys:1z>", 0);
	is_symbol("x.sys:1>", "x.sys:1>", 0);
	is_symbol("<x.sys+1>", "<x.sys", 1);
}

static void halves(void)
{
	is_number("fffff800`02a61000", UINT64_C(0xfffff80002a61000));
	is_number("FFFFF800`02A61000", UINT64_C(0xfffff80002a61000));
	is_number("0xfffff800`02a61000", UINT64_C(0xfffff80002a61000));
	is_number("0`00000001", 1);
	is_number("00000001`40001000", UINT64_C(0x140001000));
	is_number("1`00000000 nt!KiBugCheck", UINT64_C(0x100000000));
	is_number("1`0000000", 1);
	is_number("1`000000000", 1);
	is_number("1`", 1);
	is_number("1`zzzzzzzz", 1);
	is_number("100000000`00000001", UINT64_C(0x100000000));
	is_symbol("`00000001", "`00000001", 0);
}

static void ends(void)
{
	static const struct {
		const char *text;
		uint64_t number;
		size_t end;
	} rows[] = {
		{ "", 0, 0 },	    { "zz", 0, 0 },	 { "0x", 0, 1 },
		{ "0xzz", 0, 1 },   { "0x12", 0x12, 4 }, { "fd899000", 0xfd899000, 8 },
		{ "12 ", 0x12, 2 }, { " 12", 0, 0 },	 { "fffff800`02a61000", UINT64_C(0xfffff80002a61000), 17 },
		{ "1`2", 1, 1 },    { "-1", 0, 0 },	 { "10000000000000000x", UINT64_MAX, 17 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *end;
		uint64_t number = address_number(rows[i].text, &end);

		ok(number == rows[i].number && end == rows[i].text + rows[i].end, "'%s' ends after %u", rows[i].text,
		   (unsigned)rows[i].end);
	}
}

int main(void)
{
	numbers();
	symbols();
	modules();
	halves();
	ends();
	return done_testing();
}
