// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_place.c - a module and an offset in it; rows of other programs' stacks, most of them with an address
 *
 *         [1] 0x7FF6CBEE693C SkyrimSE.exe+064693C					loggers of games
 *     C  [jvm.dll+0x4823f5]								Java
 *     8> app+0x2F3BEA										std::stacktrace
 *     Trace  11  000000000041cc6b (app.exe+CC6B)						loggers of games
 *
 * Without an address:
 *
 *     win32k+0x1a2b3					WinDbg, without symbols: a module and an RVA
 *     win32k+1a2b3						WinDbg's !analyze
 *     win32k.sys+1a2b3					people write it so, without the "0x"
 *        7c920000+f0a1       C:\ReactOS\system32\ntdll.dll	kernel32 before 2017: base, RVA, path of the module
 *              0+7c92f0a1				ntdll's handler, which does not know the base: an address
 *
 * A "+" is common in other text, so the matcher is called at the "+" and looks back for the module.
 *
 * If a row has an address and an offset, address - offset is the load address of the module, a multiple of 64 KiB.  So
 * the row gives both a token and a fact.  If the difference is 1 more than a multiple of that, the program has
 * subtracted 1 from the offset, because the address is a return address.  With another remainder, the two do not belong
 * together.
 *
 * In a list with numbers, row 0 is exact and the others are return addresses, if a comment below does not tell
 * otherwise.  For a list without numbers, see context_trace_row().
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

/* Read the number of a row of a stack, which is between the beginning of the line and END: "=>0 ", " 12 ", "3: ", or "[
   1] ", which front.h may have taken for a time stamp.  Returns false if there is none. */
static bool row_number(const struct tokens *t, size_t end, unsigned *row)
{
	size_t at = end;
	static const char trace[] = "Trace  ";
	unsigned scale = 1, digits = 0;
	*row = 0;
	/* Go backwards: over blanks, the sign after the number, the number, and what may be between it
	   and the line's beginning. */
	while (at > 0 && is_blank(t->text[at - 1]))
		at--;
	if (at == end || at == 0 || t->text[at] == '\t')
		return false;
	bool bracket = t->text[at - 1] == ']';
	at -= memchr("],:>", t->text[at - 1], 4) != NULL;
	at -= bracket && at > 0 && t->text[at - 1] == '\\';
	for (; at > 0 && is_digit(t->text[at - 1]) && digits < 3; at--, digits++, scale *= 10)
		*row += scale * (unsigned)(t->text[at - 1] - '0');
	if (digits == 0 || (!bracket && at < t->begin))
		return false;
	if (at == t->begin + sizeof trace - 1 && memcmp(t->text + t->begin, trace, sizeof trace - 1) == 0)
		return true;
	while (at > 0 && memchr(" \t=>", t->text[at - 1], 4))
		at--;
	return bracket ? at > t->columns_end && t->text[at - 1] == '[' : at <= t->begin;
}

enum is_return match_row_is_return(unsigned row, bool corrected)
{
	return row == 0 || corrected ? IS_EXACT : IS_RETURN;
}

/* Whether the module that ends at BEGIN is in a row of AddressSanitizer: "    #3 0x7ff886d36fd3
   (C:\Windows\System32\KERNEL32.DLL+0x180016fd3)".  The offset includes the image's preferred base, which resolve.c
   subtracts.  LLVM's own stack dumps have the same form, without the base.  AddressSanitizer has subtracted 1 from return
   addresses, LLVM has not, so they are open. */
static bool is_asan(const struct tokens *t, size_t begin)
{
	size_t path = begin;
	if (t->begin >= begin || t->text[t->begin] != '#')
		return false;
	while (path > t->begin && begin - path < NAME_LENGTH_MAX && t->text[path - 1] != '(')
		path--;
	return match_is_path(t->text + path, begin - path);
}

/* Read what comes before "module+offset" at BEGIN: an address, the number of the row, or the letter of Java's row.
   Returns false if that tells nothing.  Otherwise stores in *RET whether the place is a return address, and in *BASE
   where the module is loaded, or 0 if that is unknown. */
