// SPDX-License-Identifier: GPL-2.0-or-later
/* rules.c - the rules of rules.h; a *label* is the word before a number, which shows what the number is (items.h) */
#include "config.h"
#include "log/rules/rules.h"
#include "log/read/chars.h"
#include "log/read/match.h"

#include <string.h>

enum {
	PAGE = 0x1000,
	LEAST_ADDRESS = 0x10000,      /* no code is below it */
	LEAST_AFTER_MARK = 0x1000000, /* after "!" or ":", a smaller number is an offset, others are addresses */
	CALLER_MAX = 12,	      /* the most bytes between a word for a caller and the label of its address */
	FAULT_MAX = 64,		      /* the most bytes between a word for a fault and the label of its address */
	BEFORE_MAX = 200,	      /* how far before a module's name a word can show the kind of its address */
};
#define RVA_MAX UINT64_C(0x7fffffff)
#define SIZE_MOST UINT64_C(0x40000000) /* the most bytes of a module */

/* ---------------------------------------------------------------------------------------------- numbers */

/* Whether C is one of CHARACTERS; a NUL is not. */
static bool is_one_of_characters(char c, const char *characters)
{
	return c && strchr(characters, c);
}

/* Whether NUMBER can be an address in memory: no base, range, date, GUID, or code of an exception such as c0000005. */
static bool may_be_address(const struct item *number)
{
	const uint64_t high = number->value >> 20;
	return !number->is_name && !number->dashed && !number->added && number->value % IMAGE_GRANULE != 0 &&
	       number->value >= LEAST_ADDRESS && number->digits >= (number->prefix ? 5 : 6) && high != 0xc00 &&
	       high != 0x800 && high != 0xe06;
}

/* Whether NUMBER is written with all digits of an address, leading zeros included, as few other numbers are. */
static bool has_all_digits(const struct item *number)
{
	return number->grave || number->digits >= 11 || (number->prefix && number->digits >= 8);
}

/* Returns the number of which load addresses near ADDRESS are multiples: PAGE in the kernel, else IMAGE_GRANULE.  But
   firmware is loaded at multiples of PAGE anywhere (may_be_base_of()). */
static uint64_t get_base_alignment(uint64_t address)
{
	const bool kernel = address >= UINT64_C(0xffff800000000000) || (address >= 0x80000000 && address <= UINT32_MAX);
	return kernel ? PAGE : IMAGE_GRANULE;
}

/* Whether VALUE can be where a module is loaded. */
static bool may_be_base(uint64_t value)
{
	return value >= IMAGE_GRANULE && value % get_base_alignment(value) == 0;
}

/* Whether NUMBER can be the address of code, by its value and the label before it.  If the value fits, stores LABEL. */
static bool may_be_code(const struct items *items, const struct item *number, struct rules_label *label)
{
	if (!may_be_address(number))
		return false;
	*label = label_find(items, number);
	return !label_is_not_code(label) && !label_is_data(items, label);
}

/* Whether ADDRESS and OFFSET in a module agree (rule 2).  If so, stores in *BASE where the module is loaded. */
static bool offset_fits_address(uint64_t address, uint64_t offset, uint64_t *base)
{
	const uint64_t low = address - offset + 1, aligned = get_base_alignment(address);
	*base = low / aligned * aligned;
	return address > offset && *base >= IMAGE_GRANULE && low % aligned <= 2;
}

/* -------------------------------------------------------------------------------------- what is proposed */

/* Returns the place for the next token or fact; NULL if there is no room. */
static struct rules_found *reserve_found(struct rules *r)
{
	return r->count < RULES_FOUND_MAX ? &r->found[r->count++] : NULL;
}

/* Add a token for the item AT: the address or offset NUMBER, in the module NAME, which may be NULL.  Returns the token;
   NULL if there is no room, or if AT can have no note. */
static struct token *add_token(struct rules *r, const struct item *at, const struct item *name, uint64_t number,
			       bool absolute, enum is_return is_return, enum proof proof)
{
	struct rules_found *found = at->is_json ? NULL : reserve_found(r);
	if (!found)
		return NULL;
	found->is_fact = false;
	found->token = (struct token){
		.begin = at->begin,
		.end = at->end,
		.note = at->end,
		.module = name ? r->items.text + name->name : NULL,
		.module_length = name ? name->end - name->name : 0,
		.absolute = absolute,
		.number = number,
		.is_return = is_return,
		.may_have_base = !absolute,
		.tentative = true,
		.proof = proof,
	};
	return &found->token;
}

/* Propose the fact that NAME is loaded at BASE.  CODE: where its code begins, if BASE is derived from it; else 0. */
static void propose_loaded(struct rules *r, const char *name, size_t length, uint64_t base, uint64_t size,
			   uint64_t code)
{
	struct rules_found *found = reserve_found(r);
	if (!found)
		return;
	found->is_fact = true;
	found->fact = (struct fact){
		.kind = FACT_LOADED, .module = name, .module_length = length, .base = base, .size = size, .code = code
	};
}

/* As propose_loaded(), for the item NAME. */
static void propose_loaded_item(struct rules *r, const struct item *name, uint64_t base, uint64_t size, uint64_t code)
{
	propose_loaded(r, r->items.text + name->name, name->end - name->name, base, size, code);
}

/* Whether the text before LABEL has the number of a stack's row other than the first, 0: "backtrace[01] ... ip 0x1600",
   "#1 pc 0x1600", "frame=1 ip=0x1600". */
static bool has_row_number(const struct items *items, const struct rules_label *label)
{
	enum { DIGITS_MAX = 3 };
	static const char word[] = "frame";
	const char *text = items->text;
	for (size_t at = items->begin; at + 1 < label->begin; at++) {
		const size_t before = at - items->begin;
		const bool frame = is_one_of_characters(text[at], "= ") && before >= sizeof word - 1 &&
				   equal_ignoring_case(text + at - (sizeof word - 1), word, sizeof word - 1);
		if (!frame && !is_one_of_characters(text[at], "#["))
			continue;
		size_t end = at + 1;
		unsigned row = 0;
		for (; is_digit(text[end]) && end - at <= DIGITS_MAX; end++)
			row = row * 10 + (unsigned)(text[end] - '0');
		if (row > 0 && (text[at] == '[' ? text[end] == ']' : !is_word_char(text[end])))
			return true;
	}
	return false;
}

/* Whether another number before LABEL has the same label: "pc 0x1600, pc 0x2600". */
static bool has_repeated_label(const struct items *items, const struct rules_label *label)
{
	for (size_t i = 0; i < items->count && items->item[i].begin < label->begin; i++) {
		const struct rules_label other = label_find(items, &items->item[i]);
		if (other.length == label->length && equal_ignoring_case(other.word, label->word, label->length))
			return true;
	}
	return false;
}

