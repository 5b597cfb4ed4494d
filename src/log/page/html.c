// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/page/html.h"
#include "log/read/chars.h"
#include "log/read/note.h"
#include "log/read/plain.h"
#include "tool/mask.h"

#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* ------------------------------------------------------------------------------------------------- text */

/* Whether C is written to HTML unchanged. */
static bool is_written_unchanged(unsigned char c)
{
	return (c >= ' ' && c < 0x7f && c != '<' && c != '>' && c != '&' && c != '"') || c == '\n' || c == '\t';
}

/* Add the entity or the Unicode picture of C, an ASCII character that is not written unchanged; nothing for CR. */
static void add_special_character(struct strbuf *text, unsigned char c)
{
	/* U+2400 is the picture of NUL; the pictures of the other control characters follow; U+2421 is that of DEL. */
	const char picture[] = { '\xe2', '\x90', (char)(0x80 + (c == 0x7f ? 0x21 : c)) };
	switch (c) {
	case '<':
		strbuf_add(text, "&lt;");
		break;
	case '>':
		strbuf_add(text, "&gt;");
		break;
	case '&':
		strbuf_add(text, "&amp;");
		break;
	case '"':
		strbuf_add(text, "&quot;");
		break;
	case '\r':
		break;
	default:
		strbuf_add_bytes(text, picture, sizeof picture);
	}
}

/* Whether HTML forbids the character at P, which has LENGTH bytes of UTF-8: a control character of Latin-1, or one of
   the numbers that will never be characters, U+FDD0 to U+FDEF and the last two of each plane. */
static bool is_forbidden_character(const unsigned char *p, size_t length)
{
	if (length == 2)
		return p[0] == 0xc2 && p[1] < 0xa0;
	unsigned low = (p[length - 2] & 0x3fu) << 6 | (p[length - 1] & 0x3fu);
	unsigned middle = length == 3 ? p[0] & 0x0fu : p[1] & 0x0fu;
	return (middle == 0xf && low >= 0xffe) || (length == 3 && middle == 0xf && low >= 0xdd0 && low <= 0xdef);
}

/* Add the first character of the N bytes at P, whose first byte is not ASCII.  Returns how many bytes were read. */
static size_t add_non_ascii_character(struct strbuf *text, const char *p, size_t n)
{
	const unsigned char c = (unsigned char)*p;
	size_t length = utf8_length(p, n);
	if (length == 0) {
		const char latin1[] = { (char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f)) };
		if (c < 0xa0)
			strbuf_add(text, REPLACEMENT);
		else
			strbuf_add_bytes(text, latin1, sizeof latin1);
		return 1;
	}
	if (is_forbidden_character((const unsigned char *)p, length) || utf8_is_misleading(p, length))
		strbuf_add(text, REPLACEMENT);
	else
		strbuf_add_bytes(text, p, length);
	return length;
}

/* Add the first character of the N bytes at P, or skip the escape sequence there.  is_written_unchanged() is false for
   the first byte.  Returns the length of the character or sequence. */
static size_t add_next_character(struct strbuf *text, const char *p, size_t n)
{
	size_t length = *p == '\033' ? plain_measure_sequence(p, n) : 0;
	if (length > 0)
		return length;
	if ((unsigned char)*p >= 0x80)
		return add_non_ascii_character(text, p, n);
	add_special_character(text, (unsigned char)*p);
	return 1;
}

void html_add_escaped(struct strbuf *text, const char *string, size_t length)
{
	for (size_t at = 0; at < length;) {
		size_t begin = at;
		while (at < length && is_written_unchanged((unsigned char)string[at]))
			at++;
		strbuf_add_bytes(text, string + begin, at - begin);
		if (at < length)
			at += add_next_character(text, string + at, length - at);
	}
}

/* ------------------------------------------------------------------------------------------------ lines */

void html_add_line_id(struct strbuf *text, size_t log, uint64_t line)
{
	if (log > 0) {
		strbuf_add_decimal(text, log + 1);
		strbuf_add_char(text, '-');
	}
	strbuf_add_decimal(text, line);
}

void html_add_line_number(struct strbuf *text, size_t log, uint64_t line)
{
	strbuf_add(text, "<a id=\"");
	html_add_line_id(text, log, line);
	strbuf_add(text, "\" href=\"#");
	html_add_line_id(text, log, line);
	strbuf_add(text, "\" tabindex=\"-1\"></a>");
}