static bool read_before(const struct tokens *t, struct context *context, size_t begin, uint64_t offset,
			enum is_return *ret, uint64_t *base)
{
	struct number address;
	unsigned row;
	bool corrected;
	size_t at = begin - (begin > 0 && t->text[begin - 1] == '('),
	       mark = begin - (begin > 0 && t->text[begin - 1] == '[');
	*base = 0;
	mark -= mark < begin && mark > 0 && t->text[mark - 1] == '\\';
	if (mark < begin && mark >= 3 &&
	    (memcmp(t->text + mark - 3, "C  ", 3) == 0 || memcmp(t->text + mark - 3, "V  ", 3) == 0)) {
		*ret = mark >= 5 && memcmp(t->text + mark - 5, "# ", 2) == 0 ? IS_EXACT : context_trace_row(context);
		return true;
	}
	if (is_asan(t, begin)) {
		struct cursor c = cursor_at(t, t->begin + 1);
		struct number frame;
		*ret = cursor_number(&c, &frame) && frame.value > 0 ? IS_OPEN : IS_EXACT;
		return true;
	}
	while (at > 0 && is_blank(t->text[at - 1]))
		at--;
	size_t end = at;
	at = address_before(t, end, &address);
	if (at < end && match_derive_base(address.value, offset, base, &corrected)) {
		*ret = row_number(t, at, &row) ? match_row_is_return(row, corrected) : corrected ? IS_EXACT : IS_OPEN;
		return true;
	}
	*base = 0;
	/* std::stacktrace: "8> app+0x2F3BEA".  It prints return addresses only. */
	*ret = IS_RETURN;
	if (at == end && end > 0 && t->text[end - 1] == '>' && begin > end && row_number(t, begin, &row))
		return true;
	/* "8, ProcessHacker.exe+0x1534" */
	bool listed = at == end && end > 0 && t->text[end - 1] == ',' && begin > end && row_number(t, begin, &row);
	*ret = listed ? match_row_is_return(row, false) : IS_OPEN;
	return listed;
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

/* Compare the offset of the token, a number without "0x", with the address that is directly before the token: they belong
   together if the difference is a multiple of a page, or 1 more or less.  If it is not, but would be if the offset was
   decimal, as MATLAB prints it, makes it that.  Returns false if the two contradict each other. */
static bool agrees_with_address(struct tokens *t)
{
	enum { PAGE = 0x1000 };
	struct token *token = &t->token;
	struct number address;
	uint64_t decimal = 0;
	size_t end = path_before(t, token->begin), at = token->end;
	while (end > 0 && is_blank(t->text[end - 1]))
		end--;
	while (at > token->begin && t->text[at - 1] != '+')
		at--;
	if (address_before(t, end, &address) == end || !address.prefix || address.digits < 8 ||
	    (at + 1 < token->end && t->text[at + 1] == 'x') || (address.value - token->number + 1) % PAGE <= 2)
		return true;
	for (; at < token->end && is_digit(t->text[at]) && decimal < UINT32_MAX; at++)
		decimal = decimal * 10 + (unsigned)(t->text[at] - '0');
	token->number = decimal;
	return at == token->end && (address.value - decimal + 1) % PAGE <= 2;
}

/* Returns MATCH, the result of match_written() or the like.  If it is a token, the text before the token may tell whether its address
   is a return address, which is stored in the token, and where the module is loaded, which is queued as a fact. */
static enum match match_listed(struct tokens *t, struct context *context, enum match match)
{
	enum is_return is_return;
	uint64_t base;
	if (match == MATCH_TOKEN && !agrees_with_address(t))
		return MATCH_NONE;
	if (match != MATCH_TOKEN || !read_before(t, context, t->token.begin, t->token.number, &is_return, &base))
		return match;
	t->token.is_return = is_return;
	t->token.may_have_base = is_asan(t, t->token.begin);
	return base ? match_with_base(t, match, base) : match;
}

/* ------------------------------------------------------------------------------------ without an address */

/* Find the path after the numbers, which end at AT, and store its *BEGIN and *END.  Returns false if there is none. */
static bool find_path(const struct tokens *t, size_t at, size_t *begin, size_t *end)
{
	*end = match_text_end(t);
	*begin = at;
	while (*begin < *end && is_blank(t->text[*begin]))
		(*begin)++;
	return *begin < *end;
}

/* Match "   7c920000+f0a1       C:\ReactOS\system32\ntdll.dll" or "          0+7c92f0a1".  BEGIN is the position of the
   base.  The path ends with the line. */
static enum match match_base_and_offset(struct tokens *t, struct context *context, size_t begin)
{
	struct number base, offset;
	if (number_parse(t->text + begin, t->at - begin, &base) != t->at - begin || base.digits > 16 || base.prefix)
		return MATCH_NONE;
	struct cursor c = cursor_at(t, t->at + 1);
	if (!cursor_number(&c, &offset))
		return MATCH_NONE;
	if (offset.prefix || (base.value == 0 ? offset.digits : base.digits) < 5)
		return MATCH_NONE;
	if (match_is_too_long(t, c.at))
		return MATCH_NONE;
	size_t path_begin, path_end;
	bool has_path = find_path(t, c.at, &path_begin, &path_end);
	size_t path_length = path_end - path_begin, note = has_path ? path_end : c.at;
	if (base.value != 0 && !match_is_path(t->text + path_begin, path_length))
		return MATCH_NONE;
	t->token = (struct token){
		.begin = begin,
		.end = note,
		.note = note,
		.module = t->text + path_begin,
		.module_length = base.value ? path_length : 0,
		.absolute = base.value == 0,
		.number = offset.value,
		.is_return = context_token(context, &(struct spelling){ .loaded = true, .row = begin == t->begin }),
	};
	t->at = note;
	if (base.value == 0)
		return MATCH_TOKEN;
	enum match match = match_with_base(t, MATCH_TOKEN, base.value);
	t->queued.user = true;
	return match;
}

enum match match_plus(struct tokens *t, struct context *context)
{
	const size_t least = t->at < t->begin ? 0 : t->begin, begin = match_name_before(t, t->at, least);
	if (begin == t->at)
		return MATCH_NONE;
	if (begin == least || is_blank(t->text[begin - 1])) {
		enum match match = match_base_and_offset(t, context, begin);
		if (match != MATCH_NONE)
			return match;
	}
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
		return match_listed(
			t, context,
			match_relative(t, begin, c.at, in_module(t->text + begin, t->at - begin, number.value), kind));
	/* "ntoskrnl.exe+8f9b0".  Other text has this form, too: parts of URLs, "a.exe+1". */
	if (number.digits < LEAST_WRITTEN || !match_is_module(t->text + begin, t->at - begin) ||
	    (begin > least && !match_may_surround(t->text[begin - 1])))
		return MATCH_NONE;
	return match_listed(t, context, match_written(t, begin, c.at, t->text + begin, t->at - begin, number.value));
}
