/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What strangers' strings look like: UTF-8, masked text, messages, JSON. */
#include "config.h"
#include "tests/lib/files.h"
#include "tests/lib/tap.h"
#include "tool/diag.h"
#include "tool/json.h"
#include "tool/mask.h"

static void test_characters(void)
{
	is_uint(utf8_length("\xed\xa0\x80", 3), 0, "a surrogate");
	is_uint(utf8_length("\xe2\x82\xac", 3), 3, "a character");
	is_uint(utf8_length("\xe2\x82", 2), 0, "half a character");
	is_uint(utf8_length("", 0), 0, "nothing");
	is_uint(utf8_printable_length("a", 1), 1, "a letter");
	is_uint(utf8_printable_length("\x7f", 1), 0, "DEL");
	is_uint(utf8_printable_length("\xc2\x9f", 2), 0, "U+009F");
	is_uint(utf8_printable_length("\xc2\xa0", 2), 2, "U+00A0");
}

static void masked(const char *text, const char *want, const char *name)
{
	struct strbuf added = { .bytes = NULL };
	strbuf_add(&added, "\033");
	strbuf_add_masked(&added, text, strlen(text));
	is_str(added.bytes + 1, want, name);
	strbuf_clear(&added);
}

static void test_mask(void)
{
	masked("a\033[31m\tb\x9b\xc2\x9b\xc3\xa4\x7f\xe4", "a?[31m?b???\xc3\xa4?\xe4", "masked");
	masked("", "", "nothing");
	masked("\xf0\x9f\x98\x80 \xe2\x82\xac", "\xf0\x9f\x98\x80 \xe2\x82\xac", "characters stay");
	masked("\xe2\x82\x9b\xe2\x9b", "\xe2\x82\x9b\xe2?", "a byte of a character, and one of none");
	masked("\xc2", "\xc2", "half a control character");
	masked("a\xe2\x80\xae"
	       "b",
	       "a???b", "U+202E, which turns the text around");
	static const char *const misleading[] = {
		"\xd8\x9c",	"\xe2\x80\x8e",	    "\xe2\x80\x8f",	"\xe2\x80\xaa", "\xe2\x80\xab",
		"\xe2\x80\xac", "\xe2\x80\xad",	    "\xe2\x81\xa6",	"\xe2\x81\xa7", "\xe2\x81\xa8",
		"\xe2\x81\xa9", "\xf3\xa0\x80\x80", "\xf3\xa0\x81\xbf",
	};
	for (size_t i = 0; i < sizeof misleading / sizeof *misleading; i++)
		masked(misleading[i], &"????"[4 - strlen(misleading[i])], "others that mislead");
	/* Their neighbours. */
	masked("\xd8\x9b\xe2\x80\x8d\xe2\x80\x90\xe2\x80\xa9\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xf3\xa0\x82\x80",
	       "\xd8\x9b\xe2\x80\x8d\xe2\x80\x90\xe2\x80\xa9\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xf3\xa0\x82\x80",
	       "their neighbours stay");
}

static void test_messages(void)
{
	static struct out out;
	char usage[] = "Usage: a\033b\n  -c\x9b\n", name[3001], want[3100];
	diag_start("p\nq", &out);
	diag_image_error("\033]0;x\a", &(struct rossym_error){ .code = ROSSYM_ENOSYMS, .what = "\xc3\xa9" });
	is_str(files_caught(), "p?q: ?]0;x?: \xc3\xa9\n", "a message");
	diag_warning("%s", "a\r\nb");
	is_str(files_caught(), "p?q: warning: a??b\n", "a warning");
	diag_print_plain("%s", "\033c");
	is_str(files_caught(), "?c\n", "a line");
	diag_print_lines(usage, sizeof usage - 1);
	is_str(files_caught(), "Usage: a?b\n  -c?\n", "lines");
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	name[2999] = '\033';
	diag_print_plain("%s", name);
	name[2999] = '?';
	snprintf(want, sizeof want, "%s\n", name);
	is_str(files_caught(), want, "a long message");
}

static void test_json(void)
{
	static struct out out;
	struct json json = { .out = &out };
	static const char text[] = "\"\\\n\033\x7f\xc2\x80\xc2\x9f\xc2\xa0\x9b\xe9\xe2\x82";
	json_open(&json, NULL, '[');
	json_write_string(&json, NULL, text, sizeof text - 1);
	json_write_word(&json, NULL, "null");
	json_close(&json, ']');
	json_end(&json);
	out.buffer[out.used] = '\0';
	is_str(out.buffer, "[\"\\\"\\\\\\n\\u001b\\u007f\\u0080\\u009f\xc2\xa0\\u009b\\u00e9\\u00e2\\u0082\",null]\n",
	       "JSON");
}

static void test_format(void)
{
	struct strbuf text = { .bytes = NULL };
	strbuf_add(&text, "<");
	strbuf_addf(&text, "%s:%u", "a.c", 12u);
	is_str(text.bytes, "<a.c:12", "a format");
	strbuf_addf(&text, "%s", "");
	strbuf_addf(&text, "%700s", "end");
	ok(text.length == strlen("<a.c:12") + 700 && strcmp(text.bytes + text.length - 4, " end") == 0 &&
		   !text.no_memory,
	   "a format with a long result");
	strbuf_clear(&text);
}

int main(void)
{
	if (!files_catch_errors())
		return skip_all("no temporary file");
	test_characters();
	test_mask();
	test_messages();
	test_json();
	test_format();
	return done_testing();
}
