// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * front.c - one function for each prefix that front.h lists; its first character tells which functions to try
 *
 * Each function take_x() reads x, which is a prefix or a part of one: it moves the cursor after x, and returns whether
 * x was there.
 */
#include "config.h"
#include "log/read/front.h"
#include "log/read/chars.h"
#include "log/read/cursor.h"

#include <string.h>

/* Move the cursor over decimal digits, at most MOST of them.  Returns how many there were. */
static size_t take_digits(struct cursor *c, size_t most)
{
	size_t from = c->at;
	while (c->at - from < most && !cursor_at_end(c) && is_digit(c->text[c->at]))
		c->at++;
	return c->at - from;
}

/* Call FUNCTION.  If it fails, the cursor stays. */
static bool take_part(struct cursor *c, bool (*function)(struct cursor *c))
{
	struct cursor next = *c;
	const bool taken = function(&next);
	if (taken)
		*c = next;
	return taken;
}

static bool take_blanks(struct cursor *c)
{
	return cursor_blanks(c) > 0;
}

/* "[" or "\[": Markdown may have escaped the SIGN.  plain.h leaves the backslash if the line has not yet shown that it
   is Markdown. */
static bool take_sign(struct cursor *c, char sign)
{
	cursor_char(c, '\\');
	return cursor_char(c, sign);
}

/* ------------------------------------------------------------------------------------------ time stamps */

static bool take_fraction(struct cursor *c)
{
	return (cursor_char(c, '.') || cursor_char(c, ',')) && take_digits(c, 9) > 0;
}

static bool take_am_or_pm(struct cursor *c)
{
	return cursor_word(c, " AM") || cursor_word(c, " PM");
}

/* "12:00:01", "00:00:12.345678", "12:00:01.123 AM" */
static bool take_time(struct cursor *c)
{
	if (take_digits(c, 2) == 0 || !cursor_char(c, ':') || take_digits(c, 2) != 2 || !cursor_char(c, ':') ||
	    take_digits(c, 2) != 2)
		return false;
	take_part(c, take_fraction);
	take_part(c, take_am_or_pm);
	return true;
}

/* "Z", "+01:00", "-0500", " +0100" */
static bool take_zone(struct cursor *c)
{
	if (cursor_char(c, 'Z'))
		return true;
	cursor_char(c, ' ');
	if ((!cursor_char(c, '+') && !cursor_char(c, '-')) || take_digits(c, 2) != 2)
		return false;
	cursor_char(c, ':');
	return take_digits(c, 2) == 2;
}

/* "2026-11-02T10:00:01.123Z" */
static bool take_date_and_time(struct cursor *c)
{
	if (take_digits(c, 4) != 4 || !cursor_char(c, '-') || take_digits(c, 2) != 2 || !cursor_char(c, '-') ||
	    take_digits(c, 2) != 2 || (!cursor_char(c, 'T') && !cursor_char(c, ' ')) || !take_time(c))
		return false;
	take_part(c, take_zone);
	return true;
}

/* Take a name of three letters, such as "Nov", and the blank after it.  NAMES has all such names without separators. */
static bool take_name(struct cursor *c, const char *names)
{
	for (; *names; names += 3) {
		const char word[] = { names[0], names[1], names[2], ' ', '\0' };
		if (cursor_word(c, word))
			return true;
	}
	return false;
}

static bool take_weekday(struct cursor *c)
{
	return take_name(c, "MonTueWedThuFriSatSun");
}

/* " 2026", with a blank or "]" after it: otherwise it is the beginning of an address or of another time stamp. */
static bool take_year(struct cursor *c)
{
	return cursor_char(c, ' ') && take_digits(c, 4) == 4 && !cursor_at_end(c) &&
	       (is_blank(c->text[c->at]) || c->text[c->at] == ']' || c->text[c->at] == '\\');
}

/* "Nov 02 10:00:01", "Mon Nov  2 10:00:01 2026" */
static bool take_month_and_time(struct cursor *c)
{
	take_part(c, take_weekday);
	if (!take_name(c, "JanFebMarAprMayJunJulAugSepOctNovDec"))
		return false;
	cursor_blanks(c);
	if (take_digits(c, 2) == 0 || !cursor_char(c, ' ') || !take_time(c))
		return false;
	take_part(c, take_year);
	return true;
}

static bool take_any_stamp(struct cursor *c)
{
	return take_part(c, take_date_and_time) || take_part(c, take_time) || take_part(c, take_month_and_time);
}

/* The name of a machine or a program.  Returns its length. */
static size_t take_label(struct cursor *c)
{
	size_t from = c->at;
	while (c->at - from < 64 && !cursor_at_end(c) &&
	       (is_word(c->text[c->at]) || c->text[c->at] == '-' || c->text[c->at] == '.'))
		c->at++;
	return c->at - from;
}

