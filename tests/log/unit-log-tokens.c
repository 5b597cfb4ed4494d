// SPDX-License-Identifier: GPL-2.0-or-later
/* What is a token, what is none, and what a header above makes of it. */
#include "config.h"
#include "log/read/build-name.h"
#include "log/read/note.h"
#include "log/read/number.h"
#include "log/read/plain.h"
#include "log/read/wrapped.h"
#include "tool/strbuf.h"
#include "tests/fuzz/reads.h"
#include "tests/lib/tap.h"

/* All that is found in the lines of TEXT: "module+rva" or "@address", with a "-" after a return address and a "?" after
   an open one, a "~" if it has a note with a remark about another build, and "/module" if the line names the module at an address;
   "{module@base,size,stamp}" for a fact, "{boot}" or "{boot name}" with the name of the build, "{build name}",
   "{user}". */
static const char *found(const char *text)
{
	static char result[2048];
	struct context context = { .line = 0 };
	struct wrapped wrapped;
	struct tokens t = { .wrapped = &wrapped };
	struct plain_line plain = { .text = NULL };
	struct strbuf list = { .bytes = NULL };
	tokens_forget_lines(&t);
	while (*text) {
		size_t length = strcspn(text, "\n");
		enum found what;
		plain_read(&plain, text, length);
		tokens_begin(&t, &context);
		t.text = plain.text;
		t.length = plain.length;
		t.strings = plain.strings != PLAIN_NO_STRINGS;
		while ((what = tokens_next(&t, &context)) == FOUND_TOKEN || what == FOUND_FACT) {
			if (list.length)
				strbuf_add_char(&list, ' ');
			if (what == FOUND_TOKEN) {
				struct token located = t.token;
				struct plain_note note;
				plain_locate(&plain, &located, &note);
				if (!t.token.absolute)
					strbuf_add_bytes(&list, t.token.module, t.token.module_length);
				if (t.token.is_module) {
					strbuf_add(&list, note.length > 0 ? " noted" : " row");
					continue;
				}
				strbuf_add_char(&list, t.token.absolute ? '@' : '+');
				strbuf_add_hex(&list, t.token.number);
				if (t.token.is_return != IS_EXACT)
					strbuf_add_char(&list, t.token.is_return == IS_RETURN ? '-' : '?');
				if (note_is_other(note.text, note.length))
					strbuf_add_char(&list, '~');
				if (t.token.absolute && t.token.module_length > 0) {
					strbuf_add_char(&list, '/');
					strbuf_add_bytes(&list, t.token.module, t.token.module_length);
				}
				continue;
			}
			strbuf_add_char(&list, '{');
			if (t.fact.kind == FACT_LOADED || t.fact.kind == FACT_STAMP) {
				strbuf_add_bytes(&list, t.fact.module, t.fact.module_length);
				strbuf_add_char(&list, '@');
				strbuf_add_hex(&list, t.fact.base);
				strbuf_add_char(&list, ',');
				strbuf_add_hex(&list, t.fact.size);
				strbuf_add_char(&list, ',');
				strbuf_add_hex(&list, t.fact.stamp);
			} else if (t.fact.kind == FACT_MACHINE) {
				strbuf_add_hex(&list, t.fact.machine);
			} else {
				struct build build = { .name = "" };
				strbuf_add(&list, t.fact.kind == FACT_BOOT    ? "boot"
						  : t.fact.kind == FACT_BUILD ? "build"
									      : "user");
				if (t.fact.text_length && build_parse(t.fact.text, t.fact.text_length, &build)) {
					strbuf_add_char(&list, ' ');
					strbuf_add(&list, build.name[0] ? build.name : build.commit);
				}
			}
			strbuf_add_char(&list, '}');
		}
		text += length + (text[length] == '\n');
	}
	size_t n = list.length < sizeof result ? list.length : sizeof result - 1;
	if (n)
		memcpy(result, list.bytes, n);
	result[n] = '\0';
	strbuf_clear(&list);
	plain_clear(&plain);
	return result;
}

/* Whether TEXT is read in the same way with the sieve, and with notes; and so is each beginning of it. */
static bool reads_alike(const char *text)
{
	for (size_t length = strlen(text); length > 0; length--)
		if (reads_wrong(text, length))
			return false;
	return true;
}

struct expected {
	const char *text, *found;
};

static void check_all(const struct expected *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		is_str(found(cases[i].text), cases[i].found, "tokens");
		if (!ok(reads_alike(cases[i].text), "alike"))
			diag("%s", cases[i].text);
	}
}

#define CHECK_ALL(CASES) check_all(CASES, sizeof CASES / sizeof *CASES)

