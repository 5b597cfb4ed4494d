// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/rules/labels.h"
#include "log/read/chars.h"

#include <string.h>

enum { LABEL_MAX = 24 }; /* bytes between a label and its number */

/* Returns where the segment number that ends at END begins: "0033" of "CS:PC:0033:00001600".  Returns END if there is
   none after LEAST. */
static size_t segment_begin(const struct items *items, size_t least, size_t end)
{
	const char *text = items->text;
	size_t begin = end;
	while (begin > least && is_hex(text[begin - 1]))
		begin--;
	if (begin == end || end - begin > 4 || end == items->length || text[end] != ':' || !is_digit(text[begin]))
		return end;
	return begin > least + 1 && text[begin - 1] == 'x' ? begin - 2 : begin;
}

struct rules_label label_before(const struct items *items, const struct item *item)
{
	const char *text = items->text;
	size_t least = items->begin, end = item->begin;
	/* gdb: "rax            0x80a01230          0x80a01230" */
	while (item > items->item && item[-1].value == item->value && !item[-1].is_name &&
	       items_skip_blanks(items, item[-1].end) == item->begin)
		end = (--item)->begin;
	if (end - least > LABEL_MAX)
		least = end - LABEL_MAX;
	size_t segment = end;
	do {
		end = segment;
		while (end > least && !is_word(text[end - 1]))
			end--;
		segment = segment_begin(items, least, end);
	} while (segment < end);
	size_t begin = end;
	while (begin > least && is_word(text[begin - 1]))
		begin--;
	return (struct rules_label){ text + begin, end - begin, begin };
}

bool label_text_is(const char *word, size_t length, const char *other)
{
	return strlen(other) == length && same_letters(word, other, length);
}

static bool is_one_of(const struct rules_label *label, const char *const words[])
{
	for (; *words; words++)
		if (label_text_is(label->word, label->length, *words))
			return true;
	return false;
}

bool label_ends_with(const struct rules_label *label, const char *end)
{
	const size_t length = strlen(end);
	return label->length >= length && label_text_is(label->word + label->length - length, length, end);
}

bool label_text_has(const char *text, size_t length, const char *word)
{
	const size_t n = strlen(word);
	for (size_t at = 0; at + n <= length; at++)
		if (same_letters(text + at, word, n))
			return true;
	return false;
}

bool label_is_program_counter(const struct rules_label *label)
{
	static const char *const words[] = { "eip", "rip", "ip", "pc", "epc", "elr", "instruction", NULL };
	return is_one_of(label, words);
}

bool label_is_address(const struct rules_label *label)
{
	static const char *const words[] = { "address", "addr", "adr", "location", "at", "in", NULL };
	return label_is_program_counter(label) || is_one_of(label, words) || label_ends_with(label, "address") ||
	       label_ends_with(label, "adress") || label_ends_with(label, "_addr") || label_ends_with(label, "_pc") ||
	       label_ends_with(label, "_ip");
}

bool label_holds_return_address(const struct rules_label *label)
{
	static const char *const words[] = { "lr", "ra", NULL };
	return is_one_of(label, words);
}

bool label_is_offset(const struct rules_label *label)
{
	return label_text_is(label->word, label->length, "rva") || label_ends_with(label, "offset");
}

bool label_is_not_code(const struct rules_label *label)
{
	static const char *const words[] = {
		"sp",	  "fp",	     "far",	   "esr",  "efl",   "eflags", "rfl",   "rflags",   "cs",  "ds",	 "es",
		"fs",	  "gs",	     "ss",	   "spsr", "cpsr",  "base",   "size",  "handle",   "peb", "teb", "irp",
		"thread", "process", "entrypoint", "code", "error", "status", "stamp", "exitcode", "pid", "tid", NULL
	};
	const char *word = label->word;
	size_t length = label->length;
	if (is_one_of(label, words) || label_ends_with(label, "base"))
		return true;
	if (length >= 2 && length <= 4 && strchr("rxwcd", to_lower(word[0]))) {
		size_t digits = length > 2 && to_lower(word[1]) == 'r' ? 2 : 1;
		while (digits < length && is_digit(word[digits]))
			digits++;
		if (digits == length && is_digit(word[length - 1]))
			return true;
	}
	if (length == 3 && strchr("er", to_lower(word[0])))
		word++, length--;
	return length == 2 && ((to_lower(word[1]) == 'x' && strchr("abcd", to_lower(word[0]))) ||
			       (to_lower(word[1]) == 'i' && strchr("sd", to_lower(word[0]))) ||
			       (to_lower(word[1]) == 'p' && strchr("sb", to_lower(word[0]))));
}

bool label_is_after(const struct items *items, const struct rules_label *label, const char *const words[], size_t most)
{
	const size_t least = label->begin > items->begin + most ? label->begin - most : items->begin;
	for (; *words; words++)
		if (label_text_has(items->text + least, label->begin - least, *words))
			return true;
	return false;
}

bool label_has_or_is_after(const struct items *items, const struct rules_label *label, const char *const words[],
			   size_t most)
{
	const struct rules_label with = { label->word, label->length, label->begin + label->length };
	return label_is_after(items, &with, words, most + label->length);
}

bool label_is_data(const struct items *items, const struct rules_label *label)
{
	static const char *const words[] = { "read", "writ", "memory", "referenc", NULL };
	const char *text = items->text;
	const size_t end = label->begin + label->length;
	size_t at = label->begin > items->begin + LABEL_MAX ? label->begin - LABEL_MAX : items->begin;
	for (; at < end; at++)
		for (size_t i = 0; words[i] && (at == items->begin || !is_letter(text[at - 1])); i++) /* not "thread" */
			if (label_text_has(text + at, strlen(words[i]), words[i]) && at + strlen(words[i]) <= end)
				return true;
	return false;
}
