/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scanner.h - read a log, and tell a visitor what is in it
 *
 * The scanner cuts the log into lines and finds tokens and facts in them.  It also decides which bytes of the log may
 * be printed already: before each read, everything that has been read is passed to the visitor, except a tail whose
 * meaning depends on the next bytes.
 *
 * A byte order mark is no part of the first line: it is passed to the visitor at once, so that nothing is printed
 * before it.
 *
 * On a page (html.h), a token begins with markup.  So the text of a line is passed when the line is complete.
 *
 * A line of more than SCANNER_LINE_MAX bytes is read in pieces, which are not cut inside a token.
 *
 * What an earlier run has added is never read as a part of the log.  Besides notes (note.h) that are
 *
 *     marks			"* | " or "? | " at the beginning of a line
 *     lines of source		after a line with a note (source-lines.h); if the last one has no newline, the newline before the first of
 *				them was added too
 *
 * They are passed to the visitor as text, or left out if the settings ask for an undo or a redo.
 */
#ifndef LOG_READ_SCANNER_H
#define LOG_READ_SCANNER_H

#include "tool/encoding.h"
#include "log/read/plain.h"
#include "log/read/settings.h"
#include "log/read/tokens.h"

#include <sys/types.h>

enum {
	SCANNER_LINE_MAX = 128 * 1024,
	SCANNER_BUFFER = 2 * SCANNER_LINE_MAX,
};

/* A line that is read for tokens, as far as it has arrived; of one that is too long, a piece. */
struct line {
	uint64_t number;
	size_t marks; /* bytes of marks that an earlier run has put before it */
	bool begun;   /* the visitor has had its first bytes already: as text, or in the piece before this one */
	struct plain_line plain;
};

/* A token in a line. */
struct found_token {
	struct token token;	  /* its positions are those of the raw line */
	size_t begin, end;	  /* where the token is in the plain text */
	size_t note, note_length; /* its note in the plain text; 0: it has none */
	size_t passed;		  /* the raw line before this position has been passed as text; what follows has not */
};

/* What a visitor has done at a token. */
struct token_reply {
	size_t passed; /* it has printed the raw line up to here, or has left it out; what follows comes as text */
	bool noted;    /* the token has a note as it was printed */
};

/* The events of a log, in the order of its text.  CONTEXT is the scanner's `visitor_context`.  A visitor has no
   function for events that it does not want. */
struct scanner_visitor {
	/* LENGTH bytes at BYTES are text of the log.  No annotation will be inserted before their end. */
	void (*text)(void *context, const char *bytes, size_t length);
	/* A line begins that must be read for tokens.  Its marks follow as text.  LINE stays where it is, and may be
	   read until the next line begins. */
	void (*begin)(void *context, const struct line *line);
	struct token_reply (*token)(void *context, const struct found_token *found);
	/* Returns whether to go on; if not, scanner_read() returns after the current line. */
	bool (*fact)(void *context, const struct fact *fact);
	/* The line so far looks like a prompt, so it must be printed now: a user may be waiting for it.  Called only if
	   lines get marks, because the visitor then holds lines back until they are complete. */
	void (*prompt)(void *context);
	void (*end)(void *context); /* the line that has begun ends, or a piece of it */
	/* The visitor may print lines of its own here, after the last line.  NEWLINE: the log has a newline after that
	   line. */
	void (*after)(void *context, bool newline);
	/* The next line belongs to the log, but a later run would take it for a line of source that we have added: it
	   looks like one, and the line before it was printed with a note. */
	void (*separate)(void *context);
};

/* A mark of -m or -M is one character and this. */
#define SCANNER_MARK_END " | "
enum { SCANNER_MARK = sizeof SCANNER_MARK_END };

struct scanner {
	const struct settings *settings;
	const struct scanner_visitor *visitor;
	void *visitor_context;

	const struct strbuf *content; /* read this from `offset` on, and then the file, if there is one; or NULL */
	/* read a file at `offset`, and leave the position of its descriptor as it is */
	bool at_offset;
	off_t offset;
	uint64_t origin; /* how much text of the log has come before `buffer` */
	struct encoding encoding;
	char *buffer;	   /* UTF-8, if the log is UTF-16 */
	bool waits;	   /* lines get marks, and no more of the log has arrived */
	bool at_start;	   /* nothing has been read of this log */
	size_t begin, end; /* in `buffer`: from the current line on, all that has been read */
	size_t passed;	   /* in `buffer`: the end of what has been passed to the visitor */
	size_t scanned;	   /* in `buffer`, between lines: no token begins before this */
	bool in_line;	   /* the current line has begun: its tokens are being read */
	struct line line;  /* the current one */
	struct context context;
	struct tokens tokens;
	bool stop;	/* the visitor wants no more for now */
	bool continued; /* what follows is the rest of a line that was too long */
	/* the last line has a note in the log, so lines of source may follow it */
	bool was_noted;
	/* ... one that stays; one of ours, so the lines of source are left out */
	bool was_kept, drops;
	bool is_noted;	    /* the last line has a note as it was printed */
	bool in_added;	    /* the bytes that follow are the rest of a line of source in the log */
	bool newline_waits; /* the newline of the last line has not been passed to the visitor */
	uint64_t added;	    /* how many lines of source there were in the log */
};

/* False: no memory. */
bool scanner_open(struct scanner *scanner, const struct settings *settings, const struct scanner_visitor *visitor,
		  void *visitor_context);
void scanner_close(struct scanner *scanner);

/* Begin another log: nothing of the log before it counts any more. */
void scanner_start(struct scanner *scanner);

/* Let SCANNER, which has another buffer and visitor, read from the beginning of the line on that FROM is reading.  What
   FROM has not read yet begins at OFFSET of the file. */
void scanner_run_ahead(struct scanner *scanner, const struct scanner *from, off_t offset);

/* How far SCANNER has read, in bytes of text from the beginning of the log: up to where the current line begins, or up
   to the last token or fact in it. */
static inline uint64_t scanner_line(const struct scanner *scanner)
{
	return scanner->origin + scanner->begin;
}

static inline uint64_t scanner_position(const struct scanner *scanner)
{
	return scanner_line(scanner) + scanner->tokens.at;
}

/* Read more of FD into the buffer.  Returns 1, 0 at the end, or -1 with errno. */
int scanner_fill(struct scanner *scanner, int fd);

/* Go through what is in the buffer; another call goes on where the visitor has stopped this one.  AT_END: nothing
   follows the buffer. */
void scanner_read(struct scanner *scanner, bool at_end);

/* Go through what is in the buffer, as text without tokens. */
void scanner_copy(struct scanner *scanner);

#endif