static void test_tokens(void)
{
	static const struct expected cases[] = {
		{ "<a.sys:1e80>", "a.sys+1e80?" },
		{ "<A.SYS: 1E80>", "A.SYS+1e80?" },
		{ "<a.sys:0x1e80>\r", "a.sys+1e80?" },
		{ "x<a.sys:1>y<b.dll:2>z", "a.sys+1? b.dll+2?" },
		{ "<a.sys:1e80 (x.c:1 (f))>", "a.sys+1e80?" },
		{ "<a.sys:1e80 (C:\\x.c:1 (f<int (*)()>::g))> <b.dll:2>", "a.sys+1e80? b.dll+2?" },
		{ "<a.sys:1e80 (x)>", "" },
		{ "<a.sys:1e80", "" },
		{ "<a.sys:>", "" },
		{ "<:1234>", "@1234?" },
		{ "<my driver.sys:10>", "my driver.sys+10?" },
		{ "<\\??\\C:\\my dir\\a.sys: 1e80>", "\\??\\C:\\my dir\\a.sys+1e80-" },
		{ "<C:\\a.sys:1e80>", "C:\\a.sys+1e80?" },
		{ "<http://example.org:80>", "" },
		{ "<80953369>", "@80953369?" },
		{ "<FFFFF80000489B00>", "@fffff80000489b00?" },
		{ "<1234>", "" },
		{ "<face>", "" },
		{ "<[invalid address]:41414141>", "" },
		{ "<a.sys:11111111111111111>", "" },
		{ "<a.sys: 0001A230>", "a.sys+1a230-" },
		{ "a.sys+0x1e80", "a.sys+1e80?" },
		{ "libstdc++-6.dll+0x1e80\nnotepad++.exe+1e80\nlibstdc+++0x1e80\n(C:\\a\\libstdc++-6.dll+0x10)",
		  "libstdc++-6.dll+1e80? notepad++.exe+1e80? libstdc+++1e80? libstdc++-6.dll+10?" },
		{ "a+b.dll+0x10\n++b.dll+0x10\n(++b.dll+0x10\na ++b.dll+0x10\nx++ +0x10\n+++0x10\na+++-6.dll+0x10",
		  "b.dll+10? b.dll+10? b.dll+10? b.dll+10?" },
		{ "nt!Foo+0x25", "" },
		{ "a.sys+1e80", "a.sys+1e80?" },
		{ "fffff800`02a61000", "@fffff80002a61000?" },
		{ "fffff800`02a6100", "" },
		{ "Eip: 8094136a", "@8094136a" },
		{ "EIP=8094136a eip:80941370 CS:EIP 1b:7c92f0a1", "@8094136a @80941370 @7c92f0a1" },
		{ "CS:EIP  0x0008:0x8058324B", "@8058324b" },
		{ "CS:RIP  0x0010:0xFFFFF80000489B00", "@fffff80000489b00" },
		{ "recipient: 80941370 Skip: 80941370", "" },
		{ "Execute '.cxr F824D9A4' to dump context", "" },
		{ "(ntoskrnl/mm/ARM3/mminit.c:1452) HAL I/O Mapping at FFFE0000 is unsafe", "" },
		{ "Couldn't access memory at 0x83E58959!", "" },
		{ "***     b.sys - Address FD8B49C2 base at FD899000, DateStamp 5db90293",
		  "{b.sys@fd899000,0,5db90293} b.sys+1b9c2" },
		{ "***  b.sys - Address 0xFD8B49C2 base at 0xFD899000, DateStamp 0x5db90293",
		  "{b.sys@fd899000,0,5db90293} b.sys+1b9c2" },
		/* ... wrapped. */
		{ "***  b.sys - Address FD8B49C2 base at FD899000, DateStamp\n5db90293 (a.c:1 (f) - other build)",
		  "{b.sys@fd899000,0,5db90293} b.sys+1b9c2~" },
		{ "b.sys - Address FD8B49C2 base at FD899000,\n> DateStamp 5db90293",
		  "{b.sys@fd899000,0,5db90293} b.sys+1b9c2" },
		{ "b.sys - Address FD8B49C2 base at \r\nFD899000, DateStamp 5db90293",
		  "{b.sys@fd899000,0,5db90293} b.sys+1b9c2" },
		{ "b.sys - Address FD8B49C2 base\nat FD899000,\nDateStamp 5db90293",
		  "{b.sys@fd899000,0,5db90293} b.sys+1b9c2" },
		{ "b.sys - Address FD8B49C2 base at FD899000, DateStamp\n\n5db90293", "" },
		{ "b.sys - Address FD8B49C2 base at FD899000, DateStamp\n<a.sys:10>\n5db90293", "a.sys+10?" },
		{ "b.sys - Address FD8B49C2 base at FD899000, DateStamp\nb.sys - Address FD8B49C2 base at FD899000, "
		  "DateStamp 5db90293",
		  "{b.sys@fd899000,0,5db90293} b.sys+1b9c2" },
		{ "b.sys - Address FD8B49C2 base at FD899000, DateStamp\nb.sys - Address FD8B49C2 base at FD899000, "
		  "DateStamp\n5db90293",
		  "{b.sys@fd899000,0,5db90293} b.sys+1b9c2" },
		{ "a line of some length and then *** Address fd89b200 has base at fd899000 -\nb.sys (a.c:1 (f))",
		  "b.sys+2200 {b.sys@fd899000,0,0}" },
		{ " 0# 0x0000000000001230 in C:\\Program Files (x86)\\A rather long name of a\nprogram\\a.exe (a.c:1 "
		  "(f))",
		  "C:\\Program Files (x86)\\A rather long name of a program\\a.exe+1230-" },
		{ "<a.sys:1230 (drivers/filesystems/btrfs/somewhere/create.c:154\n(find_file_in_dir))>",
		  "a.sys+1230?" },
		{ "<a.sys:1230 (b.c:1 (g)) (drivers/filesystems/btrfs/create.c:154\n(find_file_in_dir))>",
		  "a.sys+1230?" },
		{ "<a.sys:1230 (drivers/filesystems/btrfs/somewhere/<b.sys:10>", "b.sys+10?" },
		{ "Frames: <a.sys: 89b00> <b.sys: 1230 (a.c:1 (f))> <a.sys: 19a800> <a.sys: 1> <b.sys:\n1240> <a.sys: "
		  "10>",
		  "a.sys+89b00- b.sys+1230- a.sys+19a800- a.sys+1- b.sys+1240- a.sys+10-" },
		/* A line that a mailer cannot have wrapped there is no part of the next one: the word would have fitted. */
		{ "Frames: <a.sys: 89b00> <b.sys: 1230> <a.sys: 19a800> <b.sys:\n1240> <a.sys: 10>",
		  "a.sys+89b00- b.sys+1230- a.sys+19a800- a.sys+10-" },
		/* What is a row alone, or follows one, stays as it is; in a heading, no token begins. */
		{ "a line of text before a row of WinDbg's stack, and a plus + 1\nfffff880`03cfb4c0 fffff800`02a89b00 "
		  ": "
		  "00000000`00000000 00000000`00000001 00000000`00000000 00000000`00000002 : nt+0x89b00",
		  "nt+89b00?" },
		{ "a line of text before a row of WinDbg's memory, and a plus + 1\nfffff880`03cfb4c0  "
		  "fffff800`02a89b00",
		  "" },
		{ "  TID         State        Prior.  Affinity    EBP         EIP\n80941370 and more", "" },
		{ "  TID         State        Prior.  Affinity    EBP         EIP\n  0x00000004  Running  8  "
		  "0x00000001  0xf7a2ff00  "
		  "0x80941370\nrsp  0x80941380  0x80941390",
		  "@80941370-" },
		{ "   7c920000+f0a1       C:\\ReactOS\\ntdll.dll",
		  "C:\\ReactOS\\ntdll.dll+f0a1? {C:\\ReactOS\\ntdll.dll@7c920000,0,0}" },
		{ "          0+7c92f0a1   ", "@7c92f0a1?" },
		{ "EIP 7c920000+f0a1 C:\\ntdll.dll", "C:\\ntdll.dll+f0a1? {C:\\ntdll.dll@7c920000,0,0}" },
		{ "Loading: \\SystemRoot\\a.sys at F824F000 with 11c pages",
		  "{\\SystemRoot\\a.sys@f824f000,11c000,0}" },
		{ "DriverBase for \\SystemRoot\\pci.sys: dceb6000", "{\\SystemRoot\\pci.sys@dceb6000,0,0}" },
		{ "Kernel base = 0x80400000", "{ntoskrnl.exe@80400000,0,0}" },
		{ "ModLoad: f7a20000 f7a31000   a.sys", "{a.sys@f7a20000,11000,0}" },
		/* Builds. */
		{ "(x.c:1) ReactOS 0.4.2 (Build 20160816-r72234)", "{boot 20160816-r72234}" },
		{ "(ntoskrnl/kd64/kdinit.c:74) ReactOS 0.4.17-x86-dev (Build 20260924-0.4.17-dev-915-g3f5fd48) (Commit "
		  "3f5fd48b)",
		  "{boot 20260924-0.4.17-dev-915-g3f5fd48}" },
		{ "12:00:01 ReactOS 0.4.2 (Build 1) <a.sys:10>\r", "{boot 1} a.sys+10?" },
		{ "ReactOS 0.4.17-x86-dev (Build 20260924-0.4.17-dev-9", "{boot}" },
		{ "something else (Build 2)", "" },
		/* A text says the same about a build before and after its tokens are annotated.  A build name holds
		   no token. */
		{ "ReactOS 0.4<a.sys:10>.2 (Build 2)", "a.sys+10?" },
		{ "ReactOS 0.4<a.sys:10 (a.c:1 (f))>.2 (Build 2)", "a.sys+10?" },
		{ "ReactOS 0.4.2 (Build 2<a.sys:10>3)", "{boot} a.sys+10?" },
		{ "ReactOS 0.4.2 (Build 2<a.sys:10 (a.c:1 (f))>3)", "{boot} a.sys+10?" },
		{ "ReactOS 0.4.2 (Build a.sys+0x10) (Commit 80941370) a.sys+0x20", "{boot a.sys+0x10} a.sys+20?" },
		{ "ReactOS 0.4.2 20260924-x (Build 1)", "{boot 20260924-x}" },
		{ "FreeLdr 0.4.<a.sys:10>2 20260924-x ReactOS 0.4.2 (Build 2)", "a.sys+10? {boot 2}" },
		{ "ReactOS [Version 0.<a.sys:10>4.2 20260924-x]", "a.sys+10?" },
		{ "FreeLdr 0.4.17-x86-dev 20260924-0.4.17-dev-915-g3f5fd48\nEIP: 80941370",
		  "{boot 20260924-0.4.17-dev-915-g3f5fd48} @80941370" },
		{ "FreeLdr 3.2 is here", "" },
		{ "ReactOS [Version 0.4.17-x86-dev 20260924-0.4.17-dev-915-g3f5fd48]",
		  "{build 20260924-0.4.17-dev-915-g3f5fd48}" },
		{ "Microsoft Windows [Version 10.0.19045.1]", "" },
		{ "ReactOS Command Line Interpreter\nVersion 0.4.17-x86-dev "
		  "20260924-0.4.17-dev-915-g3f5fd48\r\nFrames:\n<a.sys: 10>",
		  "{build 20260924-0.4.17-dev-915-g3f5fd48} a.sys+10-" },
		{ "ReactOS Command Line Interpreter\n\nVersion 0.4.17 20260924-x", "" },
		{ "ReactOS Command Line Interpreter\nC:\\>Version 0.4.17 20260924-x", "" },
		{ "Version 0.4.17-x86-dev 20260924-0.4.17-dev-915-g3f5fd48", "{build 3f5fd48}" },
		/* What people and reports call a build; not an abbreviated commit of six digits, not a word that goes on. */
		{ "It crashes since 0.4.15-dev-1397-g19779b3, see below:\n<a.sys:10>", "{build 19779b3} a.sys+10?" },
		{ "**Affects Version:** 0.4.14-release-119-g7b25c8d", "{build 7b25c8d}" },
		{ "BuildLab 20180726-0.4.10-dev-368-g65a5a98.GNU_4.7.2", "{build 65a5a98}" },
		{ "since 0.4.15-dev-1397-g19779b", "" },
		{ "since 0.4.15-dev-1397-g19779b3x", "" },
		{ "since x-dev-1397-g19779b3, 0.4.15-dev, r-release-1", "" },
		{ "Base      Size      Name\nReactOS Command Line Interpreter\nVersion 0.4.17 20260924-x",
		  "{build 20260924-x}" },
		/* Headers. */
		{ "Eip:\n<a.sys:10>\nFrames:\n<a.sys:20>\n<80941370>", "a.sys+10 a.sys+20 @80941370-" },
		{ "Address:\n<a.dll:10> (C:\\a.dll@7c000000)\nFrames:\n<a.dll:20> (C:\\a.dll@7c000000)",
		  "a.dll+10 {C:\\a.dll@7c000000,0,0} a.dll+20- {C:\\a.dll@7c000000,0,0}" },
		{ "Frames:\n[FFFFF88003CFB490] <a.sys:10>\n[FFFFF88003CFB490] <a.sys:20>", "a.sys+10 a.sys+20-" },
		{ "Frames: <a.sys: 10> <a.sys: 20> <INVALID>", "a.sys+10- a.sys+20-" },
		{ "Frames:\n00011230  00012340  ", "@11230- @12340-" },
		{ "Frames:\nkdb:> x\n<a.sys: 20>", "a.sys+20?" },
		{ "Frames:\na.sys+0x10*----> x\n00011230", "a.sys+10?" },
		{ "Frames:\na.sys+0x10 (a.c:1 (f))*----> x\n00011230", "a.sys+10?" },
		{ "Address:\nFrames:\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n<a.sys:20>", "a.sys+20?" },
		{ "  Base      Size      Name\n  80400000  00200000  ntoskrnl.exe\nx\n  80600000  00200000  b",
		  "{ntoskrnl.exe@80400000,200000,0}" },
		{ "start             end \nfffff800`02a00000 fffff800`02a89b00 nt", "{nt@fffff80002a00000,89b00,0}" },
		{ "start             end \nfffff800`02a00000 fffff800`02a89b00 (a.c:1 (f))",
		  "@fffff80002a00000? @fffff80002a89b00?" },
		{ "TID  \nfffff800`02a00000;0x25b022fe", "@fffff80002a00000?" },
		{ "TID  \nfffff800`02a00000 (a.c:7 (f));0x25b022fe", "@fffff80002a00000?" },
		/* What nobody sees, and what is written in another way. */
		{ "\033[7m<a.\033[0msys:\033]0;title\a1e80>", "a.sys+1e80?" },
		{ "\033]8;;http://x/\033\\Ei\033(Bp\0337: \033[?25h80941\033[0;1;31m370", "@80941370" },
		{ "Kernel\033[m base\033[K = 0x8040\033[K0000", "{ntoskrnl.exe@80400000,0,0}" },
		{ "\033[12 <a.sys:1e80\033", "" },
		{ "\033<a.sys:1e80>", "" },
		{ "\033[\033<<a.sys:1e80>", "a.sys+1e80?" },
		{ "&lt;a.sys:1e80&gt; &#60;b.sys:&#x31;0&#62; &LT;c.sys:10>", "a.sys+1e80? b.sys+10?" },
		{ "Eip:&nbsp;80941370 EIP&#61;80941380 Eip:&#160;80941390", "@80941370 @80941380 @80941390" },
		{ "nt&#43;0x1e80 &amp;lt;a.sys:1e80> &#0;&#10;&#955;<a.sys:&#49;>", "nt+1e80? a.sys+1?" },
		{ "\\<a\\_b.sys:1e80\\> \\&lt;a.sys:10\\&gt; my\\_c.sys+0x10", "a_b.sys+1e80? a.sys+10? my_c.sys+10?" },
		{ "Frames:\n\\[FFFFF88003CFB490\\] \\<a.sys:10\\>\n\\[FFFFF88003CFB490\\] \\<a.sys:20>",
		  "a.sys+10 a.sys+20-" },
		{ "<a.sys:10> (C:\\_a\\#b\\[c]\\a.sys@80000000)", "a.sys+10? {C:\\_a\\#b\\[c]\\a.sys@80000000,0,0}" },
		{ "Loading: C:\\&a;\\a.sys at F824F000 with 11c pages", "{C:\\&a;\\a.sys@f824f000,11c000,0}" },
		{ "Entered debugger on embedded INT3 at 0x0008:0x8058324B.\nEip:\n<ntoskrnl.exe:18324c>",
		  "{user} @8058324b ntoskrnl.exe+18324c {ntoskrnl.exe@80400000,0,0}" },
	};
	CHECK_ALL(cases);
}

#define WATSON "*----> Stack Back Trace <----*\n0012FE10 7C92F0A1 00000000 00000001 0012FE40 7C5E1234 ntdll!f "
#define OTHER " (a.c:1 (f) - other build)"

