// SPDX-License-Identifier: GPL-2.0-or-later
/* plain.c - read a raw line once, from left to right, and record the gaps */
#include "config.h"
#include "log/read/plain.h"
#include "log/read/chars.h"
#include "log/read/note.h"
#include "tool/array.h"
#include "compat/bisect.h"

#include <stdlib.h>
#include <string.h>

enum {
	ESC = '\033',
	/* The most bytes of: */
	SEQUENCE_LENGTH_MAX = 64, /* a terminal's escape sequence */
	STRING_LENGTH_MAX = 4096, /* an escape sequence with a string in it, such as the target of a link */
	ENTITY_LENGTH_MAX = 10,	  /* an entity of HTML: "&#00000060;" */
};

/* What the raw bytes at some position are. */
enum piece_kind {
	PIECE_LITERAL,	 /* one byte that is its own plain text */
	PIECE_CHAR,	 /* `length` bytes that are an escape for the character `ch` */
	PIECE_NOTHING,	 /* `length` bytes that are invisible */
	PIECE_UNDECIDED, /* more bytes are needed to know */
};

struct piece {
	enum piece_kind kind;
	size_t length;
	char ch;
};

static const struct piece literal = { PIECE_LITERAL, 1, '\0' }, undecided = { PIECE_UNDECIDED, 0, '\0' };

static struct piece empty_piece(size_t length)
{
	return (struct piece){ PIECE_NOTHING, length, '\0' };
}

static bool is_in(char c, unsigned char first, unsigned char last)
{
	return (unsigned char)c >= first && (unsigned char)c <= last;
}

/* ------------------------------------------------------------------------------------- escape sequences */

/* Read the rest of an escape sequence from position AT on: bytes below FINAL, then one from FINAL to '~', as in
   "ESC [ 1 ; 31 m" and "ESC ( B". */
static struct piece read_sequence(const char *p, size_t n, size_t at, unsigned char final)
{
	while (at < n && at < SEQUENCE_LENGTH_MAX && is_in(p[at], ' ', final - 1))
		at++;
	if (at == n)
		return undecided;
	return at < SEQUENCE_LENGTH_MAX && is_in(p[at], final, '~') ? empty_piece(at + 1) : literal;
}

/* Read an escape sequence with a string up to BEL or "ESC \": "ESC ] 0 ; title BEL". */
static struct piece read_string(const char *p, size_t n)
{
	size_t at = 2;
	while (at < n && at < STRING_LENGTH_MAX && !is_control(p[at]))
		at++;
	if (at == n)
		return undecided;
	if (p[at] == '\a')
		return empty_piece(at + 1);
	if (p[at] != ESC)
		return literal;
	return at + 1 == n ? undecided : p[at + 1] == '\\' ? empty_piece(at + 2) : literal;
}

static struct piece read_escape(const char *p, size_t n)
{
	if (n < 2)
		return undecided;
	switch (p[1]) {
	case '[':
		return read_sequence(p, n, 2, '@');
	case ']':
	case 'P':
	case 'X':
	case '^':
	case '_':
		return read_string(p, n);
	default:
		return read_sequence(p, n, 1, '0');
	}
}

/* Like read_escape(), in a line that ends after N bytes if it is COMPLETE.  If "ESC [" is followed by bytes of a
   sequence, but the final one is missing, these bytes are invisible, too: an annotation that is inserted among them
   would end the sequence. */
static struct piece read_escape_in_line(const char *p, size_t n, bool complete)
{
	const struct piece piece = read_escape(p, n);
	const bool has_end = piece.kind == PIECE_NOTHING || (piece.kind == PIECE_UNDECIDED && !complete);
	size_t at = 2;
	if (has_end || n < 2 || p[1] != '[')
		return piece;
	while (at < n && at < SEQUENCE_LENGTH_MAX && is_in(p[at], ' ', '?'))
		at++;
	return at > 2 ? empty_piece(at) : piece;
}

