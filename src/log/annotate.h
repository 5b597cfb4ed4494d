/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotate.h - writes the answer for an address as text, or adds it as a frame to a stack (crash/stack.h)
 *
 * In a log, the text is a note after an address, as log2lines and KDBG (ReactOS's debugger) write it: " (file:line
 * (function))", with a remark if the image is of another build (note.h has the grammar).  With --output-style=json, the
 * text is an object on a line of its own, always in UTF-8.  A dump is read as a text report, which has a row for each
 * module; the name of the module in this row also gets a note.
 */
#ifndef LOG_ANNOTATE_H
#define LOG_ANNOTATE_H

#include "log/crash/crashes.h"
#include "log/read/note.h"
#include "log/resolve/resolve.h"
#include "log/scan/scanner.h"
#include "tool/out.h"
#include "tool/strbuf.h"

/* Where a token (an address, or the name of a module) is in the log, for JSON. */
struct log_position {
	const char *log;  /* the name of the log's file; NULL: standard input */
	uint64_t line;	  /* the line's number, from 1 */
	const char *text; /* the raw line without marks of an earlier run ("* | "); the token's positions are in it */
	uint64_t column;  /* the column at which `text` begins, from 1 */
};

/* Append to TEXT the note for ANSWER, whose found.why must be ROSSYM_WHY_ANSWERED.  NO_RETURN: the note replaces the
   end marker that KDBG prints for a call that does not return (note.h). */
void annotate_add_note(struct strbuf *text, struct settings *settings, const struct answer *answer, bool no_return);

/* Append to TEXT the note for a module's row in a dump's report: where the module's symbols come from, or why there are
   none.  ANSWER is from resolve_find_symbols(). */
void annotate_add_symbols_note(struct strbuf *text, const struct resolver *resolver, const struct answer *answer);

/* Returns what the note for ANSWER must say about the image's build; found.why must be ROSSYM_WHY_ANSWERED. */
enum note_other annotate_choose_remark(const struct answer *answer);

/* Print the JSON object for TOKEN, an address or a module's row in a dump's report, and a newline.  Returns false if
   there is no memory for a path or a URL. */
bool annotate_print_json(struct out *out, struct settings *settings, const struct resolver *resolver,
			 const struct token *token, const struct answer *answer, const struct log_position *place);

/* An address in the log, with its answer. */
struct crash_address {
	const struct found_token *found;
	const struct answer *answer; /* NULL: not looked up, because the log has a note for it, which stays */
	const struct line *line;
	char letter;	       /* on an HTML page: stands for the kind of address (html_get_kind_letter()); else 0 */
	unsigned long long id; /* on an HTML page: its number among the addresses of its kind */
};

/* Add ADDRESS, which is in the current line, to crashes->addresses as a frame.  Returns false if the frames of its
   answer cannot be read.  If the stack is full or has no memory, the stack records that, and the result is true. */
bool annotate_add_crash_frame(struct crashes *crashes, struct settings *settings, const struct crash_address *address);

#endif