/* Annotations from another build, after which --strict -U must find the same token, and an undo no annotation. */
static void test_noted(void)
{
	static const struct expected cases[] = {
		{ "<a.sys:1e80" OTHER ">x", "a.sys+1e80?~" },
		{ "<a.sys:1e80 (a.c:1 (f))>", "a.sys+1e80?" },
		{ "a.sys+0x1e80" OTHER, "a.sys+1e80?~" },
		{ "a.sys+0x1e80 (a.c:1 (f))", "a.sys+1e80?" },
		{ "a.sys+0x1e80" OTHER ", a.sys+1e80" OTHER ". a.sys+1e90" OTHER " (b)",
		  "a.sys+1e80?~ a.sys+1e80?~ a.sys+1e90?~" },
		{ "a.sys+0x1e80" OTHER "\r", "a.sys+1e80?~" },
		{ "a.sys+0x1e80" OTHER " (b.c:2 (g))", "a.sys+1e80?" },
		{ "a.sys+0x1e80" OTHER "b", "a.sys+1e80?" },
		{ "a.sys+1e80" OTHER ".c", "" },
		{ "Eip: 8094136a" OTHER "`0001", "" },
		{ "#1  0x8094136a" OTHER " in f ()", "@8094136a-~" },
		{ "Frames: 80941360" OTHER " 8094136a" OTHER, "@80941360-~ @8094136a-~" },
		{ "Frames: 80941360" OTHER ", 1", "" },
		{ "  0+7c92f0a1" OTHER "  ", "@7c92f0a1?~" },
		{ "  0+7c92f0a1" OTHER " C:\\a.dll", "@7c92f0a1?" },
		{ "  0+7c92f0a1 C:\\a.dll" OTHER, "@7c92f0a1?~" },
		{ "  0+7c92f0a1 C:\\a.dll (b.c:2 (g))" OTHER, "@7c92f0a1?~" },
		{ "TID  \n 0x00000004  Running  8  0x00000001  0xf7a2ff00  0x7c92f0a1" OTHER, "@7c92f0a1~" },
		{ "TID  \n 0x00000004  Running  8  0x00000001  0x7c92f0a1" OTHER, "" },
		{ WATSON "+0x1a" OTHER "\n", "@7c92f0a1~" },
		{ WATSON "+0x1a (b.c:2 (g))" OTHER "\n", "@7c92f0a1~" },
	};
	CHECK_ALL(cases);
}

/* Each row of the table in src/log/read/context.h. */
static void test_returns(void)
{
	static const struct expected cases[] = {
		/* The form of the line tells. */
		{ "<a.sys: 0001A2B3>\n<a.sys: 000000000001A2B3>\n<\\SystemRoot\\a.sys: 1a2b3>",
		  "a.sys+1a2b3- a.sys+1a2b3- \\SystemRoot\\a.sys+1a2b3-" },
		{ "#0  0x80941360 in f\n#1  0x8094136a in g\n#12 0x8094136a in h", "@80941360 @8094136a- @8094136a-" },
		{ "00 f793e0ec 80a01230 a+0x1230\n01 f793e0fc 80a01240 a+0x1230\n0a f793e0fc 80a01240 a+0x1230",
		  "a+1230 a+1230- a+1230-" },
		{ "ExceptionAddress: 80941360 CS:EIP 8:80941360 <a.sys: 10> <a.sys: 20>",
		  "@80941360 @80941360 a.sys+10 a.sys+20?" },
		{ "CS:EIP 8:<a.sys:10>", "a.sys+10" },
		{ "    current caller  80941360\n    previous caller 80941360", "@80941360- @80941360-" },
		{ "Delphi Exception at address: 00401234", "@401234-" },
		{ "TID  \n *0x00000004  Running  8  0x1  0xf7a2ff00  0x80941360\n  0x00000010  Waiting  8  0x1  "
		  "0xf7a2fe00  0x80941370\n"
		  "  0x00000014  Waiting  8  0x1  0x0012fe00  0x7c92f0a0",
		  "@80941360? @80941370- @7c92f0a0" },
		/* The heading tells. */
		{ "Eip:\n<a.sys:10>\nFrames:\n<a.sys:20>\n<a.sys:30>\n<80941360>",
		  "a.sys+10 a.sys+20 a.sys+30 @80941360-" },
		{ "Eip:\n<80941360>\nFrames:\n<80941360>\n[Parent TSS 0x0028 @ 0x8009C000]\n<80941360>\n<80941360>",
		  "@80941360 @80941360- @80941360 @80941360-" },
		{ "Frames:\n[FFFFF88003CFB490] <a.sys:10>\n[FFFFF88003CFB4A0] <a.sys:20>\nx\n[FFFFF88003CFB000] "
		  "<80941360>",
		  "a.sys+10 a.sys+20- @80941360-" },
		{ "Address:\n<a.dll:10> (C:\\a.dll@7c0)\nFrames:\n<a.dll:20> (C:\\a.dll@7c0)\nx\n<a.dll:30> "
		  "(C:\\a.dll@7c0)",
		  "a.dll+10 {C:\\a.dll@7c0,0,0} a.dll+20- {C:\\a.dll@7c0,0,0} a.dll+30- {C:\\a.dll@7c0,0,0}" },
		{ "Address:\n 7c000000+10 C:\\a.dll\nFrames:\n 7c000000+20 C:\\a.dll\nx\n 0+7c000030",
		  "C:\\a.dll+10 {C:\\a.dll@7c000000,0,0} C:\\a.dll+20- {C:\\a.dll@7c000000,0,0} @7c000030-" },
		{ "Frames: <a.sys:10> <80941360>\n<a.sys: 20>", "a.sys+10- @80941360- a.sys+20-" },
		{ "Frames:\n00011230  00012340", "@11230- @12340-" },
		{ "State 5 Affinity 1\nF9802340 80A01231  F9802360 80A01232", "@80a01231- @80a01232-" },
		{ "*----> Stack Back Trace <----*\n0012FE10 7C92F0A1 0012FE40 0012FE40 0012FE40 0012FE40 a!b +0x1a\n"
		  "0012FE10 7C92F0A2 0012FE40 0012FE40 0012FE40 0012FE40 a!b +0x1a",
		  "@7c92f0a1 @7c92f0a2-" },
		{ "ChildEBP RetAddr\nf793e0ec 80a01111 a+0x1230\nf793e0fc 80a01240 a+0x1230", "a+1230 a+1230-" },
		{ "STACK_TEXT:  \nf793e0ec 7c5e1010 0 0 0 a+0x1230\nWARNING: x\nf793e0fc 80a01240 0 0 0 a+0x1230",
		  "a+1230 a+1230-" },
		{ " # Child-SP RetAddr : Args to Child : Call Site\nfffff880`03cfb490 fffff800`02a89b00 : 0 0 0 0 : "
		  "a+0x1230\n"
		  "fffff88003cfb490 fffff80002a89b00 : 0 0 0 0 : a+0x1230",
		  "a+1230 a+1230-" },
		{ "Child-SP\nfffff880`03cfb490 fffff800`02a89b00 a!b\n\nfffff880`03cfb490 fffff800`02a89b00 a+0x1230",
		  "a+1230?" },
		/* The row before tells. */
		{ "kdb:> x\n<a.sys:10>: 90909090\n<80941360>: call <a.sys:20>\n\n<a.sys:30>: 90909090",
		  "a.sys+10 @80941360 a.sys+20 a.sys+30?" },
		{ "<a.sys:10>: 90909090\n<80941360>: 90909090", "a.sys+10? @80941360?" },
		{ "[FFFFF88003CFB490] <a.sys:10>\n[FFFFF88003CFB490] <80941360>\n[FFFFF88003CFB4A0] <a.sys:20>",
		  "a.sys+10? @80941360- a.sys+20-" },
		{ "[FFFFF88003CFB490] <a.sys:10>\n[FFFFF88003CFB480] <a.sys:20>\nx\n[FFFFF88003CFB4A0] <a.sys:30>",
		  "a.sys+10? a.sys+20? a.sys+30?" },
		{ "<a.dll:10> (C:\\a.dll@7c0)\n<a.dll:20> (C:\\a.dll@7c0)\n<[invalid address]:0>\n<:7c30> "
		  "(@0)\nx\n<a.dll:40> (C:\\a.dll@7c0)",
		  "a.dll+10? {C:\\a.dll@7c0,0,0} a.dll+20- {C:\\a.dll@7c0,0,0} @7c30- a.dll+40? {C:\\a.dll@7c0,0,0}" },
		{ " 7c000000+10 C:\\a.dll\n 7c000000+20 C:\\a.dll\n 41414141<invalid address>\n 0+7c000030\n\n "
		  "0+7c000040",
		  "C:\\a.dll+10? {C:\\a.dll@7c000000,0,0} C:\\a.dll+20- {C:\\a.dll@7c000000,0,0} @7c000030- "
		  "@7c000040?" },
		{ "<80941360>\n<80941361>\n<a.sys: 10>\n<a.sys: 20>\n\n<a.sys: 30>\n<80941362>",
		  "@80941360? @80941361- a.sys+10- a.sys+20- a.sys+30? @80941362-" },
		{ "<a.sys:10>\n<a.sys:20>\n<80941360>\n<a.sys:30>", "a.sys+10? a.sys+20? @80941360- a.sys+30?" },
		{ "<80941360> is one\n<80941361>\nand <80941362>\n<80941363>, <80941364>\n<80941365>",
		  "@80941360? @80941361? @80941362? @80941363? @80941364? @80941365?" },
		{ "<80941360>\n<a.dll:20> (C:\\a.dll@7c0)\n[FFFFF88003CFB490] <a.sys:30>",
		  "@80941360? a.dll+20? {C:\\a.dll@7c0,0,0} a.sys+30?" },
		{ "<a.dll:10> (C:\\b (x86)\\c@d\\a.dll@7c0)\n<a.dll:20> (C:\\b (x86)\\c@d\\a.dll@7c0)",
		  "a.dll+10? {C:\\b (x86)\\c@d\\a.dll@7c0,0,0} a.dll+20- {C:\\b (x86)\\c@d\\a.dll@7c0,0,0}" },
		{ "<a.dll:10> (see x@7c0)\n<a.dll:20> (see x@7c0)", "a.dll+10? a.dll+20?" },
		{ "f793e0ec 80a01240 0 0 0 a+0x1230\nf793e0fc 80a01250 0 0 0 a+0x1240\nf793e10c 80a01250 0 0 0 "
		  "a+0x1230",
		  "a+1230? a+1240- a+1230?" },
		{ "f793e0ec 80a01240 0 0 0 nt!Foo+0x12\n\nf793e0fc 80a01250 0 0 0 a+0x1240\nf793e10c 80a01250 "
		  "0x80a01250",
		  "a+1240- @80a01250-" },
		{ "f793e0ec 80a01240 0 0 0 nt!KiTrap0E+0x8f (TrapFrame @ f793e0fc)\nf793e1fc 80a01250 0 0 0 "
		  "a+0x1240\nf793e20c 80a01250 a+0x1250",
		  "a+1240? a+1250-" },
		{ "ChildEBP RetAddr\n00 f793e0ec 80a01240 nt!KiPageFault+0x12\n01 f793e1fc 80a01250 a+0x1240",
		  "a+1240?" },
		/* Nothing tells. */
		{ "Frame: a.sys:1230\nFrame: a.sys:1240\na.sys+1250\na.sys+1260\na+0x1270\nfffff800`02a89b00",
		  "a.sys+1230? a.sys+1240? a.sys+1250? a.sys+1260? a+1270? @fffff80002a89b00?" },
		{ "ChildEBP RetAddr\na+0x1230\na+0x1240", "a+1230? a+1240?" },
	};
	CHECK_ALL(cases);
}

