// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * front.c - what comes before a line's own text
 *
 * Programs that record, store and quote logs put something in front of each line:
 *
 *     12:00:01  12:00:01 AM  00:00:12.345678  2026-11-02T10:00:01.123Z  2026-11-02 10:00:01,5 +01:00	time stamps
 *     Nov 02 10:00:01  Mon Nov  2 10:00:01 2026  [12:00:01]  [Mon Nov  2 10:00:01 2026]
 *     [        11.775321]  12.345678		seconds
 *     Nov 02 10:00:01 host qemu[12]:		syslog, journald: after a time stamp, machine and program
 *     Nov 02 10:00:01 host Application Error[1000]:	an event of Windows in syslog, also without machine or time stamp
 *     00000012 TAB 0.12345678 TAB [4]		DebugView
 *      12.					the line numbers of a pastebin
 *         12 TAB				those of `cat -n` and `nl`
 *     > * -  * |  ? |				a quote or a list; our own marks (-m, -M)
 *     "1","host","12:00:01","			CSV: all fields before the first that is no number, stamp or single word
 *     {"time":"12:00:01","message":"		JSON: up to the first string whose name tells that it is a line of a log
 *     kdb:> kd> 0: kd>				a prompt without a newline
 *     --- Press q to abort, any other key to continue ---	the prompt of KDBG's pager
 *
 * Several of them may follow each other, and nearly all end with a blank, a tab or a quotation mark.  Numbers of
 * tables are never mistaken for them: "80941360 " and "00 f793e0ec" are no time stamps.
 *
 * Most are patterns; the first character tells which to try.  take_pattern() and each function take_x() move the cursor after what
 * they read, and return whether it was there.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"
#include "log/read/cursor.h"

#include <string.h>

/*
 * Patterns of prefixes.  In them are:
 *
 *     %12	decimal digits, here one or two; %1* is one to ten
 *     %b %B	blanks; blanks, or nothing
 *     %n	"Nov ": the name of a month or a weekday, and a blank
 *     %l	the name of a machine or a program
 *     %e	nothing, but a blank, "]" or "\\" must follow
 *     %s	a time stamp
 *     {a|b}	the first of these that is there
 *     (a|b)	the same, or nothing
 *
 * All else is text.  Markdown can have a backslash before a character of may_be_escaped(), ".", "-" or "?".
 */
#define TIME "%12:%22:%22(.%19|,%19)( AM| PM)"
#define DATE "%44-%22-%22{T| }" TIME "(Z|( ){+|-}%22(:)%22)"
#define MONTH "%n(%n)%B%12 " TIME "( %44%e)" /* a number after the time is a year, not the beginning of an address */
#define EVENT "Application Error[%18]: "     /* of Windows, in syslog */
#define HOST "(%l kernel: |" EVENT "|%l " EVENT "|%l %l[%18]: )" /* of syslog and journald */
#define SECONDS "%1*.%39" /* decimal places are required, because "80941360 " is an address */

/* Returns the length of the name of a machine or a program at the cursor, and moves the cursor after it. */
static size_t take_host_or_program(struct cursor *c)
{
	size_t from = c->at;
	while (c->at - from < 64 && !cursor_at_end(c) &&
	       (is_word_char(c->text[c->at]) || c->text[c->at] == '-' || c->text[c->at] == '.'))
		c->at++;
	return c->at - from;
}

/* Take from LEAST to MOST decimal digits. */
static bool take_digits(struct cursor *c, size_t least, size_t most)
{
	size_t from = c->at;
	while (c->at - from < most && !cursor_at_end(c) && is_digit(c->text[c->at]))
		c->at++;
	return c->at - from >= least;
}

static bool take_month_or_weekday(struct cursor *c)
{
	const char *names = "JanFebMarAprMayJunJulAugSepOctNovDecMonTueWedThuFriSatSun";
	for (; *names; names += 3) {
		const char word[] = { names[0], names[1], names[2], ' ', '\0' };
		if (cursor_read_word(c, word))
			return true;
	}
	return false;
}

static bool take_pattern(struct cursor *c, const char *pattern);

/* Take what "%" and the characters at P mean, and move *P to the last of these characters. */
static bool take_pattern_class(struct cursor *c, const char **p)
{
	enum { DIGITS_MAX = 10 };
	const char kind = **p;
	switch (kind) {
	case 'b':
	case 'B':
		return cursor_skip_blanks(c) > 0 || kind == 'B';
	case 'n':
		return take_month_or_weekday(c);
	case 'l':
		return take_host_or_program(c) > 0;
	case 's':
		return take_pattern(c, TIME) || take_pattern(c, DATE) || take_pattern(c, MONTH);
	case 'e':
		return !cursor_at_end(c) && memchr(" \t]\\", c->text[c->at], 4);
	default:
		++*p;
		return take_digits(c, (size_t)(kind - '0'), **p == '*' ? DIGITS_MAX : (size_t)(**p - '0'));
	}
}

/* Returns the end of the alternative at P of a pattern: its "|" or closing bracket. */
static const char *alternative_end(const char *p)
{
	for (unsigned depth = 0; depth > 0 || (*p != '|' && *p != ')' && *p != '}'); p++) {
		depth += *p == '(' || *p == '{';
		depth -= *p == ')' || *p == '}';
	}
	return p;
}

/* Take PATTERN, up to the end of its alternative.  If it is not there, the cursor stays. */
static bool take_pattern(struct cursor *c, const char *pattern)
{
	struct cursor next = *c;
	for (const char *p = pattern; *p && *p != '|' && *p != ')' && *p != '}'; p++) {
		bool good = false;
		if (*p == '(' || *p == '{') {
			const char bracket = *p;
			do
				good = good || take_pattern(&next, p + 1);
			while (*(p = alternative_end(p + 1)) == '|');
			good |= bracket == '(';
		} else if (*p == '%') {
			p++;
			good = take_pattern_class(&next, &p);
		} else {
			const bool escaped = next.at < next.end && next.text[next.at] == '\\';
			next.at += escaped && (may_be_escaped(*p) || strchr(".-?", *p));
			good = cursor_read_char(&next, *p);
		}
		if (!good)
			return false;
	}
	*c = next;
	return true;
}

/* Call FUNCTION.  If it fails, the cursor stays. */
static bool take_or_stay(struct cursor *c, bool (*function)(struct cursor *c))
{
	struct cursor next = *c;
	const bool taken = function(&next);
	if (taken)
		*c = next;
	return taken;
}

/* Take "  12 TAB".  `cat -n` and `nl` align the number to the right in six columns; a number in fewer columns belongs
   to a table. */
static bool take_cat_number(struct cursor *c)
{
	enum { COLUMNS = 6 };
	size_t begin = c->at;
	while (begin > 0 && c->text[begin - 1] == ' ')
		begin--;
	return take_digits(c, 1, COLUMNS) && c->at - begin >= COLUMNS && cursor_read_char(c, '\t');
}

/* Take "  11.775321] ", "1234] " or "10:00] ", after "[".  More than 6 characters without a point or colon are a stack
   pointer. */
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
	return c->at > from && (point || c->at - from <= 6) && take_pattern(c, "]%b" HOST);
}

