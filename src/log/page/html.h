/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html.h - writes the text of a log, its addresses and their notes (annotations) as HTML
 *
 *     <span class="r" id="r7">&lt;hal.dll:1230 PREVIOUS NEXT</span>
 *     <span class="note"> (<a href="URL">a.c:7</a> (f))</span>&gt;
 *
 * Each line begins with its number, as a link to itself.
 *
 * Each kind of address has a letter, "r" for a resolved one, which is its CSS class.  The addresses of a kind are
 * numbered through the page, and letter and number are the id.  PREVIOUS and NEXT link to the ids before and after it.
 * These links have no text, so a reader who copies from the page gets the text that would have been printed without
 * HTML.  NEXT of the last address leads to the summary of the page: an element there has the next id
 * (add_address_count() in page.c).
 *
 * The text is untrusted.  Characters that HTML uses become entities; escape sequences of terminals and carriage
 * returns are left out; other control characters become Unicode's pictures of them, such as U+2400; characters that
 * HTML forbids, or that could mislead a reader, become U+FFFD.  A byte that is not UTF-8 is read as Latin-1.
 */
#ifndef LOG_PAGE_HTML_H
#define LOG_PAGE_HTML_H

#include "tool/strbuf.h"

/* The kinds of addresses: how sure the answer is. */
enum html_kind {
	HTML_RESOLVED,
	HTML_UNCERTAIN, /* the answer is, or may be, from another build than the log */
	HTML_UNRESOLVED,
	HTML_KINDS,
};

/* Returns the letter of KIND.  It is the CSS class of the addresses of this kind, and their ids begin with it. */
char html_get_kind_letter(enum html_kind kind);

/* Append the id of line LINE of log number LOG, counted from 0: "12" in the first log, "2-12" in the second. */
void html_add_line_id(struct strbuf *text, size_t log, uint64_t line);

/* Append the number of a line, as a link to itself.  The link has no text, so it is not copied; CSS shows its id. */
void html_add_line_number(struct strbuf *text, size_t log, uint64_t line);

/* Begin address NUMBER, counted from 1, of KIND.  WHY: the reason why it has no answer; NULL: it has one. */
void html_address_begin(struct strbuf *text, enum html_kind kind, unsigned long long number, const char *why);

/* End an address that html_address_begin() has begun: add the links to the previous and the next one of its kind. */
void html_address_end(struct strbuf *text, enum html_kind kind, unsigned long long number);

/* The HTML before and after a note that was in the log. */
#define HTML_NOTE "<span class=\"note\">"
#define HTML_NOTE_END "</span>"

/* Begin a link to the URL of LENGTH bytes.  "</a>" ends the link. */
void html_link_begin(struct strbuf *text, const char *url, size_t length);

/* Append a new note of LENGTH bytes.  note.h says which bytes mark its links and callers.  Callers are folded. */
void html_add_note(struct strbuf *text, const char *note, size_t length);

/* Append STRING of LENGTH bytes, as text or as the value of an attribute: <, >, & and " are escaped; carriage returns
   and terminals' escape sequences are left out; other control characters become pictures of them, but newlines and tabs
   stay; and characters that HTML forbids, or that could mislead a reader, become U+FFFD. */
void html_add_escaped(struct strbuf *text, const char *string, size_t length);

#endif
