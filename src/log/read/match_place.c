// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_place.c - rows of other programs' stacks, which have an address, a module and an offset
 *
 *     =>0 0x038e0040 in league of legends (+0x34e0040) (0x0033fed8)			winedbg
 *     43917.748:...:virtual_unwind backtrace: 00006FFFFFABACDB: L"sechost.dll" + 000000000000ACDB.	Wine
 *      0  ntdll.dll + 0x21f86								Breakpad
 *     PC 0x00017EAF6C02 (0x00017EAF0000+0x00006C02) [ 0] Shell.dll			EDK2
 *         [1] 0x7FF6CBEE693C SkyrimSE.exe+064693C					loggers of games
 *     C  [jvm.dll+0x4823f5]								Java
 *     00007FF6E989158E 0000000000000000 00007FF6E9897668 0000000000000000  app.exe!0x158e	DrMingw
 *     0x00007ff75a7eea8f Game.exe!UnknownFunction []						Unreal
 *     0x00007FFC5AFB36A0 (UnityPlayer) (function-name not available)				Unity
 *     (000456CA){demo.exe } [004466CA]								JCL, EurekaLog
 *      0# 0x0000000000001DE3 in C:\a\app.exe							Boost.Stacktrace
 *     8> app+0x2F3BEA										std::stacktrace
 *     Trace  11  000000000041cc6b (app.exe+CC6B)						loggers of games
 *     0x001AF504 |      app (0x004011EA) |							... by ebp
 *     0040e235 app.exe System   TObject.Free							madExcept
 *
 * One test sorts those that have an address: address - offset is where the module is loaded, a multiple of 64 KiB.  If
 * 1 remains, the program has subtracted 1 from the offset of a return address already.  With another remainder, the two
 * do not belong together.  So such a row gives both a token and a fact.
 *
 * In a list with numbers, row 0 is exact and the others are return addresses; in one without, see context_trace_row().
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"
#include "log/read/note.h"

#include <string.h>

/* The base that ADDRESS and OFFSET tell.  *CORRECTED: the offset is that of the byte before a return address. */
static bool sort_place(uint64_t address, uint64_t offset, uint64_t *base, bool *corrected)
{
	enum { GRANULARITY = 0x10000 }; /* of load addresses */
	*base = address - offset;
	*corrected = *base % GRANULARITY == 1;
	*base -= *corrected;
	return address >= offset && *base >= GRANULARITY && *base % GRANULARITY == 0;
}

/* MATCH, the result of match_relative().  If it is a token, its module is loaded at BASE. */
static enum match and_base(struct tokens *t, enum match match, uint64_t base)
{
	if (match != MATCH_TOKEN)
		return match;
	t->queued = (struct fact){
		.kind = FACT_LOADED, .module = t->token.module, .module_length = t->token.module_length, .base = base
	};
	t->has_queued = true;
	return match;
}

/* Read the number that ends at END; if its annotation ends at END, the number before that.  It must have at least 8
   digits, or "0x" and 5.  Returns where it begins, or END if there is none. */
static size_t address_before(const struct tokens *t, size_t end, struct number *number)
{
	size_t last = end > 0 && end == t->token_end ? t->token_note : end, begin = last;
	while (begin > 0 && last - begin < 18 && is_word(t->text[begin - 1]))
		begin--;
	if (begin == last || number_parse(t->text + begin, last - begin, number) != last - begin ||
	    number->digits > 16 || number->digits < (number->prefix ? 5 : 8) ||
	    (begin > 0 && is_word(t->text[begin - 1])))
		return end;
	return begin;
}

/* The number of the row before END, at the beginning of the line: "=>0 ", " 12 ", "3: ", or "[ 1] ", which may have
   been taken for a time stamp.  False: there is none. */
