/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - the forms of tokens and facts, one matcher each; to be used by tokens.c, sieve.c and the matchers only
 *
 * A matcher looks at the text from tokens->at on, and at what stands before.  If what it knows is there, it stores it in
 * tokens->token or tokens->fact and moves tokens->at behind it.
 */
#ifndef LOG_MATCH_H
#define LOG_MATCH_H

#include "log/cursor.h"
#include "log/tokens.h"

enum {
	LONGEST_NAME = 300,	/* of a module, path included */
	LONGEST_FACT = 1024,	/* from a fact's key word to its end */
	LONGEST_ROW = 4096
};

/* What a matcher says. */
enum match {
	MATCH_NONE,
	MATCH_TOKEN,
	MATCH_FACT,
	MATCH_QUIET,		/* something that changed the context only */
	MATCH_MORE		/* cannot be told yet */
};

enum match match_angle(struct tokens *t, struct context *context);	/* "<module:rva>", "<80953369>" */
enum match match_loaded_path(struct tokens *t);				/* "(path@base)" behind one */
enum match match_plus(struct tokens *t, struct context *context);	/* "module+0xrva", "7c920000+f0a1   path" */
enum match match_key(struct tokens *t, struct context *context);	/* all that begins with a certain word */
enum match match_number(struct tokens *t, struct context *context);	/* "fffff800`02a61000", FreeLoader's frames */
enum match match_row(struct tokens *t, struct context *context);	/* the line as a row of the table it is in */

enum match match_stop(struct tokens *t, struct context *context, size_t at);	/* a bugcheck's number, and its parameters */
enum match match_stop_line(struct tokens *t, struct context *context);	/* or the line below, which has them */

/* Whether what there is of a line may be a row: so that a prompt below a table is not held back. */
bool match_may_be_row(const struct tokens *t, size_t begin);

/* Whether the line has addresses with blanks in between, and nothing else. */
bool match_is_all_numbers(const struct tokens *t);

/* Where the line's own text begins: behind what a paste, a mail or a time stamp put in front of it. */
size_t match_text_begin(const struct tokens *t);

/* Where it ends, its carriage return and blanks not counted. */
size_t match_text_end(const struct tokens *t);

/* More text is wanted.  HOLD: no annotation can belong before it, not even if what began here turns out to be
   nothing and the text is read again from the next byte on. */
enum match match_more(struct tokens *t, size_t hold);

/* Make the token of an absolute address from BEGIN to END, and look for its annotation. */
enum match match_absolute(struct tokens *t, size_t begin, size_t end, uint64_t number, bool is_return);

/* Make the fact that a module is loaded; it ends at AT. */
enum match match_loaded(struct tokens *t, size_t at, const char *module, size_t length, uint64_t base, uint64_t size);

/* "80400000 809d1000   nt", from AT: two numbers of an address's width and a name. */
enum match match_start_end_name(struct tokens *t, size_t at);

bool match_has_separator(const char *text, size_t length);
bool match_has_extension(const char *name, size_t length);

/* A word that something begins with, if no word's character stands before it.  QUAD is what tokens_skip() looks for:
   four characters that stand wherever the word counts, in it or in what must surround it; "?" for any. */
struct match_key_word {
	const char *text;
	const char *quad;
};

/* The key word INDEX, from 0 on; NULL: no more. */
const struct match_key_word *match_key_word(size_t index);

#endif