/* What looks like a token, and is none. */
static void test_others(void)
{
	static const struct expected cases[] = {
		/* Memory, tables and registers. */
		{ "f793e0ec  80a01230 f793e114 00000000 f793e234", "" },
		{ "f793e0ec  80a01230 a+0x1230\nf793e0f0  80a01231 a+0x1230",
		  "a+1230? {a@80a00000,0,0} a+1230 {a@80a00000,0,0}" },
		{ "f793e0ec 80a01230 f793e114 00000000 a!b 0x80a01230", "" },
		{ "ChildEBP RetAddr\nf793e0ec 80a01230 a!b+0x12 (TrapFrame @ fffff880`03cfb490) <a.sys:1230>", "" },
		{ "ChildEBP RetAddr\nf793e0ec 80a01230 0000 a\nf793e0ec 80a01230 a", "" },
		{ "80800000 80a00000   nt         (deferred)", "" },
		{ "00 (Inline Function) --------`--------     a!b+0x12", "" },
		{ "0012FE10 7C92F0A1 00000000 00000001 0012FE40 7C5E1234 a!b +0x1a", "" },
		{ "rax            0x80a01230          0x80a01230\n   0x80a01230:\tmov", "" },
		{ "rax=0000000080a01230 rsp=fffff880`03cfb490 SS:ESP  0x0010:0x80a01230 EAX: 80a01230", "" },
		{ "LAST_CONTROL_TRANSFER: 80545357, 80526f24 into 80526f24", "" },
		{ "Arguments:\nArg1: 90543bd0, memory referenced\nArg2: 00000002, IRQL\nArg3: 12, address which "
		  "referenced memory\nArg: 90543bd0, address which referenced memory",
		  "" },
		{ "Arg4: 90543bd0, address which referenced "
		  "memory\nArguments:\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\nArg4: 90543bd0, address "
		  "which referenced memory",
		  "" },
		{ "FAULTING_MODULE: none\nFAULTING_MODULE: 12 a\nBugCheck 2, {80526f24, 80526f24}\nBugCheck D1 {1, 2, "
		  "3, 80526f24}\nBugCheck 8E, {c0000005, 0, 0, 0}",
		  "" },
		{ "FAULTING_IP:\nx\ny\na+1230\n80526f24 8b6e28 mov", "" },
		{ "FAULTING_IP:\n+1230\n00000000 ?? ???\n80526f24 8b6e28 mov", "" },
		{ "FOLLOWUP_IP:\nf793e0ec 80a01230 f793e114 00000000 f793e234 a!b", "" },
		{ "FAULTING_IP:\na+12 b!c+1230\n80526f24 8b6e2 mov", "" },
		{ "eip=00000000 Eip: 00000000 rip=0000000000000000 ExceptionAddress: 00000000 BPX 0x00000000 "
		  "00000000`00000000",
		  "" },
		{ "fffff880`03cfb490  fffff800`02a61000 fffff800`02a61008\nfffff880`03cfb4a0  48 8b\nfffff880`03cfb4a8 "
		  " fffff800`02a61000 a!b",
		  "" },
		{ "TRAP_FRAME:  fffff880`03cfb490 -- (.trap 0xfffff880`03cfb490)", "" },
		/* Words and numbers. */
		{ "rip 80a01230, strip 0x80a01230, rip 0x12", "" },
		{ "=> 80a01230: a, => 0x80a01230 <f+12>: b, => 0x12: c, => 0x80a01230", "" },
		{ "the current caller faced the previous caller 12:30, concurrent caller 80A01230", "" },
		{ "Delphi Exception at address: none", "" },
		{ "Frame: main.c:1230 Frame: a.dll:12 Frame: a.dll Frame: 12:30:45 MyFrame: a.dll:1230 Frame: "
		  "a.dll:12345.6 Frame: a.dll:123g",
		  "" },
		{ "see a.exe+1, a.exe+123, a.exe+12g0, a.exe++1230, a.exe+ 1230, a.exe+1230.txt, a.exe+1230-1240, "
		  "a.exe+1230_1",
		  "" },
		{ "?q=a.exe+1230 http://x/a.exe+1230 a.exe+1230/x user@a.exe+1230 b+a.exe+1230 a.c+1230 a.exe.txt+1230 "
		  "a+1230 .exe+1230",
		  "" },
		{ "a.exe!f+1230 a.exe!f+0x1230 nt!KiTrap0E+0x8f [path @ 1408] std::f+0x1230", "" },
		{ "<at 12:30> <b c:dec> <my driver:1230> < a.sys:1230> <if a: 5> <see b/a.sys:1230> <template class "
		  "T:1230>",
		  "" },
		{ "std::map<key k, a.dll:1230> a <b && c.dll:1230", "" },
		{ "a.dll:1230 at 12:30, frame: a.dll:1230", "" },
		/* The same forms where they count. */
		{ "LAST_CONTROL_TRANSFER:  from 80545357 to 80526f24\nLAST_CONTROL_TRANSFER:  from fffff800`02a61000 "
		  "(a.c:1 (f)) to fffff80002a61008",
		  "@80545357- @80526f24 @fffff80002a61000- @fffff80002a61008" },
		{ "Arguments:\nArg4: 90543bd0, address which referenced memory\nArg2: 90543bd1 (a.c:1 (f) - other "
		  "build), The address that the exception occurred at",
		  "@90543bd0 @90543bd1~" },
		{ "FAULTING_MODULE: 91110000 win32k\nFAULTING_MODULE: fffff800`02a00000 nt",
		  "{win32k@91110000,0,0} {nt@fffff80002a00000,0,0}" },
		{ "FAULTING_IP: \nwin32k+1a230\n9112a230 8b6e28          mov     ebp,dword ptr [esi+28h]",
		  "win32k+1a230 {win32k@91110000,0,0} @9112a230" },
		{ "FAULTING_IP: \nwin32k+1a231\n9112a230 8b6e28          mov     ebp,dword ptr [esi+28h]",
		  "win32k+1a231 @9112a230" },
		{ "FOLLOWUP_IP:\nwin32k!f+1a230\nfffff800`02a61000 488bc4          mov     rax,rsp",
		  "@fffff80002a61000?" },
		{ "SYMBOL_NAME:  vsdatant+1cbd0\nProbably caused by : win32k.sys ( win32k+1a230 )",
		  "vsdatant+1cbd0? win32k+1a230?" },
		{ "BugCheck D5, {fab22c50, 0, 911db830, 0}\nBugCheck 1000008E, {c0000005, fffff800`02a61000, 0, 0}",
		  "@911db830 @fffff80002a61000" },
		{ "The bugcheck was: 0x0000000a (0x00000004, 0x00000002, 0x00000000, 0x80412345).", "@80412345" },
		{ "*** STOP: 0x0000000A (0x00000004,0x00000002,\n0x00000000,0x80412345)\n"
		  "*** STOP: 0x0000000A (0x00000004,0x00000002,0x00000000,0x80412346)",
		  "@80412345 @80412346" },
		{ "fffff880`03cfb490  fffff800`02a61000 a+0x1230\nfffff800`02a61000 488bc4          mov     rax,rsp",
		  "a+1230? @fffff80002a61000?" },
		{ "fffff800`02a61000  is, fffff800`02a61000 -- (see x)", "@fffff80002a61000? @fffff80002a61000?" },
		{ "rip            0x41cae7            0x41cae7\nRIP  0x000000000041CAE7", "@41cae7 @41cae7" },
		{ "rip=fffff80002a89b00 rip=fffff800`02a89b00 rip:80a01230",
		  "@fffff80002a89b00 @fffff80002a89b00 @80a01230" },
		{ "=> 0x41cae7:\tnop", "@41cae7" },
		{ "`a.exe+1230` (A.EXE+1230). C:\\b\\a.exe+1230: \"a.exe+12300\"",
		  "a.exe+1230? A.EXE+1230? a.exe+1230? a.exe+12300?" },
		{ "<My Driver.SYS: 1230> <my big driver.sys:0x1230 (a.c:1 (f))>",
		  "My Driver.SYS+1230? my big driver.sys+1230?" },
	};
	CHECK_ALL(cases);
}

#define PROGRAM "Faulting application name: app.exe, version: 1.0.0.0, time stamp: 0x5db90008\n"
#define MODULE "Faulting module name: a b.dll, version: 6.1.7601.18229, time stamp: 0x51fb1072\n"
#define CODE "Exception code: 0xc0000005\n"
#define FACTS "{app.exe@0,0,5db90008} {a b.dll@0,0,51fb1072}"

/* Windows' events about crashes. */
static void test_events(void)
{
	static const struct expected cases[] = {
		{ PROGRAM MODULE CODE "Fault offset: 0x0002e3be\r\nFault offset: 0x0002e3be", FACTS " a b.dll+2e3be" },
		{ PROGRAM MODULE CODE "Fault offset: 0x0002e3be (a.c:1 (f) - other build)", FACTS " a b.dll+2e3be~" },
		{ PROGRAM MODULE CODE "> Fault offset: 0x00007ffc0002e3be", FACTS " a b.dll+7ffc0002e3be" },
		{ PROGRAM "\n" MODULE "\r\n" CODE " \nx: 0x0002e3be", FACTS " a b.dll+2e3be" },
		{ PROGRAM "x\n" MODULE CODE "Fault offset: 0x0002e3be", FACTS },
		{ PROGRAM MODULE CODE "x\nFault offset: 0x0002e3be", FACTS },
		{ PROGRAM MODULE "Fault offset: 0x0002e3be", FACTS },
		{ PROGRAM MODULE CODE "Fault offset 0x0002e3be", FACTS },
		{ PROGRAM CODE "Fault offset: 0x0002e3be", "{app.exe@0,0,5db90008}" },
		{ PROGRAM "Faulting module name: unknown, version: 0.0.0.0, time stamp: 0x00000000\n" CODE
			  "Fault offset: 0x0002e3be",
		  "{app.exe@0,0,5db90008} @2e3be" },
		{ PROGRAM "Faulting module name: unknown, version: 0.0.0.0, time stamp: 0x00000001\n" CODE
			  "Fault offset: 0x0002e3be",
		  "{app.exe@0,0,5db90008}" },
		{ "Name: a.dll, version: 1, time stamp: 0x5db90008\nName: a.dll, version: 1.2.3.4, time stamp "
		  "0x5db90008\na: b.dll, 1.2.3 0x5db90008",
		  "" },
		{ "Name: a.dll\xef\xbc\x8c: 10.0.22621.2271\xef\xbc\x8c: 0x5db90008", "{a.dll@0,0,5db90008}" },
		{ "  Fault Module Name:\ta.dll\n  Version:\t1.2\n  Fault Module Timestamp:\t5db90008\n  Exception "
		  "Code:\tc0000005\n  Exception Offset:\t0002e3be\r",
		  "{a.dll@0,0,5db90008} a.dll+2e3be" },
		{ "  Exception Offset:\t0002e3be\n  Fault Module Name:\t\n  Exception Offset:\t0002e3be\nFault Module "
		  "Name: a\n1\n2\n3\n4\n5\n6\n7\n8\nFault Module Timestamp: 00000001",
		  "" },
		{ "<EventData>\n<Data>app.exe</Data>\r\n<Data>1.0</Data> "
		  "<Data>5db90008</Data><Data>ntdll.dll</Data>\n<Data Name=\"x\">6.1</Data>\n<Data>51fb1072</Data>\n"
		  "<Data>c0000374</Data>\n<Data>00000000000f9269 (a.c:1 (f) - other "
		  "build)</Data>\n<Data>0002e3be</Data>",
		  "{ntdll.dll@0,0,51fb1072} ntdll.dll+f9269~" },
		{ "<Data>1</Data><Data>1</Data><Data>1</Data><Data>ntdll.dll</Data><Data>1</Data><Data>51fb1072</"
		  "Data><Data>1</Data><Data>0002e3be</Data>",
		  "" },
		{ "<EventData><Data>1</Data><Data>1</Data><Data>1</Data><Data>ntdll.dll</Data><Data>1</Data><Data>1</"
		  "Data><Data>1</Data><Data>0002e3be8</Data>",
		  "" },
		{ "EventType=APPCRASH\nSig[3].Value=ntdll.dll\r\nSig[5].Value=51fb1072\nSig[6].Value=c0000005\nSig[7]."
		  "Value=0002e3be (a.c:1 (f))\r",
		  "{ntdll.dll@0,0,51fb1072} ntdll.dll+2e3be" },
		{ "Event Name: BEX64\nP4: ntdll.dll\nP6: 51fb1072\nP7: 0002e3be\nP8: c0000005",
		  "{ntdll.dll@0,0,51fb1072} ntdll.dll+2e3be" },
		{ "Event Name: BEX is\nP4: ntdll.dll\nP6: 51fb1072\nP7: 0002e3be\nP8: c0000005", "" },
		{ "APPCRASH\nP4: StackHash_f939\nP6: 00000000\nP8: 0002e3be is", "{StackHash_f939@0,0,0}" },
		{ "Faulting application app.exe, version 1.0.0.0, faulting module ntdll.dll, version 5.1.2600.2180, "
		  "fault address 0x0002e3be.",
		  "ntdll.dll+2e3be" },
		{ "Faulting application app.exe, faulting module ntdll.dll, version 6, time stamp 0x4ce7a4c8, "
		  "exception code 0xc0000005, fault offset 0x0002e3be, process",
		  "{ntdll.dll@0,0,4ce7a4c8} ntdll.dll+2e3be" },
		{ "faulting module a, fault address 0x0002e3be faulting module a.dll fault address 0x0002e3be", "" },
	};
	CHECK_ALL(cases);
}