/* Whether the number after LABEL is a caller's address in a stack: the row's number is not 0; or a record {...} or the
   same label comes before it in the line; or LABEL has two letters, like "ip", and in one of the RULES_NEAR lines
   before, such a label was at the same place.  Stores for the next lines where a label of two letters is. */
static bool is_in_stack(struct rules *r, const struct rules_label *label)
{
	enum { SHORT = 2 };
	const struct rules_counter last = r->counter;
	if (r->record > 0 || has_row_number(&r->items, label) || has_repeated_label(&r->items, label))
		return true;
	if (label->length != SHORT)
		return false;
	r->counter = (struct rules_counter){ r->line, label->begin };
	return last.line > 0 && last.line < r->line && r->line - last.line <= RULES_NEAR && last.begin == label->begin;
}

/* Whether NUMBER is directly before or after NAME, so that the two belong together. */
static bool is_beside(const struct items *items, const struct item *number, const struct item *name)
{
	const struct item *first = number->begin < name->begin ? number : name,
			  *second = first == number ? name : number;
	for (size_t at = first->end; at < second->begin; at++)
		if (!is_blank(items->text[at]) && !is_one_of_characters(items->text[at], "()[]<>\"'`*,:!@"))
			return false;
	return true;
}

/* Returns IS_RETURN or IS_EXACT if LABEL or the words before it show that for the address after LABEL; else IS_OPEN. */
static enum is_return find_return_kind(struct rules *r, const struct rules_label *label)
{
	static const char *const callers[] = { "saved", "return", "caller", "called", NULL };
	static const char *const faults[] = { "fault",	 "exception", "crash",	     "violation", "segv",
					      "sigsegv", "segfault",  "fatal error", "**",	  NULL };
	/* valgrind's "   by 0x401234: main" */
	const bool by = label_text_is(label->word, label->length, "by") &&
			label->begin == items_skip_blanks(&r->items, r->items.begin);
	if (by || label_holds_return_address(label) || label_has_or_is_after(&r->items, label, callers, CALLER_MAX))
		return IS_RETURN;
	const bool may_be_of_fault = label_is_address(label) || label_is_offset(label) ||
				     label_text_is(label->word, label->length, "module");
	const bool exact = label_is_program_counter(label) ||
			   (may_be_of_fault && label_has_or_is_after(&r->items, label, faults, FAULT_MAX));
	return exact && !is_in_stack(r, label) ? IS_EXACT : IS_OPEN;
}

bool rules_check_token(struct rules *r, const struct rules_line *line, size_t at, struct token *token)
{
	struct items *items = &r->items;
	size_t begin = at;
	uint64_t base;
	if (token->is_return != IS_OPEN || token->subtracted > 0 || token->absolute || token->proof != PROOF_NONE)
		return true;
	while (begin > line->begin && at - begin < BEFORE_MAX && line->text[begin - 1] != '{')
		begin--;
	items_read(items, line->text, at, token->end);
	const struct item number = items->item[items->count > 0 ? items->count - 1 : 0];
	items_read(items, line->text, begin, at); /* read apart: a quotation mark before the address begins no name */
	struct item *place = &items->item[items->count < ITEMS_MAX ? items->count : ITEMS_MAX - 1];
	*place = (struct item){ .is_name = true, .begin = at, .end = at };
	if (items->count > 0 && is_beside(items, &place[-1], place)) {
		const struct item *address = --place;
		const uint64_t difference = address->value - token->number;
		const bool in_brackets = number.end != token->end;
		if (offset_fits_address(address->value, token->number, &base)) {
			/* the difference is 1 too much: the writer has subtracted 1 from a return address */
			token->is_return = !in_brackets && difference == base + 1 ? IS_EXACT : IS_OPEN;
		} else if (in_brackets || number.prefix) {
			place++;
		} else if (number.decimal > 0 && offset_fits_address(address->value, number.decimal, &base)) {
			token->begin = number.begin;
			token->number = number.decimal;
		} else if (address->digits >= (address->prefix ? 8 : 16) && (difference + 1) % PAGE > 2 &&
			   is_blank(items->text[address->end])) {
			return false;
		} else {
			place++;
		}
	}
	const struct rules_label label = label_find(items, place);
	r->line = line->number;
	if (find_return_kind(r, &label) == IS_EXACT)
		token->is_return = IS_EXACT;
	return true;
}

/* ------------------------------------------------------------------------------------------------ rules 1, 2 */

/* Returns the item that begins at AT; NULL: none does. */
static const struct item *find_item_at(const struct items *items, size_t at)
{
	for (size_t i = 0; i < items->count; i++)
		if (items->item[i].begin == at)
			return &items->item[i];
	return NULL;
}

/* Whether C can be directly before a module's name, or after its offset.  A "?" cannot: it shows that this is a URL. */
static bool may_surround_name(char c)
{
	return match_is_boundary(c) && c != '?';
}

/* Whether the text from BEGIN to END is no part of a longer word or of a URL.  A full stop may follow it. */
static bool is_separate_word(const struct items *items, size_t begin, size_t end)
{
	const char *text = items->text;
	if (end < items->length && text[end] == '.')
		end++;
	return (begin == items->begin || text[begin] == '=' || may_surround_name(text[begin - 1])) &&
	       (end == items->length || may_surround_name(text[end])) &&
	       !(begin > items->begin && text[begin - 1] == ':' && text[begin] == '/');
}

/* Returns the number after NAME and one of the signs "+!:@", and stores the sign in *SIGN; NULL if there is none:
   'drv.dll+1a2b', '"drv.dll" + 0x1a2b', "drv.dll(0x400000) + 0x1a2b byte(s)", "drv.dll(+0x1a2b)", "drv.dll!0x401a2b",
   "drv.dll :0x401a2b". */
static const struct item *find_number_after(const struct items *items, const struct item *name, char *sign)
{
	const char *text = items->text;
	size_t at = name->end;
	if (at < items->length && is_one_of_characters(text[at], "\"')]>"))
		at++;
	const struct item *base = at < items->length && text[at] == '(' ? find_item_at(items, at + 1) : NULL;
	if (base && !base->is_name && base->end < items->length && text[base->end] == ')')
		at = base->end + 1;
	at = items_skip_blanks(items, at);
	at += at + 1 < items->length && text[at] == '(' && text[at + 1] == '+';
	if (at >= items->length || !is_one_of_characters(text[at], "+!:@"))
		return NULL;
	*sign = text[at];
	const size_t from = items_skip_blanks(items, at + 1);
	const struct item *number = find_item_at(items, from);
	/* "hal.dll+ 1230" can be anything */
	if (!number || number->is_name || (from > at + 1 && at > 0 && !is_blank(text[at - 1]) && !number->prefix))
		return NULL;
	/* "Frame0=drv.dll!00001600"; but "q=drv.dll+1600" is a part of a URL. */
	const bool is_value = name->begin > items->begin && text[name->begin - 1] == '=' &&
			      number->digits >= NUMBER_HALF;
	return is_separate_word(items, name->begin - is_value, number->end) ? number : NULL;
}