size_t plain_sequence(const char *p, size_t n, bool *ret_undecided)
{
	struct piece piece = read_escape(p, n);
	*ret_undecided = piece.kind == PIECE_UNDECIDED;
	return piece.kind == PIECE_NOTHING ? piece.length : 0;
}

/* ------------------------------------------------------------------------------------- HTML and Markdown */

/* Read the entity "&#60;" or "&#x3c;"; AT is the position after "#".  Characters outside of ASCII are left escaped,
   because no token has them; only the no-break space becomes a blank. */
static struct piece read_number(const char *p, size_t n, size_t at)
{
	unsigned number = 0, base = at < n && (p[at] | 0x20) == 'x' ? 16 : 10;
	size_t first = at += base == 16;
	for (; at < n && at < ENTITY_LENGTH_MAX && (base == 16 ? is_hex(p[at]) : is_digit(p[at])); at++)
		number = number > 0xffff ? number : number * base + hex_value(p[at]);
	if (at >= n && n < ENTITY_LENGTH_MAX)
		return undecided;
	if (at == first || at >= n || p[at] != ';')
		return literal;
	if (number == 0xa0)
		number = ' ';
	return number >= ' ' && number < 0x7f ? (struct piece){ PIECE_CHAR, at + 1, (char)number } : literal;
}

static struct piece read_entity(const char *p, size_t n)
{
	static const struct {
		const char *name;
		char ch;
	} names[] = {
		{ "&lt;", '<' },   { "&gt;", '>' },    { "&amp;", '&' },
		{ "&quot;", '"' }, { "&apos;", '\'' }, { "&nbsp;", ' ' },
	};
	if (n == 1)
		return undecided;
	if (p[1] == '#')
		return read_number(p, n, 2);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t length = strlen(names[i].name);
		if (memcmp(p, names[i].name, n < length ? n : length) == 0)
			return n < length ? undecided : (struct piece){ PIECE_CHAR, length, names[i].ch };
	}
	return literal;
}

static bool is_punctuation(char c)
{
	return is_in(c, '!', '~') && !is_letter(c) && !is_digit(c);
}

/* Read a backslash that is no escape of JSON.  IN_MARKDOWN: the line has shown before that it is Markdown. */
static struct piece read_backslash(const char *p, size_t n, bool in_markdown)
{
	if (n < 2)
		return undecided;
	if (p[1] == '&') {
		struct piece piece = read_entity(p + 1, n - 1);
		if (piece.kind == PIECE_CHAR && (in_markdown || piece.ch == '<' || piece.ch == '>'))
			piece.length++;
		else if (piece.kind == PIECE_CHAR)
			piece = literal;
		else if (piece.kind == PIECE_LITERAL && in_markdown)
			piece = (struct piece){ PIECE_CHAR, 2, '&' };
		return piece;
	}
	bool is_escape = p[1] == '<' || p[1] == '>' || p[1] == '`';
	if (in_markdown)
		is_escape = is_punctuation(p[1]);
	else if (p[1] == '[' || p[1] == '*') {
		if (n < 3)
			return undecided;
		is_escape = p[2] == (p[1] == '[' ? 'F' : '0');
	}
	return is_escape ? (struct piece){ PIECE_CHAR, 2, p[1] } : literal;
}

/* --------------------------------------------------------------------------------------- strings of JSON and CSV */

/* Returns the piece for an escape of LENGTH raw bytes in a string, for the character CODE.  Characters outside of ASCII
   and most control characters are left escaped. */
static struct piece string_char(size_t length, unsigned code)
{
	if (code == '"')
		code = '\'';
	if (code == '\n')
		code = '\r';
	bool known = (code >= ' ' && code < 0x7f) || code == '\t' || code == '\r';
	return known ? (struct piece){ PIECE_CHAR, length, (char)code } : literal;
}