/* -------------------------------------------------------------------------------------------- addresses */

char html_get_kind_letter(enum html_kind kind)
{
	return "rou"[kind];
}

static void add_address_id(struct strbuf *text, enum html_kind kind, unsigned long long number)
{
	strbuf_add_char(text, html_get_kind_letter(kind));
	strbuf_add_decimal(text, number);
}

void html_address_begin(struct strbuf *text, enum html_kind kind, unsigned long long number, const char *why)
{
	strbuf_add(text, "<span class=\"");
	strbuf_add_char(text, html_get_kind_letter(kind));
	strbuf_add(text, "\" id=\"");
	add_address_id(text, kind, number);
	if (why) {
		strbuf_add(text, "\" title=\"");
		html_add_escaped(text, why, strlen(why));
	}
	strbuf_add(text, "\">");
}

void html_address_end(struct strbuf *text, enum html_kind kind, unsigned long long number)
{
	strbuf_add(text, "<a class=\"previous\" aria-label=\"previous\" href=\"#");
	if (number > 1)
		add_address_id(text, kind, number - 1);
	else
		strbuf_add(text, "summary");
	strbuf_add(text, "\"></a><a class=\"next\" aria-label=\"next\" href=\"#");
	add_address_id(text, kind, number + 1);
	strbuf_add(text, "\"></a></span>");
}

/* ------------------------------------------------------------------------------------------------ notes */

void html_link_begin(struct strbuf *text, const char *url, size_t length)
{
	strbuf_add(text, "<a href=\"");
	html_add_escaped(text, url, length);
	strbuf_add(text, "\">");
}

/* Returns the end of a terminal's link sequence (OSC 8) at P; NULL if there is none, or it does not end before END. */
static const char *find_link_end(const char *p, const char *end)
{
	size_t length = (size_t)(end - p), word = sizeof NOTE_LINK - 1;
	length = length > word && memcmp(p, NOTE_LINK, word) == 0 ? plain_measure_sequence(p, length) : 0;
	return length ? p + length : NULL;
}

/* Add the part of a note from P to END.  LINKS: turn its link sequences into HTML links; else leave them out.  Other
   control characters are left out. */
static void add_note_part(struct strbuf *text, const char *p, const char *end, bool links)
{
	while (p < end) {
		const char *mark = p, *after;
		while (mark < end && !is_control(*mark))
			mark++;
		html_add_escaped(text, p, (size_t)(mark - p));
		after = find_link_end(mark, end);
		p = after ? after : mark + 1;
		if (!after || !links)
			continue;
		const char *url = mark + sizeof NOTE_LINK - 1;
		const size_t length = (size_t)(after - (sizeof NOTE_LINK_END - 1) - url);
		if (length == 0)
			strbuf_add(text, "</a>"); /* a sequence without a URL ends the link */
		else
			html_link_begin(text, url, length);
	}
}

static void add_note_span(struct strbuf *text, const char *p, const char *end)
{
	strbuf_add(text, HTML_NOTE);
	add_note_part(text, p, end, true);
	strbuf_add(text, HTML_NOTE_END);
}

/* Add the callers from P to END as a folded element.  While folded, CSS shows only the last caller, which begins at
   LAST. */
static void add_folded_callers(struct strbuf *text, const char *p, const char *last, const char *end)
{
	const size_t words = sizeof NOTE_INLINED_BY - 1;
	strbuf_add(text, "<details class=\"note\"><summary data-last=\"");
	add_note_part(text, last + words, end, false);
	strbuf_add(text, "\">");
	html_add_escaped(text, p, words);
	strbuf_add(text, "</summary>");
	add_note_part(text, p + words, end, true);
	strbuf_add(text, "</details>");
}

void html_add_note(struct strbuf *text, const char *note, size_t length)
{
	const char *end = note + length, *first = memchr(note, NOTE_CALLER, length);
	const char *callers_end = first ? memchr(first, NOTE_CALLERS_END, (size_t)(end - first)) : NULL,
		   *last = callers_end;
	while (last && *last != NOTE_CALLER)
		last--;
	/* Do not fold fewer than two callers, nor a note without an end, which there was no memory to write. */
	if (!last || first == last) {
		add_note_span(text, note, end);
		return;
	}
	add_note_span(text, note, first);
	add_folded_callers(text, first + 1, last + 1, callers_end);
	add_note_span(text, callers_end, end);
}