static bool row_before(const struct tokens *t, size_t end, unsigned *row)
{
	size_t at = end;
	static const char trace[] = "Trace  ";
	unsigned scale = 1, digits = 0;
	*row = 0;
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

static enum is_return row_is_return(unsigned row, bool corrected)
{
	return row == 0 || corrected ? IS_EXACT : IS_RETURN;
}

/* Whether the module is one of Linux: "libc.so.6", "<elf>". */
static bool is_elf(const char *name, size_t length)
{
	for (size_t i = 0; i + 3 <= length; i++)
		if (memcmp(name + i, ".so", 3) == 0)
			return true;
	return length == 0 || name[0] == '<';
}

/* MATCH, the result of match_relative(), for a row without number. */
static enum match take_trace_row(struct tokens *t, struct context *context, enum match match)
{
	/* Only now: when more of the line is needed, it is read again. */
	if (match == MATCH_TOKEN)
		t->token.is_return = context_trace_row(context);
	return match;
}

/* "0x038e0040 in league of legends (+0x34e0040)": t->at is the "+". */
static enum match match_in_module(struct tokens *t)
{
	static const char in[] = " in ";
	size_t end = t->at - 2, begin = end;
	struct number address, offset;
	struct cursor c = cursor_at(t, t->at + 1);
	unsigned row;
	uint64_t base;
	bool corrected, numbered;
	while (begin > 4 && end - begin < LONGEST_NAME && memcmp(t->text + begin - 4, in, 4) != 0)
		begin--;
	size_t at = begin > 4 ? address_before(t, begin - 4, &address) : begin;
	if (begin <= 4 || at == begin - 4 || !address.prefix || is_elf(t->text + begin, end - begin))
		return MATCH_NONE;
	if (!cursor_number(&c, &offset) || !cursor_char(&c, ')'))
		return c.more ? match_more(t, t->at) : MATCH_NONE;
	if (!sort_place(address.value, offset.value, &base, &corrected))
		return MATCH_NONE;
	numbered = row_before(t, at, &row);
	return and_base(t,
			match_relative(t, at, c.at, in_module(t->text + begin, end - begin, offset.value),
				       numbered ? row_is_return(row, corrected) : IS_EXACT),
			base);
}

/* `backtrace: 00006FFFFFABACDB: L"sechost.dll" + 000000000000ACDB.' */
static enum match match_backtrace(struct tokens *t, struct context *context)
{
	size_t end = t->at - 2, begin = end;
	struct number address, offset;
	struct cursor c = cursor_at(t, t->at + 2);
	uint64_t base;
	bool corrected;
	while (begin > 5 && end - begin < LONGEST_NAME && t->text[begin - 1] != '"' && t->text[begin - 1] != '\'')
		begin--;
	if (begin <= 5 || memcmp(t->text + begin - 4, ": L", 3) != 0 ||
	    address_before(t, begin - 4, &address) == begin - 4)
		return MATCH_NONE;
	if (!cursor_number(&c, &offset))
		return c.more ? match_more(t, t->at) : MATCH_NONE;
	if (!sort_place(address.value, offset.value, &base, &corrected))
		return MATCH_NONE;
	return take_trace_row(t, context,
			      and_base(t,
				       match_relative(t, t->at + 2, c.at,
						      in_module(t->text + begin, end - begin, offset.value), IS_OPEN),
				       base));
}

/* " 0  ntdll.dll + 0x21f86": nothing else is in the line. */
static enum match match_breakpad(struct tokens *t)
{
	size_t end = t->at - 1, begin = end;
	struct number offset;
	struct cursor c = cursor_at(t, t->at + 2);
	unsigned row;
	while (begin > 0 && is_module_char(t->text[begin - 1]))
		begin--;
	if (begin == end || begin < 2 || memcmp(t->text + begin - 2, "  ", 2) != 0 || !row_before(t, begin, &row) ||
	    is_elf(t->text + begin, end - begin))
		return MATCH_NONE;
	if (!cursor_number(&c, &offset) || !offset.prefix)
		return c.more ? match_more(t, c.hold) : MATCH_NONE;
	size_t at = t->at;
	return match_last(t, at,
			  match_relative(t, begin, c.at, in_module(t->text + begin, end - begin, offset.value),
					 row_is_return(row, false)));
}

enum match match_bare_plus(struct tokens *t, struct context *context)
{
	if (t->at < 3 || t->at + 1 >= t->length)
		return t->at + 1 >= t->length && !t->complete ? match_more(t, t->at) : MATCH_NONE;
	const char *text = t->text + t->at;
	if (text[-1] == '(' && text[-2] == ' ')
		return match_in_module(t);
	if (text[-1] != ' ' || text[1] != ' ')
		return MATCH_NONE;
	return text[-2] == '"' || text[-2] == '\'' ? match_backtrace(t, context) : match_breakpad(t);
}

/* "[ 0] "; Markdown may have escaped it. */
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

/* "PC 0x00017EAF6C02 (0x00017EAF0000+0x00006C02) [ 0] Shell.dll": the number in brackets is the module's.  The file of
   the image is Shell.efi, so the name is taken without extension. */
enum match match_edk2(struct tokens *t, struct context *context, size_t begin)
{
	struct number address, base, offset;
	struct cursor c = cursor_at(t, t->at + 1);
	if (begin < 3 || memcmp(t->text + begin - 2, " (", 2) != 0 || address_before(t, t->at, &base) != begin)
		return MATCH_NONE;
	size_t at = address_before(t, begin - 2, &address);
	if (at == begin - 2 || at < 3 || memcmp(t->text + at - 3, "PC ", 3) != 0)
		return MATCH_NONE;
	bool good = cursor_number(&c, &offset) && cursor_word(&c, ") ") && take_index(&c);
	size_t name = c.at;
	while (good && !cursor_at_end(&c) && is_module_char(c.text[c.at]))
		c.at++;
	if (c.more)
		return match_more(t, t->at);
	const char *dot = good ? memchr(t->text + name, '.', c.at - name) : NULL;
	size_t length = dot ? (size_t)(dot - (t->text + name)) : c.at - name;
	if (!good || length == 0 || address.value != base.value + offset.value)
		return MATCH_NONE;
	return take_trace_row(
		t, context,
		and_base(t, match_relative(t, at, c.at, in_module(t->text + name, length, offset.value), IS_OPEN),
			 base.value));
}

/* AddressSanitizer: "    #3 0x7ff886d36fd3  (C:\Windows\System32\KERNEL32.DLL+0x180016fd3)".  It has subtracted 1, and the offset contains
   the preferred base, which resolve.c finds out. */
static bool is_asan(const struct tokens *t, size_t begin)
{
	size_t path = begin;
	if (t->begin >= begin || t->text[t->begin] != '#')
		return false;
	while (path > t->begin && begin - path < LONGEST_NAME && t->text[path - 1] != '(')
		path--;
	return match_is_path(t->text + path, begin - path);
}

/* What comes before "module+offset", at BEGIN, tells: another address and the number of the row, or Java's mark.  True:
   *RET is what the address is, and *BASE where the module is loaded, or 0. */
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
		*ret = IS_EXACT;
		return true;
	}
	while (at > 0 && is_blank(t->text[at - 1]))
		at--;
	size_t end = at;
	at = address_before(t, end, &address);
	if (at < end && sort_place(address.value, offset, base, &corrected)) {
		*ret = row_before(t, at, &row) ? row_is_return(row, corrected) : corrected ? IS_EXACT : IS_OPEN;
		return true;
	}
	*base = 0;
	/* std::stacktrace: "8> app+0x2F3BEA".  It prints return addresses only. */
	*ret = IS_RETURN;
	if (at == end && end > 0 && t->text[end - 1] == '>' && begin > end && row_before(t, begin, &row))
		return true;
	/* "8, ProcessHacker.exe+0x1534" */
	bool listed = at == end && end > 0 && t->text[end - 1] == ',' && begin > end && row_before(t, begin, &row);
	*ret = listed ? row_is_return(row, false) : IS_OPEN;
	return listed;
}

