/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query.h - from the text that somebody typed to the RVA to look up
 *
 * A number is an absolute address, or relative to the image base, to the address at which the image was loaded, or to a
 * section.  In each case its RVA is the result of one subtraction, one comparison and one sum, with numbers that are
 * known when the image has been opened (struct query_rules).
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
	struct symbols *symbols; /* the caller's */
	uint64_t image_base;
	uint32_t size_of_image;
	/* the caller's: a text can begin with CODE or DATA, as llvm-symbolizer's input can */
	bool has_commands;
	/* A number N is an address if low <= N < low + span; then its RVA is N - low + add.  low + span is at
	   most 2^64. */
	uint64_t low, span, add;
};

/* What numbers are relative to. */
struct query_base {
	enum query_origin origin;
	/* read only for the origin that needs them */
	uint64_t load_address; /* for FROM_ADJUSTED its difference from the image base */
	const struct rossym_section *section;
};

/* Make the rules for BASE.  IMAGE, PATH and SYMBOLS must live as long as the rules. */
void query_rules(struct query_rules *rules, struct rossym_image *image, const char *path, struct symbols *symbols,
		 const struct query_base *base);

/* From now on numbers are return addresses: look up the byte before each. */
void query_take_returns(struct query_rules *rules);

/* Whether any query so far made sense, for query_hint(). */
struct query_seen {
	bool number; /* a number was meant: not 0, not all ones */
	bool inside; /* an address was inside the image */
	bool hinted; /* what a text meant that is no address was told */
};

/* Store the RVAs of COUNT numbers; UINT64_MAX for a number that is no address of the image. */
void query_numbers(const struct query_rules *rules, const uint64_t *numbers, size_t count, uint64_t *rvas,
		   struct query_seen *seen);

struct query {
	uint64_t shown; /* the number to show */
	uint64_t rva;	/* or UINT64_MAX */
	enum {
		QUERY_ADDRESS,
		QUERY_DATA,	    /* an address, of which the whole symbol is wanted */
		QUERY_NO_SYMBOL,    /* there is no symbol `name`; shown is 0 */
		QUERY_OTHER_MODULE, /* shown is an offset into the module `name` */
	} kind;
	const char *name; /* in the text; not terminated */
	size_t name_length;
	bool is_symbol; /* `name` is a symbol, whether it was found or not */
};

/* Parse TEXT if it is QUERY_ADDRESS and needs neither a message nor the image.  Otherwise returns false; then
   call query_text(). */
bool query_silently(const struct query_rules *rules, const char *text, struct query *query, struct query_seen *seen);

/* Parse TEXT, an operand or a line; look its symbol up; print a warning where one is due, and once a hint if TEXT looks
   like the input of another program.  False on an error, after a message. */
bool query_text(const struct query_rules *rules, const char *text, struct query *query, struct query_seen *seen);

/* If numbers were meant but none was inside the image, print a hint that names the options for it. */
void query_hint(const struct query_rules *rules, const struct query_seen *seen);

#endif
