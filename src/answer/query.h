/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query.h - converts a text of the input to the RVA to look up
 *
 * A number is an absolute address, or relative to the image base, to the address at which the image was loaded, or to a
 * section.  In each case, one subtraction, one comparison and one addition give its RVA, with numbers that are computed
 * when the image has been opened (struct query_rules).
 */
#ifndef ANSWER_QUERY_H
#define ANSWER_QUERY_H

#include "rossym.h"
#include "answer/symbol.h"

#include <stdbool.h>
#include <stddef.h>

enum query_origin { FROM_VMA, FROM_RVA, FROM_LOAD_ADDRESS, FROM_ADJUSTED, FROM_SECTION };

struct query_rules {
	struct rossym_image *image;
	const char *path;	 /* of the image, for messages */
	struct symbols *symbols; /* belongs to the caller */
	uint64_t image_base;
	uint32_t size_of_image;
	/* The caller sets this if a text can begin with CODE or DATA, like the input of llvm-symbolizer. */
	bool has_commands;
	bool returns; /* query_adjust_for_returns() has been called */
	/* A number N is an address if low <= N < low + span; then its RVA is N - low + add.  low + span <= 2^64. */
	uint64_t low, span, add;
};

/* What numbers are relative to. */
struct query_base {
	enum query_origin origin;
	/* FROM_LOAD_ADDRESS: where the image was loaded; FROM_ADJUSTED: how far that is above the image base */
	uint64_t load_address;
	const struct rossym_section *section; /* FROM_SECTION: number 0 is the first byte of this section */
};

/* Make the rules for BASE.  IMAGE, PATH and SYMBOLS must stay valid as long as the rules are used. */
void query_make_rules(struct query_rules *rules, struct rossym_image *image, const char *path, struct symbols *symbols,
		      const struct query_base *base);

/* Change RULES for numbers that are return addresses: each gets the RVA of the byte before it, which is in the call. */
void query_adjust_for_returns(struct query_rules *rules);

/* Whether TEXT, after blanks, begins with WORD and a blank.  If so, *REST becomes the text after these blanks. */
bool query_begins_with_word(const char *text, const char *word, const char **rest);

/* What is known from the queries so far; hints depend on it. */
struct query_seen {
	bool number; /* there was a number other than 0 or all ones, which programs print for "no address" */
	bool inside; /* there was an address inside the image */
	bool hinted; /* a hint about a text that looks like the input of another program has been printed */
};

/* Store the RVAs of COUNT numbers, or UINT64_MAX for a number that is no address by the rules.  Updates *SEEN. */
void query_convert_numbers(const struct query_rules *rules, const uint64_t *numbers, size_t count, uint64_t *rvas,
			   struct query_seen *seen);

struct query {
	uint64_t shown; /* the address to print */
	uint64_t rva;	/* the RVA to look up; UINT64_MAX: none */
	enum {
		QUERY_ADDRESS,
		/* llvm-symbolizer's command DATA, followed by an address or a symbol: print name, start and size of the
		   function at `rva`.  If the symbol was not found, `rva` is UINT64_MAX. */
		QUERY_DATA,
		QUERY_NO_SYMBOL, /* there is no symbol `name`; `shown` is 0 */
		/* the input named the module `name`, which is not the image: `shown` is the RVA in it, `rva`
		   UINT64_MAX */
		QUERY_OTHER_MODULE,
		/* the file that the input named could not be read: `shown` is the address in it; or, if `is_symbol` is
		   set, `name` is the symbol in it */
		QUERY_NO_IMAGE,
	} kind;
	const char *name; /* points into the text, and has no NUL at its end */
	size_t name_length;
	bool is_symbol; /* `name` is a symbol, whether it was found or not */
};

/* Parse TEXT into *QUERY, if it is an address and needs neither a look-up of a symbol nor a message.  So worker threads
   can call this.  Returns false if query_parse_text() must parse TEXT. */
bool query_parse_silently(const struct query_rules *rules, const char *text, struct query *query,
			  struct query_seen *seen);

/* Parse TEXT, an operand or a line, into *QUERY, and look up its symbol.  Prints a warning if TEXT names another
   module; once, a hint if TEXT looks like the input of another program.  Returns false only after an error message. */
bool query_parse_text(const struct query_rules *rules, const char *text, struct query *query, struct query_seen *seen);

/* Print a hint that names options for other kinds of addresses, if there were numbers, but none was an address inside
   the image.  Call this at the end of the input. */
void query_print_hint(const struct query_rules *rules, const struct query_seen *seen);

#endif
