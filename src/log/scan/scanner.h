/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scanner.h - read a log, and call a visitor's functions for its text, lines, tokens and facts
 *
 * The scanner cuts the log into lines and finds tokens and facts in them.  A line is read only when it is complete: a
 * newline or the end of the log follows.  Only a prompt is passed to the visitor earlier (scanner_pass_prompt()).
 *
 * A byte order mark is no part of the first line: it is passed to the visitor at once, so that nothing is printed
 * before it.
 *
 * A line of more than SCANNER_LINE_MAX bytes without its notes, or at least SCANNER_NOTED_MAX bytes with them, is
 * passed as text, without a search for tokens.  A visitor adds no note that would make a line so long.
 *
 * Text that an earlier run has added is never read as a part of the log: notes (note.h), and
 *
 *     marks			"* | " or "? | " at the beginning of a line
 *     lines of source		after a line with a note (source-lines.h); if the last one has no newline, an earlier
 *				run has also added the newline before the first
 *
 * Such text is passed to the visitor as text, or left out if the settings ask for an undo or a redo.
 */
#ifndef LOG_SCAN_SCANNER_H
#define LOG_SCAN_SCANNER_H

#include "tool/encoding.h"
#include "log/read/plain.h"
#include "log/scan/events.h"
#include "log/scan/settings.h"
#include "log/read/tokens.h"
#include "log/rules/rules.h"

#include <sys/types.h>

enum {
	SCANNER_LINE_MAX = 1 << 20,  /* the most bytes of a line that is read, without its notes */
	SCANNER_NOTED_MAX = 8 << 20, /* a line of so many bytes, with its notes, is not read */
};

/* The line that the scanner reads. */
struct line {
	uint64_t number;
	size_t marks;	   /* how many bytes of marks an earlier run has put before the line */
	bool prompted;	   /* the line's beginning was passed to the visitor as a prompt, so the line is not searched */
	bool missed;	   /* the line has neither a token nor a fact, but something like an address */
	size_t note_bytes; /* how many bytes of the line are notes of its tokens; not known before the first token */
	struct plain_line plain;
};

struct found_token {
	struct token token;	/* with positions in the raw line */
	size_t begin, end;	/* where the token is in the plain text */
	struct plain_note note; /* the token's note in the log; 0 bytes: none */
};

/* The functions that the scanner calls, in the order of the log's text.  CONTEXT is the scanner's `visitor_context`.
   Functions that a visitor does not need are NULL. */
struct scanner_visitor {
	/* The LENGTH bytes at BYTES are the next text of the log.  Not called for lines that `end` has printed. */
	void (*text)(void *context, const char *bytes, size_t length);
	/* A line begins that is searched for tokens, or has a prompt.  LINE stays valid until the next one begins. */
	void (*begin)(void *context, const struct line *line);
	/* Returns whether the visitor prints the token with a note. */
	bool (*token)(void *context, const struct found_token *found);
	void (*fact)(void *context, const struct fact *fact);
	/* The line for which `begin` was called ends.  Returns whether the visitor has printed the line, without its
	   newline; false if the line has a prompt. */
	bool (*end)(void *context);
	/* Called once after each line for which `begin` was called, when its newline has been passed to `text`: now the
	   visitor may print lines of its own after that line.  NEWLINE: the line ends with a newline of the log. */
	void (*after_line)(void *context, bool newline);
	/* The next line belongs to the log, but a later run would mistake it for a line of source from this run:
	   it looks like one, and the line before was printed with a note.  The visitor must print SOURCES_END then. */
	void (*separate)(void *context);
	/* Line NUMBER is too long to be read. */
	void (*too_long)(void *context, uint64_t number);
};

/* A mark of -m or -M is one character, "*" or "?", and this text. */
#define SCANNER_MARK_END " | "
enum { SCANNER_MARK = sizeof SCANNER_MARK_END };

/* What earlier lines have shown, and what decides how the next line is read. */
struct scanner_state {
	struct context context;
	struct tokens tokens;
	struct wrapped wrapped;
	struct rules rules;
};

struct scanner {
	const struct settings *settings;
	const struct scanner_visitor *visitor;
	void *visitor_context;

