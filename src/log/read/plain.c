// SPDX-License-Identifier: GPL-2.0-or-later
/* plain.c - makes a line's plain text (plain.h): reads the raw line once, replaces escapes, then takes out the notes */
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
	PIECE_LITERAL, /* one byte that is its own plain text */
	PIECE_CHAR,    /* `length` bytes that are an escape for the character `ch` */
	PIECE_NOTHING, /* `length` bytes that are invisible */
};

struct piece {
	enum piece_kind kind;
	size_t length;
	char ch;
};

static const struct piece literal = { PIECE_LITERAL, 1, '\0' };

static struct piece make_empty_piece(size_t length)
{
	return (struct piece){ PIECE_NOTHING, length, '\0' };
}

/* Whether the byte C is from FIRST to LAST. */
static bool is_in_range(char c, unsigned char first, unsigned char last)
{
	return (unsigned char)c >= first && (unsigned char)c <= last;
}

/* ------------------------------------------------------------------------------------- escape sequences */

/* Returns the length of the escape sequence that the N bytes at P begin with, or 0.  From AT on, a sequence has any
   number of bytes from ' ' to below FINAL, then one from FINAL to '~', as in "ESC [ 1 ; 31 m" and "ESC ( B". */
static size_t measure_escape_sequence(const char *p, size_t n, size_t at, unsigned char final)
{
	while (at < n && at < SEQUENCE_LENGTH_MAX && is_in_range(p[at], ' ', final - 1))
		at++;
	return at < n && at < SEQUENCE_LENGTH_MAX && is_in_range(p[at], final, '~') ? at + 1 : 0;
}

/* As measure_escape_sequence(), for a sequence with a string that BEL or "ESC \" ends: "ESC ] 0 ; title BEL". */
static size_t measure_string_sequence(const char *p, size_t n)
{
	size_t at = 2;
	while (at < n && at < STRING_LENGTH_MAX && !is_control(p[at]))
		at++;
	if (at < n && p[at] == '\a')
		return at + 1;
	at += at < n && p[at] == ESC;
	return at < n && p[at - 1] == ESC && p[at] == '\\' ? at + 1 : 0;
}

size_t plain_measure_sequence(const char *p, size_t n)
{
	if (n < 2)
		return 0;
	if (p[1] && strchr("]PX^_", p[1]))
		return measure_string_sequence(p, n);
	return p[1] == '[' ? measure_escape_sequence(p, n, 2, '@') : measure_escape_sequence(p, n, 1, '0');
}

/* Read an escape sequence in a line that ends after N bytes.  A sequence whose final byte is missing is invisible, too:
   otherwise an annotation could be inserted after one of its bytes, and would end the sequence. */
static struct piece read_escape(const char *p, size_t n)
{
	const size_t length = plain_measure_sequence(p, n);
	const bool brackets = n > 1 && p[1] == '[';
	size_t at = brackets ? 2 : 1;
	if (length > 0)
		return make_empty_piece(length);
	if (n > 1 && p[1] && strchr("]PX^_", p[1]))
		return literal;
	while (at < n && at < SEQUENCE_LENGTH_MAX && is_in_range(p[at], ' ', brackets ? '?' : '/'))
		at++;
	return make_empty_piece(at);
}

/* ------------------------------------------------------------------------------------- HTML and Markdown */

/* Read an entity such as "&#60;" or "&#x3c;"; AT is the position after "#".  Characters outside of ASCII stay escaped,
   because no token has them; only the no-break space becomes a blank. */
static struct piece read_numeric_entity(const char *p, size_t n, size_t at)
{
	unsigned number = 0, base = at < n && (p[at] | 0x20) == 'x' ? 16 : 10;
	size_t first = at += base == 16;
	for (; at < n && at < ENTITY_LENGTH_MAX && (base == 16 ? is_hex(p[at]) : is_digit(p[at])); at++)
		number = number > 0xffff ? number : number * base + hex_value(p[at]);
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
	if (n > 1 && p[1] == '#')
		return read_numeric_entity(p, n, 2);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t length = strlen(names[i].name);
		if (n >= length && memcmp(p, names[i].name, length) == 0)
			return (struct piece){ PIECE_CHAR, length, names[i].ch };
	}
	return literal;
}

static bool is_punctuation(char c)
{
	return is_in_range(c, '!', '~') && !is_letter(c) && !is_digit(c);
}

/* Read a backslash that begins no escape of JSON.  IN_MARKDOWN: the line has had an escape of Markdown before. */
static struct piece read_backslash(const char *p, size_t n, bool in_markdown)
{
	if (n < 2)
		return literal;
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
	else if (p[1] == '[' || p[1] == '*')
		is_escape = n > 2 && p[2] == (p[1] == '[' ? 'F' : '0');
	return is_escape ? (struct piece){ PIECE_CHAR, 2, p[1] } : literal;
}

