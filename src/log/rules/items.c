// SPDX-License-Identifier: GPL-2.0-or-later
/* items.c - finds numbers and modules' names in a line, and the *label* of a number, the word before it (items.h) */
#include "config.h"
#include "log/rules/items.h"
#include "log/read/chars.h"
#include "log/read/match.h"

#include <string.h>

/* Returns where the path that ends at END begins, if it begins with a drive's letter: such a path may have blanks.
   Returns END if no such path begins at or after LEAST. */
static size_t find_drive_path_begin(const char *text, size_t least, size_t end)
{
	for (size_t at = end; at > least + 2 && end - at < NAME_LENGTH_MAX && is_path_char(text[at - 1]); at--) {
		if (text[at - 1] != ':' || !is_separator(text[at]))
			continue;
		const bool drive = is_letter(text[at - 2]) && (at == least + 2 || !is_word_char(text[at - 3]));
		return drive ? at - 2 : end;
	}
	return end;
}

/* Returns where the longest text that ends at END, with only characters of modules' names and of OTHERS, begins. */
static size_t find_begin_of_name_chars(const char *text, size_t least, size_t end, const char *others)
{
	size_t at = end;
	while (at > least && end - at < NAME_LENGTH_MAX) {
		const size_t length = module_char_length_before(text, least, at);
		if (length == 0 && !(text[at - 1] && strchr(others, text[at - 1])))
			break;
		at -= length > 0 ? length : 1;
	}
	return at;
}

/* Returns where the name or path of a module that ends at END begins.  LEAST is the end of the name before it. */
static size_t find_name_begin(const char *text, size_t least, size_t end)
{
	const size_t begin = find_drive_path_begin(text, least, end);
	if (begin < end)
		return begin;
	/* "my app.exe" in quotation marks */
	const size_t quoted = find_begin_of_name_chars(text, least, end, " ");
	return quoted > least && text[quoted - 1] == '"' ? quoted : find_begin_of_name_chars(text, least, end, "/\\+");
}

/* If the dot at AT begins an extension that modules have, returns where the extension ends; else 0. */
static size_t find_extension_end(const char *text, size_t at, size_t length)
{
	enum { EXTENSION_MAX = 4 };
	size_t end = at + 1;
	while (end < length && end - at <= EXTENSION_MAX && is_word_char(text[end]))
		end++;
	if (end < length &&
	    (is_word_char(text[end]) || (text[end] == '.' && end + 1 < length && is_word_char(text[end + 1]))))
		return 0;
	return at > 0 && end > at + 2 && match_is_module_name(text + at - 1, end - at + 1) ? end : 0;
}

/* Add the name whose extension is from DOT to END, and remove the items that are inside its path. */
static void add_name(struct items *items, size_t dot, size_t end)
{
	size_t least = items->begin;
	for (size_t i = 0; i < items->count; i++)
		if (items->item[i].is_name)
			least = items->item[i].end;
	size_t begin = find_name_begin(items->text, least, end), name = end;
	while (name > begin && !is_separator(items->text[name - 1]))
		name--;
	if (name >= dot)
		return;
	/* in "pc=0x401234/app.exe", the number is no directory */
	const struct item *last = &items->item[items->count > 0 ? items->count - 1 : 0];
	if (items->count > 0 && last->begin == begin && last->prefix && last->digits >= NUMBER_HALF &&
	    last->end < name && is_separator(items->text[last->end]))
		begin = last->end + 1;
	/* in "\"0x401234 app.exe+0x10\"", the number is no part of the name */
	if (items->count > 0 && name == begin && last->begin >= begin && last->digits >= NUMBER_HALF &&
	    is_blank(items->text[last->end]))
		begin = name = find_begin_of_name_chars(items->text, last->end, end, "+");
	while (items->count > 0 && items->item[items->count - 1].end > begin)
		items->count--;
	items->item[items->count++] = (struct item){ .begin = begin, .end = end, .is_name = true, .name = name };
	items->names++;
}

/* Returns the value of the decimal number that TEXT is; 0 if it is none, or has more than 19 digits. */
static uint64_t parse_decimal_value(const char *text, size_t length)
{
	enum { DIGITS_MAX = 19 };
	uint64_t value = 0;
	if (length > DIGITS_MAX)
		return 0;
	for (size_t i = 0; i < length; i++) {
		if (!is_digit(text[i]))
			return 0;
		value = value * 10 + (unsigned)(text[i] - '0');
	}
	return value;
}

static bool has_digit(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (is_digit(text[i]))
			return true;
	return false;
}

/* Whether the number that begins at AT is a value in JSON, where numbers are decimal: '"offset": 5632,'. */
static bool is_json_value(const struct items *items, size_t at)
{
	while (at > items->begin && is_blank(items->text[at - 1]))
		at--;
	return at > items->begin + 1 && items->text[at - 1] == ':' && items->text[at - 2] == '"';
}