/* Read the escape of JSON at P.  Sets *RET_WRONG if JSON has no such escape. */
static struct piece read_json_escape(const char *p, size_t n, bool *ret_wrong)
{
	enum { LENGTH = 6 }; /* "\u003c" */
	static const char escapes[] = "\"\\/tnrbf", codes[] = "\"\\/\t\n\r\b\f";
	unsigned code = 0;
	if (n < 2)
		return undecided;
	const char *escape = p[1] ? strchr(escapes, p[1]) : NULL;
	if (escape)
		return string_char(2, (unsigned char)codes[escape - escapes]);
	for (size_t at = 2; p[1] == 'u' && at < LENGTH; at++) {
		if (at == n)
			return undecided;
		*ret_wrong |= !is_hex(p[at]);
		code = code << 4 | (*ret_wrong ? 0 : hex_value(p[at]));
	}
	*ret_wrong |= p[1] != 'u';
	return *ret_wrong ? literal : string_char(LENGTH, code);
}

/* Read a quotation mark of CSV: it begins or ends a string, or two of them in a string are an escape for one. */
static struct piece read_quote(struct plain_line *plain, const char *p, size_t n)
{
	if (plain->in_string && n < 2)
		return undecided;
	if (plain->in_string && p[1] == '"')
		return string_char(2, '"');
	plain->in_string = !plain->in_string;
	return literal;
}

/* Find out by its first bytes whether the line is JSON or CSV.  Returns false if more bytes are needed. */
static bool read_strings(struct plain_line *plain, const char *raw, size_t length, bool complete)
{
	if (length == 1 && *raw == '{' && !complete)
		return false;
	if (*raw == '"')
		plain->strings = PLAIN_CSV_STRINGS;
	else if (length > 1 && memcmp(raw, "{\"", 2) == 0)
		plain->strings = PLAIN_JSON_STRINGS;
	return true;
}

/* ----------------------------------------------------------------------------------------------- reading */

void plain_begin(struct plain_line *plain)
{
	plain->length = plain->read = 0;
	plain->html = plain->markdown = plain->broken = SIZE_MAX;
	plain->strings = PLAIN_NO_STRINGS;
	plain->in_string = false;
	plain->colored = false;
	memset(plain->next, 0, sizeof plain->next);
	plain->copy.length = 0;
	plain->gap_count = 0;
}

void plain_clear(struct plain_line *plain)
{
	strbuf_clear(&plain->copy);
	free(plain->gaps);
	*plain = (struct plain_line){ .text = NULL };
}

/* There is no memory for the plain text: from now on, each line is its own plain text.  A position that a caller has
   stays inside the line, because the raw line is at least as long as the plain text was. */
static void give_up(struct plain_line *plain)
{
	plain_begin(plain);
	plain->no_memory = true;
}

/* Add a gap.  Gaps at the same position of the plain text are one. */
static void add_gap(struct plain_line *plain, size_t at, size_t low, size_t high)
{
	struct plain_gap *last = plain->gap_count ? &plain->gaps[plain->gap_count - 1] : NULL;
	if (last && last->at == at) {
		last->high = high;
		return;
	}
	struct plain_gap *gaps = array_with_room(plain->gaps, &plain->gap_room, plain->gap_count, sizeof *gaps);
	if (!gaps) {
		plain->no_memory = true;
		return;
	}
	plain->gaps = gaps;
	gaps[plain->gap_count++] = (struct plain_gap){ at, low, high };
}

/* Append the raw bytes from plain->read to TO as they are.  The copy is only made once there is a gap. */
static void add_literal(struct plain_line *plain, const char *raw, size_t to)
{
	if (!plain_is_raw(plain))
		plain->no_memory |= !strbuf_add_bytes(&plain->copy, raw + plain->read, to - plain->read);
	plain->length += to - plain->read;
	plain->read = to;
}

/* Append what PIECE, the next raw bytes, means.  The first piece starts the copy. */
static void add_piece(struct plain_line *plain, const char *raw, const struct piece *piece)
{
	size_t low = plain->read, high = low + piece->length;
	if (plain_is_raw(plain) && low > 0)
		plain->no_memory |= !strbuf_add_bytes(&plain->copy, raw, low);
	if (piece->kind == PIECE_CHAR) {
		strbuf_add_char(&plain->copy, piece->ch);
		plain->length++;
		low = high;
	}
	add_gap(plain, plain->length, low, high);
	plain->no_memory |= plain->copy.no_memory;
	plain->read = high;
}

