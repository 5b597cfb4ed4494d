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
 * Code that looks for tokens, facts and notes reads the plain text; code that prints needs positions in the raw line.
 * Nearly all lines have no escapes.  Such a line is its own plain text: to find that out, it is searched for three
 * bytes.
 *
 * A backslash is Markdown's only after the line has shown that it is escaped, by "\<", "\>", "\&lt;", "\&gt;", "\`",
 * "\[F" (the beginning of a stack pointer) or "\*0" (in KDBG's list of threads).  Paths of Windows have none of these.
 *
 * A line that begins with {" is JSON, and one that begins with a quotation mark is CSV.  In their plain text, a
 * quotation mark always begins or ends a string; those inside a string have become apostrophes, and line feeds have
 * become carriage returns.  Some programs write JSON without escaping the text in it.  Their first backslash that is no
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

/* A position from which on raw and plain positions differ by more than before it: raw text is left out there, or the
   character before it takes more than one raw byte. */
struct plain_gap {
	size_t at; /* the position in the plain text */
	/* in the raw line: the end of the character before AT, and the beginning of the character at AT */
	size_t low, high;
};

enum { PLAIN_SPECIALS = 4 }; /* the bytes with which escapes begin: ESC, "&", "\", and in CSV quotation marks */

/* Whether the line has strings of JSON or CSV. */
enum plain_strings { PLAIN_NO_STRINGS, PLAIN_JSON_STRINGS, PLAIN_CSV_STRINGS };

/* A line and its plain text.  It begins as all zeros; call plain_begin() for each line, and
   plain_clear() at the end. */
struct plain_line {
	const char *text; /* the plain text: the raw line itself, or `copy` */
	size_t length;
	const char *raw;
	/* the plain text covers this many raw bytes; more must arrive to decide what follows them */
	size_t read;
	/* for each special byte, its next position in the raw line, or the end of what was searched */
	size_t next[PLAIN_SPECIALS];
	size_t html, markdown; /* the raw position of the first escape of HTML, of Markdown; SIZE_MAX: none */
	enum plain_strings strings;
	bool in_string; /* CSV: the next quotation mark ends a string */
	/* the raw position of the first backslash that is no escape of JSON; SIZE_MAX: none */
	size_t broken;
	bool colored;	/* the color of a note of ours (NOTE_COLOR) has been read */
	bool no_memory; /* there was no memory: from then on, each line is its own plain text */
	struct strbuf copy;
	struct plain_gap *gaps; /* ascending */
	size_t gap_count, gap_room;
};

void plain_begin(struct plain_line *plain);
void plain_clear(struct plain_line *plain);

/* Make the plain text of the line at RAW, of which LENGTH bytes have arrived.  A line can be read in several calls:
   each gets the bytes of the calls before, and more.  An escape that is cut at the end is left for the next call,
   unless the line is COMPLETE. */
void plain_read(struct plain_line *plain, const char *raw, size_t length, bool complete);

/* Forget the plain text before AT, which has been read, and the raw line before the character at AT.  What the line has
   shown about itself stays known.  Returns how many bytes of the raw line were forgotten.  The caller must write
   PLAIN_CUT to the first raw byte that is left; a copied plain text already begins with it.  The next call of
   plain_read() gets the raw line from there on. */
size_t plain_cut(struct plain_line *plain, size_t at);

/* Begin PLAIN as the rest of the line FROM, which has been cut.  The raw line of PLAIN begins with PLAIN_CUT.  What
   FROM has shown about itself is known of PLAIN, too. */
void plain_begin_rest(struct plain_line *plain, const struct plain_line *from);

/* Stands for the beginning of a line that has been cut.  A line has no such character, so no form begins with it. */
enum { PLAIN_CUT = '\n' };

/* Whether the plain text is equal to the raw line. */
static inline bool plain_is_raw(const struct plain_line *plain)
{
	return plain->gap_count == 0;
}

/* Returns the raw position at which the plain text before AT ends.  Raw text that is left out at AT comes after it. */
size_t plain_raw_end(const struct plain_line *plain, size_t at);

/* Returns how many of the LENGTH raw bytes may be printed already, if no token needs more text.  Bytes from an ESC on
   may not be printed while they can be the beginning of an escape sequence: if they turn out to be none, a token may be
   among them. */
size_t plain_printable_length(const struct plain_line *plain, size_t length);

/* Change the positions of TOKEN from the plain text to the raw line.  The raw text of a colored note
   of ours includes NOTE_PLAIN. */
void plain_locate(const struct plain_line *plain, struct token *token);

/* Returns the length of the terminal's escape sequence that the N bytes at P begin with, or 0 if there is none.  Sets
   *RET_UNDECIDED if they may be the beginning of one. */
size_t plain_sequence(const char *p, size_t n, bool *ret_undecided);

/* Returns how text that is inserted into the raw line at AT must be escaped: as the line itself is before AT.  The
   result is a sum of PLAIN_HTML and so on. */
unsigned plain_escaping(const struct plain_line *plain, size_t at);

/* Append BYTES to TEXT, escaped as ESCAPING, the result of plain_escaping(), says.  The plain text of what is appended
   is BYTES again, without escape sequences, and in JSON and CSV with apostrophes in place of quotation marks. */
void plain_escape(struct strbuf *text, const char *bytes, size_t length, unsigned escaping);

#endif
