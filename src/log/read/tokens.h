/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tokens.h - find the code addresses in a line of a log, and the load addresses of modules
 *
 * tokens_next() reads a line from left to right and returns one token or fact (token.h) at a time.  A line that a
 * mailer has wrapped is also read together with the lines before it (struct wrapped).
 *
 * This code opens no files, and has no list of the modules that exist.
 */
#ifndef LOG_READ_TOKENS_H
#define LOG_READ_TOKENS_H

#include "log/read/plain.h"
#include "log/read/sieve.h"
#include "log/read/token.h"

enum found {
	FOUND_END,   /* nothing more in the line */
	FOUND_TOKEN, /* in tokens->token */
	FOUND_FACT,  /* in tokens->fact */
};

/* Prepare TOKENS and CONTEXT to read LINE.  USERS: who must read it, as sieve_find_users() has returned. */
void tokens_begin(struct tokens *tokens, struct context *context, const struct plain_line *line, unsigned users);

/* Find the next token or fact of the line, and store it in tokens->token or tokens->fact. */
enum found tokens_next(struct tokens *tokens, struct context *context);

/* Record that the line with the number LINE was skipped, and store its TEXT, which may go on in the next line. */
void tokens_record_skipped_line(struct tokens *tokens, const char *text, size_t length, uint64_t line);

/* Forget the lines before: the next line does not continue them. */
void tokens_forget_lines(struct tokens *tokens);

/*
 * Lines that a mailer has wrapped
 *
 * Mailers wrap lines at column 72 or 80, at a blank:
 *
 *     Faulting module name: ntdll.dll, version: 10.0.22621.4391, time stamp:
 *     0x7b2ab261
 *
 * A mailer wraps a line only where the next word does not fit.  So if the first word of a line would not have fitted on
 * the line before it, the line is read twice: alone, and joined with one or two lines before it, with a blank between
 * two lines.  What is found in the line alone counts, unless a token in the joined lines begins before it.  A token in
 * the joined lines counts only if its annotation goes into the last of them, because the lines before have been printed
 * already.
 */

enum {
	/* a mailer wraps a line only where the line and the next word together have at least this many columns */
	LEAST_WIDTH = 72,
	LINES_BEFORE_MAX = 2, /* lines that are stored, and read together with the current one */
	/* the most bytes of each line, including time stamps and the like */
	LINE_BEFORE_LENGTH_MAX = 512,
};

/* What is stored of the lines before the current one: their plain text, and what was found in them. */
struct lines_before {
	unsigned count;	 /* how many lines are stored; 0: the current line continues none */
	bool skipped;	 /* the line before was skipped; `text` has it, other members are set when needed */
	uint64_t number; /* the line number of the last of these lines */
	size_t length;	 /* bytes in `text`: these lines, with a blank between two of them */
	size_t columns;	 /* the width of the last line's own text */
	size_t front;	 /* the width of the prefixes before the last line's own text, such as the time (front.c) */
	/* only one line is stored, and it has no text that sieve.c looks for, so the scanner may have skipped it */
	bool has_no_sign;
	size_t last;	   /* where the text of the last line begins */
	size_t found;	   /* all tokens and facts that begin before this position of `text` have been found */
	bool recognized;   /* the last line has a token or a fact, or has changed the context */
	bool only_context; /* the last line has only changed the context: it has no token and no fact */
	/* the last line has a token or fact whose form must begin a line, so the current line is only read alone */
	bool whole;
	/* what is found in these lines and the current one together is preferred to what the current one has alone */
	bool preferred;
	struct context before; /* the context as it was before the first of these lines */
	char text[LINES_BEFORE_MAX * (LINE_BEFORE_LENGTH_MAX + 1)];
};

/* Whether the current line continues the lines before. */
enum continues {
	CONTINUES_UNDECIDED, /* the line has not been read yet */
	CONTINUES_NONE,	     /* the line does not continue them */
	CONTINUES_PERHAPS,   /* it may; if that could change what is found, it was also read together with them */
};

enum { JOINED_LENGTH_MAX = 8192 }; /* the most bytes of the joined lines */

/* The lines before the current one, and the *joined lines*: the text of these lines and of the current one. */
struct wrapped {
	struct lines_before lines;
	/* The members from here on are about the current line. */
	enum continues continues;
	struct context before; /* the context when the line began */
	/* the line's own text is from `begin` to `end`; `joined_text` has the lines before, and then, from
	   `joined_begin` on, a copy of the line's own text */
	size_t begin, end, joined_begin;
	char joined_text[JOINED_LENGTH_MAX];
};

/* Record that the rules (rules/rules.h) have found a token in line number NUMBER, at AT of the line's own text. */
void lines_before_record_token(struct lines_before *lines, uint64_t number, size_t at);

#endif