/* Record what PIECE, which is at AT of the raw line, shows about the line: how it is escaped, whether it may have a
   colored note of ours. */
static void record_style(struct plain_line *plain, const char *raw, size_t at, const struct piece *piece)
{
	if (piece->kind == PIECE_NOTHING) {
		bool color = piece->length == sizeof NOTE_COLOR - 1 &&
			     memcmp(raw + at, NOTE_COLOR, sizeof NOTE_COLOR - 1) == 0;
		plain->colored |= color && at > 0 && raw[at - 1] == ' ';
	} else if (plain->strings != PLAIN_JSON_STRINGS || plain->broken <= at || raw[at] == '&') {
		if (raw[at] == '\\' && plain->markdown == SIZE_MAX)
			plain->markdown = at;
		/* "&amp;" and "&#92;" do not show that the line is HTML: plain_escape() writes them
		   in other lines, too. */
		bool html = raw[at + (raw[at] == '\\')] == '&' && piece->length > 2 && piece->ch != '&' &&
			    piece->ch != '\\';
		if (html && plain->html == SIZE_MAX)
			plain->html = at;
	}
}

/* Returns the position of the next byte from AT on with which an escape may begin; LENGTH if there is none.
   plain->next stores the position for each kind of byte, so the line is searched only once for each. */
static size_t next_special(struct plain_line *plain, const char *raw, size_t at, size_t length)
{
	static const char specials[PLAIN_SPECIALS] = { ESC, '&', '\\', '"' };
	size_t nearest = length, count = plain->strings == PLAIN_CSV_STRINGS ? PLAIN_SPECIALS : PLAIN_SPECIALS - 1;
	for (size_t i = 0; i < count; i++) {
		size_t from = plain->next[i] > at ? plain->next[i] : at;
		if (from < length && raw[from] != specials[i]) {
			const char *found = memchr(raw + from, specials[i], length - from);
			from = found ? (size_t)(found - raw) : length;
		}
		plain->next[i] = from;
		if (plain->next[i] < nearest)
			nearest = plain->next[i];
	}
	return nearest;
}

/* Returns what the raw bytes at P are, of which the first is a special one. */
static struct piece read_piece(struct plain_line *plain, const char *p, size_t n, bool complete)
{
	if (*p == '"')
		return read_quote(plain, p, n);
	if (*p == '\\' && plain->strings == PLAIN_JSON_STRINGS && plain->broken == SIZE_MAX) {
		bool wrong = false;
		struct piece piece = read_json_escape(p, n, &wrong);
		if (!wrong)
			return piece;
		plain->broken = (size_t)(p - plain->raw);
	}
	return *p == ESC   ? read_escape_in_line(p, n, complete)
	       : *p == '&' ? read_entity(p, n)
			   : read_backslash(p, n, plain->markdown != SIZE_MAX);
}

/* If the text ends with the parenthesis that may close a colored note of ours, remove it from the plain text until more
   has arrived: plain_locate() needs the NOTE_PLAIN after it. */
static void hold_parenthesis(struct plain_line *plain, const char *raw)
{
	const struct plain_gap *last = &plain->gaps[plain->gap_count - 1];
	if (plain->colored && plain->length > last->at && raw[plain->read - 1] == ')') {
		plain->length--;
		plain->copy.length--;
		plain->read--;
	}
}

