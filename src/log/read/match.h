/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - matchers, one for each form of tokens or facts; only tokens.c, sieve.c, log/rules and the matchers use this
 *
 * A matcher compares the text at tokens->at, and sometimes the text before that, with its form.  If the text has the
 * form, the matcher stores what it has read in tokens->token or tokens->fact, and moves tokens->at after the text.
 */
#ifndef LOG_READ_MATCH_H
#define LOG_READ_MATCH_H

#include "log/read/cursor.h"
#include "log/read/statement.h"
#include "log/read/token.h"

enum {
	/* The most bytes of: */
	NAME_LENGTH_MAX = 300,	/* a module's name, path included */
	FACT_LENGTH_MAX = 1024, /* a fact, from its key word to its end */
	/* a text that names a build, such as "ReactOS 0.4.17 (Build ...) (Commit ...)" (build-name.h) */
	BANNER_LENGTH_MAX = 400,
	ROW_LENGTH_MAX = 4096, /* a line that can be a row of a table */
	/* the fewest digits of an RVA that a person wrote, "1000": code begins after the first page of a module */
	LEAST_WRITTEN = 4,
};

/* Skip the prefixes of the line (front.c): set t->begin, where its own text begins, t->after_prompt, t->in_string and,
   after DebugView's columns, t->at. */
void front_skip_prefixes(struct tokens *t);

enum { IMAGE_GRANULE = 0x10000 }; /* Windows loads modules at multiples of this */

/* The result of a matcher. */
enum match {
	MATCH_NONE, /* the text does not have this form */
	MATCH_TOKEN,
	MATCH_FACT,
	MATCH_QUIET, /* the text has the form, and has changed the context, but is neither a token nor a fact */
};

enum match match_angle(struct tokens *t, struct context *context);    /* "<module:rva>", "<80953369>" */
enum match match_bare_row(struct tokens *t, struct context *context); /* the whole line, as a row without brackets */
enum match match_loaded_path(struct tokens *t);			      /* "(path@base)" after a token of match_angle() */
enum match match_plus(struct tokens *t, struct context *context);     /* "module+0xrva", "module.sys+rva" */
enum match match_form(struct tokens *t, struct context *context);     /* a form of form.h that begins here */
enum match match_line_form(struct tokens *t, struct context *context); /* a form of form.h that begins a line */
enum match match_number(struct tokens *t, struct context *context);    /* "fffff800`02a61000", FreeLoader's frames */

/* What a form has read of a bugcheck, up to position `at`: its code, or parameters, or both.  `before` is how many
   parameters of the bugcheck come before these.  match_bugcheck() makes a token of the parameter that is a code
   address.  If that parameter was not read yet, it is expected on the next LINES lines. */
struct form_bugcheck {
	const struct statement *says;
	unsigned before;
	size_t at;
};
enum match match_bugcheck(struct tokens *t, struct context *context, const struct form_bugcheck *b, unsigned lines);

/* Queue the fact that the module of the token in T is loaded at BASE (tokens.queued). */
void match_queue_base(struct tokens *t, uint64_t base);

/* Match the whole line as a row of a disassembly. */
enum match match_disassembly_row(struct tokens *t, struct context *context);

/* Whether the line consists of addresses of 8 or 16 digits, and blanks between them. */
bool match_is_all_numbers(const struct tokens *t);

/* Returns where the line's text ends, before any blanks and carriage returns at the end of the line. */
size_t match_find_trimmed_end(const struct tokens *t);

/* Make a token of the absolute address NUMBER, which is the text from BEGIN to END.  Returns MATCH_TOKEN; MATCH_NONE if
   NUMBER is 0, or if a "+" or the rest of a word follows. */
enum match match_make_absolute(struct tokens *t, size_t begin, size_t end, uint64_t number, enum is_return is_return);

/* Make a token of an RVA that a person wrote, such as "ntoskrnl.exe+8f9b0"; it is tentative.  Returns MATCH_NONE if the
   number is the beginning of a longer word. */
enum match match_make_written(struct tokens *t, size_t begin, size_t end, const char *module, size_t length,
			      uint64_t rva);

/* Returns where the path of the file whose name is at NAME in TEXT begins: at the letter of a drive, if a path with a
   drive, which begins at or after LEAST, ends at NAME; else returns NAME. */
size_t match_find_path_before(const char *text, size_t least, size_t name);

/* Whether C, next to a word, is no part of it: a blank, a control character, a bracket or a punctuation mark. */
bool match_is_boundary(char c);

/* Store in t->fact that MODULE, a name of LENGTH bytes, is loaded at BASE and has SIZE bytes (0: unknown).  Sets t->at
   to AT, where the text with this fact ends.  Returns MATCH_FACT. */
enum match match_make_loaded_fact(struct tokens *t, size_t at, const char *module, size_t length, uint64_t base,
				  uint64_t size);

/* Whether there is a "/" or "\" in TEXT. */
bool match_has_separator(const char *text, size_t length);

/* Whether TEXT is an absolute path: it begins with a "/", a "\" or a drive.  Relative ones could be other text. */
bool match_is_absolute_path(const char *text, size_t length);

/* Whether NAME could end with an extension: it has a dot and more than 4 characters. */
bool match_may_have_extension(const char *name, size_t length);

/* Whether NAME ends with an extension that modules have, such as ".exe" or ".sys". */
bool match_is_module_name(const char *name, size_t length);

/* A place in a module. */
struct module_offset {
	const char *module;
	size_t module_length;
	uint64_t rva;
};

static inline struct module_offset make_module_offset(const char *module, size_t length, uint64_t rva)
{
	return (struct module_offset){ module, length, rva };
}

/* Like match_make_absolute(), but the token is PLACE, an RVA in a module; the RVA may be 0.  The token is tentative if
   the module has no extension. */
enum match match_make_relative(struct tokens *t, size_t begin, size_t end, struct module_offset place,
			       enum is_return is_return);

#endif
