/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules.h - code addresses and load addresses in lines for which there is no matcher
 *
 * The numbers that a program prints can be understood even if the program is not known, by these rules:
 *
 *     1  name+1a2b, "name" + 0x1a2b, name(0xBASE) + 0x1a2b	an offset in a module; also below a heading "offset"
 *     2  an address and its offset must agree: their difference is a multiple of 64 KiB, or 1 more or less
 *     3  0x7ff6f64a1600 (name), name!7ff6f64a1600		an address in that module, or an offset if the
 *								number is too small for an address
 *     4  0x7ff6f64a0000 name					a row of a list of modules, if there is a heading,
 *								or a word for it, or three such rows
 *     5  pc=0x7ff6f64a1600, 0x7ff6f64a1600			an address alone
 *
 * Rules read what matchers (match.h) leave: lines in which these have found nothing, and load addresses and further
 * addresses in lines with a token.  Rules read no image, so they only *propose* what they find: token.proof says what
 * must be true, and the resolver checks this in the image.  A number that turns out to be no address is ignored.
 */
#ifndef LOG_RULES_RULES_H
#define LOG_RULES_RULES_H

#include "log/rules/items.h"
#include "log/read/token.h"

enum {
	RULES_FOUND_MAX = 64,	 /* the most tokens and facts of one line */
	RULES_NEAR = 3,		 /* the most lines from one row of a list to the next, and from a name to its values */
	RULES_HEADING_MAX = 100, /* a longer line is no heading */
	RULES_TYPED_MAX = 160,	 /* the most bytes of a line that somebody may have typed */
	RULES_NAME_MAX = 128,	 /* the most bytes of a module's name that is kept for the lines after it */
	RULES_WAITING_MAX = 2,	 /* the most rows that are stored before they are known to belong to a list */
};

/* A row of a list of modules; or the name in a line (rules.named), without size, and at first without base. */
struct rules_row {
	char name[RULES_NAME_MAX];
	size_t length;
	uint64_t base, size, line;
};

struct rules {
	struct items items; /* the items of the current line */
	uint64_t line;	    /* the number of the current line */
	size_t record;	    /* if the line is read record by record, as {...} in JSON: how many came before this one */
	size_t token_end;   /* where the last token of a matcher ends; 0: there is none */
	char typed[RULES_TYPED_MAX]; /* if somebody may have typed the line, a copy with corrected digits: O is 0 */
	/* what was found in the line; a fact comes before the tokens that need it */
	struct rules_found {
		bool is_fact;
		struct token token;
		struct fact fact;
	} found[RULES_FOUND_MAX];
	size_t count;

	/* In the members from here on, lines are counted from 1; 0: none. */
	struct rules_heading { /* short lines, each of which may be the heading of a list; the oldest is replaced */
		uint64_t line;
		size_t length;
		char text[RULES_HEADING_MAX];
	} headings[RULES_NEAR];
	size_t next_heading;   /* the index of the oldest heading */
	uint64_t list_line;    /* the last row of a list of modules, or its heading */
	bool has_offsets;      /* the list's heading names a column of offsets, so the list is a stack */
	bool from_text;	       /* gdb has printed the list, whose rows begin with the address of the module's code */
	struct rules_counter { /* the last label (items.h) "pc" or "ip": its line, and where it begins in that line */
		uint64_t line;
		size_t begin;
	} counter;
	struct rules_row named; /* the name in the last line that has one name, and no number for it */
	uint64_t status_line;	/* the last line whose only number is a status of NT */
	struct rules_row waiting[RULES_WAITING_MAX]; /* the last rows without a heading, which may become a list */
	size_t waiting_count;
};

/* A line of plain text, which the rules read from `begin` to `length`. */
struct rules_line {
	const char *text;
	size_t begin, length;
	uint64_t number;
	size_t token_end; /* where the last token of a matcher ends; 0: there is none, or it is only a guess */
};

/* Store in RULES, which points into the text of LINE then, what the rules propose for LINE.  KNOWN: a matcher has read
   the line, so nothing is proposed; but the line may be a heading, or have a name for the next lines. */
void rules_read_line(struct rules *rules, const struct rules_line *line, bool known);

/* Apply rule 2 to TOKEN, an offset whose module's name begins at AT: if an address is before the name, and agrees only
   with the decimal value of the offset, TOKEN gets this value.  Make TOKEN exact if it is open (context.h), and the
   address or words in LINE before AT show that; in a record in braces, only words of the record count.  Returns false
   if the address and the offset contradict each other. */
bool rules_check_token(struct rules *rules, const struct rules_line *line, size_t at, struct token *token);

/* Store LINE, in which the rules have found nothing, because it may be a heading. */
void rules_store_heading(struct rules *rules, const struct rules_line *line);

#endif