void plain_read(struct plain_line *plain, const char *raw, size_t length, bool complete)
{
	plain->raw = raw;
	plain->text = raw;
	if (length == 0 || (plain->read == 0 && !read_strings(plain, raw, length, complete)))
		return;
	while (plain->read < length && !plain->no_memory) {
		add_literal(plain, raw, next_special(plain, raw, plain->read, length));
		size_t at = plain->read;
		if (at == length)
			break;
		struct piece piece = read_piece(plain, raw + at, length - at, complete);
		if (piece.kind == PIECE_UNDECIDED && !complete)
			break;
		if (piece.kind == PIECE_UNDECIDED || piece.kind == PIECE_LITERAL) {
			add_literal(plain, raw, at + 1);
			continue;
		}
		record_style(plain, raw, at, &piece);
		add_piece(plain, raw, &piece);
	}
	if (plain->no_memory) {
		give_up(plain);
		plain->read = plain->length = length;
	}
	if (!complete && plain->colored)
		hold_parenthesis(plain, raw);
	plain->text = plain_is_raw(plain) ? raw : plain->copy.bytes ? plain->copy.bytes : "";
}

/* --------------------------------------------------------------------------------------------- positions */

/* Returns the last gap at or before AT, or NULL. */
static const struct plain_gap *gap_before(const struct plain_line *plain, size_t at)
{
	size_t after;
	BISECT(after, plain->gap_count, plain->gaps[after].at <= at);
	return after ? &plain->gaps[after - 1] : NULL;
}

size_t plain_raw_end(const struct plain_line *plain, size_t at)
{
	const struct plain_gap *gap = gap_before(plain, at);
	return !gap ? at : gap->at == at ? gap->low : gap->high + (at - gap->at);
}

size_t plain_printable_length(const struct plain_line *plain, size_t length)
{
	/* Only an escape sequence that turns out to be none can have a token among its bytes; other
	   escapes are too short. */
	bool short_escape = plain->read < length && plain->raw[plain->read] != ESC;
	return short_escape ? length : plain->read;
}

/* Returns the raw position of the character at AT. */
static size_t raw_begin(const struct plain_line *plain, size_t at)
{
	const struct plain_gap *gap = gap_before(plain, at);
	return !gap ? at : gap->high + (at - gap->at);
}

/* Whether WORD is in the raw line at AT. */
static bool has_word(const struct plain_line *plain, size_t at, const char *word)
{
	size_t length = strlen(word);
	return plain->read >= at && plain->read - at >= length && memcmp(plain->raw + at, word, length) == 0;
}

void plain_locate(const struct plain_line *plain, struct token *token)
{
	if (plain_is_raw(plain))
		return;
	bool has_note = token->note_end > token->note;
	token->begin = raw_begin(plain, token->begin);
	token->end = plain_raw_end(plain, token->end);
	/* Without a note, the new one is inserted directly after the token, before raw text that is left out there. */
	token->note_end = plain_raw_end(plain, token->note_end);
	token->note = has_note ? raw_begin(plain, token->note) : token->note_end;
	if (has_note && has_word(plain, token->note, " " NOTE_COLOR "(") &&
	    has_word(plain, token->note_end, NOTE_PLAIN))
		token->note_end += sizeof NOTE_PLAIN - 1;
}

/* ----------------------------------------------------------------------------------------------- cutting */

/* Returns POSITION of the raw line, which is SIZE_MAX if there is none, after the first REMOVED bytes were removed. */
static size_t shifted(size_t position, size_t removed)
{
	return position == SIZE_MAX ? position : position > removed ? position - removed : 0;
}

/* Remove what plain_cut() forgets, from the copy of the plain text and from the gaps.  At least one gap is left, so the
   plain text remains a copy (plain_is_raw()). */
static void cut_copy(struct plain_line *plain, size_t at, size_t raw)
{
	size_t kept = 0;
	for (size_t i = 0; i < plain->gap_count; i++) {
		const struct plain_gap gap = plain->gaps[i];
		if (gap.at > at)
			plain->gaps[kept++] = (struct plain_gap){ gap.at - at, gap.low - raw, gap.high - raw };
		else if (kept == 0)
			plain->gaps[kept++] = (struct plain_gap){ 0, 0, 0 };
	}
	plain->gap_count = kept;
	memmove(plain->copy.bytes, plain->copy.bytes + at, plain->length - at);
	plain->copy.length = plain->length - at;
	plain->copy.bytes[0] = PLAIN_CUT;
}