	const struct strbuf *content; /* a text that is read first, then the file if there is one; NULL: no text */
	off_t offset;		      /* where the unread rest of `content` or of the file begins */
	uint64_t buffer_offset;	      /* how many bytes of the log's text came before `buffer` */
	struct encoding encoding;
	char *buffer;	   /* text of the log; UTF-16 has been converted to UTF-8 */
	size_t room;	   /* the size of `buffer` */
	bool at_start;	   /* nothing of this log has been read yet */
	size_t begin, end; /* in `buffer`: the beginning of the current line, the end of all that has been read */
	size_t passed;	   /* in `buffer`: the end of what has been passed to the visitor */
	size_t looked;	   /* in `buffer`: no newline is between `begin` and here */
	struct line line;  /* the current line */
	struct scanner_state state;
	struct events events; /* the events of the current line; if `keeps` is set, of all lines that were read */
	bool keeps; /* the events of all lines are kept: scanner_start_file() was called, for `content` or for `fd` */
	int fd;
	bool ended; /* with `keeps`: the log's end was reached; or, if `error` is not 0, reading has failed with it */
	int error;
	/* The scanner that reads ahead of this one in the same log, or NULL.  If it is not NULL, all events come from
	   that scanner, and the `state` of this one is not used. */
	struct scanner *ahead;
	size_t event_at;    /* where the current event ends in the plain text */
	struct strbuf name; /* the name or text in the current event: events_get() */
	bool copies;	    /* the next bytes are the rest of a line that is too long, and are passed as text */
	/* The members from here on are about the last line that was read for tokens, and the text after it: */
	bool was_noted;	    /* that line has a note in the log, so lines of source may follow */
	bool drops;	    /* such a note is removed, so the lines of source are left out, too */
	bool is_noted;	    /* that line was printed with a note */
	bool in_added;	    /* the next bytes are the rest of an earlier run's line of source */
	bool newline_waits; /* that line's newline was not passed yet: perhaps an earlier run has added it */
	uint64_t added;	    /* how many lines of source from earlier runs the log had so far */
};

/* Prepare SCANNER to read logs for VISITOR.  Returns false if there is no memory. */
bool scanner_open(struct scanner *scanner, const struct settings *settings, const struct scanner_visitor *visitor,
		  void *visitor_context);
void scanner_close(struct scanner *scanner);

/* Prepare SCANNER to read another log from its beginning. */
void scanner_start(struct scanner *scanner);

/* Prepare SCANNER to keep the events of another log, which scanner_read_more_lines() then reads.  The log is CONTENT
   or, if NULL, the rest of the file FD, whose offset stays.  A file of size 0 is not read: it can be one of /proc,
   where reading could wait, and take text from another reader.  Returns false if the log is FD, and no regular file. */
bool scanner_start_file(struct scanner *scanner, int fd, const struct strbuf *content);

/* After scanner_start_file(), read more lines.  Returns false if there are none, or if events use too much memory. */
bool scanner_read_more_lines(struct scanner *scanner);

/* Returns where the current line begins, in bytes of text from the beginning of the log. */
static inline uint64_t scanner_get_line_offset(const struct scanner *scanner)
{
	return scanner->buffer_offset + scanner->begin;
}

/* Read more of the log from FD, or from `content`, into the buffer.  Returns 1; 0 at the end; or -1 with errno. */
int scanner_fill_buffer(struct scanner *scanner, int fd);

/* Read the lines that are in the buffer, and call the visitor.  AT_END: nothing follows the buffer. */
void scanner_process_buffer(struct scanner *scanner, bool at_end);

/* Whether the text that has arrived ends like a prompt, in "> " or ": ", and has not been passed to the visitor yet: a
   user may be waiting for it. */
bool scanner_is_at_prompt(const struct scanner *scanner);

/* Pass the prompt at the end of the text to the visitor.  The rest of its line will be passed unchanged, too. */
void scanner_pass_prompt(struct scanner *scanner);

/* Pass the content of the buffer to the visitor as text, without looking for tokens. */
void scanner_pass_buffer(struct scanner *scanner);

#endif
