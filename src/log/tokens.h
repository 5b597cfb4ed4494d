/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tokens.h - the code addresses in a line, and what lines say about where modules are loaded
 *
 * A line is read from left to right.  What is found depends only on the text up to its end and on a few bytes after it.  So a
 * line can be read while it is still coming in: as long as a token may not be complete, tokens_next() says up to where the
 * text may be passed on already.  No annotation will be inserted before that place.
 *
 * Nothing here opens files or knows which modules exist.
 */
#ifndef LOG_TOKENS_H
#define LOG_TOKENS_H

#include "log/context.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A code address.  Positions are bytes from the start of the line. */
struct token {
	size_t begin, end;	/* the token without its annotation */
	size_t note;		/* where its annotation belongs, or begins if there is one */
	size_t note_end;	/* where the present annotation ends */
	const char *module;	/* in the line; not used if absolute */
	size_t module_length;
	bool absolute;		/* NUMBER is an address and not an RVA of MODULE */
	uint64_t number;
	bool is_return;		/* a return address, judging by the context */
	bool tentative;		/* looks like one, but could be anything: not worth a complaint if there is no such module,
				   or no module there */
};

/* Something about modules. */
enum fact_kind {
	FACT_LOADED,		/* MODULE is at BASE */
	FACT_BOOT,		/* the system starts: forget all modules */
	FACT_USER		/* a dump of a process starts: forget the modules of processes */
};

struct fact {
	enum fact_kind kind;
	const char *module;	/* a name or a path, in the line */
	size_t module_length;
	uint64_t base;
	uint64_t size;		/* bytes, or 0 if unknown */
	uint32_t stamp;		/* DateStamp, or 0 if unknown */
};

enum found {
	FOUND_END,		/* nothing more in the text so far */
	FOUND_TOKEN,
	FOUND_FACT,
	FOUND_MORE		/* more text may complete something at the end; only if the line is incomplete */
};

struct tokens {
	/* Set by the caller, again before each call if more of the line has come in. */
	const char *text;
	size_t length;		/* without newline */
	bool complete;		/* the newline, or the end of the input, follows */

	size_t at;		/* everything before has been read */
	size_t hold;		/* after FOUND_MORE and FOUND_END: the text up to here may be passed on */
	bool begun;
	bool numbers;		/* in this line numbers are addresses (FreeLoader's frames), and nothing else is searched for */
	unsigned row_numbers;	/* how many numbers of a row have been counted so far */
	bool prompt;		/* a debugger's prompt was on the line */
	bool has_queued_token;	/* return `token` before anything else */
	bool has_queued;
	struct fact queued;	/* return it next, if has_queued */
	struct token token;
	struct fact fact;
};

/* Begin a new line. */
void tokens_begin(struct tokens *tokens, struct context *context);

/* Find the next token or fact, and store it in tokens->token or tokens->fact. */
enum found tokens_next(struct tokens *tokens, struct context *context);

/* Find the first place in the LENGTH bytes at TEXT whose line tokens_next() must see.  No line before it holds a token, a fact
   or anything that changes the context.  Returns LENGTH if there is no such place; then the last TOKENS_UNDECIDED bytes are
   still undecided.  Use it only in contexts in which not every line counts (context.h). */
size_t tokens_skip(const char *text, size_t length);

enum { TOKENS_UNDECIDED = 32 };

#endif