size_t plain_cut(struct plain_line *plain, size_t at)
{
	const size_t raw = raw_begin(plain, at);
	if (!plain_is_raw(plain))
		cut_copy(plain, at, raw);
	plain->raw += raw;
	plain->text = plain_is_raw(plain) ? plain->raw : plain->copy.bytes;
	plain->length -= at;
	plain->read -= raw;
	plain->html = shifted(plain->html, raw);
	plain->markdown = shifted(plain->markdown, raw);
	plain->broken = shifted(plain->broken, raw);
	for (size_t i = 0; i < PLAIN_SPECIALS; i++)
		plain->next[i] = shifted(plain->next[i], raw);
	return raw;
}

void plain_begin_rest(struct plain_line *plain, const struct plain_line *from)
{
	plain_begin(plain);
	plain->html = shifted(from->html, SIZE_MAX - 1);
	plain->markdown = shifted(from->markdown, SIZE_MAX - 1);
	plain->broken = shifted(from->broken, SIZE_MAX - 1);
	plain->strings = from->strings;
	plain->in_string = from->in_string;
	plain->length = plain->read = 1;
}

/* ----------------------------------------------------------------------------------------------- writing */

unsigned plain_escaping(const struct plain_line *plain, size_t at)
{
	unsigned escaping = (plain->html < at ? PLAIN_HTML : 0) | (plain->markdown < at ? PLAIN_MARKDOWN : 0);
	if (plain->strings == PLAIN_CSV_STRINGS)
		return escaping | PLAIN_CSV;
	if (plain->strings == PLAIN_JSON_STRINGS)
		return escaping | (plain->broken < at ? PLAIN_UNQUOTED : PLAIN_JSON);
	return escaping;
}

/* Returns the escape for the first of the N bytes at P, whose plain text is that byte; NULL if it needs none. */
static const char *escape_for(const char *p, size_t n, unsigned escaping)
{
	bool html = escaping & PLAIN_HTML, markdown = escaping & PLAIN_MARKDOWN;
	switch (*p) {
	case '&':
		return html || read_entity(p, n).kind != PIECE_LITERAL ? "&amp;" : NULL;
	case '<':
		return html ? "&lt;" : markdown ? "\\<" : NULL;
	case '>':
		return html ? "&gt;" : markdown ? "\\>" : NULL;
	case '"':
		return escaping & PLAIN_JSON	   ? "\\\""
		       : escaping & PLAIN_CSV	   ? "\"\""
		       : escaping & PLAIN_UNQUOTED ? "'"
						   : NULL;
	case '\\':
		if (escaping & PLAIN_JSON)
			return "\\\\";
		/* In other lines, a backslash before one of these could show that the line is Markdown. */
		return markdown ? "\\\\" : n > 1 && memchr("<>&[*`", p[1], 6) ? "&#92;" : NULL;
	case '*':
		return markdown ? "\\*" : NULL;
	case '_':
		return markdown ? "\\_" : NULL;
	case '`':
		return markdown ? "\\`" : NULL;
	case '[':
		return markdown ? "\\[" : NULL;
	case ']':
		return markdown ? "\\]" : NULL;
	default:
		return NULL;
	}
}

void plain_escape(struct strbuf *text, const char *bytes, size_t length, unsigned escaping)
{
	size_t from = 0;
	for (size_t at = 0; at < length; at++) {
		if (bytes[at] == ESC) {
			/* a color or link of a note: copy it */
			struct piece piece = read_escape(bytes + at, length - at);
			at += piece.kind == PIECE_NOTHING ? piece.length - 1 : 0;
			continue;
		}
		const char *word = escape_for(bytes + at, length - at, escaping);
		if (!word)
			continue;
		strbuf_add_bytes(text, bytes + from, at - from);
		strbuf_add(text, word);
		from = at + 1;
	}
	strbuf_add_bytes(text, bytes + from, length - from);
}
