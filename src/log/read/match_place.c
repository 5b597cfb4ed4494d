// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_place.c - a module and an offset in it
 *
 *     win32k+0x1a2b3					WinDbg, without symbols: a module and an RVA
 *     win32k+1a2b3						WinDbg's !analyze
 *     win32k.sys+1a2b3					people write it so, without the "0x"
 *     0x7FF6CBEE693C SkyrimSE.exe+064693C			loggers of games: the address comes first
 *
 * A "+" is common in other text, so the matcher is called at the "+" and looks back for the module.
 *
 * If a row has an address and an offset, address - offset is the load address of the module, a multiple of 64 KiB.  So
 * the row gives both a token and a fact.  If the difference is 1 more than a multiple of that, the program has
 * subtracted 1 from the offset, because the address is a return address.  With another remainder, the two do not belong
 * together.
 *
 * Rows of stacks with a number, or without an address, are forms of forms.txt.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

bool match_derive_base(uint64_t address, uint64_t offset, uint64_t *base, bool *corrected)
{
	enum { GRANULARITY = 0x10000 }; /* Windows loads modules at multiples of this */
	*base = address - offset;
	*corrected = *base % GRANULARITY == 1;
	*base -= *corrected;
	return address >= offset && *base >= GRANULARITY && *base % GRANULARITY == 0;
}

enum match match_with_base(struct tokens *t, enum match match, uint64_t base)
{
	if (match != MATCH_TOKEN)
		return match;
	t->queued = (struct fact){
		.kind = FACT_LOADED, .module = t->token.module, .module_length = t->token.module_length, .base = base
	};
	t->has_queued = true;
	return match;
}

/* Read backwards the number that ends at END.  It must have at least 8 digits, or "0x" and 5.  Returns where it begins, or END if there
   is none. */
static size_t address_before(const struct tokens *t, size_t end, struct number *number)
{
	size_t begin = end;
	while (begin > 0 && end - begin < 18 && is_word(t->text[begin - 1]))
		begin--;
	if (begin == end || number_parse(t->text + begin, end - begin, number) != end - begin || number->digits > 16 ||
	    number->digits < (number->prefix ? 5 : 8) || (begin > 0 && is_word(t->text[begin - 1])))
		return end;
	return begin;
}

enum is_return match_row_is_return(unsigned row, bool corrected)
{
	return row == 0 || corrected ? IS_EXACT : IS_RETURN;
}

/* Returns where the module's name that ends at END begins, in forms without a delimiter: "win32k", "libstdc++-6.dll".
   Text before LEAST is no part of the name.  Returns END if there is no name. */
static size_t name_before(const struct tokens *t, size_t end, size_t least)
{
	size_t begin = end;
	while (begin > least && end - begin < NAME_LENGTH_MAX) {
		const char *last = t->text + begin - 1;
		if (is_module_char(*last))
			begin--;
		else if (begin - least > 2 && memcmp(last - 1, "++", 2) == 0 && is_word(last[-2]))
			begin -= 2;
		else
			break;
	}
	return begin;
}

/* Returns where the path of the name that begins at NAME begins: at the drive's letter, if there is one. */
static size_t path_before(const struct tokens *t, size_t name)
{
	size_t begin = name;
	if (name == 0 || !is_separator(t->text[name - 1]))
		return name;
	while (begin > t->begin && name - begin < NAME_LENGTH_MAX && t->text[begin] != ':')
		begin--;
	return begin > t->begin && t->text[begin] == ':' ? begin - 1 : name;
}

/* Returns MATCH, the result of match_written() or the like.  If it is a token, and an address is directly before it, queues the fact that the
   two tell, of where the module is loaded.  If the two contradict each other, and the offset has no "0x", returns MATCH_NONE: rules try if
   the offset is decimal, as MATLAB prints it. */
static enum match match_beside(struct tokens *t, enum match match, bool prefix)
{
	enum { PAGE = 0x1000 };
	struct token *token = &t->token;
	struct number address;
	uint64_t base;
	bool corrected;
	if (match != MATCH_TOKEN)
		return match;
	size_t end = path_before(t, token->begin);
	end -= end > 0 && t->text[end - 1] == '(';
	while (end > 0 && is_blank(t->text[end - 1]))
		end--;
	if (address_before(t, end, &address) == end)
		return match;
	if (match_derive_base(address.value, token->number, &base, &corrected)) {
		token->is_return = corrected ? IS_EXACT : IS_OPEN;
		return match_with_base(t, match, base);
	}
	return !address.prefix || address.digits < 8 || prefix || (address.value - token->number + 1) % PAGE <= 2
		       ? match
		       : MATCH_NONE;
}

enum match match_plus(struct tokens *t, struct context *context)
{
	const size_t least = t->at < t->begin ? 0 : t->begin, begin = name_before(t, t->at, least);
	if (begin == t->at)
		return MATCH_NONE;
	/* "nt!KiDispatchException+0x25" is a symbol and an offset from it: WinDbg had the symbols, so
	   it needs no answer. */
	if (begin > least && (t->text[begin - 1] == '!' || t->text[begin - 1] == ':' || t->text[begin - 1] == '@'))
		return MATCH_NONE;
	if (!is_letter(t->text[begin]) && t->text[begin] != '_')
		return MATCH_NONE;
	struct cursor c = cursor_at(t, t->at + 1);
	struct number number;
	if (!cursor_number(&c, &number))
		return MATCH_NONE;
	/* winedbg's "EntryPoint+0x10() in ntdll" is also a symbol and an offset (forms.txt). */
	struct cursor after = cursor_at(t, c.at);
	if (cursor_word(&after, "() in "))
		return MATCH_NONE;
	enum is_return kind = context_in_place(context) ? context->place_kind : IS_OPEN;
	if (number.prefix || (t->line_state == LINE_PLACE && number.digits >= LEAST_WRITTEN))
		return match_beside(
			t,
			match_relative(t, begin, c.at, in_module(t->text + begin, t->at - begin, number.value), kind),
			number.prefix);
	/* "ntoskrnl.exe+8f9b0".  Other text has this form, too: parts of URLs, "a.exe+1". */
	if (number.digits < LEAST_WRITTEN || !match_is_module(t->text + begin, t->at - begin) ||
	    (begin > least && !match_may_surround(t->text[begin - 1])))
		return MATCH_NONE;
	return match_beside(t, match_written(t, begin, c.at, t->text + begin, t->at - begin, number.value), false);
}