enum match match_listed(struct tokens *t, struct context *context, enum match match)
{
	enum is_return is_return;
	uint64_t base;
	if (match != MATCH_TOKEN || !read_before(t, context, t->token.begin, t->token.number, &is_return, &base))
		return match;
	t->token.is_return = is_return;
	if (base == 0)
		return match;
	t->queued = (struct fact){
		.kind = FACT_LOADED, .module = t->token.module, .module_length = t->token.module_length, .base = base
	};
	t->has_queued = true;
	return match;
}

/* "00007FF6E989158E ...  app.exe!0x158e": AT is the position after "!0x". */
enum match match_drmingw(struct tokens *t, struct context *context, size_t at)
{
	struct cursor c = cursor_at(t, at - 2), row = cursor_at(t, t->begin);
	struct number address, offset;
	size_t end = t->at, begin = end;
	uint64_t base;
	bool corrected;
	while (begin > t->begin && is_module_char(t->text[begin - 1]))
		begin--;
	if (context->heading != HEADING_TRACE || begin == end || !cursor_number(&row, &address) || address.digits < 8 ||
	    address.prefix || row.at >= begin)
		return MATCH_NONE;
	if (!cursor_number(&c, &offset))
		return c.more ? match_more(t, t->at) : MATCH_NONE;
	if (!sort_place(address.value, offset.value, &base, &corrected) || corrected)
		return MATCH_NONE;
	/* rows that have been named come before it */
	context->seen += context->seen == 0 && context->line > context->heading_line + 1;
	return take_trace_row(
		t, context,
		and_base(t,
			 match_relative(t, begin, c.at, in_module(t->text + begin, end - begin, offset.value), IS_OPEN),
			 base));
}