static bool take_bracket(struct cursor *c)
{
	return take_pattern(c, "[%B%s]%b" HOST) || (take_pattern(c, "[") && take_bracketed_number(c));
}

/* ---------------------------------------------------------------------------------------- CSV and JSON */

/* Take a word or number, but not 8 or more hexadecimal digits, which may be an address, and not "---", which is a line
   of a table. */
static bool take_csv_label(struct cursor *c)
{
	struct cursor rule = *c;
	size_t begin = c->at, length = take_host_or_program(c);
	if (cursor_read_word(&rule, "---"))
		return false;
	while (begin < c->at && is_hex(c->text[begin]))
		begin++;
	return length > 0 && (begin < c->at || length < 8);
}

/* Take a field before the line's own text, and the separator after it: "12:00:01", */
static bool take_csv_field(struct cursor *c)
{
	bool quoted = cursor_read_char(c, '"');
	return (take_pattern(c, "%s") || take_or_stay(c, take_csv_label)) && (!quoted || cursor_read_char(c, '"')) &&
	       take_pattern(c, "{,|;|\t}");
}

static bool take_csv(struct cursor *c)
{
	while (take_or_stay(c, take_csv_field))
		;
	return cursor_read_char(c, '"');
}

/* Move the cursor to the next quotation mark.  Returns false if none is in the next VALUE_LENGTH_MAX characters. */
static bool move_to_quote(struct cursor *c)
{
	enum { VALUE_LENGTH_MAX = 1024 };
	for (size_t from = c->at; c->at - from < VALUE_LENGTH_MAX && !cursor_at_end(c); c->at++)
		if (c->text[c->at] == '"')
			return true;
	return false;
}