/* --------------------------------------------------------------------------------------- strings of JSON and CSV */

/* Returns the piece for an escape of LENGTH raw bytes in a string, which stands for the character CODE.  Characters
   outside of ASCII and most control characters stay escaped; quotation marks and line feeds change (plain.h). */
static struct piece make_string_piece(size_t length, unsigned code)
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
		return literal;
	const char *escape = p[1] ? strchr(escapes, p[1]) : NULL;
	if (escape)
		return make_string_piece(2, (unsigned char)codes[escape - escapes]);
	for (size_t at = 2; p[1] == 'u' && at < LENGTH; at++) {
		if (at == n)
			return literal;
		*ret_wrong |= !is_hex(p[at]);
		code = code << 4 | (*ret_wrong ? 0 : hex_value(p[at]));
	}
	*ret_wrong |= p[1] != 'u';
	return *ret_wrong ? literal : make_string_piece(LENGTH, code);
}

/* Read a quotation mark of CSV: it begins or ends a string; two in a row inside a string are an escape for one. */
static struct piece read_quote(struct plain_line *plain, const char *p, size_t n)
{
	if (plain->in_string && n > 1 && p[1] == '"')
		return make_string_piece(2, '"');
	plain->in_string = !plain->in_string;
	return literal;
}

/* Set plain->strings if the line's first bytes show that it is JSON or CSV. */
static void detect_json_or_csv(struct plain_line *plain, const char *raw, size_t length)
{
	if (length > 0 && *raw == '"')
		plain->strings = PLAIN_CSV_STRINGS;
	else if (length > 1 && memcmp(raw, "{\"", 2) == 0)
		plain->strings = PLAIN_JSON_STRINGS;
}

/* ----------------------------------------------------------------------------------------------- reading */

static void forget_last_line(struct plain_line *plain)
{
	plain->length = plain->read = 0;
	plain->html = plain->markdown = plain->broken = SIZE_MAX;
	plain->strings = PLAIN_NO_STRINGS;
	plain->in_string = false;
	memset(plain->next, 0, sizeof plain->next);
	plain->copy.length = plain->stripped.length = 0;
	plain->gap_count = plain->note_count = 0;
}

void plain_clear(struct plain_line *plain)
{
	strbuf_clear(&plain->copy);
	strbuf_clear(&plain->stripped);
	free(plain->gaps);
	free(plain->notes);
	*plain = (struct plain_line){ .text = NULL };
}

/* Append a gap.  If the last gap is at the same position of the plain text, extend that one. */
static void add_gap(struct plain_line *plain, size_t at, size_t low, size_t high)
{
	struct plain_gap *last = plain->gap_count ? &plain->gaps[plain->gap_count - 1] : NULL;
	if (last && last->at == at) {
		last->high = high;
		return;
	}
	if (!ARRAY_GROW(plain->gaps, plain->gap_room, plain->gap_count)) {
		plain->no_memory = true;
		return;
	}
	plain->gaps[plain->gap_count++] = (struct plain_gap){ at, low, high };
}

/* Append the raw bytes from plain->read up to TO to the plain text; also to plain->copy if the line has had a gap. */
static void add_literal(struct plain_line *plain, const char *raw, size_t to)
{
	if (plain->gap_count > 0)
		plain->no_memory |= !strbuf_add_bytes(&plain->copy, raw + plain->read, to - plain->read);
	plain->length += to - plain->read;
	plain->read = to;
}

/* Append the plain text of PIECE, the next raw bytes, and a gap.  The first gap of a line begins plain->copy. */
static void add_piece(struct plain_line *plain, const char *raw, const struct piece *piece)
{
	size_t low = plain->read, high = low + piece->length;
	if (plain->gap_count == 0 && low > 0)
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

/* Record what PIECE, which is at AT of the raw line, shows about how the line is escaped. */
static void record_escaping(struct plain_line *plain, const char *raw, size_t at, const struct piece *piece)
{
	if (piece->kind != PIECE_NOTHING &&
	    (plain->strings != PLAIN_JSON_STRINGS || plain->broken <= at || raw[at] == '&')) {
		if (raw[at] == '\\' && plain->markdown == SIZE_MAX)
			plain->markdown = at;
		/* "&amp;" and "&#92;" show nothing: plain_add_escaped() also writes them in lines that are not HTML. */
		bool html = raw[at + (raw[at] == '\\')] == '&' && piece->length > 2 && piece->ch != '&' &&
			    piece->ch != '\\';
		if (html && plain->html == SIZE_MAX)
			plain->html = at;
	}
}

/* Returns the position of the next byte from AT on with which an escape may begin; LENGTH if there is none.
   plain->next stores the position for each kind of byte, so the line is searched only once for each. */
static size_t find_next_special(struct plain_line *plain, const char *raw, size_t at, size_t length)
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

/* Returns what the raw bytes at P are; the first one is a special byte (find_next_special()). */
static struct piece read_piece(struct plain_line *plain, const char *p, size_t n)
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
	return *p == ESC   ? read_escape(p, n)
	       : *p == '&' ? read_entity(p, n)
			   : read_backslash(p, n, plain->markdown != SIZE_MAX);
}