/* Whether the colon between NAME and NUMBER can mean that NUMBER is an offset.  "svchost.exe:1234" names a process. */
static bool is_offset_after_colon(const struct items *items, const struct item *name, const struct item *number)
{
	const bool in_brackets = name->begin > items->begin &&
				 is_one_of_characters(items->text[name->begin - 1], "<([") &&
				 number->end < items->length && is_one_of_characters(items->text[number->end], ">)]");
	const size_t after = items_skip_blanks(items, number->end);
	return (number->prefix || in_brackets) &&
	       !(items->length - after >= 4 && equal_ignoring_case(items->text + after, "byte", 4));
}

/* Returns the first address in the line that agrees with *OFFSET (rule 2), or else with DECIMAL, unless that is 0; then
   DECIMAL is stored in *OFFSET.  Returns NULL if there is none.  Stores the load address of the module in *BASE. */
static const struct item *find_agreeing_address(const struct items *items, uint64_t *offset, uint64_t decimal,
						uint64_t *base)
{
	for (unsigned way = 0; way < 2; way++) {
		const uint64_t value = way == 0 ? *offset : decimal;
		for (size_t i = 0; i < items->count && (way == 0 || decimal > 0); i++) {
			const struct item *address = &items->item[i];
			if (!may_be_address(address) || !offset_fits_address(address->value, value, base))
				continue;
			*offset = value;
			return address;
		}
	}
	return NULL;
}

/* Whether " in " or " in module " is between NUMBER and NAME: "0x1600 in drv.dll". */
static bool is_joined_by_in(const struct items *items, const struct item *number, const struct item *name)
{
	static const char *const words[] = { " in ", " in module ", NULL };
	const size_t length = name->begin - number->end;
	for (size_t i = 0; words[i]; i++)
		if (label_text_is(items->text + number->end, length, words[i]))
			return true;
	return false;
}

/* Whether the line has an address of code besides OFFSET; then one of the addresses must agree with OFFSET. */
static bool has_other_address(const struct items *items, const struct item *offset)
{
	enum { LEAST_DIGITS = 8 };
	struct rules_label label;
	for (size_t i = 0; i < items->count; i++)
		if (&items->item[i] != offset && items->item[i].digits >= LEAST_DIGITS &&
		    may_be_code(items, &items->item[i], &label))
			return true;
	return false;
}

/* Whether NUMBER can also be decimal: all digits are decimal, but not 8 or 16, as in many hexadecimal offsets. */
static bool may_be_decimal(const struct item *number)
{
	return !number->prefix && number->decimal > 0 && number->digits != 8 && number->digits != 16;
}

/* Propose NUMBER as an offset in NAME, if an address of the line agrees with it; or if the line has no address, and
   NUMBER cannot be decimal.  HEXADECIMAL: other text shows that it is hexadecimal.  IS_RETURN: for the token. */
static void propose_offset(struct rules *r, const struct item *name, const struct item *number, bool hexadecimal,
			   enum is_return is_return)
{
	uint64_t offset = number->value, base = 0;
	const struct item *address = find_agreeing_address(&r->items, &offset, number->decimal, &base);
	if (!address && (has_other_address(&r->items, number) || (!hexadecimal && may_be_decimal(number))))
		return;
	if (address)
		propose_loaded_item(r, name, base, 0, 0);
	add_token(r, number, name, offset, false, is_return, PROOF_NONE);
}

/* Read NUMBER in "00007FF6F64A1600 Module(drv+0000000000001600)": a word before "+" is a module's name if an address of
   the line agrees with the offset.  Returns whether NUMBER is such an offset. */
static bool read_offset_after_name(struct rules *r, const struct item *number)
{
	enum { LEAST_DIGITS = 4 };
	const struct items *items = &r->items;
	uint64_t offset = number->value, base;
	if (number > items->item && number[-1].end + 1 == number->begin)
		return false; /* two numbers */
	if (number->begin <= items->begin + 1 || items->text[number->begin - 1] != '+' || number->digits < LEAST_DIGITS)
		return false;
	/* "drv!+0x1600", without a function, has an offset; "drv!+00401600", with 8 digits and no "0x", an address. */
	const bool marked = items->text[number->begin - 2] == '!',
		   absolute = marked && !number->prefix && number->digits >= NUMBER_HALF && may_be_address(number);
	if (!absolute && !(marked && number->prefix) && !find_agreeing_address(items, &offset, 0, &base))
		return false;
	struct item name = { .is_name = true, .end = number->begin - 1 - marked };
	name.begin = name.end;
	while (name.begin > items->begin && name.end - name.begin < RULES_NAME_MAX &&
	       is_module_char(items->text[name.begin - 1]))
		name.begin--;
	name.name = name.begin;
	if (name.begin == name.end)
		return false;
	if (absolute)
		add_token(r, number, &name, number->value, true, IS_OPEN, PROOF_NAMED);
	else
		propose_offset(r, &name, number, marked, IS_OPEN);
	return true;
}

/* Rule 1: propose the offsets, and addresses or bases, that are after names.  Returns whether there is any. */
static bool read_offsets(struct rules *r)
{
	bool found = false;
	for (size_t i = 0; i < r->items.count; i++) {
		const struct item *name = &r->items.item[i];
		char sign = '\0';
		if (!name->is_name) {
			found |= read_offset_after_name(r, name);
			continue;
		}
		const struct item *number = find_number_after(&r->items, name, &sign);
		if (!number)
			continue;
		if (!number->prefix && number->digits < LEAST_WRITTEN)
			continue;
		if (number->value > RVA_MAX || (sign != '+' && number->value >= LEAST_AFTER_MARK)) {
			/* "app.exe+0x140001600" is an offset plus the preferred base of the image. */
			if (sign == '+' && number->prefix && may_be_address(number)) {
				propose_offset(r, name, number, true, IS_OPEN);
				found = true;
			}
			const bool aligned = number->value > UINT32_MAX && number->value % IMAGE_GRANULE == 0;
			if (sign != '+' && may_be_base(number->value) && (sign == '@' || aligned)) {
				propose_loaded_item(r, name, number->value, 0, 0);
				found = true;
			}
			if (sign == '+' || !may_be_address(number))
				continue;
			const struct rules_label label = label_find(&r->items, name);
			add_token(r, number, name, number->value, true, find_return_kind(r, &label), PROOF_NAMED);
			found = true;
		} else if (sign == '+' || (sign == ':' ? is_offset_after_colon(&r->items, name, number)
						       : number->value >= PAGE && (sign == '!' || number->prefix))) {
			propose_offset(r, name, number, sign == ':', IS_OPEN);
			found = true;
		}
	}
	return found;
}

