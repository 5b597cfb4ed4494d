// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * front.c - the prefixes of a line, which come before its own text
 *
 * Programs that record, store and quote logs put something in front of each line: time stamps, quote marks, line
 * numbers, prompts.  The forms with a word "prefix" in forms.txt say what prefixes look like; a line can have several.
 * Numbers of tables are never mistaken for prefixes: "80941360 " and "00 f793e0ec" are no time stamps.
 *
 *     "1","host","12:00:01","			CSV: all fields before the first that is no number, stamp or single word
 *     {"time":"12:00:01","message":"		JSON: all before the value of a string with a name like "message"
 */
#include "config.h"
#include "log/read/chars.h"
#include "log/read/form-words.h"

/* Skip a field of CSV before the line's own text, "12:00:01" or host or 12, and the separator after the field.  But
   8 or more hexadecimal digits may be an address, and "---" is a line of a table: neither is such a field. */
static bool skip_csv_field(const struct tokens *t, struct cursor *c)
{
	enum prefix kind;
	struct cursor next = *c;
	struct number number;
	const bool quoted = cursor_read_char(&next, '"');
	const struct cursor begin = next;
	if (!match_prefix(t, &next, false, &kind) || kind != PREFIX_STAMP) {
		struct cursor rule = next = begin;
		while (!cursor_is_at_end(&next) && is_module_char(next.text[next.at]))
			next.at++;
		const size_t length = next.at - begin.at;
		if (length == 0 || cursor_read_word(&rule, "---") ||
		    (number_parse(t->text + begin.at, length, &number) == length && !number.prefix &&
		     number.digits >= NUMBER_HALF))
			return false;
	}
	if ((quoted && !cursor_read_char(&next, '"')) || cursor_is_at_end(&next) ||
	    !memchr(",;\t", next.text[next.at], 3))
		return false;
	c->at = next.at + 1;
	return true;
}

/* If the line is CSV or JSON, skip all that is before its own text, and the quotation mark that begins this text.  If
   there is no such quotation mark, returns false, and the cursor stays. */
static bool skip_json_or_csv(const struct tokens *t, struct cursor *c)
{
	enum prefix kind = PREFIX_PLAIN;
	struct cursor next = *c;
	if (*t->text == '"') {
		while (skip_csv_field(t, &next))
			;
		if (!cursor_read_char(&next, '"'))
			return false;
	}
	for (; *t->text == '{' && kind != PREFIX_STRING; next.at++) {
		if (cursor_is_at_end(&next))
			return false;
		if (next.text[next.at] == '"' && match_prefix(t, &next, false, &kind))
			next.at--;
	}
	c->at = next.at;
	return true;
}

void front_skip_prefixes(struct tokens *t)
{
	enum prefix kind = PREFIX_PLAIN;
	struct cursor c = cursor_make(t, 0);
	cursor_read_word(&c, "\xef\xbb\xbf"); /* a byte order mark */
	if (t->strings && t->length > 0)
		t->in_string = skip_json_or_csv(t, &c);
	do {
		cursor_skip_blanks(&c);
		t->begin = c.at;
		if (kind == PREFIX_COLUMNS)
			t->at = c.at;
		t->after_prompt |= kind == PREFIX_PROMPT;
	} while (!cursor_is_at_end(&c) && match_prefix(t, &c, kind == PREFIX_STAMP, &kind));
}
