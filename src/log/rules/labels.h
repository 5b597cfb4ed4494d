/* SPDX-License-Identifier: GPL-2.0-or-later */
/* labels.h - the word before a number, and what it tells: "pc" of "pc=0x1600" and of "CS:PC:0033:00001600" */
#ifndef LOG_RULES_LABELS_H
#define LOG_RULES_LABELS_H

#include "log/rules/items.h"

/* The LENGTH bytes at WORD, which are at position BEGIN of the text. */
struct rules_label {
	const char *word;
	size_t length, begin;
};

/* Returns the label of NUMBER, which has length 0 if there is none. */
struct rules_label label_before(const struct items *items, const struct item *number);

/* The next five compare without regard to case.  This one tells whether the LENGTH bytes at WORD are OTHER. */
bool label_text_is(const char *word, size_t length, const char *other);

/* Whether WORD is in the LENGTH bytes at TEXT. */
bool label_text_has(const char *text, size_t length, const char *word);

bool label_ends_with(const struct rules_label *label, const char *end);

/* Whether one of WORDS, which NULL ends, is in the text before LABEL, at most MOST bytes before it. */
bool label_is_after(const struct items *items, const struct rules_label *label, const char *const words[], size_t most);

/* The same for the text of LABEL itself and at most MOST bytes before it. */
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

/* Whether the number after LABEL is no address of code: it is another register, a base, a handle. */
bool label_is_not_code(const struct rules_label *label);

/* Whether LABEL, or a word before it, says that data was read or written at the address that follows. */
bool label_is_data(const struct items *items, const struct rules_label *label);

#endif