enum { LEAST_DIGITS = 3 }; /* the fewest digits of a number without a prefix or a suffix */

/* Add the number that begins at AT, if there is one that counts.  Returns the position after the characters that were
   read as a number; at least AT + 1. */
static size_t add_number(struct items *items, size_t at)
{
	const char *text = items->text;
	const size_t length = items->length, begin = at, from = at + (text[at] == '$');
	struct number number;
	size_t end = from + number_parse(text + from, length - from, &number);
	const size_t digits_end = end;
	const bool suffix = end > from && end < length && (text[end] == 'h' || text[end] == 'H');
	end += suffix;
	if (end > from && (end == length || !is_word_char(text[end])) && number.digits <= 16) {
		const char before = begin > items->begin ? text[begin - 1] : ' ',
			   after = end < length ? text[end] : ' ';
		const bool prefix = number.prefix || suffix || from > at;
		/* "game.00401234" of OllyDbg and x64dbg is an address. */
		const bool after_name = begin > items->begin + 1 && is_letter(text[begin - 2]) &&
					(number.digits == 8 || number.digits == 16);
		const bool version = (before == '.' && !prefix && !after_name) ||
				     (after == '.' && end + 1 < length && is_digit(text[end + 1]));
		const bool dashed = (before == '-' && begin > items->begin + 1 && is_hex(text[begin - 2])) ||
				    (after == '-' && end + 1 < length && is_hex(text[end + 1]));
		const uint64_t decimal = prefix ? 0 : parse_decimal_value(text + from, digits_end - from);
		const bool is_json = is_json_value(items, begin);
		if (!version && (prefix || (number.digits >= LEAST_DIGITS && has_digit(text + from, end - from))))
			items->item[items->count++] = (struct item){
				.begin = begin,
				.end = end,
				.value = is_json && decimal > 0 ? decimal : number.value,
				.decimal = decimal,
				.is_json = is_json,
				.digits = number.digits,
				.prefix = prefix,
				.grave = number.grave,
				.dashed = dashed,
				.added = after == '+',
			};
	}
	return end > at ? end : at + 1;
}

/* A digit, "$" or grave accent is at AT: if the word around it is a number, add that to ITEMS.  The text before LEAST
   has been read already.  Returns where the word ends. */
static size_t read_word(struct items *items, size_t least, size_t at)
{
	const char *text = items->text;
	const bool dollar = text[at] == '$';
	size_t begin = at, end = at + dollar;
	while (begin > least && is_word_char(text[begin - 1]) && !dollar)
		begin--;
	while (end < items->length && is_word_char(text[end]))
		end++;
	const bool is_short = end == begin || (end - begin < LEAST_DIGITS && (text[end - 1] | 0x20) != 'h');
	const size_t number_end = dollar || (!is_short && is_hex(text[begin])) ? add_number(items, begin) : end;
	/* A number with a grave accent goes on after this word, and a letter can follow the number. */
	while (end < items->length && (end < number_end || is_word_char(text[end])))
		end++;
	return end > at ? end : at + 1;
}

void items_read(struct items *items, const char *text, size_t begin, size_t length)
{
	static bool interesting[256]; /* the bytes where a number or an extension may be */
	for (const char *p = "0123456789$`."; *p && !interesting['.']; p++)
		interesting[(unsigned char)*p] = true;
	items->text = text;
	items->begin = begin;
	items->length = length;
	items->count = items->names = 0;
	for (size_t at = begin, least = begin; items->count < ITEMS_MAX; least = at) {
		while (at < length && !interesting[(unsigned char)text[at]])
			at++;
		if (at == length)
			break;
		const bool dot = text[at] == '.';
		const size_t end = dot ? find_extension_end(text, at, length) : read_word(items, least, at);
		if (dot && end > 0)
			add_name(items, at, end);
		at = end > 0 ? end : at + 1;
	}
}

size_t items_skip_blanks(const struct items *items, size_t at)
{
	while (at < items->length && is_blank(items->text[at]))
		at++;
	return at;
}

/* Move *AT to the next dot of the text.  Returns false if there is none. */
static bool move_to_next_dot(const struct items *items, size_t *at)
{
	const char *dot = *at < items->length ? memchr(items->text + *at, '.', items->length - *at) : NULL;
	*at = dot ? (size_t)(dot - items->text) : items->length;
	return dot != NULL;
}

