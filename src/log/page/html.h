/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html.h - the text of a log, its addresses and annotations as HTML
 *
 *     <span class="r" id="r7">&lt;hal.dll:1230 PREVIOUS NEXT</span><span class="note"> (<a href="URL">a.c:7</a> (f))</span>&gt;
 *
 * Each line begins with its number.
 *
 * Each kind of address has a letter, which is its class and the prefix of its id; the addresses of a kind are numbered.
 * PREVIOUS and NEXT are links to the numbers before and after it.  They have no text, so a reader who selects and
 * copies gets the text that would have been printed without HTML.  The summary of the page has the number after the
 * last (page.h), so no link leads nowhere.
 *
 * Text comes from strangers.  The characters of HTML become entities; escape sequences of terminals and carriage
 * returns are left out; other control characters become the pictures that Unicode has for them; and what HTML forbids
 * becomes U+FFFD.  A byte that is not UTF-8 counts as Latin-1.
 */
#ifndef LOG_PAGE_HTML_H
#define LOG_PAGE_HTML_H

#include "tool/strbuf.h"

/* How sure the answer for an address is. */
enum html_kind {
	HTML_RESOLVED,
	HTML_UNCERTAIN, /* the answer is from another build than the log, or may be */
	HTML_UNRESOLVED,
	HTML_KINDS,
};

/* All zeros, then html_clear() at the end. */
struct html {
	/* the end of the log's text so far: perhaps the beginning of a character or escape sequence */
	struct strbuf waiting;
	unsigned long long counts[HTML_KINDS];
};

void html_clear(struct html *html);

/* Append the LENGTH bytes at BYTES of the log to TEXT.  What may be the beginning of something longer waits for the
   next call. */
void html_log_text(struct html *html, struct strbuf *text, const char *bytes, size_t length);

/* Append what waits, as complete text.  Call this before each of the functions that follow. */
void html_flush(struct html *html, struct strbuf *text);

/* Returns the letter of KIND. */
char html_letter(enum html_kind kind);

/* Append the id of LINE of the log with the number LOG, from 0: "12", and for other logs than the first "2-12". */
void html_line_id(struct strbuf *text, size_t log, uint64_t line);

/* Append the number of a line, which is a link to itself.  It has no text: CSS shows the id. */
void html_line_number(struct strbuf *text, size_t log, uint64_t line);

/* Begin an address.  WHY: the reason why it has no answer; NULL: it has one. */
void html_address_begin(struct html *html, struct strbuf *text, enum html_kind kind, const char *why);

/* End the last address that has begun, which is of KIND. */
void html_address_end(const struct html *html, struct strbuf *text, enum html_kind kind);

/* Begin and end a note that was in the log.  The caller puts its text between, as other text of the log. */
void html_note_begin(struct strbuf *text);
void html_note_end(struct strbuf *text);

/* Begin and end a link to URL, which has LENGTH bytes, in such a note. */
void html_link_begin(struct strbuf *text, const char *url, size_t length);
void html_link_end(struct strbuf *text);

/* Begin and end a line of source that an address belongs to. */
void html_line_begin(struct strbuf *text);
void html_line_end(struct strbuf *text);

/* Append a note, whose links and chain of callers are marked as note.h says. */
void html_note(struct strbuf *text, const char *note, size_t length);

/* Append a complete string as text or as the value of an attribute. */
void html_string(struct strbuf *text, const char *string, size_t length);

#endif