/* The address that ends at END, with "0x", begins a token that ends at AT, in a row of another program's stack. */
static enum match match_absolute_row(struct tokens *t, struct context *context, size_t end, size_t at)
{
	struct number address;
	size_t begin = address_before(t, end, &address);
	if (begin == end || !address.prefix || address.digits < 8)
		return MATCH_NONE;
	return take_trace_row(t, context, match_absolute(t, begin, at, address.value, IS_OPEN));
}

/* Unreal: "0x00007ff75a7eea8f Game.exe!UnknownFunction []" */
enum match match_unreal(struct tokens *t, struct context *context, size_t at)
{
	size_t begin = t->at;
	while (begin > 0 && is_module_char(t->text[begin - 1]))
		begin--;
	if (begin == t->at || begin < 2 || t->text[begin - 1] != ' ')
		return MATCH_NONE;
	return match_absolute_row(t, context, begin - 1, at);
}

/* Unity: "0x00007FFC5AFB36A0 (UnityPlayer) (function-name not available)" */
enum match match_unity(struct tokens *t, struct context *context, size_t at)
{
	size_t begin = t->at;
	if (begin < 4 || memcmp(t->text + begin - 2, ") ", 2) != 0)
		return MATCH_NONE;
	for (begin -= 2; begin > 1 && t->at - begin < LONGEST_NAME && t->text[begin] != '(';)
		begin--;
	return t->text[begin] == '(' && t->text[begin - 1] == ' ' ? match_absolute_row(t, context, begin - 1, at)
								  : MATCH_NONE;
}

/* Unity: "C:\WINDOWS\SYSTEM32\gpapi.dll:gpapi.dll (00007FFC6A470000), size: 143360", which is decimal */
enum match match_unity_loaded(struct tokens *t, size_t at)
{
	struct number base;
	uint64_t size = 0;
	size_t end = t->at, begin = address_before(t, end, &base);
	for (; at < t->length && is_digit(t->text[at]) && size < UINT32_MAX; at++)
		size = size * 10 + (unsigned)(t->text[at] - '0');
	if (at == t->length && !t->complete)
		return match_more(t, t->at);
	if (begin == end || begin < 3 || size == 0 || memcmp(t->text + begin - 2, " (", 2) != 0)
		return MATCH_NONE;
	size_t name_end = begin - 2, name = name_end;
	while (name > 0 && name_end - name < LONGEST_NAME && t->text[name - 1] != ':')
		name--;
	return name > 0 && match_is_module(t->text + name, name_end - name)
		       ? match_loaded(t, at, t->text + name, name_end - name, base.value, size)
		       : MATCH_NONE;
}

/* JCL and EurekaLog: "(000456CA){demo.exe } [004466CA]".  JCL's offset counts from the code section, which is at 0x1000;
   t->at is the "}". */
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
	for (name = end; name > 0 && end - name < LONGEST_NAME && t->text[name - 1] != '{';)
		name--;
	if (name < 4 || name == end || memcmp(t->text + name - 2, "){", 2) != 0)
		return MATCH_NONE;
	begin = address_before(t, name - 2, &offset);
	if (begin == name - 2 || begin == 0 || t->text[begin - 1] != '(')
		return MATCH_NONE;
	bool good = cursor_number(&c, &address);
	cursor_char(&c, '\\');
	if (!good || !cursor_char(&c, ']'))
		return c.more ? match_more(t, begin - 1) : MATCH_NONE;
	uint64_t rva = offset.value;
	if (address.digits != offset.digits)
		return MATCH_NONE;
	if (!sort_place(address.value, rva, &base, &corrected) &&
	    !sort_place(address.value, rva += CODE, &base, &corrected))
		return MATCH_NONE;
	return take_trace_row(
		t, context,
		and_base(t, match_relative(t, begin - 1, c.at, in_module(t->text + name, end - name, rva), IS_OPEN),
			 base));
}