/* Other programs' stacks; most lines are from public reports. */
#define WINE_FAULT \
	"wine: Unhandled page fault on read access to 00000000 at address 01FC9328 (thread 0024), starting " \
	"debugger...\n"
#define WINEDBG "Unhandled exception: page fault on read access to 0x00000000 in wow64 32-bit code (0x01fc9328).\n"

static void test_foreign(void)
{
	static const struct expected cases[] = {
		/* winedbg: of old versions the offset is that of the byte before. */
		{ "=>0 0x038e0040 in league of legends (+0x34e0040) (0x0033fed8)",
		  "league of legends+34e0040 {league of legends@400000,0,0}" },
		{ "  1 0x00403350 in d2-map (+0x334f) (0x0102f638)", "d2-map+334f {d2-map@400000,0,0}" },
		{ "  1 0x00000140698c1b in robloxstudiobeta (+0x698c1b) (a.c:1 (f) - other build) (0x006fffffa40298)",
		  "robloxstudiobeta+698c1b-~ {robloxstudiobeta@140000000,0,0}" },
		{ "Unhandled exception at 0x77C4B2E3 in ntdll.dll (+0x4b2e3): 0xC0000005: ...",
		  "ntdll.dll+4b2e3 {ntdll.dll@77c00000,0,0}" },
		{ "=>0 0x038e0040 in a (+0x34e0042) (x)\n=>0 0x038e0040 in libc.so.6 (+0x34e0040)\n=>0 038e0040 in a "
		  "(+0x34e0040) in a (+0x1) (+0x34e0040)",
		  "" },
		{ "=>0 0x000000006bc512f7 EntryPoint+0xffffffffffffffff() in dwrite (0x0000000000000000)",
		  "@6bc512f7/dwrite" },
		{ "  1 0x7c5e1230 f() in a b (a.c:1 (f)) (0x0033fed8)\n0x7c5e1230 f+0x10() in a (0x1)\n"
		  "  1 0x7c5e1230 f+0x10() in libc.so.6 (0x1)\n  1 7c5e1230 f() in a (0x1)\n"
		  "  1 0x7c5e1230 f(x=1) in a (0x1)\n  1 0x7c5e1230 f() in a (1)\nEntryPoint+0x10(1)",
		  "@7c5e1230-/a b EntryPoint+10?" },
		{ "Module\tAddress\t\t\tDebug info\tName (2)\nPE\t  400000- 3985000\tExport          league of "
		  "legends\n  \\-PE\t7c5e0000-7c6e0000\t\\               kernel32\n"
		  "ELF\t7b400000-7b7dc000\tDeferred        kernel32<elf>\nThreads:\nPE\t  400000- 3985000\tExport      "
		  "    x",
		  "{league of legends@400000,3585000,0} {kernel32@7c5e0000,100000,0}" },
		{ "Module\tAddress\t\t\tDebug info\tName (2)\nPE\t  400000- 3985000\tDefe<x.sys:10 (a.c:1 (f))> x",
		  "x.sys+10?" },
		{ "Unhandled exception: page fault on read access to 0x00000250 in 32-bit code (0x0578564c).\nin "
		  "64-bit code (here)",
		  "{user} @578564c" },
		/* Wine */
		{ "x:seh:virtual_unwind backtrace: 00006FFFFFABACDB: L\"sechost.dll\" + 000000000000ACDB.\nx: "
		  "00006FFFFFABACDB: L\"sechost.dll\" + 000000000000ACDB.\n"
		  "x: 00006FFFFFABACDB: L\"sechost.dll\" + 000000000000ACDD.",
		  "sechost.dll+acdb? {sechost.dll@6fffffab0000,0,0} sechost.dll+acdb- {sechost.dll@6fffffab0000,0,0}" },
		{ "dispatch_exception code=6ba flags=0 addr=000000007B04D723 ip=7b04d723\nUnhandled exception code "
		  "c0000005 flags 0 addr 0x4075a3\nUnhandled exception code c0000005",
		  "@7b04d723 @7b04d723 @4075a3" },
		{ "dispatch_exception code=6ba flags=0 addr=0000000000000000 ip=7b04d723\n"
		  "dispatch_exception code=6ba flags=0 addr=000000007B04D723  ip=7b04d723\n"
		  "addr=000000007B04D723 ip=7b04d723\ndispatch_exception code=6ba flags=0 addr=12345678 rip=7b04d723",
		  "@7b04d723 @7b04d723 @12345678 @7b04d723" },
		{ "build_module Loaded L\"C:\\\\windows\\\\system32\\\\kernelbase.dll\" at 7BC40000: builtin\nLoaded "
		  "L\"x\" at noon\nLoaded L\"\" at 7BC40000",
		  "{C:\\\\windows\\\\system32\\\\kernelbase.dll@7bc40000,0,0}" },
		{ "at address 01FC9328 (thread 0024)\nat address 01FC9328 in module a.dll\nUnhandled page fault on "
		  "write at address 01FC9328 (thread 0024)",
		  "@1fc9328/a.dll" },
		/* the end of the module's name */
		{ "at address 00401234 in module 'my app.exe'. Read of address 0\nat location 00401234 in module "
		  "my app.exe Reading from\nat location 00401234 in module C:\\a b.c\\x.dll.\n"
		  "at location 00401234 (a.c:1 (f)) in module x.exe",
		  "@401234/my app.exe @401234/my app.exe @401234/C:\\a b.c\\x.dll @401234/x.exe" },
		{ "at address 00401234 in module 'rtl 250.bpl'. Read\nat address 00401234 in module x.pyd Reading\n"
		  "at address 00401234 in module x.pyd.\nat address 00401234 in module \nat address 00401234 in module",
		  "@401234/rtl 250.bpl @401234/x.pyd @401234/x.pyd @401234 @401234" },
		{ "wine: Unhandled page fault on read access to 00000000 at address 01FC9328 (thread 0024)\nno memory "
		  "at address 01FC9328\nat location 7c34fedc in module a.dll",
		  "@1fc9328 @7c34fedc/a.dll" },
		/* names with blanks */
		{ "***  my driver.sys - Address F8001234 base at F8000000, DateStamp 5db90010\n** my other driver.sys "
		  "- "
		  "Address F8001234 base at F8000000, DateStamp 5db90010 (a.c:1 (f))",
		  "{my driver.sys@f8000000,0,5db90010} my driver.sys+1234 "
		  "{my other driver.sys@f8000000,0,5db90010} my other driver.sys+1234" },
		{ "* in my driver.sys - Address F8001234 base at F8000000, DateStamp 5db90010\n*** STOP: 0x1 "
		  "driver.sys - "
		  "Address F8001234 base at F8000000, DateStamp 5db90010\n*** In  driver.sys - Address F8001234 base "
		  "at "
		  "F8000000, DateStamp 5db90010",
		  "" }, /* rules find the name */
		{ "***  my - new driver.sys - Address F8001234 base at\nF8000000, DateStamp 5db90010",
		  "{my - new driver.sys@f8000000,0,5db90010} my - new driver.sys+1234" },
		{ "***  my driver.sys - Address F8001234 base at\nF8000000, DateStamp 5db90010",
		  "{my driver.sys@f8000000,0,5db90010} my driver.sys+1234" },
		{ "ModLoad: 00400000 00412000   C:\\Program Files\\My App\\app1.exe\r\nModLoad: 00400000 00412000   my "
		  "app.exe\nModLoad: 00400000 00412000   C:\\My App\\x.pyd  \nModLoad: 00400000 00412000   nt of it",
		  "{C:\\Program Files\\My App\\app1.exe@400000,12000,0} {my app.exe@400000,12000,0} "
		  "{C:\\My App\\x.pyd@400000,12000,0} {nt@400000,12000,0}" },
		/* where the report of a process begins */
		{ "Unhandled exception: page fault in 32-bit code (0x0578564c).\nFirst chance exception: page fault in "
		  "32-bit code (0x0578564c).\nUnhandled exception: page fault on read access",
		  "{user} @578564c @578564c" },
		{ WINE_FAULT "x\n" WINEDBG "x\n" WINEDBG "x\n" WINE_FAULT WINEDBG "x\n" WINE_FAULT "x\n" WINEDBG,
		  "@1fc9328 @1fc9328 {user} @1fc9328 {user} @1fc9328 @1fc9328 {user} @1fc9328 @1fc9328" },
		{ "#  EXCEPTION_ACCESS_VIOLATION (0xc0000005) at pc=0x7c5e1230 (a.c:1 (f)), pid=12, tid=5\nat "
		  "pc=0x7c5e1230, pid=12\nat pc=0x7c5e1230, pid=13\nat pc=0x7c5e1231, pid=13\nat pc=0x7c5e1231, tid=5",
		  "{user} @7c5e1230 @7c5e1230 {user} @7c5e1230 {user} @7c5e1231 @7c5e1231" },
		{ "Crash reason:  EXCEPTION_ACCESS_VIOLATION_READ\nCrash reason:\nThe Crash reason: SIGSEGV",
		  "{user} {user}" },
		{ "Loading Dump File [C:\\app.dmp]\nLoading Dump File C:\\app.dmp\nx Loading Dump File [x]", "{user}" },
		{ "(ke/i386/exp.c:1000) Kill app.exe, ExceptionCode: c0000005, ExceptionAddress: 00401234, "
		  "BaseAddress: "
		  "00400000, P0: 0, P1: 0\nExceptionAddress: 00401234 (app)\nx, ExceptionAddress: 00401234",
		  "{user} @401234 @401234 @401234" },
		/* EDK2 */
		{ "Loading driver at 0x0007F4B0000 EntryPoint=0x0007F4B2044 DevicePathDxe.efi\nLoading driver at "
		  "0x0007F4B0000 EntryPoint=0x0007F4B2044",
		  "{DevicePathDxe@7f4b0000,0,0}" },
		{ "systemd-boot@0x13bd6a000 "
		  "254-546-g672de61\nsystemd-stub@0x14df91000\nsystemd-boot@0x7f4b4000,0x7f4cf000\n"
		  "systemd-boot@example",
		  "{systemd-boot@13bd6a000,0,0} {systemd-stub@14df91000,0,0}" },
		{ "RIP  - 000000001EA372D9, CS  -\nEIP  - 07FF97A6, CS\nRIP  - see below",
		  "{8664} @1ea372d9 {14c} @7ff97a6" },
		{ "!!!! X64 Exception Type - 0D(#GP - General Protection)  CPU\n!!!! IA32 Exception Type - 03\n"
		  "X64 Exception Type: 0D\nXX64 Exception Type - 0D",
		  "{8664} {14c}" },
		{ "  SP 0x00000000BFFFE000  ELR 0x00000000BFD37CBC  SPSR 0x60000205\nDELR 0x1", "{aa64}" },
		{ "IRQ Exception at 0x00000000BFD37CBC\nFIQ Exception at 0x1BFD37CBC\nSError Exception at 0xBFD37CBC\n"
		  "An Exception at 0xBFD37CBC\nSError Exception at the end",
		  "{aa64} @bfd37cbc {aa64} @1bfd37cbc {aa64} @bfd37cbc" },
		{ "!!!! Find image based on IP(0x1EA372D9 (a.c:1 (f) - other build)) /b/Shell.dll "
		  "(ImageBase=000000001EA34000, EntryPoint=000000001EA39530) !!!!",
		  "Shell+32d9~ {Shell@1ea34000,0,0}" },
		{ "!!!! Find image based on IP(0x1EA372D9) (No PDB)  (ImageBase=000000001EA34000, "
		  "EntryPoint=000000001EA39530) !!!!",
		  "@1ea372d9" },
		{ "add-symbol-file /b/DEBUG/Shell.dll 0x7F4B1000\nadd-symbol-file Shell.debug "
		  "0x7F4B0260\nadd-symbol-file x 12345678",
		  "{Shell@7f4b0000,0,0} {Shell@7f4b0000,0,0}" },
		{ "  sepc    =             0x000000001EAF6C02\nsepc is 0x000000001EAF6C02\nsepc    = 12",
		  "{5064} @1eaf6c02" },
		{ "main thread ($1234):\n0040e235 a.exe System   TObject.Free\n7c5e1234 b.dll  Foo\n7c5e1234 b.dll\n"
		  "7c5e1234 words b.dll x\n0x7c5e1234 b.dll x",
		  "@40e235/a.exe @7c5e1234-/b.dll" },
		{ "7c5e1234 b.dll  Foo", "" },
		{ " 0x001AF504 |      app (0x009611EA) |\n 0x001AF524 |      b (0x10161890) |\n x |  b (0x10161890) "
		  "|\n|  b (12345) |",
		  "app+9611ea? b+10161890-" },
		{ "x at pc=0x7c5e1230, pid=1\npc=0x7c5e1230\nPC=0x7c5e1230\nPC=12345678\nRPC=0x7c5e1230",
		  "{user} @7c5e1230 @7c5e1230" },
		{ "guest rIP: 0xfffff8019c8d6103\nrIP: 12345678\n(pc 0x0001400014b4 bp\n(pc 12)",
		  "@fffff8019c8d6103 @1400014b4" },
		{ "Trace  0  000000000041cc6b (a.exe+CC6B)\nTrace  11  000000000041cc6b (a.exe+CC6B)",
		  "a.exe+cc6b {a.exe@410000,0,0} a.exe+cc6b- {a.exe@410000,0,0}" },
		{ "trace:unwind:RtlVirtualUnwind2 type 1 base 6fffffab0000 rip 6fffffabacdb rva acdb\n"
		  "trace:unwind:RtlVirtualUnwind type 1 rip 6fffffabacdb rsp 1\nRtlVirtualUnwind type 1 rip no",
		  "@6fffffabacdb? @6fffffabacdb?" },
		{ "read (Address: 000000007C92F0A0)\n(Address: 7C92F0A0)", "@7c92f0a0" },
		{ "Synchronous Exception at 0x00000000BFD37CBC\nPC 0x00017EAF6C02 (0x00017EAF0000+0x00006C02) [ 0] "
		  "Shell.dll\nPC 0x00017EAF6C02\nPC 0x00017EAF6C02 (0x00017EAF0000+0x00006C02) [ 0] Shell.dll",
		  "{aa64} @bfd37cbc Shell+6c02 {Shell@17eaf0000,0,0} @17eaf6c02- Shell+6c02- {Shell@17eaf0000,0,0}" },
		{ "PC 0x0000476DB5EC (0x0000476D3000+0x000085EC) [ 1] DxeCore.dll",
		  "DxeCore+85ec? {DxeCore@476d3000,0,0}" },
		{ "PC 0x0000476DB5EC (0x0000476D3000+0x000085ED) [ 1] DxeCore.dll\nPC 0x0000476DB5EC\nPC "
		  "0x0000476DB5EC (0x0000476D3000+0x000085EC)",
		  "" },
		/* DrMingw, Breakpad, Java, Rust, Go */
		{ "AddrPC   Params\n00401230 0012FE10 00401234 00000000  app.exe!0x1230\n00402230 0012FE20  "
		  "app.exe!0x2230\n00402230 0012FE20 00000000 00000000  app.exe!main  [a.c @ 1]",
		  "app.exe+1230 {app.exe@400000,0,0} app.exe+2230- {app.exe@400000,0,0}" },
		{ "AddrPC   Params\n00401230 0012FE10 00401234 00000000  libstdc++-6.dll!0x1230",
		  "libstdc++-6.dll+1230 {libstdc++-6.dll@400000,0,0}" },
		{ "00401230 0012FE10  app.exe!0x1231\napp.exe!0x1230\n!0x1230", "" },
		{ " 0  ntdll.dll + 0x21f86\n    eip = 0x77471f86\n 1  kernel32.dll + 0x1336a (a.c:1 (f))\r",
		  "ntdll.dll+21f86 @77471f86 kernel32.dll+1336a-" },
		{ " 1  a.dll!f [a.c : 1 + 0x5]\n    rbx = 0x0000000000000001   rsp = 0x0000000000000002\n"
		  "    rip = 0x00007ff6661d472a (a.c:1 (f))\nsaved rip = 0x00007ff6661d472a\n 0  a.dll!f + 0x5\n\n"
		  "    eip = 0x77471f86\n    rip = 0x77471f86\neip = 0x77471f86 in f",
		  "@7ff6661d472a-" },
		{ " 0  libstdc++-6.dll + 0x21f86\n 1  my game (2).exe + 0x10",
		  "libstdc++-6.dll+21f86 my game (2).exe+10-" },
		{ " 0  the game + 0x21f86\n 1  a.dll!f + 0x10\n 2  a.c: 7 + 0x10\n 3  x ? + 0x10", "" },
		{ " 0  libc.so + 0x21f86\na b + 0x1000\n 1  a.dll + 0x1000 bytes\n 1  a.dll + 1000\n 1 a.dll + 0x1000",
		  "" },
		{ "# C  [atio6axx.dll+0xc1a780]\nNative frames: (J=compiled)\nC  [atio6axx.dll+0xc1a780]\nj  "
		  "java.lang.Object.wait()V+2\nV  [jvm.dll+0x4823f5]",
		  "atio6axx.dll+c1a780 atio6axx.dll+c1a780 jvm.dll+4823f5-" },
		{ "C  [a.dll+0x1000]\nV  [b.dll+0x1000]", "a.dll+1000? b.dll+1000-" },
		{ "Dynamic libraries:\n0x00007ff6a4700000 - 0x00007ff6a470d000 "
		  "\tD:\\bin\\javaw.exe\nx\n0x00007ff6a4700000 - 0x00007ff6a470d000 \tx",
		  "{D:\\bin\\javaw.exe@7ff6a4700000,d000,0}" },
		{ "   0:           0x4707c3 - <unknown>\n  68:     0x7ffaafa27034 - BaseThreadInitThunk\n0x12 - "
		  "<unknown> 4707c3 - <unknown> <unknown>",
		  "@4707c3-" },
		{ "runtime: unknown pc 0x70e916\nunknown pc is", "@70e916-" },
		{ "    #0 0x1400014b3 in main a.d:3\n    #3 0x7ff886d36fd3  "
		  "(C:\\Windows\\System32\\KERNEL32.DLL+0x180016fd3)\nsee (C:\\KERNEL32.DLL+0x180016fd3)",
		  "@1400014b3? KERNEL32.DLL+180016fd3? KERNEL32.DLL+180016fd3?" },
		/* Reports of dumps */
		{ "start    end        module name\n80400000 80600000   nt.exe   DateStamp 5db90293, version "
		  "1.2.3.4\n80a00000 80a20000   hal   DateStamp 5db9\n"
		  "80b00000 80b20000   a.sys   Datestamp 5db90293",
		  "{nt.exe@80400000,200000,5db90293} nt.exe row {hal@80a00000,20000,0} {a.sys@80b00000,20000,0}" },
		{ "start    end        module name\n80400000 80600000   a(x).exe   DateStamp 5db90293  (symbols: C:/a "
		  "(x86)/b.exe)\n"
		  "80a00000 80a20000   b   DateStamp 5db90294 (no symbols: )\n"
		  "80b00000 80b20000   c   DateStamp 5db90295 (no symbols: b (c)\n"
		  "80c00000 80c20000   d   (deferred)   DateStamp 5db90296\n"
		  "80c00000 80c20000   e   (unloaded)   DateStamp 5db90297",
		  "{a(x).exe@80400000,200000,5db90293} a(x).exe noted {b@80a00000,20000,5db90294} b noted "
		  "{c@80b00000,20000,5db90295} c row {d@80c00000,20000,5db90296} {e@0,0,5db90297} e row" },
		/* Numbered rows. */
		{ "    [1] 0x7FF6CBEE693C SkyrimSE.exe+064693C\n[ 0] 0x7FF6CBEE693C (SkyrimSE.exe+64693C)",
		  "SkyrimSE.exe+64693c- {SkyrimSE.exe@7ff6cb8a0000,0,0} SkyrimSE.exe+64693c "
		  "{SkyrimSE.exe@7ff6cb8a0000,0,0}" },
		{ "0, ProcessHacker.exe+0x1534\n8, ProcessHacker.exe+0x1534",
		  "ProcessHacker.exe+1534 ProcessHacker.exe+1534-" },
		{ "12:00:01 0x7FF6CBEE693C a.exe+064693C\n00000012\t0.12345678\t[4] 0x7FF6CBEE693C a.exe+064693C",
		  "a.exe+64693c? {a.exe@7ff6cb8a0000,0,0} a.exe+64693c? {a.exe@7ff6cb8a0000,0,0}" },
		{ "[1234] 0x7FF6CBEE693C a.exe+064693C\nx 1, a.exe+064693C\n     1\t0x7FF6CBEE693C a.exe+064693E",
		  "a.exe+64693c? {a.exe@7ff6cb8a0000,0,0} a.exe+64693c?" },
		{ "eip=80a01230 (a.c:1 (f)) a.sys+1230", "@80a01230 a.sys+1230? {a.sys@80a00000,0,0}" },
		{ "0x00007FFC5AFB36A0 (UnityPlayer) (function-name not available)\n[Callstack] 0x0000000070d1d5e9 "
		  "python27.dll!UnknownFunction []",
		  "@7ffc5afb36a0?/UnityPlayer @70d1d5e9-/python27.dll" },
		{ "0x1234 b!UnknownFunction\n12345678 b!UnknownFunction\n0x12345678  !UnknownFunction\n0x12345678 b "
		  "(function-name not available)\n(b) (function-name not available)",
		  "" },
		{ "(00001230){a.exe} [401233]\n(00001230){a.exe} [00402230\n(00001230) {a.exe} [00401230]\n"
		  "(1230){a.exe} [00401233]",
		  "" },
		{ "0# 0x0000000000001230 on a.exe\n0# 0x00001230 in C:\\a.exe\n# 0x0000000000001230 in C:\\a.exe", "" },
		/* chromedriver, NVSE */
		{ "\tOrdinal0 [0x010C5F73+2449267]\n\t(No symbol) [0x00F85058 (a.c:1 (f))]\n"
		  "\tGetHandleVerifier [0x0x64c502+95298]",
		  "@10c5f73- @f85058- @64c502-" },
		{ "\tf [0x010C5F73]\n\tf [0x010C5F73+a]\n\ta f [0x010C5F73+1]\n\tf [0x010C5F73+1] "
		  "x\n\tf[0x010C5F73+1]\n"
		  "\tf [010C5F73+1]\n\t(No symbol) [0x00F85058",
		  "" },
		{ "0x00AA55A6 ==> \n0x00AA55A6 ==> (Corrupt stack or heap?)  (0x11BBDB98)\n0x00994D5F ==> x  "
		  "(0x11BBDCCC) (a.c:1 (f))",
		  "@aa55a6? @994d5f-" },
		{ "0x00AA55A6 ==> x (0x11BBDB98)\n0x00AA55A6 ==> x  (0x11BBDB98) : f\n0x00000000 ==>            x "
		  "(0x00A72629)\n"
		  "00AA55A6 ==> x  (0x11BBDB98)\nx 0x00AA55A6 ==> x  (0x11BBDB98)\n0x00AA55A6 ==>  (0x11BBDB98)",
		  "" },
		/* Go */
		{ "PC=0x70e916\nruntime: unknown pc 0x70e916\nruntime: unknown pc 0x70e917\n"
		  "\truntime/cgocall.go:156 +0x4a fp=0xc0000cfd28 sp=0xc0000cfcf0 pc=0x7ff6661d472a\n"
		  "\truntime/signal_windows.go:1 +0x4a fp=0x1 sp=0xc0000cfcf0 pc=0x401230\nmain.main()\n"
		  "\tmain.go:1 +0x4a fp=0x1 sp=0xc0000cfcf0 pc=0x401240\nmain.main()\n"
		  "\tmain.go:1 +0x4a fp=0x1 sp=0xc0000cfcf0 pc=0x401240\n"
		  "\tmain.go:1 +0x4a fp=0x1 sp=0xc0000cfcf0 pc=0x70e916",
		  "@70e916 @70e916 @70e917- @7ff6661d472a- @401230- @401240? @401240- @70e916" },
		{ "sp=0xc0000cfcf0  pc=0x401230\nsp=1234 pc=0x401230\npc=0x401230\nsp=0xc0000cfcf0 pc=401230", "" },
		/* the annotation of a row does not make it the row of a signal handler */
		{ "\tmain.go:1 +0x4a fp=0x1 sp=0xc0000cfcf0 pc=0x401230 (runtime/signal.go:1 (f))\nmain.main()\n"
		  "\tmain.go:1 +0x4a fp=0x1 sp=0xc0000cfcf0 pc=0x401240",
		  "@401230- @401240-" },
		/* EurekaLog */
		{ "|Methods |Details|Stack   |Address |Module |Offset  |\n-----\n|*Exception Thread: ID=1|\n"
		  "|7FFFFFFE|03     |00000000|0425BC22|app.exe|000CBC22 (a.c:1 (f))|x|f+0x10|\n"
		  "|00000020|04     |00000000|0425BC23|app.exe|000CBC23|\n"
		  "|00000020|04     |00000000|0425BC24|app.exe|000CBC23|\n|00000020|04     "
		  "|00000000|0425BC23|app|000CBC23|\nModules:\n"
		  "|00000020|04     |00000000|0425BC23|app.exe|000CBC23|",
		  "app.exe+cbc22? {app.exe@4190000,0,0} app.exe+cbc23- {app.exe@4190000,0,0} app.exe+cbc23 "
		  "{app.exe@4190000,0,0}" },
		{ "|Address |Module   |Unit |\n|004D316F (a.c:1 (f))|a.exe    "
		  "|x|\n|004D3170|a.exe|x|\n|004D3170|a|x|\nModules:\n"
		  "|Handle  |Name |x|\n|00400000|a.exe |x|\n|00400000|a |x|\n|0040|a.exe|x|\n|Address |Moon |\n",
		  "@4d316f?/a.exe @4d3170-/a.exe {a.exe@400000,0,0}" },
		/* NT 4 */
		{ "Dll Base  Date Stamp - Name               Dll Base  Date Stamp - Name\n"
		  "fc860000  2faae8a1 - Beep.SYS             fc870000  31167860 - i8042prt.SYS\n80100000 2be154c9 - "
		  "nt.exe\n"
		  "80100000 2be154c9 nt.exe\n80100000 2be154c9 - nt.exe",
		  "{Beep.SYS@fc860000,0,2faae8a1} {i8042prt.SYS@fc870000,0,31167860} {nt.exe@80100000,0,2be154c9}" },
		{ "Address    dword dump    Build [1057]                - Name\n"
		  "8014004c fc873d6c fc873d6c ff05e051 00000000 ff05e04b 0000002f - i8042prt.SYS <-\n"
		  "8014007c 801400c4 801400c4 00000000 00000023 00000023 00000037 - ntoskrnl.exe (a.c:1 (f))\n"
		  "8014007c 801400c4 801400c5 00000000 00000023 00000023 00000037 - ntoskrnl.exe\n"
		  "8014007c 801400c4 801400c4 00000000 00000023 00000023 00000037 - ntoskrnl.exe",
		  "@fc873d6c? @801400c4?" },
	};
	CHECK_ALL(cases);
}

