// SPDX-License-Identifier: GPL-2.0-or-later
/* What is a token, what is none, and what a header above makes of it. */
#include "config.h"
#include "log/note.h"
#include "log/number.h"
#include "log/tokens.h"
#include "tool/text.h"
#include "tests/lib/tap.h"

/* All that is found in the lines of TEXT: "module+rva", "@address", a "-" behind a return address, "{module@base,size,stamp}"
   for a fact, "{boot}", "{user}". */
static const char *found(const char *text)
{
	static char result[2048];
	struct context context = { .line = 0 };
	struct tokens t = { .at = 0 };
	struct text list = { .bytes = NULL };
	while (*text) {
		size_t length = strcspn(text, "\n");
		enum found what;
		tokens_begin(&t, &context);
		t.text = text;
		t.length = length;
		t.complete = true;
		while ((what = tokens_next(&t, &context)) == FOUND_TOKEN || what == FOUND_FACT) {
			if (list.length)
				text_add_char(&list, ' ');
			if (what == FOUND_TOKEN) {
				if (!t.token.absolute)
					text_add_bytes(&list, t.token.module, t.token.module_length);
				text_add_char(&list, t.token.absolute ? '@' : '+');
				text_add_hex(&list, t.token.number);
				if (t.token.is_return)
					text_add_char(&list, '-');
				continue;
			}
			text_add_char(&list, '{');
			if (t.fact.kind == FACT_LOADED) {
				text_add_bytes(&list, t.fact.module, t.fact.module_length);
				text_add_char(&list, '@');
				text_add_hex(&list, t.fact.base);
				text_add_char(&list, ',');
				text_add_hex(&list, t.fact.size);
				text_add_char(&list, ',');
				text_add_hex(&list, t.fact.stamp);
			} else {
				text_add(&list, t.fact.kind == FACT_BOOT ? "boot" : "user");
			}
			text_add_char(&list, '}');
		}
		text += length + (text[length] == '\n');
	}
	size_t n = list.length < sizeof result ? list.length : sizeof result - 1;
	if (n)
		memcpy(result, list.bytes, n);
	result[n] = '\0';
	text_clear(&list);
	return result;
}