bool items_have_likely_address(const char *text, size_t length)
{
	enum { LEAST_LIKELY = 4, LEAST_OFFSET = 0x1000 };
	struct items items;
	items.text = text;
	items.begin = 0;
	items.length = length;
	for (size_t dot = 0; move_to_next_dot(&items, &dot); dot++) {
		const size_t end = find_extension_end(text, dot, length), sign = items_skip_blanks(&items, end),
			     at = items_skip_blanks(&items, sign + 1);
		items.count = 0;
		if (end == 0 || !is_module_char(text[dot - 1]) || at >= length || !memchr(":+!@", text[sign], 4))
			continue;
		add_number(&items, at);
		/* One of "-.:/\\" after a number shows that it is part of a date, a version, a time or a path. */
		const struct item *number = &items.item[0];
		if (items.count > 0 && number->digits >= LEAST_LIKELY && number->value >= LEAST_OFFSET &&
		    (number->end == length || !memchr("-.:/\\", text[number->end], 5)))
			return true;
	}
	return false;
}

/* ------------------------------------------------------------------------------------------------ labels */

enum { LABEL_MAX = 24 }; /* the most bytes of a label and what is between it and its number */

/* Returns where the segment number that ends at END begins: "0033" of "CS:PC:0033:00001600".  Returns END if there is
   none after LEAST; the "8" of "R8: 00001600" is none. */
static size_t find_segment_begin(const struct items *items, size_t least, size_t end)
{
	const char *text = items->text;
	size_t begin = end;
	while (begin > least && is_hex(text[begin - 1]))
		begin--;
	if (begin == end || end - begin > 4 || end == items->length || text[end] != ':' || !is_digit(text[begin]))
		return end;
	if (begin > least + 1 && text[begin - 1] == 'x' && text[begin - 2] == '0')
		begin -= 2;
	return begin > items->begin && is_word_char(text[begin - 1]) ? end : begin;
}

struct rules_label label_find(const struct items *items, const struct item *item)
{
	const char *text = items->text;
	size_t least = items->begin, end = item->begin;
	/* gdb prints a value twice after its label: "rax            0x80a01230          0x80a01230" */
	while (item > items->item && item[-1].value == item->value && !item[-1].is_name &&
	       items_skip_blanks(items, item[-1].end) == item->begin)
		end = (--item)->begin;
	if (end - least > LABEL_MAX)
		least = end - LABEL_MAX;
	size_t segment = end;
	do {
		end = segment;
		while (end > least && !is_word_char(text[end - 1]))
			end--;
		segment = find_segment_begin(items, least, end);
	} while (segment < end);
	size_t begin = end;
	while (begin > least && is_word_char(text[begin - 1]))
		begin--;
	return (struct rules_label){ text + begin, end - begin, begin };
}

bool label_text_is(const char *word, size_t length, const char *other)
{
	return strlen(other) == length && equal_ignoring_case(word, other, length);
}

/* Whether LABEL is one of WORDS, which are in lower case and NULL ends. */
static bool is_label_one_of(const struct rules_label *label, const char *const words[])
{
	const char first = label->length > 0 ? to_lower(*label->word) : '\0';
	for (; first && *words; words++)
		if (**words == first && label_text_is(label->word, label->length, *words))
			return true;
	return false;
}

bool label_ends_with(const struct rules_label *label, const char *end)
{
	const size_t length = strlen(end);
	return label->length >= length && label_text_is(label->word + label->length - length, length, end);
}

/* Whether the character at AT of TEXT is inside a word, like the "r" of "thread"; the "R" of "AddressRead" is not. */
static bool is_inside_word(const char *text, size_t at)
{
	return at > 0 && is_letter(text[at - 1]) && (text[at] >= 'a' || text[at - 1] < 'a');
}

/* Whether TEXT begins with one of WORDS, which NULL ends. */
static bool begins_with_word_of(const char *text, size_t length, const char *const words[])
{
	for (; *words; words++)
		if (to_lower(*text) == **words && strlen(*words) <= length &&
		    equal_ignoring_case(text, *words, strlen(*words)))
			return true;
	return false;
}

/* Whether one of WORDS, which are in lower case and NULL ends, is in TEXT from BEGIN to END.  ALONE: it must not begin
   inside another word.  Each word has two characters or more.  To skip most bytes quickly, `pairs` has a bit for each
   pair of characters with which a word begins; the low 5 bits of a letter do not depend on its case. */
static bool has_word_of(const char *text, size_t begin, size_t end, const char *const words[], bool alone)
{
	uint32_t pairs[32] = { 0 };
	for (size_t i = 0; words[i]; i++)
		pairs[words[i][0] & 31] |= UINT32_C(1) << (words[i][1] & 31);
	const size_t last = end > begin ? end - 1 : begin;
	for (size_t at = begin; at < last; at++)
		if (pairs[text[at] & 31] >> (text[at + 1] & 31) & 1 &&
		    begins_with_word_of(text + at, end - at, words) && !(alone && is_inside_word(text, at)))
			return true;
	return false;
}

