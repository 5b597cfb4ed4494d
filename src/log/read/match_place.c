// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_place.c - rows of other programs' stacks that name a module and an offset in it, most of them with an address
 *
 *     =>0 0x038e0040 in league of legends (+0x34e0040) (0x0033fed8)			winedbg
 *     43917.748:...:virtual_unwind backtrace: 00006FFFFFABACDB: L"sechost.dll" + 000000000000ACDB.	Wine
 *      0  ntdll.dll + 0x21f86								Breakpad
 *     PC 0x00017EAF6C02 (0x00017EAF0000+0x00006C02) [ 0] Shell.dll			EDK2
 *         [1] 0x7FF6CBEE693C SkyrimSE.exe+064693C					loggers of games
 *     C  [jvm.dll+0x4823f5]								Java
 *     00007FF6E989158E 0000000000000000 00007FF6E9897668 0000000000000000  app.exe!0x158e	DrMingw
 *     (000456CA){demo.exe } [004466CA]								JCL, EurekaLog
 *      0# 0x0000000000001DE3 in C:\a\app.exe							Boost.Stacktrace
 *     8> app+0x2F3BEA										std::stacktrace
 *     Trace  11  000000000041cc6b (app.exe+CC6B)						loggers of games
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

size_t match_address_before(const struct tokens *t, size_t end, struct number *number)
{
	size_t begin = end;
	while (begin > 0 && end - begin < 18 && is_word(t->text[begin - 1]))
		begin--;
	if (begin == end || number_parse(t->text + begin, end - begin, number) != end - begin || number->digits > 16 ||
	    number->digits < (number->prefix ? 5 : 8) || (begin > 0 && is_word(t->text[begin - 1])))
		return end;
	return begin;
}

bool match_row_number(const struct tokens *t, size_t end, unsigned *row)
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

bool match_is_elf(const char *name, size_t length)
{
	for (size_t i = 0; i + 3 <= length; i++)
		if (memcmp(name + i, ".so", 3) == 0)
			return true;
	return length == 0 || name[0] == '<';
}

enum match match_trace_row(struct tokens *t, struct context *context, enum match match)
{
	if (match == MATCH_TOKEN)
		t->token.is_return = context_trace_row(context);
	return match;
}

/* winedbg: "0x038e0040 in league of legends (+0x34e0040)".  The "+" is at t->at. */
static enum match match_in_module(struct tokens *t)
{
	static const char in[] = " in ";
	size_t end = t->at - 2, begin = end;
	struct number address, offset;
	struct cursor c = cursor_at(t, t->at + 1);
	unsigned row;
	uint64_t base;
	bool corrected, numbered;
	while (begin > 4 && end - begin < NAME_LENGTH_MAX && memcmp(t->text + begin - 4, in, 4) != 0)
		begin--;
	size_t at = begin > 4 ? match_address_before(t, begin - 4, &address) : begin;
	if (begin <= 4 || at == begin - 4 || !address.prefix || match_is_elf(t->text + begin, end - begin))
		return MATCH_NONE;
	if (!cursor_number(&c, &offset) || !cursor_char(&c, ')'))
		return MATCH_NONE;
	if (!match_derive_base(address.value, offset.value, &base, &corrected))
		return MATCH_NONE;
	numbered = match_row_number(t, at, &row);
	return match_with_base(t,
			       match_relative(t, at, c.at, in_module(t->text + begin, end - begin, offset.value),
					      numbered ? match_row_is_return(row, corrected) : IS_EXACT),
			       base);
}

/* Wine: `backtrace: 00006FFFFFABACDB: L"sechost.dll" + 000000000000ACDB.'  The "+" is at t->at. */
static enum match match_backtrace(struct tokens *t, struct context *context)
{
	size_t end = t->at - 2, begin = end;
	struct number address, offset;
	struct cursor c = cursor_at(t, t->at + 2);
	uint64_t base;
	bool corrected;
	while (begin > 5 && end - begin < NAME_LENGTH_MAX && t->text[begin - 1] != '"' && t->text[begin - 1] != '\'')
		begin--;
	if (begin <= 5 || memcmp(t->text + begin - 4, ": L", 3) != 0 ||
	    match_address_before(t, begin - 4, &address) == begin - 4)
		return MATCH_NONE;
	if (!cursor_number(&c, &offset))
		return MATCH_NONE;
	if (!match_derive_base(address.value, offset.value, &base, &corrected))
		return MATCH_NONE;
	return match_trace_row(
		t, context,
		match_with_base(t,
				match_relative(t, t->at + 2, c.at,
					       in_module(t->text + begin, end - begin, offset.value), IS_OPEN),
				base));
}

/* Store the number of Breakpad's frame, for the registers on the next lines: " 0  ntdll.dll + 0x21f86", " 1
   app.exe!main [main.c : 12 + 0x5]". */