static void test_tokens(void)
{
	static const struct { const char *text, *found; } cases[] = {
		{ "<a.sys:1e80>", "a.sys+1e80" },
		{ "<A.SYS: 1E80>", "A.SYS+1e80" },
		{ "<a.sys:0x1e80>\r", "a.sys+1e80" },
		{ "x<a.sys:1>y<b.dll:2>z", "a.sys+1 b.dll+2" },
		{ "<a.sys:1e80 (x.c:1 (f))>", "a.sys+1e80" },
		{ "<a.sys:1e80 (C:\\x.c:1 (f<int (*)()>::g))> <b.dll:2>", "a.sys+1e80 b.dll+2" },
		{ "<a.sys:1e80 (x)>", "" },
		{ "<a.sys:1e80", "" },
		{ "<a.sys:>", "" },
		{ "<:1234>", "@1234" },
		{ "<my driver.sys:10>", "" },
		{ "<\\??\\C:\\my dir\\a.sys: 1e80>", "\\??\\C:\\my dir\\a.sys+1e80-" },
		{ "<C:\\a.sys:1e80>", "C:\\a.sys+1e80" },
		{ "<http://example.org:80>", "" },
		{ "<80953369>", "@80953369" },
		{ "<FFFFF80000489B00>", "@fffff80000489b00" },
		{ "<1234>", "" },
		{ "<face>", "" },
		{ "<[invalid address]:41414141>", "" },
		{ "<a.sys:11111111111111111>", "" },
		{ "<a.sys: 0001A230>", "a.sys+1a230-" },
		{ "a.sys+0x1e80", "a.sys+1e80" },
		{ "nt!Foo+0x25", "" },
		{ "a.sys+1e80", "" },
		{ "fffff800`02a61000", "@fffff80002a61000" },
		{ "fffff800`02a6100", "" },
		{ "Eip: 8094136a", "@8094136a" },
		{ "EIP=8094136a eip:80941370 CS:EIP 1b:7c92f0a1", "@8094136a @80941370 @7c92f0a1" },
		{ "CS:EIP  0x0008:0x8058324B", "@8058324b" },
		{ "CS:RIP  0x0010:0xFFFFF80000489B00", "@fffff80000489b00" },
		{ "recipient: 80941370 Skip: 80941370", "" },
		{ "Execute '.cxr F824D9A4' to dump context", "" },
		{ "(ntoskrnl/mm/ARM3/mminit.c:1452) HAL I/O Mapping at FFFE0000 is unsafe", "" },
		{ "Couldn't access memory at 0x83E58959!", "" },
		{ "***     b.sys - Address FD8B49C2 base at FD899000, DateStamp 5db90293", "{b.sys@fd899000,0,5db90293} b.sys+1b9c2" },
		{ "***  b.sys - Address 0xFD8B49C2 base at 0xFD899000, DateStamp 0x5db90293", "{b.sys@fd899000,0,5db90293} b.sys+1b9c2" },
		{ "   7c920000+f0a1       C:\\ReactOS\\ntdll.dll", "C:\\ReactOS\\ntdll.dll+f0a1 {C:\\ReactOS\\ntdll.dll@7c920000,0,0}" },
		{ "          0+7c92f0a1   ", "@7c92f0a1" },
		{ "EIP 7c920000+f0a1 C:\\ntdll.dll", "C:\\ntdll.dll+f0a1 {C:\\ntdll.dll@7c920000,0,0}" },
		{ "Loading: \\SystemRoot\\a.sys at F824F000 with 11c pages", "{\\SystemRoot\\a.sys@f824f000,11c000,0}" },
		{ "DriverBase for \\SystemRoot\\pci.sys: dceb6000", "{\\SystemRoot\\pci.sys@dceb6000,0,0}" },
		{ "Kernel base = 0x80400000", "{ntoskrnl.exe@80400000,0,0}" },
		{ "ModLoad: f7a20000 f7a31000   a.sys", "{a.sys@f7a20000,11000,0}" },
		{ "(x.c:1) ReactOS 0.4.2 (Build 20160816-r72234)", "{boot}" },
		{ "something else (Build 2)", "" },
		/* Headers. */
		{ "Eip:\n<a.sys:10>\nFrames:\n<a.sys:20>\n<80941370>", "a.sys+10 a.sys+20 @80941370-" },
		{ "Address:\n<a.dll:10> (C:\\a.dll@7c000000)\nFrames:\n<a.dll:20> (C:\\a.dll@7c000000)",
		  "a.dll+10 {C:\\a.dll@7c000000,0,0} a.dll+20- {C:\\a.dll@7c000000,0,0}" },
		{ "Frames:\n[FFFFF88003CFB490] <a.sys:10>\n[FFFFF88003CFB490] <a.sys:20>", "a.sys+10 a.sys+20-" },
		{ "Frames: <a.sys: 10> <a.sys: 20> <INVALID>", "a.sys+10- a.sys+20-" },
		{ "Frames:\n00011230  00012340  ", "@11230- @12340-" },
		{ "Frames:\nkdb:> x\n<a.sys: 20>", "a.sys+20" },
		{ "Frames:\na.sys+0x10*----> x\n00011230", "a.sys+10" },
		{ "Frames:\na.sys+0x10 (a.c:1 (f))*----> x\n00011230", "a.sys+10" },
		{ "Address:\nFrames:\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n<a.sys:20>", "a.sys+20" },
		{ "  Base      Size      Name\n  80400000  00200000  ntoskrnl.exe\nx\n  80600000  00200000  b", "{ntoskrnl.exe@80400000,200000,0}" },
		{ "start             end \nfffff800`02a00000 fffff800`02a89b00 nt", "{nt@fffff80002a00000,89b00,0}" },
		{ "start             end \nfffff800`02a00000 fffff800`02a89b00 (a.c:1 (f))n", "@fffff80002a00000 @fffff80002a89b00" },
		{ "TID  \nfffff800`02a00000;0x25b022fe", "@fffff80002a00000" },
		{ "TID  \nfffff800`02a00000 (a.c:7 (f));0x25b022fe", "@fffff80002a00000" },
		{ "Entered debugger on embedded INT3 at 0x0008:0x8058324B.\nEip:\n<ntoskrnl.exe:18324c>",
		  "{user} @8058324b ntoskrnl.exe+18324c {ntoskrnl.exe@80400000,0,0}" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		is_str(found(cases[i].text), cases[i].found, cases[i].text[0] ? "tokens" : "nothing");
}

static void test_skip(void)
{
	static const char text[] = "nothing at all, however long it may be: 0123456789 Warning: a (b.c:12) done\n";
	char long_text[400];
	is_uint(tokens_skip(text, sizeof text - 1), sizeof text - 1, "a line without anything is skipped");
	is_uint(tokens_skip("<", 1), 0, "a mark at the end");
	for (size_t at = 0; at + 12 < sizeof long_text; at++) {
		memset(long_text, '.', sizeof long_text);
		memcpy(long_text + at, "Eip: 8094136a", 12);
		if (tokens_skip(long_text, sizeof long_text) != at) {
			ok(false, "a key word at %u", (unsigned)at);
			return;
		}
	}
	ok(true, "a key word is found wherever it is");
}

static void test_notes(void)
{
	size_t length;
	static const char note[] = " (a.c:1 (f(int)) - other DateStamp)> x";
	is_int(note_match(note, sizeof note - 1, true, &length), NOTE_THERE, "a note with a remark");
	is_uint(length, strlen(note) - 3, "its length");
	is_int(note_match(" (a.c:1 (f", 10, false, &length), NOTE_MORE, "half a note");
	is_int(note_match(" (a.c:1 (f", 10, true, &length), NOTE_NONE, "half a note is none");
	is_int(note_match(" (a.c:12[1] (f[g]))> x", 19, true, &length), NOTE_THERE, "a note with what the byte before says");
	is_uint(length, 19, "its length");
	is_int(note_match(" (a.c:12[1 (f))", 15, true, &length), NOTE_NONE, "half of a bracket");
	is_int(note_match(" (12 pages)", 11, true, &length), NOTE_NONE, "something in parentheses");
	is_uint(note_find_last("C:\\a (b).dll (a.c:1 (f))", 24, &length), 12, "a note at the end");
}

int main(void)
{
	test_tokens();
	test_skip();
	test_notes();
	return done_testing();
}