/* Make the plain text of the raw line, with the notes in it. */
static void read_raw_line(struct plain_line *plain, const char *raw, size_t length)
{
	detect_json_or_csv(plain, raw, length);
	while (plain->read < length && !plain->no_memory) {
		add_literal(plain, raw, find_next_special(plain, raw, plain->read, length));
		size_t at = plain->read;
		if (at == length)
			break;
		struct piece piece = read_piece(plain, raw + at, length - at);
		if (piece.kind == PIECE_LITERAL) {
			add_literal(plain, raw, at + 1);
			continue;
		}
		record_escaping(plain, raw, at, &piece);
		add_piece(plain, raw, &piece);
	}
	plain->noted = plain->gap_count == 0 ? raw : plain->copy.bytes ? plain->copy.bytes : "";
	plain->noted_length = plain->length;
}

/* Add the note of LENGTH bytes at AT of plain->noted, and append the text from BEGIN up to the note to plain->stripped.
   If there is no such text, the note and the one before it become one.  Returns false if memory has run out. */
static bool add_note(struct plain_line *plain, size_t begin, size_t at, size_t length)
{
	if (plain->note_count > 0 && at == begin) {
		plain->notes[plain->note_count - 1].length += length;
		return true;
	}
	if (!ARRAY_GROW(plain->notes, plain->note_room, plain->note_count) ||
	    !strbuf_add_bytes(&plain->stripped, plain->noted + begin, at - begin))
		return false;
	plain->notes[plain->note_count++] = (struct plain_note){ plain->stripped.length, at, plain->noted + at,
								 length };
	return true;
}

/* Whether the text from AT to END of plain->noted, which looks like a note, is none, because it is inside a word.  The
   text from BEGIN up to it is not in plain->stripped yet. */
static bool is_in_word(const struct plain_line *plain, size_t begin, size_t at, size_t end)
{
	const struct strbuf *stripped = &plain->stripped;
	const char before = at > begin	       ? plain->noted[at - 1]
			    : stripped->length ? stripped->bytes[stripped->length - 1]
					       : ' ';
	return end < plain->noted_length && is_word_char(before) && is_word_char(plain->noted[end]);
}

/* Take the notes out of the plain text. */
static void strip_notes(struct plain_line *plain)
{
	size_t at = 0, length, begin = 0;
	while ((at = note_find(plain->noted, plain->noted_length, at, &length)) < plain->noted_length) {
		const size_t end = at + length;
		if (is_in_word(plain, begin, at, end)) {
			at++;
			continue;
		}
		plain->no_memory |= !add_note(plain, begin, at, length);
		if (plain->no_memory)
			return;
		at = begin = end;
	}
	if (plain->note_count == 0)
		return;
	plain->no_memory |= !strbuf_add_bytes(&plain->stripped, plain->noted + begin, plain->noted_length - begin);
	plain->text = plain->stripped.bytes ? plain->stripped.bytes : "";
	plain->length = plain->stripped.length;
}

void plain_read(struct plain_line *plain, const char *raw, size_t length)
{
	forget_last_line(plain);
	plain->raw = raw;
	if (!plain->no_memory) {
		read_raw_line(plain, raw, length);
		plain->text = plain->noted;
		strip_notes(plain);
	}
	if (!plain->no_memory)
		return;
	forget_last_line(plain);
	plain->text = plain->noted = raw;
	plain->length = plain->noted_length = plain->read = length;
}

/* --------------------------------------------------------------------------------------------- positions */

/* Returns the last gap at or before AT of plain->noted; NULL if there is none. */
static const struct plain_gap *find_gap_before(const struct plain_line *plain, size_t at)
{
	size_t after;
	BISECT(after, plain->gap_count, plain->gaps[after].at <= at);
	return after ? &plain->gaps[after - 1] : NULL;
}

/* Return where the character before AT of plain->noted ends in the raw line, or where the character at AT begins. */
static size_t find_raw_end(const struct plain_line *plain, size_t at)
{
	const struct plain_gap *gap = find_gap_before(plain, at);
	return !gap ? at : gap->at == at ? gap->low : gap->high + (at - gap->at);
}

static size_t find_raw_begin(const struct plain_line *plain, size_t at)
{
	const struct plain_gap *gap = find_gap_before(plain, at);
	return !gap ? at : gap->high + (at - gap->at);
}