/* Whether LABEL is of an offset of bytes in a file: "read 16 bytes at offset 0x1600 of a.dll". */
static bool is_file_offset(const struct items *items, const struct rules_label *label)
{
	static const char *const words[] = { "file", "byte", "raw", NULL };
	return label_is_data(items, label) || label_is_after(items, label, words, sizeof "bytes at ", false);
}

/* Rule 2 in fields: read an offset that has a label, and is in the module NAME.  Returns whether there is one. */
static bool read_labelled_offset(struct rules *r, const struct item *name)
{
	const struct items *items = &r->items;
	for (size_t i = 0; i < items->count; i++) {
		const struct item *number = &items->item[i];
		if (number->is_name || number->value < PAGE || number->value > RVA_MAX)
			continue;
		const struct rules_label label = label_find(items, number);
		if (!label_is_offset(&label) || is_file_offset(items, &label))
			continue;
		propose_offset(r, name, number, false, find_return_kind(r, &label));
		return true;
	}
	return false;
}

/* Read an address and its offset in section 1 of NAME, which shows where that section is: "00007FF6F64A1600
   000000DDD2EFF760 0001:0000000000000600 C:\app\drv.dll", "7FF6F64A1600 (drv.dll:0001:00000600)".  Returns whether the
   line has both. */
static bool read_section_offset(struct rules *r, const struct item *name)
{
	const struct items *items = &r->items;
	const struct item *address = NULL;
	for (size_t i = 0; i < items->count; i++) {
		const struct item *number = &items->item[i];
		const char *text = items->text;
		const size_t at = number->begin;
		if (!address && may_be_address(number))
			address = number;
		if (!address || number == address || number->is_name || at < items->begin + 3 || text[at - 1] != ':' ||
		    text[at - 2] != '1' || text[at - 3] != '0' || number->digits < 8)
			continue;
		const uint64_t code = address->value - number->value;
		if (code % PAGE || code < IMAGE_GRANULE)
			return false;
		/* The section's RVA is nearly always PAGE.  If no base fits that, the image must show the RVA. */
		propose_loaded_item(r, name, code - PAGE, 0, may_be_base(code - PAGE) ? 0 : code);
		add_token(r, address, name, address->value, true, IS_OPEN, PROOF_NAMED);
		return true;
	}
	return false;
}

/* ------------------------------------------------------------------------------------------------ rule 4 */

