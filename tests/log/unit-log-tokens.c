// SPDX-License-Identifier: GPL-2.0-or-later
/* What is a token, what is none, and what a header above makes of it. */
#include "config.h"
#include "log/read/build-name.h"
#include "log/read/note.h"
#include "log/read/plain.h"
#include "log/read/tokens.h"
#include "tool/strbuf.h"
#include "tests/fuzz/reads.h"
#include "tests/lib/cases.h"
#include "tests/lib/tap.h"

/* All that is found in the lines of TEXT, as tests/log/unit-log-tokens.cases explains it. */
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
		tokens_begin(&t, &context, &plain, sieve_find_users(plain.text, plain.length));
		while ((what = tokens_next(&t, &context)) == FOUND_TOKEN || what == FOUND_FACT) {
			if (list.length)
				strbuf_add_char(&list, ' ');
			if (what == FOUND_TOKEN) {
				struct token located = t.token;
				struct plain_note note;
				plain_locate_token(&plain, &located, &note);
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
				if (note_is_of_other_build(note.text, note.length))
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
				if (t.fact.text_length && build_find_name(t.fact.text, t.fact.text_length, &build)) {
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

static struct case_file cases;

static void check_all(const char *section)
{
	while (cases_next(&cases, section)) {
		bool same = is_str(found(cases.input), cases.expected, "tokens");
		if (!ok(reads_alike(cases.input), "alike") || !same)
			diag("%s:%u", cases.path, cases.line);
	}
}

static void test_skip(void)
{
	static const char text[] = "nothing at all, however long it may be: 0123456789 Warning: a (b.c:12) done";
	char long_text[400];
	is_uint(sieve_find_users(text, sizeof text - 1), 0, "a line without anything is skipped");
	is_uint(sieve_find_users("+", 1), FOR_MATCHERS, "a mark at the end");
	is_uint(sieve_find_users("  0x1234", 8), 0, "a number that ends too early");
	is_uint(sieve_find_users("  0x12345", 9), FOR_RULES, "a number for rules");
	is_uint(sieve_find_users("Eip: 0x12345", 12), FOR_MATCHERS | FOR_RULES, "both");
	for (size_t at = 0; at + 12 < sizeof long_text; at++) {
		memset(long_text, '.', sizeof long_text);
		memcpy(long_text + at, "Eip: 8094136a", 12);
		if (sieve_find_users(long_text, sizeof long_text) != FOR_MATCHERS) {
			ok(false, "a key word at %u", (unsigned)at);
			return;
		}
	}
	ok(true, "a key word is found wherever it is");
}

static void test_notes(void)
{
	while (cases_next(&cases, "notes")) {
		char *rest;
		const size_t at = strtoul(cases.expected, &rest, 10), size = strtoul(rest, NULL, 10);
		size_t length;
		is_uint(note_find(cases.input, strlen(cases.input), 0, &length), at, cases.input);
		is_uint(length, size, "its length");
	}
	static const char remark[] = " (a.c:1 (f(int)) - other DateStamp)",
			  remarks[] = " (a.c:1 (f), inlined by g - other build - call that does not return)";
	ok(note_is_of_other_build(remarks, sizeof remarks - 1) &&
		   note_is_or_was_end_marker(remarks, sizeof remarks - 1),
	   "two remarks");
	ok(note_is_of_other_build(remark, sizeof remark - 1) && !note_is_or_was_end_marker(remark, sizeof remark - 1),
	   "one remark");
	ok(!note_is_of_other_build(" (a.c:1 (f))", 12) && !note_is_of_other_build("", 0), "none");
	ok(note_is_cut(" (a.c:1 (f", 10) && !note_is_cut(" (a.c:1 (f))", 12) && !note_is_cut("(a.c:1 (f", 9),
	   "half a note");
}

/* What stands in front of a row of a table and is passed over, and what is not. */
static void test_front(void)
{
	static const char table[] = "  Base      Size      Name\n", row[] = "80400000  00200000  x.exe",
			  fact[] = "{x.exe@80400000,200000,0}";
	while (cases_next(&cases, "front")) {
		struct strbuf text = { .bytes = NULL };
		strbuf_add(&text, table);
		strbuf_add(&text, cases.input);
		strbuf_add(&text, row);
		is_str(found(text.bytes), strcmp(cases.expected, "passed") == 0 ? fact : "", cases.input);
		ok(reads_alike(text.bytes), "alike");
		strbuf_clear(&text);
	}
	check_all("front-lines");
}

static void read_plain(struct plain_line *plain, const char *raw)
{
	plain_read(plain, raw, strlen(raw));
}

static void test_plain(void)
{
	struct plain_line plain = { .text = NULL };
	while (cases_next(&cases, "plain")) {
		read_plain(&plain, cases.input);
		ok(plain.length == strlen(cases.expected) && memcmp(plain.text, cases.expected, plain.length) == 0 &&
			   plain.read == strlen(cases.input),
		   "%s: %.*s", cases.input, (int)plain.length, plain.text);
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
	plain_locate_token(&plain, &token, &note);
	is_uint(token.begin, 4, "a token begins after an escape sequence");
	is_uint(token.end, sizeof raw - 1 - 4, "it ends before an escape sequence");
	is_uint(token.note, 15, "a note begins after an escape sequence");
	is_uint(token.note_end, sizeof raw - 1 - 8, "a note that we have colored includes the end of the color");
	is_uint(note.length, 12, "the note");
	token = (struct token){ .begin = 0, .end = 3, .note = 3 };
	plain_locate_token(&plain, &token, &note);
	is_uint(token.note, 10, "a new note comes after the token");
	is_uint(note.length, 0, "there was none");
	is_uint(plain_find_escaping(&plain, token.begin), 0, "nothing is escaped before the token");
	is_uint(plain_find_escaping(&plain, token.end), PLAIN_HTML, "the token is HTML");
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
			plain_add_escaped(&text, notes[j], strlen(notes[j]),
					  plain_find_escaping(&plain, strlen(lines[i])));
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
	static const char *const sections[] = {
		"tokens", "noted", "returns", "others", "events", "foreign", "strings"
	};
	cases_open(&cases, "tests/log/unit-log-tokens.cases");
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		check_all(sections[i]);
	test_front();
	test_plain();
	test_positions();
	test_escapes();
	test_skip();
	test_notes();
	cases_close(&cases);
	return done_testing();
}