/* "host qemu[12]: ", "host kernel: " */
static bool take_host_and_program(struct cursor *c)
{
	if (take_label(c) == 0 || !cursor_char(c, ' '))
		return false;
	if (cursor_word(c, "kernel: "))
		return true;
	return take_label(c) > 0 && take_sign(c, '[') && take_digits(c, 8) > 0 && take_sign(c, ']') &&
	       cursor_word(c, ": ");
}

/* A stamp, and what syslog and journald write after it. */
static bool take_stamp(struct cursor *c)
{
	if (!take_any_stamp(c) || !take_blanks(c))
		return false;
	take_part(c, take_host_and_program);
	return true;
}

/* ------------------------------------------------------------------------------ other prefixes of digits */

/* "12.345678": decimal places are required, because "80941360 " is an address. */
static bool take_seconds(struct cursor *c)
{
	return take_digits(c, 10) > 0 && cursor_char(c, '.') && take_digits(c, 9) >= 3;
}

static bool take_plain_seconds(struct cursor *c)
{
	return take_seconds(c) && take_blanks(c);
}

/* "00000012 TAB 0.12345678 TAB" */
static bool take_debugview(struct cursor *c)
{
	return take_digits(c, 8) == 8 && cursor_char(c, '\t') &&
	       (take_part(c, take_time) || take_part(c, take_seconds)) && cursor_char(c, '\t');
}

/* " 12. " */
static bool take_line_number(struct cursor *c)
{
	return take_digits(c, 6) > 0 && take_sign(c, '.') && cursor_char(c, ' ');
}

/* "    12 TAB": `cat -n` and `nl` align the number to the right in six columns.  A number in fewer columns is one
   of a table. */
static bool take_cat_number(struct cursor *c)
{
	enum { COLUMNS = 6 };
	size_t begin = c->at;
	while (begin > 0 && c->text[begin - 1] == ' ')
		begin--;
	return take_digits(c, COLUMNS) > 0 && c->at - begin >= COLUMNS && cursor_char(c, '\t');
}

/* "0: kd> ": WinDbg, with the number of the processor */
static bool take_processor_prompt(struct cursor *c)
{
	return take_digits(c, 3) > 0 && cursor_word(c, ": kd> ");
}

/* --------------------------------------------------------------------------------------------- brackets */

/* "        11.775321]", "1234]", "10:00]".  More than 6 characters without a point or colon are a stack pointer. */
static bool take_bracketed_number(struct cursor *c)
{
	size_t from = c->at;
	bool point = false;
	for (; c->at - from < 40 && !cursor_at_end(c); c->at++) {
		char ch = c->text[c->at];
		if (!is_digit(ch) && ch != ' ' && ch != '.' && ch != ':')
			break;
		point |= ch == '.' || ch == ':';
	}
	return c->at > from && (point || c->at - from <= 6) && take_sign(c, ']');
}

static bool take_bracketed_stamp(struct cursor *c)
{
	cursor_blanks(c);
	return take_any_stamp(c) && take_sign(c, ']');
}

static bool take_bracket(struct cursor *c)
{
	if (!take_sign(c, '[') || (!take_part(c, take_bracketed_number) && !take_part(c, take_bracketed_stamp)) ||
	    !take_blanks(c))
		return false;
	take_part(c, take_host_and_program);
	return true;
}

/* DebugView's columns, and the number of the process after them: "[4] " */
static bool take_debugview_columns(struct tokens *t, struct cursor *c)
{
	struct cursor next = *c;
	if (!take_part(&next, take_debugview))
		return false;
	take_part(&next, take_bracket);
	t->columns_end = c->at = next.at;
	return true;
}

/* ---------------------------------------------------------------------------------------- CSV and JSON */

/* A word or number, but not 8 or more hexadecimal digits, which may be an address, and not "---", which is a
   rule of a table. */
static bool take_csv_label(struct cursor *c)
{
	struct cursor rule = *c;
	size_t begin = c->at, length = take_label(c);
	if (cursor_word(&rule, "---"))
		return false;
	while (begin < c->at && is_hex(c->text[begin]))
		begin++;
	return length > 0 && (begin < c->at || length < 8);
}

/* A field before the line's own text, and the separator after it: "12:00:01", */
static bool take_csv_field(struct cursor *c)
{
	bool quoted = cursor_char(c, '"');
	if (!take_part(c, take_any_stamp) && !take_part(c, take_csv_label))
		return false;
	return (!quoted || cursor_char(c, '"')) && (cursor_char(c, ',') || cursor_char(c, ';') || cursor_char(c, '\t'));
}

static bool take_csv(struct cursor *c)
{
	while (take_part(c, take_csv_field))
		;
	return cursor_char(c, '"');
}

/* Move the cursor to the next character that is one of STOPS.  Returns false if none is
   in the next VALUE_LENGTH_MAX. */