static void store_frame_number(const struct tokens *t, struct context *context)
{
	enum { DIGITS_MAX = 3 };
	struct cursor c = cursor_at(t, t->begin);
	unsigned frame = 0;
	cursor_blanks(&c);
	const size_t from = c.at;
	while (c.at < t->at && c.at - from < DIGITS_MAX && is_digit(c.text[c.at]))
		frame = frame * 10 + (unsigned)(c.text[c.at++] - '0');
	if (c.at == from || !cursor_word(&c, "  ") || !is_word(c.text[c.at]))
		return;
	context->frame = frame;
	context->frame_line = context->line;
}

/* Returns where the file name that ends at END begins; END if there is none.  Two blanks must come before the name.  A
   name with unusual characters counts only if it has an extension: "libstdc++-6.dll", "my game.exe". */
static size_t file_before(const struct tokens *t, size_t end)
{
	size_t begin = end;
	bool plain = true, extended = false;
	for (; begin > 1 && end - begin < NAME_LENGTH_MAX && memcmp(t->text + begin - 2, "  ", 2) != 0; begin--) {
		const unsigned char c = (unsigned char)t->text[begin - 1];
		if (c < ' ' || strchr("<>\"|*?:/\\!", c))
			return end;
		plain &= is_module_char((char)c);
		extended |= plain && c == '.' && begin < end;
	}
	return begin > 1 && end - begin < NAME_LENGTH_MAX && (plain || extended) ? begin : end;
}

/* Breakpad: " 0  ntdll.dll + 0x21f86", which is the whole line.  The "+" is at t->at. */
static enum match match_breakpad(struct tokens *t, struct context *context)
{
	const size_t end = t->at - 1, begin = file_before(t, end);
	struct number offset;
	struct cursor c = cursor_at(t, t->at + 2);
	unsigned row;
	store_frame_number(t, context);
	if (begin == end || !match_row_number(t, begin, &row) || match_is_elf(t->text + begin, end - begin))
		return MATCH_NONE;
	if (!cursor_number(&c, &offset) || !offset.prefix)
		return MATCH_NONE;
	size_t at = t->at;
	return match_last(t, at,
			  match_relative(t, begin, c.at, in_module(t->text + begin, end - begin, offset.value),
					 match_row_is_return(row, false)));
}

enum match match_bare_plus(struct tokens *t, struct context *context)
{
	if (t->at < 3 || t->at + 1 >= t->length)
		return MATCH_NONE;
	const char *text = t->text + t->at;
	if (text[-1] == '(' && text[-2] == ' ')
		return match_in_module(t);
	if (text[-1] != ' ' || text[1] != ' ')
		return MATCH_NONE;
	return text[-2] == '"' || text[-2] == '\'' ? match_backtrace(t, context) : match_breakpad(t, context);
}

/* "[ 0] ", or "\[ 0\] " as Markdown escapes it */
static bool take_index(struct cursor *c)
{
	struct number index;
	cursor_char(c, '\\');
	if (!cursor_char(c, '['))
		return false;
	cursor_blanks(c);
	if (!cursor_number(c, &index))
		return false;
	cursor_char(c, '\\');
	return cursor_word(c, "] ");
}

/* EDK2: "PC 0x00017EAF6C02 (0x00017EAF0000+0x00006C02) [ 0] Shell.dll".  The number in brackets is that of the module,
   not of the row.  The file of the image is Shell.efi, so the module's name is taken without extension. */
enum match match_edk2(struct tokens *t, struct context *context, size_t begin)
{
	struct number address, base, offset;
	struct cursor c = cursor_at(t, t->at + 1);
	if (begin < 3 || memcmp(t->text + begin - 2, " (", 2) != 0 || match_address_before(t, t->at, &base) != begin)
		return MATCH_NONE;
	size_t at = match_address_before(t, begin - 2, &address);
	if (at == begin - 2 || at < 3 || memcmp(t->text + at - 3, "PC ", 3) != 0)
		return MATCH_NONE;
	bool good = cursor_number(&c, &offset) && cursor_word(&c, ") ") && take_index(&c);
	size_t name = c.at;
	while (good && !cursor_at_end(&c) && is_module_char(c.text[c.at]))
		c.at++;
	const char *dot = good ? memchr(t->text + name, '.', c.at - name) : NULL;
	size_t length = dot ? (size_t)(dot - (t->text + name)) : c.at - name;
	if (!good || length == 0 || address.value != base.value + offset.value)
		return MATCH_NONE;
	return match_trace_row(
		t, context,
		match_with_base(t,
				match_relative(t, at, c.at, in_module(t->text + name, length, offset.value), IS_OPEN),
				base.value));
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
	at = match_address_before(t, end, &address);
	if (at < end && match_derive_base(address.value, offset, base, &corrected)) {
		*ret = match_row_number(t, at, &row) ? match_row_is_return(row, corrected)
		       : corrected		     ? IS_EXACT
						     : IS_OPEN;
		return true;
	}
	*base = 0;
	/* std::stacktrace: "8> app+0x2F3BEA".  It prints return addresses only. */
	*ret = IS_RETURN;
	if (at == end && end > 0 && t->text[end - 1] == '>' && begin > end && match_row_number(t, begin, &row))
		return true;
	/* "8, ProcessHacker.exe+0x1534" */
	bool listed = at == end && end > 0 && t->text[end - 1] == ',' && begin > end &&
		      match_row_number(t, begin, &row);
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
	if (match_address_before(t, end, &address) == end || !address.prefix || address.digits < 8 ||
	    (at + 1 < token->end && t->text[at + 1] == 'x') || (address.value - token->number + 1) % PAGE <= 2)
		return true;
	for (; at < token->end && is_digit(t->text[at]) && decimal < UINT32_MAX; at++)
		decimal = decimal * 10 + (unsigned)(t->text[at] - '0');
	token->number = decimal;
	return at == token->end && (address.value - decimal + 1) % PAGE <= 2;
}