/* Lines of CSV and JSON: their string is a line of the log. */
static void test_strings(void)
{
	static const struct expected cases[] = {
		{ "\"1\",\"Address:\",\"x\"\n\"2\",\"<a.dll:10> "
		  "(C:\\a.dll@7c0)\",\"x\"\n\"3\",\"Frames:\"\n\"4\",\"<a.dll:20> (C:\\a.dll@7c0)\"",
		  "a.dll+10 {C:\\a.dll@7c0,0,0} a.dll+20- {C:\\a.dll@7c0,0,0}" },
		{ "{\"time\":1,\"a\":{\"b\":null,\"message\":\"Address:\"}}\n{\"time\":\"a \\\"b, "
		  "c\",\"log\":\"\\u003ca.dll:10\\u003e (C:\\\\a.dll@7c0)\\r\\n\"}",
		  "a.dll+10 {C:\\a.dll@7c0,0,0}" },
		{ "{ \"log\":\"Eip:\"}\n{\"LOG\": \"Eip:\", \"x\":1}\n{\"a\":\"\",\"_raw\" : \"<a.sys:10>\"}",
		  "a.sys+10" },
		{ "{\"log\":\"Eip:\"}\n{\"other\":\"<a.sys:10>\"} {\"log\":\"<a.sys:20>\"", "a.sys+10 a.sys+20?" },
		{ "{\"log\":\"Eip:\"}\n{\"a\":[\"b\"],\"log\":\"<a.sys:10>\"}", "a.sys+10" },
		{ "{\"log\":\"C:\\R\\ntdll.dll Loading: C:\\ntdll.dll at F824F000\"}", "{C:\\ntdll.dll@f824f000,0,0}" },
		{ "{\"log\":\"\\tEip: 80941370\\tEip: 80941380\"}", "@80941370 @80941380" },
		{ "{\"log\":\"The instruction at \\\"0x80941370\\\" referenced\"}", "@80941370" },
		{ "\"The instruction at \"\"0x80941370\"\" referenced\";\"<a.sys:10>\",<a.sys:20>",
		  "@80941370 a.sys+10? a.sys+20?" },
		{ "\"2026-11-02 10:00:01\";\"host-1\";12;\"Address:\"\n\"12:00:01\"\t\"<a.dll:10>\"", "a.dll+10" },
		{ "\"Address:\"\n\"<a.dll:10>\"", "a.dll+10" },
		{ "\"Address:\" he wrote\n\"<a.dll:10>\" was next", "a.dll+10?" },
		{ "\"<80941360>\" he wrote\n\"<80941361>\" was next", "@80941360? @80941361?" },
		{ "\"<80941360>\",1\n\"<80941361>\",2", "@80941360? @80941361-" },
		{ "\"STACK_TEXT:\"\n\"f793e0ec 7c5e1010 0 0 0 a+0x1230\",\"<a.sys:10>\"\n\"f793e0fc 80a01240 0 0 0 "
		  "a+0x1230\"",
		  "a+1230 a.sys+10? a+1230-" },
		{ "x \"1\",\"Address:\"\n<a.dll:10>", "a.dll+10?" },
	};
	CHECK_ALL(cases);
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
	static const struct {
		const char *text;
		size_t at, length;
	} cases[] = {
		{ "x (a.c:1 (f(int)) - other DateStamp)> x", 1, 35 },
		{ "x (a.c:1 (f), inlined by g - other build - call that does not return)", 1, 68 },
		{ "x (a.c:1 (f", 11, 0 },
		{ "x (a.c:12[1] (f[g]))> x", 1, 19 },
		{ "x (a.c:12[1 (f))", 16, 0 },
		{ "x (12 pages)", 12, 0 },
		{ "C:\\a (b).dll (a.c:1 (f))", 12, 12 },
		{ "x (C:\\a (x86)\\a.c:1 (f))", 1, 23 },
		{ "x (a(b.c:7 (f))", 1, 14 },
		{ "x (a (b.c:7 (f))", 4, 12 },
		{ "x (from EIP=80401240 (a.c:1 (f)))", 20, 12 },
		{ "x (:0 (_rossym_end__))", 1, 21 },
		{ "x.dll   PDB 1 (symbols: a (b)/x.pdb)", 13, 23 },
		{ "x.dll   PDB 1 (no symbols: why)", 13, 18 },
		{ "x (symbols:) (symbols: ", 23, 0 },
		{ " (a.c:1 (f))", 12, 0 },
		{ "x(a.c:1 (f))", 12, 0 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t length;
		is_uint(note_find(cases[i].text, strlen(cases[i].text), 0, &length), cases[i].at, cases[i].text);
		is_uint(length, cases[i].length, "its length");
	}
	static const char remark[] = " (a.c:1 (f(int)) - other DateStamp)",
			  remarks[] = " (a.c:1 (f), inlined by g - other build - call that does not return)";
	ok(note_is_other(remarks, sizeof remarks - 1) && note_is_end(remarks, sizeof remarks - 1), "two remarks");
	ok(note_is_other(remark, sizeof remark - 1) && !note_is_end(remark, sizeof remark - 1), "one remark");
	ok(!note_is_other(" (a.c:1 (f))", 12) && !note_is_other("", 0), "none");
	ok(note_is_cut(" (a.c:1 (f", 10) && !note_is_cut(" (a.c:1 (f))", 12) && !note_is_cut("(a.c:1 (f", 9),
	   "half a note");
}

/* What stands in front of a row of a table and is passed over, and what is not. */
static void test_front(void)
{
	static const char table[] = "  Base      Size      Name\n", row[] = "80400000  00200000  x.exe",
			  fact[] = "{x.exe@80400000,200000,0}";
	static const struct {
		const char *front;
		bool passed;
	} cases[] = {
		{ "12:00:01 ", true },
		{ "1:02:03 AM ", true },
		{ "00:00:12.345678 ", true },
		{ "12:00:01,5\t", true },
		{ "2026-11-02T10:00:01.123Z ", true },
		{ "2026-11-02T10:00:01+01:00 ", true },
		{ "2026-11-02 10:00:01 -0500 ", true },
		{ "2026-11-02T10:00:01+0100 host qemu-system-i386[4711]: ", true },
		{ "Nov 02 10:00:01 ", true },
		{ "Nov  2 10:00:01 host.example.org qemu[12]: ", true },
		{ "Nov 02 10:00:01.123456 host kernel: ", true },
		{ "Mon Nov  2 10:00:01 2026 ", true },
		{ "[        11.775321] ", true },
		{ "[   11.7] host kernel: ", true },
		{ "[12:00:01] ", true },
		{ "[2026-11-02 10:00:01.5] ", true },
		{ "[Mon Nov  2 10:00:01 2026] ", true },
		{ "[1234] ", true },
		{ "00000012\t0.12345678\t[4] ", true },
		{ "00000012\t10:00:01.123 AM\t", true },
		{ "12.345678 ", true },
		{ "> ", true },
		{ ">", true },
		{ "> > >", true },
		{ "* ", true },
		{ "- ", true },
		{ "? ", true },
		{ "* | ", true },
		{ "? | > ", true },
		{ "  12. ", true },
		{ "     1\t", true },
		{ "  1234\t", true },
		{ "123456\t12:00:01 ", true },
		{ "    1\t", false },
		{ "1\t", false },
		{ "1234567\t", false },
		{ "     1 ", false },
		{ "> [12:00:01] 10:00:01 * ", true },
		{ "\357\273\277", true },
		{ "\033[7m12:\033[0m00:01\033[1m \033[K", true },
		{ "&gt; &#91;12:00:01] ", true },
		{ "\\[Mon Nov 02 10:00:01 2026\\] \\* 12\\. ", true },
		{ "\\> \\[12:00:01\\] ", true },
		{ "--- Press q to abort, any other key to continue ---", true },
		{ "--- Press q to abort, e/End,h/Home,u/PgUp, other key/PgDn --- ", true },
		{ "12:00 ", false },
		{ "12:00:01", false },
		{ "12:00:1 ", false },
		{ "100:00:00 ", false },
		{ "12:00:01. ", false },
		{ "26-11-02T10:00:01 ", false },
		{ "2026-11-02 ", false },
		{ "Now 02 10:00:01 ", false },
		{ "Nov 02 ", false },
		{ "12:00:01 host qemu: ", false },
		{ "host qemu[12]: ", false },
		{ "[7c920000] ", false },
		{ "[1234567] ", false },
		{ "[0000000000123456] ", false },
		{ "\\", false },
		{ "[] ", false },
		{ "[12:00:01]", false },
		{ "12 ", false },
		{ "00 ", false },
		{ "80400000\t1\t", false },
		{ "12.34 ", false },
		{ "12.", false },
		{ "1234567. ", false },
		{ "*", false },
		{ "-", false },
		{ "--- ", false },
		{ "| ", false },
		{ "x", false },
		{ "kdb:> ", false },
		{ "1: kd> ", false },
		{ "12:00:01 kdb:> ", false },
	};
	static const struct expected lines[] = {
		{ "kdb:> Address:\n<a.dll:10>\nFrames:\n<a.dll:20>", "a.dll+10 a.dll+20-" },
		{ "Frames:\n00011220 00011230  00012340", "@11220- @11230- @12340-" },
		{ "start    end \n12000000 1200f000 a\n00 80400000 80402000 x", "{a@12000000,f000,0}" },
		{ "Frames:\n12:00:01 00011230  00012340", "@11230- @12340-" },
		{ "Frames:\n00011230  12:00:01 00012340", "" },
		{ "State 5 Affinity 1\n00000012\t0.12345678\tF7A3BCE4 80941360", "@80941360-" },
		{ "*** Fatal System Error: 0x0000000a\n[1.5] (0x1,0x2,0x3,0x80941360)", "@80941360" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf text = { .bytes = NULL };
		strbuf_add(&text, table);
		strbuf_add(&text, cases[i].front);
		strbuf_add(&text, row);
		is_str(found(text.bytes), cases[i].passed ? fact : "", cases[i].front);
		ok(reads_alike(text.bytes), "alike");
		strbuf_clear(&text);
	}
	CHECK_ALL(lines);
}

static void read_plain(struct plain_line *plain, const char *raw)
{
	plain_read(plain, raw, strlen(raw));
}

static void test_plain(void)
{
	static const struct {
		const char *raw, *plain;
	} cases[] = {
		{ "", "" },
		{ "as it is", "as it is" },
		{ "\033[0m", "" },
		{ "a\033[1;31mb\033[0m\033[Kc", "abc" },
		{ "\033]0;title\007a\033]8;;x\033\\b\033P1$r0m\033\\c", "abc" },
		{ "\033]cut", "\033]cut" },
		{ "\033]cut\033[0m", "\033]cut" },
		{ "\033[1;", "" },
		{ "a\033", "a" },
		{ "\033\033[0mb", "b" },
		{ "\033[\001m", "\001m" },
		{ "1\033  \r", "1\r" },
		{ "&lt;&gt;&amp;&quot;&apos;&nbsp;&#60;&#x3C;&#X3c;", "<>&\"' <<<" },
		{ "&lt &#; &#x; &#60 &#99999999; &#31; &#127; &eacute;",
		  "&lt &#; &#x; &#60 &#99999999; &#31; &#127; &eacute;" },
		{ "&&lt;&#&gt;&", "&<&#>&" },
		{ "\\_ \\< \\_ \\a \\\\ \\&lt; \\&x", "\\_ < _ \\a \\ < &x" },
		{ "\\&amp; \\&gt; \\&amp; \\", "\\& > & \\" },
		{ "\\[0 \\[F \\[0", "\\[0 [F [0" },
		{ "{\"a\":\"\\\"\\\\\\/\\t\\n\\r\\b\\u003C\\u0022\\u00e4\\u0009\"}",
		  "{\"a\":\"'\\/\t\r\r\\b<'\\u00e4\t\"}" },
		{ "{\"a\":\"\\\\R\\R\\n\\\\\\\"", "{\"a\":\"\\R\\R\\n\\\\\\\"" },
		{ "{\"a\":\"\\u00g1\\n&lt;", "{\"a\":\"\\u00g1\\n<" },
		{ "{ \\n", "{ \\n" },
		{ "{", "{" },
		{ "{\"\\", "{\"\\" },
		{ "\"\",\"\"\"a\"\"\",\"\"", "\"\",\"'a'\",\"\"" },
		{ "a \"\"", "a \"\"" },
		{ "x \033[35m(a.c:7 (f))\033[0m\033[0m)", "x)" },
		{ "x (a.c:7 (f)) (a.c:8 (g))&lt; (a.c:9 (h))", "x<" },
		{ "1 (a.c:7 (f))2 (a.c:8 (g))", "1 (a.c:7 (f))2" },
		{ "1 (a.c:7 (f)) (a.c:8 (g))2", "1 (a.c:8 (g))2" },
	};
	struct plain_line plain = { .text = NULL };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		read_plain(&plain, cases[i].raw);
		ok(plain.length == strlen(cases[i].plain) && memcmp(plain.text, cases[i].plain, plain.length) == 0 &&
			   plain.read == strlen(cases[i].raw),
		   "%s: %.*s", cases[i].raw, (int)plain.length, plain.text);
	}
	plain_clear(&plain);
}

static void test_positions(void)
{
	static const char raw[] = "\033[7m&lt;a:1\033[0m \033[35m(a.c:7 (f))\033[0m&gt;\033[0m";
	struct plain_line plain = { .text = NULL };
	struct token token = { .begin = 0, .end = 5, .note = 4 };
	struct plain_note note;
	read_plain(&plain, raw);
	is_uint(plain.length, 5, "the plain text has no note");
	plain_locate(&plain, &token, &note);
	is_uint(token.begin, 4, "a token begins after an escape sequence");
	is_uint(token.end, sizeof raw - 1 - 4, "it ends before an escape sequence");
	is_uint(token.note, 15, "a note begins after an escape sequence");
	is_uint(token.note_end, sizeof raw - 1 - 8, "a note that we have colored includes the end of the color");
	is_uint(note.length, 12, "the note");
	token = (struct token){ .begin = 0, .end = 3, .note = 3 };
	plain_locate(&plain, &token, &note);
	is_uint(token.note, 10, "a new note comes after the token");
	is_uint(note.length, 0, "there was none");
	is_uint(plain_escaping(&plain, token.begin), 0, "nothing is escaped before the token");
	is_uint(plain_escaping(&plain, token.end), PLAIN_HTML, "the token is HTML");
	plain_clear(&plain);
}

/* Names in every kind of line, and what the plain text of the line makes of them. */
static void test_escapes(void)
{
	static const char *const lines[] = { "x ",	  "&lt; ",	     "\\< ",	 "\\&lt; ",
					     "{\"a\":\"", "{\"a\":\"\\n\\<", "\"1\",\"", "\"&lt;" };
	static const char *const notes[] = {
		" (C:\\_a\\<b>\\[F]\\c.cpp:7 (a::operator&&<b*, c&>(d[3])))",
		" (a&lt;&#40;&amp;b\\&gt;.c:7 (`f'*))",
		" \033[35m(a\\&.c:7 (f))\033[0m",
		" (a\\b\"c.c:7 (operator\"\"_x))",
	};
	struct plain_line plain = { .text = NULL };
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		for (size_t j = 0; j < sizeof notes / sizeof *notes; j++) {
			struct strbuf text = { .bytes = NULL };
			read_plain(&plain, lines[i]);
			size_t shown = plain.noted_length, at = 0;
			strbuf_add(&text, lines[i]);
			plain_escape(&text, notes[j], strlen(notes[j]), plain_escaping(&plain, strlen(lines[i])));
			read_plain(&plain, text.bytes);
			for (const char *p = notes[j]; *p; p++) {
				if (*p == '\033')
					p = strchr(p, 'm');
				else if (shown + at < plain.noted_length &&
					 (plain.noted[shown + at] == *p ||
					  (*p == '"' && plain.noted[shown + at] == '\'')))
					at++;
			}
			ok(shown + at == plain.noted_length && plain.noted[plain.noted_length - 1] == ')', "%s",
			   text.bytes);
			strbuf_clear(&text);
		}
	plain_clear(&plain);
}

int main(void)
{
	test_tokens();
	test_noted();
	test_front();
	test_plain();
	test_positions();
	test_escapes();
	test_returns();
	test_others();
	test_events();
	test_foreign();
	test_strings();
	test_skip();
	test_notes();
	return done_testing();
}