static bool find_any(struct cursor *c, const char *stops)
{
	enum { VALUE_LENGTH_MAX = 1024 };
	for (size_t from = c->at; c->at - from < VALUE_LENGTH_MAX && !cursor_at_end(c); c->at++)
		if (c->text[c->at] && strchr(stops, c->text[c->at]))
			return true;
	return false;
}

/* Whether a JSON string with this name is a line of a log: Docker writes "log", journald "MESSAGE", Splunk "_raw". */
static bool is_text_name(const char *name, size_t length)
{
	static const char *const names[] = { "message", "msg", "log", "text", "line", "content", "body", "_raw" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == length && same_letters(name, names[i], length))
			return true;
	return false;
}

/* Take a member of a JSON object, "name": value, with the "," after it.  If the value is an object, take only its "{".
   If the value is a line of a log, set *IS_TEXT, and take only the quotation mark before it. */
static bool take_json_member(struct cursor *c, bool *is_text)
{
	cursor_blanks(c);
	if (!cursor_char(c, '"'))
		return false;
	size_t name = c->at;
	if (!find_any(c, "\""))
		return false;
	*is_text = is_text_name(c->text + name, c->at - name);
	c->at++;
	cursor_blanks(c);
	if (!cursor_char(c, ':'))
		return false;
	cursor_blanks(c);
	bool string = cursor_char(c, '"');
	*is_text &= string;
	if (*is_text)
		return true;
	if (string && find_any(c, "\""))
		c->at++;
	find_any(c, ",{}");
	while (cursor_char(c, '}'))
		;
	return cursor_char(c, ',') || cursor_char(c, '{');
}

static bool take_json(struct cursor *c)
{
	enum { MEMBERS = 64 };
	bool is_text = false;
	if (!cursor_char(c, '{'))
		return false;
	for (unsigned i = 0; i < MEMBERS && !is_text; i++)
		if (!take_json_member(c, &is_text))
			return false;
	return is_text;
}

static bool take_string(struct tokens *t, struct cursor *c)
{
	bool taken = t->strings && c->at == 0 && (take_part(c, take_json) || take_part(c, take_csv));
	t->in_string |= taken;
	return taken;
}

/* ----------------------------------------------------------------------------------------------- others */

static bool take_bar(struct cursor *c)
{
	return cursor_word(c, "| ");
}

/* "* ", "- ", "? "; or with a bar, "* | ", like the marks that -m and -M print */
static bool take_mark(struct cursor *c)
{
	if ((!take_sign(c, '*') && !cursor_char(c, '-') && !cursor_char(c, '?')) || !cursor_char(c, ' '))
		return false;
	take_part(c, take_bar);
	return true;
}

static bool take_pager(struct cursor *c)
{
	return cursor_word(c, "--- Press q to abort, any other key to continue ---") ||
	       cursor_word(c, "--- Press q to abort, e/End,h/Home,u/PgUp, other key/PgDn ---");
}

static bool take_debugger_prompt(struct cursor *c)
{
	return cursor_word(c, "kdb:> ") || cursor_word(c, "kd> ");
}

static bool take_prompt(struct tokens *t, struct cursor *c, bool (*function)(struct cursor *c))
{
	bool taken = take_part(c, function);
	t->after_prompt |= taken;
	return taken;
}

static bool take_byte_order_mark(struct cursor *c)
{
	return cursor_word(c, "\xef\xbb\xbf");
}

/* Take one prefix, which begins at C. */
static bool take_prefix(struct tokens *t, struct cursor *c)
{
	char first = c->text[c->at];
	switch (first) {
	case '>':
		return cursor_char(c, '>');
	case '*':
	case '?':
		return take_part(c, take_mark);
	case '-':
		return take_part(c, take_mark) || take_part(c, take_pager);
	case '[':
		return take_part(c, take_bracket);
	case '"':
	case '{':
		return take_string(t, c);
	case '\\':
		return take_part(c, take_bracket) || take_part(c, take_mark);
	case 'k':
		return take_prompt(t, c, take_debugger_prompt);
	case '\xef':
		return take_part(c, take_byte_order_mark);
	default:
		if (!is_digit(first))
			return first >= 'A' && first <= 'Z' && take_part(c, take_stamp);
		return take_prompt(t, c, take_processor_prompt) || take_part(c, take_stamp) ||
		       take_part(c, take_line_number) || take_part(c, take_cat_number) ||
		       take_debugview_columns(t, c) || take_part(c, take_plain_seconds);
	}
}

void front_read(struct tokens *t)
{
	while (!t->begin_known) {
		struct cursor c = cursor_at(t, t->begin);
		cursor_blanks(&c);
		t->begin = c.at;
		if (cursor_at_end(&c) || !take_prefix(t, &c))
			t->begin_known = true;
		else
			t->begin = c.at;
	}
}
