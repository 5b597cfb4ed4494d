/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query.h - from what somebody typed to an address to look up
 *
 * Which numbers are addresses of the image, and which, depends on how it is asked: absolute addresses, ones relative to
 * the image base or to a section, or ones of an image that was loaded elsewhere.  All of that is one subtraction, one
 * comparison and one sum, with numbers that are fixed when the image has been opened.
 */
#ifndef TOOL_QUERY_H
#define TOOL_QUERY_H

#include "rossym.h"
#include "tool/symbol.h"

#include <stdbool.h>
#include <stddef.h>

enum query_origin { FROM_VMA, FROM_RVA, FROM_LOAD_ADDRESS, FROM_SECTION };

struct query_rules {
	struct rossym_image *image;
	const char *path;
	struct symbols *symbols;	/* the caller's */
	uint64_t image_base;
	uint32_t size_of_image;
	uint64_t low, span;		/* numbers from low on, span of them, are addresses, all below 2^64; */
	uint64_t add;			/* their RVA is what they are above low, and this */
};

/* LOAD_ADDRESS and SECTION are read where ORIGIN says so. */
void query_rules(struct query_rules *rules, struct rossym_image *image, const char *path, struct symbols *symbols,
		 enum query_origin origin, uint64_t load_address, const struct rossym_section *section);

/* From now on numbers are return addresses: the byte before is looked up. */
void query_take_returns(struct query_rules *rules);

/* Whether anything of what was asked made sense, for a hint at the end. */
struct query_seen {
	bool number;		/* a number that somebody meant: not 0, not all ones */
	bool inside;		/* an address inside the image */
};

/* The RVAs of COUNT numbers; UINT64_MAX for one that is no address of the image. */
void query_numbers(const struct query_rules *rules, const uint64_t *numbers, size_t count, uint64_t *rvas,
		   struct query_seen *seen);

struct query {
	uint64_t shown;		/* the number to show */
	uint64_t rva;		/* or UINT64_MAX */
	enum {
		QUERY_ADDRESS,
		QUERY_NO_SYMBOL,	/* shown is 0; the symbol is name */
		QUERY_OTHER_MODULE	/* shown is the offset into the module name */
	} kind;
	const char *name;	/* in the text */
	size_t name_length;
};

/* The same as query_text() for what is QUERY_ADDRESS and can be found out without a message and without the image; false
   if TEXT is something else. */
bool query_silently(const struct query_rules *rules, const char *text, struct query *query, struct query_seen *seen);

/* What TEXT, an operand or a line, asks for.  Warns if that needs it; false on an error that has been reported. */
bool query_text(const struct query_rules *rules, const char *text, struct query *query, struct query_seen *seen);

#endif
