/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plain.h - the plain text of a line: what a reader sees, and where each of its characters is in the raw line
 *
 * Logs pass through terminals, web pages and chats.  These escape some characters, or add invisible text:
 *
 *     raw line					plain text
 *     ESC "[7m<a.sys:" ESC "[0m1e80>"		<a.sys:1e80>	escape sequences of a terminal
 *     &lt;a.sys:1e80&gt;			<a.sys:1e80>	HTML
 *     \<a.sys:1e80\>				<a.sys:1e80>	Markdown
 *     {"log":"\u003ca.sys:1e80\u003e\n"}	{"log":"<a.sys:1e80>\r"}	JSON
 *     "1","the ""a.sys"""			"1","the 'a.sys'"	CSV
 *
 * The annotations that a line already has, its notes (note.h), are no part of the plain text either.  So code that
 * looks for tokens and facts does not see them.
 *
 * Code that looks for tokens and facts reads the plain text; code that prints needs positions in the raw line.  Nearly
 * all lines have neither escapes nor notes; such a line is its own plain text.  To find that out, a line is searched
 * for the bytes with which escapes begin (PLAIN_SPECIALS), and for what only notes have.
 *
 * A backslash is Markdown's only after the line has shown that it is escaped, by "\<", "\>", "\&lt;", "\&gt;", "\`",
 * "\[F" (the beginning of a stack pointer) or "\*0" (in KDBG's list of threads).  Paths of Windows have none of these.
 *
 * A line that begins with {" is JSON, and one that begins with a quotation mark is CSV.  In their plain text, a
 * quotation mark always begins or ends a string; those inside a string have become apostrophes, and line feeds have
 * become carriage returns.  Some programs write JSON without escaping the text in it.  The first backslash that is no
 * escape of JSON, as in "C:\ReactOS", shows that; from there on, a backslash means what it means in other lines.
 */
#ifndef LOG_READ_PLAIN_H
#define LOG_READ_PLAIN_H

#include "log/read/token.h"
#include "tool/strbuf.h"

/* How text that is inserted into a line must be escaped. */
enum {
	PLAIN_HTML = 1,
	PLAIN_MARKDOWN = 2,
	PLAIN_JSON = 4,
	PLAIN_CSV = 8,
	PLAIN_UNQUOTED = 16, /* JSON whose backslashes are no escapes: a string cannot hold a quotation mark */
};

/* A note that was taken out of the plain text. */
struct plain_note {
	size_t at;	  /* where it was taken out of the plain text */
	size_t from;	  /* where it begins in the plain text with notes (plain_line.noted) */
	const char *text; /* the note, with the blank before its parenthesis */
	size_t length;
};

/* A position of the plain text where the raw line has more bytes: raw text is left out there, or the character before
   the position takes more than one raw byte. */
struct plain_gap {
	size_t at; /* the position in the plain text with notes */
	/* in the raw line: the end of the character before AT, and the beginning of the character at AT */
	size_t low, high;
};

enum { PLAIN_SPECIALS = 4 }; /* escapes begin with one of so many bytes: ESC, "&", "\", and in CSV quotation marks */

/* Whether the line has strings of JSON or CSV. */
enum plain_strings { PLAIN_NO_STRINGS, PLAIN_JSON_STRINGS, PLAIN_CSV_STRINGS };

/* A line and its plain text.  It begins as all zeros; call plain_clear() at the end. */
struct plain_line {
	const char *text; /* the plain text: the raw line itself, `copy` or `stripped` */
	size_t length;
	const char *noted; /* the plain text with notes: the raw line itself, or `copy` */
	size_t noted_length;
	const char *raw;
	size_t read; /* how many bytes of the raw line have been read */
	/* for each special byte, its next position in the raw line from `read` on; the line's end if it has none */
	size_t next[PLAIN_SPECIALS];
	size_t html, markdown; /* the raw position of the first escape of HTML, of Markdown; SIZE_MAX: none */
	enum plain_strings strings;
	bool in_string; /* CSV: the next quotation mark ends a string */
	/* the raw position of the first backslash that is no escape of JSON; SIZE_MAX: none */
	size_t broken;
	bool no_memory;		      /* memory has run out; from then on, each line counts as its own plain text */
	struct strbuf copy, stripped; /* if needed: the plain text with notes, and the one without */
	struct plain_gap *gaps;	      /* in ascending order */
	size_t gap_count, gap_room;
	struct plain_note *notes; /* in ascending order */
	size_t note_count, note_room;
};

void plain_clear(struct plain_line *plain);

/* Make the plain text of the line of LENGTH bytes at RAW. */
void plain_read(struct plain_line *plain, const char *raw, size_t length);

/* Whether the plain text is equal to the raw line. */
static inline bool plain_is_raw(const struct plain_line *plain)
{
	return plain->gap_count == 0 && plain->note_count == 0;
}

/* Change the positions of TOKEN from the plain text to the raw line; if its note is in color, note_end is after the
   NOTE_PLAIN of the note.  Stores the note in *RET_NOTE, or a note of length 0 if the token has none. */
void plain_locate_token(const struct plain_line *plain, struct token *token, struct plain_note *ret_note);

/* Return where in the raw line the character at AT of NOTE's text begins, and where the character before AT ends. */
size_t plain_find_raw_begin(const struct plain_line *plain, const struct plain_note *note, size_t at);
size_t plain_find_raw_end(const struct plain_line *plain, const struct plain_note *note, size_t at);

/* Returns the length of the terminal's escape sequence that the N bytes at P begin with, or 0 if there is none. */
size_t plain_measure_sequence(const char *p, size_t n);

/* Returns how text that is inserted into the raw line at AT must be escaped, as the line is escaped before AT: a sum of
   PLAIN_HTML to PLAIN_UNQUOTED. */
unsigned plain_find_escaping(const struct plain_line *plain, size_t at);

/* Append BYTES to TEXT, escaped for ESCAPING, the result of plain_find_escaping().  The plain text of what is appended
   is BYTES again, without escape sequences, and in JSON and CSV with apostrophes in place of quotation marks. */
void plain_add_escaped(struct strbuf *text, const char *bytes, size_t length, unsigned escaping);

#endif