/* Returns how many notes are before AT of the plain text; those at AT do not count. */
static size_t count_notes_before(const struct plain_line *plain, size_t at)
{
	size_t count;
	BISECT(count, plain->note_count, plain->notes[count].at < at);
	return count;
}

/* Convert AT, a position in the plain text, to one in plain->noted.  NOTES is the number of notes before AT. */
static size_t convert_to_noted_position(const struct plain_line *plain, size_t at, size_t notes)
{
	const struct plain_note *last = notes ? &plain->notes[notes - 1] : NULL;
	return last ? last->from + last->length + (at - last->at) : at;
}

/* Returns the note at AT of the plain text, or after a few blanks; NULL: none.  NOTES: how many notes are before AT. */
static const struct plain_note *find_note_at(const struct plain_line *plain, size_t at, size_t notes)
{
	enum { BLANKS_MAX = 8 };
	if (notes == plain->note_count || plain->notes[notes].at - at > BLANKS_MAX)
		return NULL;
	while (at < plain->notes[notes].at)
		if (plain->text[at++] != ' ')
			return NULL;
	return &plain->notes[notes];
}

/* Whether WORD is in the raw line at AT. */
static bool has_word_at(const struct plain_line *plain, size_t at, const char *word)
{
	size_t length = strlen(word);
	return plain->read >= at && plain->read - at >= length && memcmp(plain->raw + at, word, length) == 0;
}

size_t plain_find_raw_begin(const struct plain_line *plain, const struct plain_note *note, size_t at)
{
	return find_raw_begin(plain, note->from + at);
}

size_t plain_find_raw_end(const struct plain_line *plain, const struct plain_note *note, size_t at)
{
	return find_raw_end(plain, note->from + at);
}

/* Store in *RET_BEGIN and *RET_END where NOTE is in the raw line, including NOTE_PLAIN after a note in color. */
static void locate_note(const struct plain_line *plain, const struct plain_note *note, size_t *ret_begin,
			size_t *ret_end)
{
	*ret_begin = find_raw_begin(plain, note->from);
	*ret_end = find_raw_end(plain, note->from + note->length);
	if (has_word_at(plain, *ret_begin, " " NOTE_COLOR "(") && has_word_at(plain, *ret_end, NOTE_PLAIN))
		*ret_end += sizeof NOTE_PLAIN - 1;
}

void plain_locate_token(const struct plain_line *plain, struct token *token, struct plain_note *ret_note)
{
	const size_t before = count_notes_before(plain, token->note);
	const struct plain_note *note = find_note_at(plain, token->note, before);
	*ret_note = note ? *note : (struct plain_note){ .text = "" };
	token->begin = find_raw_begin(
		plain, convert_to_noted_position(plain, token->begin, count_notes_before(plain, token->begin + 1)));
	token->end = find_raw_end(plain,
				  convert_to_noted_position(plain, token->end, count_notes_before(plain, token->end)));
	if (!note) {
		/* Insert the new note directly after the token, before invisible text, such as an escape sequence. */
		token->note = token->note_end = find_raw_end(plain,
							     convert_to_noted_position(plain, token->note, before));
		return;
	}
	locate_note(plain, note, &token->note, &token->note_end);
}

/* ----------------------------------------------------------------------------------------------- writing */

unsigned plain_find_escaping(const struct plain_line *plain, size_t at)
{
	unsigned escaping = (plain->html < at ? PLAIN_HTML : 0) | (plain->markdown < at ? PLAIN_MARKDOWN : 0);
	if (plain->strings == PLAIN_CSV_STRINGS)
		return escaping | PLAIN_CSV;
	if (plain->strings == PLAIN_JSON_STRINGS)
		return escaping | (plain->broken < at ? PLAIN_UNQUOTED : PLAIN_JSON);
	return escaping;
}

/* Returns the escape that ESCAPING requires for the first of the N bytes at P; NULL if this byte needs none. */
static const char *find_escape_for(const char *p, size_t n, unsigned escaping)
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

void plain_add_escaped(struct strbuf *text, const char *bytes, size_t length, unsigned escaping)
{
	size_t from = 0;
	for (size_t at = 0; at < length; at++) {
		if (bytes[at] == ESC) {
			/* a color or link of a note is copied, not escaped */
			const size_t sequence = plain_measure_sequence(bytes + at, length - at);
			at += sequence > 0 ? sequence - 1 : 0;
			continue;
		}
		const char *word = find_escape_for(bytes + at, length - at, escaping);
		if (!word)
			continue;
		strbuf_add_bytes(text, bytes + from, at - from);
		strbuf_add(text, word);
		from = at + 1;
	}
	strbuf_add_bytes(text, bytes + from, length - from);
}
