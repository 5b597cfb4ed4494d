/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * items.h - the numbers and the modules' names in a line, whatever program printed it, and the words before numbers
 *
 * rules.c decides what these items mean.
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
	/* The members from here on are for a hexadecimal number that is not in a word, a version or a path. */
	uint64_t value;
	uint64_t decimal; /* its value if it is read as decimal; 0: it is not decimal, or has more than 19 digits */
	unsigned digits;
	bool prefix;  /* "0x" or "$" before it, or "h" after it */
	bool grave;   /* a grave accent is between its halves, as WinDbg prints them */
	bool dashed;  /* "-" and another number are before or after it: a range, a date or a GUID */
	bool added;   /* "+" is directly after it: a base, to which an offset is added */
	bool is_json; /* a number of JSON outside of strings, where no note can be inserted */
};

struct items {
	const char *text;
	size_t begin, length; /* the text that was read is from `begin` to `length` */
	size_t count, names;  /* how many items there are, and how many of these are names */
	struct item item[ITEMS_MAX];
};

/* Store in ITEMS the first ITEMS_MAX items of TEXT, from BEGIN to LENGTH.  ITEMS points into TEXT. */
void items_read(struct items *items, const char *text, size_t begin, size_t length);

/* Returns the position of the first character from AT on that is no blank. */
size_t items_skip_blanks(const struct items *items, size_t at);

/* Whether TEXT, a line without a token, has a module's name, one of ":+!@" after it, and then a likely address. */
bool items_have_likely_address(const char *text, size_t length);

/* The word before a number, which shows what the number is: "pc" of "pc=0x1600" and of "CS:PC:0033:00001600".  It is
   the LENGTH bytes at WORD, which begin at position BEGIN of the text. */
struct rules_label {
	const char *word;
	size_t length, begin;
};

/* Returns the label of NUMBER, which has length 0 if there is none. */
struct rules_label label_find(const struct items *items, const struct item *number);

/* Whether the LENGTH bytes at WORD are equal to OTHER.  Case does not count in any function label_...(). */
bool label_text_is(const char *word, size_t length, const char *other);

/* Whether WORD is in the LENGTH bytes at TEXT. */
bool label_text_has(const char *text, size_t length, const char *word);

bool label_ends_with(const struct rules_label *label, const char *end);

/* Whether one of WORDS, which NULL ends, begins at most MOST bytes before LABEL and ends before it.  ALONE: the
   word must not begin inside another word. */
bool label_is_after(const struct items *items, const struct rules_label *label, const char *const words[], size_t most,
		    bool alone);

/* Whether one of WORDS, which NULL ends, begins a word in LABEL itself or at most MOST bytes before it. */
bool label_has_or_is_after(const struct items *items, const struct rules_label *label, const char *const words[],
			   size_t most);

/* Whether LABEL is a name of the program counter: "pc", "eip". */
bool label_is_program_counter(const struct rules_label *label);

/* Whether the number after LABEL is an address of code: "pc", "at", "address". */
bool label_is_address(const struct rules_label *label);

/* Whether LABEL is the register of a return address: "lr". */
bool label_holds_return_address(const struct rules_label *label);

/* Whether the number after LABEL is an offset in a module: "offset", "rva". */
bool label_is_offset(const struct rules_label *label);

/* Whether LABEL is a register that has no address of code: "sp", "r8", "esi", CONTEXT's "P3Home". */
bool label_is_other_register(const struct rules_label *label);

/* Whether the number after LABEL is no address of code: it is another register, a base, a handle, a status. */
bool label_is_not_code(const struct rules_label *label);

/* Whether LABEL, or a word before LABEL, shows that its number is an address of data: "read", "block". */
bool label_is_data(const struct items *items, const struct rules_label *label);

#endif