/* Whether TEXT can be the heading of a list of modules: it has a word such as "module", or "base" and "size". */
static bool is_list_heading(const char *text, size_t length)
{
	static const char *const words[] = {
		"module", "loaded", "librar", "image list", "images", "dll", "driver name"
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (label_text_has(text, length, words[i]))
			return true;
	return label_text_has(text, length, "base") && label_text_has(text, length, "size");
}

/* Whether the current line can be a row of a list of modules: the last row of a list, or its heading, is at most
   RULES_NEAR lines before.  Also stores what a new heading shows about the list. */
static bool is_in_list(struct rules *r)
{
	for (size_t i = 0; i < RULES_NEAR; i++) {
		const struct rules_heading *heading = &r->headings[i];
		if (heading->line <= r->list_line || r->line - heading->line > RULES_NEAR ||
		    !is_list_heading(heading->text, heading->length))
			continue;
		r->list_line = heading->line;
		r->has_offsets = (label_text_has(heading->text, heading->length, "offset") ||
				  label_text_has(heading->text, heading->length, "rva")) &&
				 !label_text_has(heading->text, heading->length, "size");
		r->from_text = label_text_has(heading->text, heading->length, "from") &&
			       label_text_has(heading->text, heading->length, "syms read");
	}
	return r->list_line > 0 && r->line - r->list_line <= RULES_NEAR;
}

/* Whether the module NAME can be loaded at VALUE: firmware loads at any page. */
static bool may_be_base_of(const struct items *items, const struct item *name, uint64_t value)
{
	const struct rules_label file = { items->text + name->name, name->end - name->name, name->name };
	return may_be_base(value) || (value >= IMAGE_GRANULE && value % PAGE == 0 && label_ends_with(&file, ".efi"));
}

/* Store in ROW the NAME of the current line. */
static void store_row_name(const struct rules *r, struct rules_row *row, const struct item *name)
{
	const size_t length = name->end - name->name;
	row->length = length <= sizeof row->name ? length : 0;
	row->base = 0;
	memcpy(row->name, r->items.text + name->name, row->length);
	row->line = r->line;
}

/* Store ROW, of module NAME, in r->waiting.  If two rows wait there already, the last near ROW, the three rows are a
   list: propose them all instead. */
static void store_or_propose_row(struct rules *r, const struct item *name, const struct rules_row *row)
{
	const size_t last = r->waiting_count;
	if (last > 0 && row->line - r->waiting[last - 1].line > RULES_NEAR)
		r->waiting_count = 0;
	if (r->waiting_count < RULES_WAITING_MAX) {
		r->waiting[r->waiting_count++] = *row;
		return;
	}
	for (size_t i = 0; i < RULES_WAITING_MAX; i++)
		propose_loaded(r, r->waiting[i].name, r->waiting[i].length, r->waiting[i].base, r->waiting[i].size, 0);
	propose_loaded_item(r, name, row->base, row->size, 0);
	r->waiting_count = 0;
	r->list_line = row->line;
}

/* Returns the size of a module at BASE if NEXT, the number after BASE, is its size or its end; 0 if NEXT is neither. */
static uint64_t find_size_in_row(uint64_t base, uint64_t next)
{
	const uint64_t end = next + (next % PAGE == PAGE - 1), size = next > base ? end - base : next;
	return size % PAGE == 0 && size <= SIZE_MOST ? size : 0;
}

/* Read "drv.dll  1600" below the heading "Module  Offset".  Returns whether the line is such a row. */
static bool read_offset_row(struct rules *r, const struct item *name)
{
	enum { LEAST_DIGITS = 4 };
	const struct items *items = &r->items;
	for (size_t i = 0; i < items->count; i++) {
		const struct item *number = &items->item[i];
		if (number->is_name || number->begin < name->end || number->digits < LEAST_DIGITS)
			continue;
		if (may_be_base(number->value) && number->value > RVA_MAX)
			continue; /* a load address: the column for the offset may be after it */
		if (number->dashed || number->value < PAGE || number->value > RVA_MAX || may_be_base(number->value))
			return false;
		add_token(r, number, name, number->value, false, IS_OPEN, PROOF_CODE);
		r->list_line = r->line;
		return true;
	}
	return false;
}

/* Read the row of a list of modules: NAME, and where it is loaded.  LISTED: the line is near other rows or a heading
   (is_in_list()).  Returns whether the line is such a row. */
static bool read_list_row(struct rules *r, const struct item *name, bool listed)
{
	static const char *const words[] = { "loaded", "modload", "module", NULL };
	const struct items *items = &r->items;
	bool from_text = listed && r->from_text;
	const struct item *base = NULL, *next = NULL, *other = NULL;
	struct rules_row row;
	bool prefix = false, has_size = false;
	for (size_t i = 0; i < items->count; i++)
		prefix |= items->item[i].prefix;
	for (size_t i = 0; i < items->count; i++) {
		const struct item *number = &items->item[i];
		if (number->is_name || number->digits < (base && number->prefix ? 3 : 5))
			continue;
		const struct rules_label label = label_find(items, number);
		has_size |= base && label_ends_with(&label, "size");
		if (label_is_not_code(&label) && !label_ends_with(&label, "base") && !label_ends_with(&label, "handle"))
			continue;
		if (base) {
			next = number;
			break;
		}
		/* gdb: "0x401000 - 0x402000 is .text in C:\app.exe", "from="0x401000",to="0x402000"" */
		const bool of_text = number->value % IMAGE_GRANULE == PAGE &&
				     (label_text_is(label.word, label.length, "from") ||
				      (number->end < name->begin &&
				       label_text_has(items->text + number->end, name->begin - number->end,
						      ".text in ")));
		const bool good = may_be_base_of(items, name, number->value) || of_text ||
				  (from_text && number->value % PAGE == 0);
		/* In a line with a "0x", a number without it can be decimal, such as the size of the file: skip it. */
		if (!good && !number->dashed &&
		    (!prefix || number->prefix || number->decimal == 0 || label_is_address(&label))) {
			if (!prefix || label_is_address(&label))
				return false;
			other = number;
		}
		base = good ? number : NULL;
		from_text |= of_text;
	}
	if (!base || (base->dashed && !next))
		return false;
	store_row_name(r, &row, name);
	row.base = base->value;
	row.size = next ? find_size_in_row(base->value, next->value) : 0;
	/* A number before the base can be the address of the loader's data, if it is outside the module; to check that,
	   the module's size must be known. */
	if (other && (row.size == 0 || other->value - row.base < row.size))
		return false;
	const struct rules_label end = { .begin = items->length };
	listed |= has_size || label_is_after(items, &end, words, items->length, true) ||
		  label_text_has(items->text + items->begin, items->length - items->begin, "base");
	if (from_text)
		propose_loaded_item(r, name, base->value - PAGE, 0, base->value);
	else if (listed)
		propose_loaded_item(r, name, row.base, row.size, 0);
	else
		store_or_propose_row(r, name, &row);
	if (listed)
		r->list_line = r->line;
	return true;
}

/* Whether NUMBER, which has LABEL, is a load address: "base at F8B5C000", "module_base=0x400000". */
static bool is_load_address(const struct items *items, const struct item *number, const struct rules_label *label)
{
	static const char *const bases[] = { "base", "loaded", NULL };
	return number->value > 0 && number->value % PAGE == 0 &&
	       (label_text_has(label->word, label->length, "base") || label_ends_with(label, "image_addr") ||
		(label_text_is(label->word, label->length, "at") &&
		 label_is_after(items, label, bases, sizeof "loaded ", false)));
}

/* Whether LABEL, or the text before LABEL, shows that an offset is where a fault was, not an offset in a file. */
static bool is_offset_of_fault(const struct items *items, const struct rules_label *label)
{
	static const char *const words[] = { "fault", "exception", "crash", "module", "dll", NULL };
	return label_has_or_is_after(items, label, words, label->begin);
}

/* Whether the first character of the line that is no blank is ASCII; in Chinese it is not. */
static bool begins_with_ascii(const struct items *items)
{
	return (unsigned char)items->text[items_skip_blanks(items, items->begin)] < 0x80;
}

/* Read the base of the module that a line before names (r->named), or an offset in that module: "Image base:
   0x1fe9ab000, image size: 0x4000", "Basisadresse: 0x400000", "Fault offset: 0x1600", "Offset_in_DLL=1600".  In any
   language, Windows' report of a fault has the name of the module, a status of NT such as c0000005, and the offset on
   three lines in a row.  Returns whether the line has such a value. */
static bool read_value_of_stored_name(struct rules *r)
{
	enum { LEAST_FOREIGN = 0x400000 }; /* smaller numbers can be sizes */
	const struct items *items = &r->items;
	const struct item *number = &items->item[0];
	if (r->named.length == 0 || r->line - r->named.line > RULES_NEAR || items->count == 0)
		return false;
	const struct rules_label label = label_find(items, number);
	const bool is_address = label_text_has(label.word, label.length, "address") ||
				label_text_has(label.word, label.length, "adress");
	const struct rules_label next = label_find(items, &items->item[items->count - 1]);
	if (items->count > 2 || (items->count == 2 && !label_ends_with(&next, "size")))
		return false;
	/* In a line in other letters, whose label cannot be read, the first number after the module's name that has all
	   digits and can be a load address counts as the load address of that module. */
	const bool is_foreign = r->named.base == 0 && number->value >= LEAST_FOREIGN && label.length == 0 &&
				!begins_with_ascii(items) && has_all_digits(number);
	if ((number->value >= IMAGE_GRANULE && is_load_address(items, number, &label)) ||
	    ((is_address || is_foreign) && may_be_base(number->value))) {
		propose_loaded(r, r->named.name, r->named.length, number->value, 0, 0);
		r->named.base = number->value;
		return true;
	}
	if (items->count > 1)
		return false;
	if (number->value >> 28 == 0xc)
		r->status_line = r->line;
	const bool after_status = r->status_line >= r->named.line && r->line == r->status_line + 1 && number->prefix &&
				  has_all_digits(number) && number->value >= PAGE;
	const bool is_offset = label_text_has(label.word, label.length, "offset") && is_offset_of_fault(items, &label);
	if (!(is_offset || after_status) || number->value > RVA_MAX)
		return false;
	struct token *token = add_token(r, number, NULL, number->value, false, IS_EXACT, PROOF_CODE);
	if (token) {
		token->module = r->named.name;
		token->module_length = r->named.length;
	}
	return true;
}

/* Whether a single "+" is before NUMBER, an offset. */
static bool is_offset_after_plus(const struct items *items, const struct item *number)
{
	return number->value >= PAGE && number->value <= RVA_MAX && number->begin > items->begin &&
	       items->text[number->begin - 1] == '+';
}

/* Whether no word and no number is between A and B. */
static bool are_neighbours(const struct items *items, const struct item *a, const struct item *b)
{
	const struct item *first = a < b ? a : b, *second = a < b ? b : a;
	for (size_t at = first->end; at < second->begin; at++)
		if (is_word_char(items->text[at]))
			return false;
	return true;
}

/* Read addresses in a line that has the base of NAME: "driver.sys -- Address F8B5D7A4 base at F8B5C000", "driver.sys
   (loaded at 0xF8B5C000), in +0x17a4".  If not LABELLED, no word shows which number is the base: "ip=7FF6F64A1600
   7FF6F64A0000 drv.dll".  Then the base must have more than 32 bits, as a smaller number could be a size; an address
   without a label could be an entry point, so it must be after a call.  Returns whether the line has such addresses. */
static bool read_line_with_base(struct rules *r, const struct item *name, bool labelled)
{
	const struct items *items = &r->items;
	const struct item *base = NULL;
	bool found = false;
	for (size_t i = 0; i < items->count; i++) {
		const struct item *number = &items->item[i];
		if (number->is_name || number->digits < 5)
			continue;
		const struct rules_label label = label_find(items, number);
		if (labelled ? is_load_address(items, number, &label)
			     : number->value > UINT32_MAX && may_be_base(number->value))
			base = number;
	}
	for (size_t i = 0; i < items->count && base; i++) {
		const struct item *number = &items->item[i];
		struct rules_label label = { .length = 0 };
		const bool added = labelled && is_offset_after_plus(items, number);
		const uint64_t offset = added ? number->value : number->value - base->value;
		if (number == base || (!added && (!may_be_code(items, number, &label) || offset > RVA_MAX)))
			continue;
		const bool sure = added || label_is_address(&label) ||
				  (labelled &&
				   (is_beside(items, number, name) || is_joined_by_in(items, number, name)));
		if (!sure && (labelled || !are_neighbours(items, number, base)))
			continue;
		if (!found)
			propose_loaded_item(r, name, base->value, 0, 0);
		add_token(r, number, name, offset, false, added ? IS_OPEN : find_return_kind(r, &label),
			  sure ? PROOF_CODE : PROOF_CALL);
		found = true;
	}
	return found;
}

/* Rule 2 in columns: read an address and its offset in NAME: "drv.dll  00007FF6F64A0000  1600  00007FF6F64A1600", "at
   address 00401600 in module 'app.exe' (offset 1600)".  Returns whether the line has both. */
static bool read_address_with_offset(struct rules *r, const struct item *name)
{
	const struct items *items = &r->items;
	for (size_t i = 0; i < items->count; i++) {
		const struct item *number = &items->item[i];
		uint64_t offset = number->value, base;
		if (number->is_name || offset < PAGE || offset > RVA_MAX)
			continue;
		struct rules_label label = label_find(items, number);
		const struct item *address = find_agreeing_address(items, &offset, 0, &base);
		if (label_is_not_code(&label) || !address || address == number || !may_be_code(items, address, &label))
			continue;
		propose_loaded_item(r, name, base, 0, 0);
		add_token(r, address, name, address->value, true, find_return_kind(r, &label), PROOF_NAMED);
		return true;
	}
	return false;
}

/* --------------------------------------------------------------------------------------------- rules 3, 5 */

/* Store in *WORD the name in parentheses after NUMBER: "(drv.sys)" or "(drv)".  Returns false if there is none. */
static bool find_word_in_brackets(const struct items *items, const struct item *number, struct item *word)
{
	const size_t bracket = items_skip_blanks(items, number->end), begin = bracket + 1;
	size_t end = begin;
	while (end < items->length && is_module_char(items->text[end]))
		end++;
	*word = (struct item){ .is_name = true, .begin = begin, .name = begin, .end = end };
	return begin < end && end < items->length && items->text[bracket] == '(' && items->text[end] == ')';
}

/* Read "at 0x1600 in drv.dll", "drv.dll crashed at 0x1600" or "0x0000000000001600 (drv)": a number that is too small
   for an address of code is an offset in a module.  It must be beside the module's name, or after that name and a word
   for a fault; and it must have a label for addresses, or all 16 digits.  Returns whether there is such an offset. */
static bool read_small_offset(struct rules *r)
{
	enum { ALL_DIGITS = 16, LEAST_BASE = 0x400000, LARGEST = 0x10000000 };
	static const char *const faults[] = { "fault", "exception", "crash", "violation", NULL };
	const struct items *items = &r->items;
	for (size_t i = 0; i < items->count; i++) {
		const struct item *number = &items->item[i], *name = number + 1;
		if (number->is_name || number->dashed || number->value < PAGE || number->value >= LARGEST)
			continue;
		const bool all_digits = number->digits == ALL_DIGITS;
		if (!all_digits && items->names == 0)
			continue;
		const struct rules_label label = label_find(items, number);
		bool is_named = i + 1 < items->count && name->is_name &&
				(is_beside(items, number, name) || is_joined_by_in(items, number, name));
		if (!is_named && i == 1 && items->count == 2 && items->item[0].is_name &&
		    label_is_after(items, &label, faults, FAULT_MAX, true)) {
			name = &items->item[0];
			is_named = true;
		}
		struct item word;
		if (!is_named && !(all_digits && find_word_in_brackets(items, number, &word)))
			continue;
		const bool is_short = number->prefix && !has_all_digits(number) && number->value < LEAST_BASE &&
				      label_is_address(&label);
		if ((!all_digits && !is_short) || label_is_not_code(&label) || label_is_data(items, &label))
			continue;
		add_token(r, number, is_named ? name : &word, number->value, false, find_return_kind(r, &label),
			  PROOF_CODE);
		return true;
	}
	return false;
}

/* Add a token for the address NUMBER, which must be in the module NAME. */
static void add_address_in_module(struct rules *r, const struct item *number, const struct item *name)
{
	const struct rules_label label = label_find(&r->items, number);
	add_token(r, number, name, number->value, true, find_return_kind(r, &label), PROOF_NAMED);
}

/* Rule 3: propose the first address beside NAME as one in that module.  ONLY: the line names no other module, so an
   address with a label for addresses counts, too; without one, all with all digits do.  Returns whether any counts. */
static bool read_address_beside(struct rules *r, const struct item *name, bool only)
{
	const struct items *items = &r->items;
	struct rules_label label;
	const size_t before = r->count;
	for (size_t i = 0; i < items->count; i++) {
		const struct item *number = &items->item[i];
		if (!may_be_code(items, number, &label) ||
		    !(is_beside(items, number, name) ||
		      (only && (label_is_address(&label) || label_holds_return_address(&label)))))
			continue;
		add_address_in_module(r, number, name);
		return true;
	}
	for (size_t i = 0; i < items->count && only; i++) {
		if (items->item[i].begin > name->begin && r->count > before)
			break; /* the rest are addresses of data: "00401600 in module 'app.exe', write of 00402600" */
		if (may_be_code(items, &items->item[i], &label) && has_all_digits(&items->item[i]))
			add_address_in_module(r, &items->item[i], name);
	}
	return r->count > before;
}

/* Whether the line has an offset, "(+0xf0a5)" or "a+000000000000f0a5", that agrees with no address in it.  Without the
   parenthesis, fewer than 8 digits after "+" do not count: they can be an offset in a function. */
static bool has_contradicted_offset(const struct items *items)
{
	enum { LEAST_DIGITS = 8 };
	uint64_t base;
	for (size_t i = 0; i < items->count; i++) {
		uint64_t offset = items->item[i].value;
		const size_t at = items->item[i].begin;
		const bool added = at > items->begin && items->text[at - 1] == '+';
		const bool alone = added && at > items->begin + 1 && items->text[at - 2] == '(';
		if ((alone || (added && items->item[i].digits >= LEAST_DIGITS)) &&
		    !find_agreeing_address(items, &offset, 0, &base))
			return true;
	}
	return false;
}

/* Whether the text after NUMBER describes data at that address: "0x12345678 is 4 bytes inside a block".  But gdb's
   "0x401234 is in main" describes code. */
static bool is_described_as_data(const struct items *items, const struct item *number)
{
	static const char *const words[] = { " is located", " is on", NULL };
	const char *text = items->text + number->end;
	const size_t left = items->length - number->end;
	for (size_t i = 0; words[i]; i++)
		if (left >= strlen(words[i]) && label_text_is(text, strlen(words[i]), words[i]))
			return true;
	return left > 4 && label_text_is(text, 4, " is ") && is_digit(text[4]);
}

/* Whether the line ends with NUMBER and a colon, as a mailer has wrapped it before the module's name: "backtrace:
   00006FFFFFABACDB:".  A number with a prefix does not count: Free Pascal prints "error 216 at $00401234:". */
static bool is_before_wrapped_name(const struct items *items, const struct item *number)
{
	size_t at = number->end;
	if (number->prefix)
		return false;
	while (at < items->length && !is_word_char(items->text[at]))
		at++;
	return at == items->length && at > number->end && items->text[number->end] == ':';
}

/* Whether NUMBER follows the value of a register, with no word between: then NUMBER is what memory has at that address,
   as in "esi | 0x12345678 | 0x00401234". */
static bool is_after_register(const struct items *items, const struct item *number)
{
	const struct item *first = number;
	while (first > items->item && !first[-1].is_name && are_neighbours(items, &first[-1], first))
		first--;
	const struct rules_label label = label_find(items, first);
	return first < number && label_is_other_register(&label);
}

/* Whether the line is a row of a dump of memory: "0x0028F49C:  00000001 00401234"; or whether its words are all numbers
   without a prefix: two or more of 8 digits, or four or more of 16. */
static bool is_memory_row(const struct items *items)
{
	enum { ALL_DIGITS = 8, LEAST = 2, LEAST_LONG = 4 };
	const struct item *first = &items->item[0];
	size_t plain = 0, at = items->begin;
	if (items->count == 0)
		return false;
	for (; plain < items->count && first[plain].digits % ALL_DIGITS == 0; plain++) {
		if (first[plain].prefix || first[plain].begin != items_skip_blanks(items, at))
			break;
		at = first[plain].end;
	}
	while (at < items->length && !is_word_char(items->text[at]))
		at++;
	const bool bare = plain == items->count && at == items->length;
	return (bare && plain >= (first->digits == ALL_DIGITS ? LEAST : LEAST_LONG)) ||
	       (items->count > 2 && (first->prefix || first->digits >= ALL_DIGITS) &&
		first->begin == items_skip_blanks(items, items->begin) && items->text[first->end] == ':' &&
		is_blank(items->text[first->end + 1]));
}

/* Whether NUMBER, which has LABEL, is the address of data that the code at the line's program counter has accessed:
   "addr=0x401234 pc=0x402345", "rip 0x402345 info1 0x401234". */
static bool is_accessed_data(const struct items *items, const struct item *number, const struct rules_label *label)
{
	const bool is_info = label->length > 4 && label_text_is(label->word, 4, "info");
	if (items->count < 2 || label_is_program_counter(label) || !(is_info || label_is_address(label)))
		return false;
	for (const struct item *other = items->item; other < items->item + items->count; other++) {
		if (other == number || other->value == number->value || !may_be_address(other))
			continue;
		const struct rules_label another = label_find(items, other);
		/* Wine's "addr=" is code, too, the same as "ip=" or a bit before it: "addr=7C5E1231 ip=7c5e1240". */
		if (label_is_program_counter(&another) && !label_text_is(another.word, another.length, "ip"))
			return true;
	}
	return false;
}

/* Rule 5: propose the addresses of a line without a module. */
static void read_addresses_alone(struct rules *r)
{
	const struct items *items = &r->items;
	/* The parameters of a bugcheck whose code is not known: "(0xC0000005,0x80A01230,0x80A01230,0x80A01230)" */
	const size_t first = items_skip_blanks(items, items->begin);
	if (has_contradicted_offset(items) || is_memory_row(items) ||
	    (items->count > 1 && items->item[0].begin == first + 1 && items->text[first] == '('))
		return;
	for (size_t i = 0; i < items->count; i++) {
		const struct item *number = &items->item[i];
		struct rules_label label;
		if (number->begin < r->token_end || !may_be_code(items, number, &label) ||
		    label_text_is(label.word, label.length, "error") || is_before_wrapped_name(items, number) ||
		    is_described_as_data(items, number) || is_after_register(items, number))
			continue;
		/* After a matcher's token, skip a number that is equal to the number before it: gdb prints it twice. */
		if (r->token_end > 0 && i > 0 && number[-1].value == number->value)
			continue;
		const bool certain = label_is_program_counter(&label) || label_holds_return_address(&label);
		const enum is_return kind = find_return_kind(r, &label);
		/* "for address 00401234" can be anything; "Exception at address 00401234" is code. */
		const bool told = label_is_address(&label) &&
				  (number->prefix || kind == IS_EXACT || items->text[number->begin - 1] == '=');
		/* after a matcher's token, numbers can be the arguments of a function */
		const bool sure = certain || (r->token_end == 0 && (told || has_all_digits(number)));
		if (kind == IS_RETURN || !is_accessed_data(items, number, &label))
			add_token(r, number, NULL, number->value, true, kind, sure ? PROOF_CODE : PROOF_CALL);
	}
}

/* ------------------------------------------------------------------------------------------------ a line */

/* Whether the names A and B are equal.  Case and paths do not count. */
static bool have_same_name(const struct items *items, const struct item *a, const struct item *b)
{
	const size_t length = a->end - a->name;
	return b->end - b->name == length && equal_ignoring_case(items->text + a->name, items->text + b->name, length);
}

/* Returns the only name of the line; NULL if it has none, or names several modules.  BEFORE_RANGE: only names before a
   range of addresses count (Visual Studio's list of modules names the process after it); without a range, none does. */
static const struct item *find_only_name(const struct items *items, bool before_range)
{
	const struct item *name = NULL;
	for (size_t i = 0; i < items->count && items->names > 0; i++) {
		const struct item *item = &items->item[i];
		if (before_range && item->dashed && item->value >= IMAGE_GRANULE && i + 1 < items->count &&
		    item[1].dashed)
			return name;
		if (!item->is_name)
			continue;
		if (name && !have_same_name(items, name, item))
			return NULL;
		name = name ? name : item;
	}
	return before_range ? NULL : name;
}

/* Returns the name directly before a load address of more than 32 bits, "drv.dll" in '"app.exe","drv.dll",
   "0x7FF6F64A0000"'; NULL if there is none. */
static const struct item *find_name_before_base(const struct items *items)
{
	for (size_t i = 1; i < items->count; i++) {
		const struct item *number = &items->item[i];
		if (number[-1].is_name && !number->is_name && number->value > UINT32_MAX &&
		    may_be_base(number->value) && are_neighbours(items, &number[-1], number))
			return &number[-1];
	}
	return NULL;
}

/* Apply the rules to the line or record in r->items.  NAME is the result of find_only_name(..., false) for it. */
static void apply_rules(struct rules *r, const struct item *name)
{
	const struct items *items = &r->items;
	if ((name && read_line_with_base(r, name, true)) || read_offsets(r))
		return;
	if (r->token_end > 0) {
		read_addresses_alone(r);
		return;
	}
	if (name && (read_section_offset(r, name) || read_labelled_offset(r, name)))
		return;
	const struct item *based = name || items->names < 2 ? name : find_name_before_base(items);
	if (based && (read_address_with_offset(r, based) || (!name && read_line_with_base(r, based, false))))
		return;
	const struct item *row = name ? name : find_only_name(items, true);
	const bool listed = row &&
			    is_in_list(r); /* searches the headings, which takes long: only for a line with a name */
	if ((name && listed && r->has_offsets && read_offset_row(r, name)) || (row && read_list_row(r, row, listed)) ||
	    (name && read_line_with_base(r, name, false)))
		return;
	if (read_small_offset(r))
		return;
	for (size_t i = 0; i < items->count; i++)
		if (items->item[i].is_name && read_address_beside(r, &items->item[i], name != NULL))
			return;
	if (name)
		store_row_name(r, &r->named, name);
	else if (items->names == 0 && !read_value_of_stored_name(r))
		read_addresses_alone(r);
}

/* Count the records in braces or angle brackets that have a module's name and another item.  READ: also apply the rules
   to each record, as to a line of its own.  A line of JSON or XML can have a whole stack, or a list of modules, in such
   records: {"module":"a.dll","offset":"0x1600"}. */
static size_t count_or_read_records(struct rules *r, const char *text, const struct rules_line *line, bool read)
{
	const size_t length = line->length - line->begin;
	const bool braces = memchr(text + line->begin, '}', length) != NULL;
	const char begins = braces ? '{' : '<', ends = braces ? '}' : '>';
	size_t count = 0, open = line->length;
	if (!braces && !memchr(text + line->begin, '>', length))
		return 0; /* as in nearly all lines */
	for (size_t at = line->begin; at < line->length; at++) {
		if (text[at] == begins)
			open = at;
		if (text[at] != ends || open > at)
			continue;
		items_read(&r->items, text, open + 1, at);
		open = line->length;
		if (r->items.names == 0 || r->items.count < 2)
			continue;
		r->record = count++;
		if (read)
			apply_rules(r, find_only_name(&r->items, false));
	}
	r->record = 0;
	return count;
}

/* Replace each O in the word from BEGIN to END by 0, if it then is a number of 8 or 16 digits, like an address. */
static void correct_typed_number(char *text, size_t begin, size_t end)
{
	bool digit = false;
	begin += end - begin > 2 && text[begin] == '0' && (text[begin + 1] | 0x20) == 'x' ? 2 : 0;
	for (size_t at = begin; at < end; at++) {
		if (!is_hex(text[at]) && text[at] != 'O')
			return;
		digit |= is_digit(text[at]);
	}
	for (size_t at = begin; at < end && digit && (end - begin == 8 || end - begin == 16); at++)
		text[at] = text[at] == 'O' ? '0' : text[at];
}

/* Returns the text of LINE.  But if somebody may have typed it from a screen, "*** driver.sys - Address F8B5D7O4",
   returns r->typed, a copy with corrected numbers. */
static const char *correct_typed_text(struct rules *r, const struct rules_line *line)
{
	const char *text = line->text;
	if (line->length > sizeof r->typed || line->length < line->begin + 3 ||
	    memcmp(text + line->begin, "***", 3) != 0)
		return text;
	memcpy(r->typed, text, line->length);
	for (size_t begin = line->begin, end; begin < line->length; begin = end + 1) {
		for (end = begin; end < line->length && is_word_char(text[end]);)
			end++;
		correct_typed_number(r->typed, begin, end);
	}
	return r->typed;
}

void rules_read_line(struct rules *r, const struct rules_line *line, bool known)
{
	r->count = 0;
	r->line = line->number;
	r->token_end = line->token_end;
	const char *text = correct_typed_text(r, line);
	if (!known && count_or_read_records(r, text, line, false) > 1) {
		count_or_read_records(r, text, line, true);
		return;
	}
	items_read(&r->items, text, line->begin, line->length);
	const struct item *name = find_only_name(&r->items, false);
	if (!known)
		apply_rules(r, name);
	else if (name)
		store_row_name(r, &r->named, name);
	if (r->count == 0 && r->items.names == 0)
		rules_store_heading(r, line);
}

void rules_store_heading(struct rules *r, const struct rules_line *line)
{
	struct rules_heading *heading = &r->headings[r->next_heading];
	if (line->length > sizeof heading->text)
		return;
	r->next_heading = (r->next_heading + 1) % RULES_NEAR;
	heading->line = line->number;
	heading->length = line->length;
	memcpy(heading->text, line->text, line->length);
}