/* Boost.Stacktrace: " 0# 0x0000000000001DE3 in C:\a\app.exe".  Before 2025 the number was an address, and no image of
   64 bits is that low; rows of 32 bits can be either.  All are return addresses. */
enum match match_boost(struct tokens *t, size_t at)
{
	static const char in[] = " in ";
	enum { LOWEST_IMAGE = 0x7fffffff, DIGITS = 16 };
	struct cursor c = cursor_at(t, at);
	struct number rva;
	if (t->at == 0 || !is_digit(t->text[t->at - 1]))
		return MATCH_NONE;
	if (!t->complete)
		return match_more(t, t->at);
	if (!cursor_number(&c, &rva) || rva.digits != DIGITS || rva.value > LOWEST_IMAGE || rva.value == 0)
		return MATCH_NONE;
	size_t end = c.at, length;
	note_match(t->text + c.at, t->length - c.at, true, &length);
	c.at += length;
	size_t last = match_text_end(t);
	if (!cursor_word(&c, in) || c.at >= last || !match_is_path(t->text + c.at, last - c.at) ||
	    !match_is_module(t->text + c.at, last - c.at))
		return MATCH_NONE;
	enum match match = match_relative(t, at, end, in_module(t->text + c.at, last - c.at, rva.value), IS_RETURN);
	/* A token in the path would change what the line ends with, and an undo would not find this one. */
	t->at = match == MATCH_TOKEN ? t->length : t->at;
	return match;
}

/* " 0x001AF504 |      app (0x004011EA) |": the number is where the code is in an image at its preferred base, which resolve.c
   finds out */
enum match match_base_pointer(struct tokens *t, struct context *context, size_t at)
{
	struct number number;
	struct cursor row = cursor_at(t, t->begin);
	const size_t end = t->at, first = address_before(t, end, &number);
	size_t name_end = first >= 2 ? first - 2 : 0, name = name_end;
	if (first == end || name_end == 0 || !number.prefix || memcmp(t->text + name_end, " (", 2) != 0)
		return MATCH_NONE;
	while (name > t->begin && is_module_char(t->text[name - 1]))
		name--;
	if (name == name_end || !cursor_number(&row, &number) || !number.prefix || !cursor_word(&row, " |"))
		return MATCH_NONE;
	(void)address_before(t, end, &number);
	return take_trace_row(
		t, context,
		match_relative(t, first, at, in_module(t->text + name, name_end - name, number.value), IS_OPEN));
}

/* madExcept: "0040e235 heidisql.exe System   TObject.Free".  Of a number of 64 bits it prints the first 8 digits only, which
   are in no module. */
enum match match_madexcept(struct tokens *t, struct context *context)
{
	struct number number;
	struct cursor c = cursor_at(t, t->begin);
	if (context->heading != HEADING_TRACE || !t->begin_known || !cursor_number(&c, &number) || number.prefix ||
	    number.digits != 8)
		return c.more && context->heading == HEADING_TRACE ? match_more(t, t->begin) : MATCH_NONE;
	const size_t end = c.at;
	size_t note_length;
	if (!t->complete)
		return match_more(t, t->begin);
	note_match(t->text + end, t->length - end, true, &note_length);
	c.at += note_length;
	if (!cursor_char(&c, ' '))
		return MATCH_NONE;
	const size_t name = c.at;
	while (!cursor_at_end(&c) && is_module_char(c.text[c.at]))
		c.at++;
	if (!match_is_module(t->text + name, c.at - name) || cursor_at_end(&c) || c.text[c.at] != ' ')
		return MATCH_NONE;
	return take_trace_row(t, context, match_absolute(t, t->begin, end, number.value, IS_OPEN));
}