bool label_text_has(const char *text, size_t length, const char *word)
{
	const char *const words[] = { word, NULL };
	return has_word_of(text, 0, length, words, false);
}

bool label_is_program_counter(const struct rules_label *label)
{
	static const char *const words[] = { "eip",	"rip",	   "ip",      "pc",	     "epc", "elr",
					     "elr_el1", "elr_el2", "elr_el3", "instruction", NULL };
	return is_label_one_of(label, words);
}

bool label_is_address(const struct rules_label *label)
{
	static const char *const words[] = { "address", "addr", "adr", "location", "at", "in", NULL };
	return label_is_program_counter(label) || is_label_one_of(label, words) || label_ends_with(label, "address") ||
	       label_ends_with(label, "adress") || label_ends_with(label, "_addr") || label_ends_with(label, "_pc") ||
	       label_ends_with(label, "_ip");
}

bool label_holds_return_address(const struct rules_label *label)
{
	static const char *const words[] = { "lr", "ra", NULL };
	return is_label_one_of(label, words);
}

bool label_is_offset(const struct rules_label *label)
{
	return label_text_is(label->word, label->length, "rva") || label_ends_with(label, "offset");
}

bool label_is_other_register(const struct rules_label *label)
{
	static const char *const words[] = { "sp", "fp", "far", "esr", "efl",  "eflags", "rfl",	 "rflags", "cs", "ds",
					     "es", "fs", "gs",	"ss",  "spsr", "cpsr",	 "gdtr", "idtr",   NULL };
	const char *word = label->word;
	size_t length = label->length;
	if (is_label_one_of(label, words) || label_ends_with(label, "home"))
		return true;
	/* one to three of these letters, then one or two digits: "r8", "x19", "cr2", "xmm0"; or "_el1" at the end */
	size_t letters = 0;
	while (letters < length && letters < 3 && strchr("rxwcdmy", to_lower(word[letters])))
		letters++;
	size_t digits = letters;
	while (digits < length && is_digit(word[digits]))
		digits++;
	if ((digits == length && letters > 0 && digits > letters && digits - letters <= 2) ||
	    (label_ends_with(label, "_el1") && !label_is_program_counter(label)))
		return true;
	if (length == 3 && strchr("er", to_lower(word[0])))
		word++, length--;
	return length == 2 && ((to_lower(word[1]) == 'x' && strchr("abcd", to_lower(word[0]))) ||
			       (to_lower(word[1]) == 'i' && strchr("sd", to_lower(word[0]))) ||
			       (to_lower(word[1]) == 'p' && strchr("sb", to_lower(word[0]))));
}

bool label_is_not_code(const struct rules_label *label)
{
	static const char *const words[] = { "base",	   "size",   "handle",	"peb",	 "teb",	     "irp", "thread",
					     "process",	   "code",   "status",	"stamp", "exitcode", "pid", "tid",
					     "entrypoint", "this",   "vtable",	"heap",	 "hash",     "dst", "src",
					     "context",	   "object", "si_addr", NULL };
	return is_label_one_of(label, words) || label_ends_with(label, "base") || label_is_other_register(label);
}

bool label_is_after(const struct items *items, const struct rules_label *label, const char *const words[], size_t most,
		    bool alone)
{
	const size_t least = label->begin > items->begin + most ? label->begin - most : items->begin;
	return has_word_of(items->text, least, label->begin, words, alone);
}

bool label_has_or_is_after(const struct items *items, const struct rules_label *label, const char *const words[],
			   size_t most)
{
	const struct rules_label with = { label->word, label->length, label->begin + label->length };
	return label_is_after(items, &with, words, most + label->length, true);
}

bool label_is_data(const struct items *items, const struct rules_label *label)
{
	static const char *const words[] = { "read",	  "writ",  "memory",	  "referenced",
					     "referenci", "param", "information", NULL };
	/* "Block 12 at", "bad address"; but "bad access at pc" */
	static const char *const blocks[] = { "block ", "bad addr", "badaddr", "buffer at", "modified", NULL };
	static const char *const things[] = { "block", "buffer", NULL }, *const pointers[] = { "pointer", "ptr", NULL };
	static const char *const code[] = { "instruction", "program", "code", "return", "function", NULL };
	const size_t least = label->begin > items->begin + LABEL_MAX ? label->begin - LABEL_MAX : items->begin;
	const size_t end = label->begin + label->length;
	return has_word_of(items->text, least, end, words, true) ||
	       (!label_is_program_counter(label) && has_word_of(items->text, least, end, blocks, true)) ||
	       is_label_one_of(label, things) ||
	       (is_label_one_of(label, pointers) && !label_is_after(items, label, code, sizeof "instruction ", true));
}