/* Whether a JSON string with this name is a line of a log: Docker writes "log", journald "MESSAGE", Splunk "_raw". */
static bool is_text_name(const char *name, size_t length)
{
	static const char *const names[] = { "message", "msg", "log", "text", "line", "content", "body", "_raw" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == length && equal_ignoring_case(name, names[i], length))
			return true;
	return false;
}

/* Take all up to the quotation mark before the first value that is a line of a log. */
static bool take_json(struct cursor *c)
{
	enum { STRINGS = 128 };
	for (unsigned i = 0; i < STRINGS && move_to_quote(c); i++) {
		const size_t name = ++c->at;
		if (!move_to_quote(c))
			return false;
		const bool is_text = is_text_name(c->text + name, c->at++ - name);
		if (is_text && take_pattern(c, "%B:%B\""))
			return true;
	}
	return false;
}

static bool take_json_or_csv(struct tokens *t, struct cursor *c)
{
	bool taken = t->strings && c->at == 0 && (take_or_stay(c, take_json) || take_or_stay(c, take_csv));
	t->in_string |= taken;
	return taken;
}

/* ----------------------------------------------------------------------------------------------- any prefix */

/* Take PATTERN.  If it is there, set *RET_TAKEN. */
static bool take_pattern_and_note(struct cursor *c, const char *pattern, bool *ret_taken)
{
	const bool taken = take_pattern(c, pattern);
	*ret_taken |= taken;
	return taken;
}

/* Take DebugView's columns, and the number of the process after them: "[4] " */
static bool take_debugview(struct tokens *t, struct cursor *c)
{
	if (!take_pattern(c, "%88\t{" TIME "|" SECONDS "}\t"))
		return false;
	take_or_stay(c, take_bracket);
	t->at = c->at; /* no number in the columns is that of a stack's row */
	return true;
}

/* Take "* ", "- " or "? ", perhaps with a bar, "* | ", like the marks that -m and -M print. */
static bool take_quote_mark(struct cursor *c)
{
	const bool taken = take_pattern(c, "{*|-|?} ");
	if (taken)
		cursor_read_word(c, "| ");
	return taken;
}

/* Whether the digits at C are followed by a character that ends the first number of a prefix.  Most digits are those of
   an address, and none of these characters follows an address. */
static bool ends_like_prefix(struct cursor c)
{
	return take_digits(&c, 1, 10) && !cursor_at_end(&c) && memchr(":-.\t\\", c.text[c.at], 5);
}

/* Take one prefix, which begins at C. */
static bool take_prefix(struct tokens *t, struct cursor *c)
{
	char first = c->text[c->at];
	switch (first) {
	case '>':
		return cursor_read_char(c, '>');
	case '*':
	case '?':
		return take_quote_mark(c);
	case '-':
		return take_quote_mark(c) || take_pattern(c, "--- Press q to abort, {any other key to continue|"
							     "e/End,h/Home,u/PgUp, other key/PgDn} ---");
	case '[':
		return take_or_stay(c, take_bracket);
	case '"':
	case '{':
		return take_json_or_csv(t, c);
	case '\\':
		return take_or_stay(c, take_bracket) || take_quote_mark(c);
	case 'k':
		return take_pattern_and_note(c, "{kdb:>|kd>} ", &t->after_prompt);
	case '\xef':
		return cursor_read_word(c, "\xef\xbb\xbf"); /* a byte order mark */
	default:
		if (!is_digit(first))
			return first >= 'A' && first <= 'Z' &&
			       (take_pattern(c, MONTH "%b" HOST) || take_pattern(c, EVENT));
		if (!ends_like_prefix(*c))
			return false;
		return take_pattern_and_note(c, "%13: kd> ", &t->after_prompt) || take_pattern(c, "%s%b" HOST) ||
		       take_pattern(c, "%16. ") || take_or_stay(c, take_cat_number) || take_debugview(t, c) ||
		       take_pattern(c, SECONDS "%b");
	}
}

void front_skip_prefixes(struct tokens *t)
{
	struct cursor c = cursor_at(t, 0);
	do {
		cursor_skip_blanks(&c);
		t->begin = c.at;
	} while (!cursor_at_end(&c) && take_prefix(t, &c));
}