enum match match_listed(struct tokens *t, struct context *context, enum match match)
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

/* DrMingw: "00007FF6E989158E ...  app.exe!0x158e".  AT is the position after "!0x". */
enum match match_drmingw(struct tokens *t, struct context *context, size_t at)
{
	struct cursor c = cursor_at(t, at - 2), row = cursor_at(t, t->begin);
	struct number address, offset;
	const size_t end = t->at, begin = match_name_before(t, end, t->begin);
	uint64_t base;
	bool corrected;
	if (context->heading != HEADING_TRACE || begin == end || !cursor_number(&row, &address) || address.digits < 8 ||
	    address.prefix || row.at >= begin)
		return MATCH_NONE;
	if (!cursor_number(&c, &offset))
		return MATCH_NONE;
	if (!match_derive_base(address.value, offset.value, &base, &corrected) || corrected)
		return MATCH_NONE;
	/* Rows between the heading and this one have names in place of offsets, so no matcher has counted them. */
	context->seen += context->seen == 0 && context->line > context->heading_last_line + 1;
	return match_trace_row(
		t, context,
		match_with_base(
			t,
			match_relative(t, begin, c.at, in_module(t->text + begin, end - begin, offset.value), IS_OPEN),
			base));
}

/* JCL and EurekaLog: "(000456CA){demo.exe } [004466CA]".  JCL's offset counts from the code section, whose RVA is
   0x1000; EurekaLog's from the base.  The "}" is at t->at. */
enum match match_jcl(struct tokens *t, struct context *context, size_t at)
{
	enum { CODE = 0x1000 };
	struct cursor c = cursor_at(t, at);
	struct number address, offset;
	size_t end = t->at, begin, name;
	uint64_t base;
	bool corrected;
	while (end > 0 && t->text[end - 1] == ' ')
		end--;
	for (name = end; name > 0 && end - name < NAME_LENGTH_MAX && t->text[name - 1] != '{';)
		name--;
	if (name < 4 || name == end || memcmp(t->text + name - 2, "){", 2) != 0)
		return MATCH_NONE;
	begin = match_address_before(t, name - 2, &offset);
	if (begin == name - 2 || begin == 0 || t->text[begin - 1] != '(')
		return MATCH_NONE;
	bool good = cursor_number(&c, &address);
	cursor_char(&c, '\\');
	if (!good || !cursor_char(&c, ']'))
		return MATCH_NONE;
	uint64_t rva = offset.value;
	if (address.digits != offset.digits)
		return MATCH_NONE;
	if (!match_derive_base(address.value, rva, &base, &corrected) &&
	    !match_derive_base(address.value, rva += CODE, &base, &corrected))
		return MATCH_NONE;
	return match_trace_row(
		t, context,
		match_with_base(t,
				match_relative(t, begin - 1, c.at, in_module(t->text + name, end - name, rva), IS_OPEN),
				base));
}

/* Boost.Stacktrace: " 0# 0x0000000000001DE3 in C:\a\app.exe".  The number is an RVA; before 2025 it was an address.  No
   64-bit image is loaded below LOWEST_IMAGE, so a lower number is an RVA.  A 32-bit number, of 8 digits, can be either,
   so it is no token.  All rows have return addresses. */
enum match match_boost(struct tokens *t, size_t at)
{
	static const char in[] = " in ";
	enum { LOWEST_IMAGE = 0x7fffffff, DIGITS = 16 };
	struct cursor c = cursor_at(t, at);
	struct number rva;
	if (t->at == 0 || !is_digit(t->text[t->at - 1]))
		return MATCH_NONE;
	if (match_is_too_long(t, at))
		return MATCH_NONE;
	if (!cursor_number(&c, &rva) || rva.digits != DIGITS || rva.value > LOWEST_IMAGE || rva.value == 0)
		return MATCH_NONE;
	const size_t end = c.at, last = match_text_end(t);
	if (!cursor_word(&c, in) || c.at >= last || !match_is_path(t->text + c.at, last - c.at) ||
	    !match_is_module(t->text + c.at, last - c.at))
		return MATCH_NONE;
	enum match match = match_relative(t, at, end, in_module(t->text + c.at, last - c.at, rva.value), IS_RETURN);
	/* Read no token in the path. */
	t->at = match == MATCH_TOKEN ? t->length : t->at;
	t->form_end = last;
	return match;
}
