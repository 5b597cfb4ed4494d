/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * items.h - the numbers and the modules' names in a line, whatever program printed it
 *
 * rules.c decides what they mean.
 */
#ifndef LOG_RULES_ITEMS_H
#define LOG_RULES_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ITEMS_MAX = 32 };

/* A number or a name; positions are bytes of the text. */
struct item {
	size_t begin, end;
	/* A name ends with an extension that modules have.  Its path begins at `begin`, the file's name at `name`. */
	bool is_name;
	size_t name;
	/* The rest is for a hexadecimal number, which is not in a word, a version or a path. */
	uint64_t value;
	uint64_t decimal; /* its value if it is decimal; 0: it cannot be, or it has more than 19 digits */
	unsigned digits;
	bool prefix; /* "0x" or "$" before it, or "h" after it */
	bool grave;  /* a backquote is between its halves, as WinDbg prints them */
	bool dashed; /* "-" and another number are beside it: a range, a date or a GUID */
	bool added;  /* "+" is directly after it: a base, to which an offset is added */
};

struct items {
	const char *text;
	size_t begin, length; /* the text that was read is from `begin` to `length` */
	size_t count;
	struct item item[ITEMS_MAX];
};

/* Store in ITEMS the first ITEMS_MAX items of TEXT, from BEGIN to LENGTH.  TEXT must stay valid as long as ITEMS is
   used. */
void items_read(struct items *items, const char *text, size_t begin, size_t length);

/* Returns the position of the first character from AT on that is no blank. */
size_t items_skip_blanks(const struct items *items, size_t at);

/* Whether the names A and B mean the same file.  Case and paths do not count. */
bool items_same_name(const struct items *items, const struct item *a, const struct item *b);

/* Whether TEXT, the plain text of a line without a token, has something like a code address: a module's name, a sign,
   and a hexadecimal number. */
bool items_have_likely_address(const char *text, size_t length);

#endif
