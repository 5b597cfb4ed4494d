// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_trace.c - rows of other programs' stacks that have an address and no offset in a module
 *
 *     =>0 0x7c921240 EntryPoint+0x10() in ntdll (0x0033fed8)			winedbg, where it knows exports only
 *     0x00007ff75a7eea8f Game.exe!UnknownFunction []				Unreal
 *     0x00007FFC5AFB36A0 (UnityPlayer) (function-name not available)		Unity
 *     0x001AF504 |      app (0x004011EA) |					loggers of games, by ebp
 *     0x00AA55A6 ==> (Corrupt stack or heap?)  (0x11BBDB98)			NVSE: address and ebp
 *     0040e235 app.exe System   TObject.Free					madExcept
 *     	(No symbol) [0x00F85058]						chromedriver
 *     	Ordinal0 [0x010C5F73+2449267]						... with a decimal offset in a function
 *         eip = 0x77471f86   esp = 0x0997f9a0					Breakpad, after the row of its frame
 *     	runtime/cgocall.go:156 +0x4a fp=0xc0000cfd28 sp=0xc0000cfcf0 pc=0x7ff6661d472a	Go
 *
 * The load address of the module must be elsewhere in the log, or come from --module.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

/* Make a token of the address with "0x" that ends at END.  The text of the token continues from there to AT. */
static enum match match_absolute_row(struct tokens *t, struct context *context, size_t end, size_t at)
{
	struct number address;
	size_t begin = match_address_before(t, end, &address);
	if (begin == end || !address.prefix || address.digits < 8)
		return MATCH_NONE;
	return match_trace_row(t, context, match_absolute(t, begin, at, address.value, IS_OPEN));
}

/* Unreal: "0x00007ff75a7eea8f Game.exe!UnknownFunction []" */
enum match match_unreal(struct tokens *t, struct context *context, size_t at)
{
	const size_t end = t->at;
	size_t begin = end;
	while (begin > 0 && is_module_char(t->text[begin - 1]))
		begin--;
	if (begin == end || begin < 2 || t->text[begin - 1] != ' ')
		return MATCH_NONE;
	return match_named(t, match_absolute_row(t, context, begin - 1, at), t->text + begin, end - begin);
}

/* Unity: "0x00007FFC5AFB36A0 (UnityPlayer) (function-name not available)" */
enum match match_unity(struct tokens *t, struct context *context, size_t at)
{
	const size_t end = t->at - 2;
	size_t begin = end;
	if (t->at < 4 || memcmp(t->text + end, ") ", 2) != 0)
		return MATCH_NONE;
	while (begin > 1 && end - begin < NAME_LENGTH_MAX && t->text[begin] != '(')
		begin--;
	if (t->text[begin] != '(' || t->text[begin - 1] != ' ')
		return MATCH_NONE;
	const char *name = t->text + begin + 1;
	return match_named(t, match_absolute_row(t, context, begin - 1, at), name, end - begin - 1);
}

/* Unity: "C:\WINDOWS\SYSTEM32\gpapi.dll:gpapi.dll (00007FFC6A470000), size: 143360".  The size is decimal. */
enum match match_unity_loaded(struct tokens *t, size_t at)
{
	struct number base;
	uint64_t size = 0;
	size_t end = t->at, begin = match_address_before(t, end, &base);
	for (; at < t->length && is_digit(t->text[at]) && size < UINT32_MAX; at++)
		size = size * 10 + (unsigned)(t->text[at] - '0');
	if (begin == end || begin < 3 || size == 0 || memcmp(t->text + begin - 2, " (", 2) != 0)
		return MATCH_NONE;
	size_t name_end = begin - 2, name = name_end;
	while (name > 0 && name_end - name < NAME_LENGTH_MAX && t->text[name - 1] != ':')
		name--;
	return name > 0 && match_is_module(t->text + name, name_end - name)
		       ? match_loaded(t, at, t->text + name, name_end - name, base.value, size)
		       : MATCH_NONE;
}

/* " 0x001AF504 |      app (0x004011EA) |": the number in parentheses includes the image's preferred base, which
   resolve.c subtracts. */
enum match match_base_pointer(struct tokens *t, struct context *context, size_t at)
{
	struct number number;
	struct cursor row = cursor_at(t, t->begin);
	const size_t end = t->at, first = match_address_before(t, end, &number);
	size_t name_end = first >= 2 ? first - 2 : 0, name = name_end;
	if (first == end || name_end == 0 || !number.prefix || memcmp(t->text + name_end, " (", 2) != 0)
		return MATCH_NONE;
	while (name > t->begin && is_module_char(t->text[name - 1]))
		name--;
	if (name == name_end || !cursor_number(&row, &number) || !number.prefix || !cursor_word(&row, " |"))
		return MATCH_NONE;
	(void)match_address_before(t, end, &number);
	const enum match match = match_trace_row(
		t, context,
		match_relative(t, first, at, in_module(t->text + name, name_end - name, number.value), IS_OPEN));
	t->token.may_have_base = match == MATCH_TOKEN;
	return match;
}

/* madExcept: "0040e235 heidisql.exe System   TObject.Free".  Of a 64-bit address it prints the first 8 digits only:
   that number is in no module. */
enum match match_madexcept(struct tokens *t, struct context *context)
{
	struct number number;
	struct cursor c = cursor_at(t, t->begin);
	if (context->heading != HEADING_TRACE || !cursor_number(&c, &number) || number.prefix || number.digits != 8)
		return MATCH_NONE;
	const size_t end = c.at;
	if (!cursor_char(&c, ' '))
		return MATCH_NONE;
	const size_t name = c.at;
	while (!cursor_at_end(&c) && is_module_char(c.text[c.at]))
		c.at++;
	if (!match_is_module(t->text + name, c.at - name) || cursor_at_end(&c) || c.text[c.at] != ' ')
		return MATCH_NONE;
	return match_named(t, match_trace_row(t, context, match_absolute(t, t->begin, end, number.value, IS_OPEN)),
			   t->text + name, c.at - name);
}

/* winedbg: "=>0 0x7c921240 EntryPoint+0x10() in ntdll (0x0033fed8)".  The "(" is at t->at, after an export and an
   offset.  The offset counts from the export, not from the module, so the address is the token. */
enum match match_wine_export(struct tokens *t, size_t at)
{
	static const char frame[] = " (0x";
	struct number address;
	size_t name = t->at, end = at;
	unsigned row;
	while (name > 0 && t->at - name < NAME_LENGTH_MAX && !is_blank(t->text[name - 1]))
		name--;
	const size_t begin = name > 0 ? match_address_before(t, name - 1, &address) : name;
	if (begin + 1 >= name || !address.prefix || !match_row_number(t, begin, &row))
		return MATCH_NONE;
	while (end < t->length && end - at < NAME_LENGTH_MAX &&
	       (t->length - end < sizeof frame - 1 || memcmp(t->text + end, " (", 2) != 0))
		end++;
	while (end > at && t->text[end - 1] == ' ')
		end--;
	if (match_is_elf(t->text + at, end - at))
		return MATCH_NONE;
	return match_named(t, match_before(t, begin, end, address.value, match_row_is_return(row, false), frame),
			   t->text + at, end - at);
}

/* chromedriver: "Ordinal0 [0x010C5F73+2449267]"; some versions print "0x" twice.  The first row is in the function that
   prints the list, so all rows are return addresses.  AT is the position of the number. */
enum match match_chromedriver(struct tokens *t, struct context *context, size_t at)
{
	static const char none[] = "(No symbol) ";
	struct cursor c = cursor_at(t, at), twice = c;
	struct number number;
	if (cursor_word(&twice, "0x0x"))
		c.at += 2;
	const size_t begin = c.at, length = t->at - t->begin;
	const bool unnamed = length == sizeof none - 1 && memcmp(t->text + t->begin, none, length) == 0;
	if (length < 2 || t->text[t->at - 1] != ' ' ||
	    (!unnamed && memchr(t->text + t->begin, ' ', length) != t->text + t->at - 1))
		return MATCH_NONE;
	bool good = cursor_number(&c, &number) && number.prefix && number.digits >= 5;
	bool offset = good && cursor_char(&c, '+');
	const size_t digits = c.at;
	while (offset && !cursor_at_end(&c) && is_digit(c.text[c.at]))
		c.at++;
	good = good && (offset ? c.at > digits : unnamed);
	if (!good)
		return MATCH_NONE;
	const size_t from = t->at;
	enum match match = match_absolute(t, begin, c.at, number.value, IS_RETURN);
	if (match != MATCH_TOKEN)
		return match;
	struct cursor after = cursor_at(t, t->at);
	cursor_char(&after, '\\');
	if (cursor_char(&after, ']') && cursor_rest_is_blank(&after)) {
		context_trace_row(context);
		return MATCH_TOKEN;
	}
	t->at = from;
	return MATCH_NONE;
}

/* NVSE: "0x00AA55A6 ==> (Corrupt stack or heap?)  (0x11BBDB98)".  The line must end with two blanks and the frame
   pointer: other loggers print the frame pointer first, where NVSE has the address. */
enum match match_nvse(struct tokens *t, struct context *context, size_t at)
{
	struct cursor c = cursor_at(t, t->begin);
	struct number number, pointer;
	size_t length;
	if (!cursor_number(&c, &number) || !number.prefix || number.digits != 8 || !cursor_char(&c, ' ') ||
	    c.at != t->at)
		return MATCH_NONE;
	if (match_is_too_long(t, at))
		return MATCH_NONE;
	size_t last = match_text_end(t);
	if (last < at)
		return MATCH_NONE;
	const size_t begin = match_address_before(t, last > 0 ? last - 1 : 0, &pointer);
	length = last - begin;
	if (begin < at + 4 || length != sizeof "0x11BBDB98)" - 1 || !pointer.prefix || t->text[last - 1] != ')' ||
	    memcmp(t->text + begin - 3, "  (", 3) != 0)
		return MATCH_NONE;
	return match_trace_row(t, context, match_absolute(t, t->begin, last, number.value, IS_OPEN));
}

/* Breakpad: "    eip = 0x77471f86   esp = 0x0997f9a0".  C is after the "=".  The register is that of the frame whose
   row comes before: eip is on the next line, and rip is the last of the registers.  Three blanks or the end of the line
   must follow: rossym-log's reports of dumps have two blanks, and there the row of the frame has the same address. */
enum match match_breakpad_register(struct tokens *t, struct context *context, struct cursor c)
{
	enum { LINES_MAX = 9 }; /* 17 registers, two on a line */
	const bool wide = t->text[t->at] == 'r';
	struct number number;
	const size_t begin = c.at;
	if (context->frame_line == 0 || context->line > context->frame_line + (wide ? LINES_MAX : 1) ||
	    (t->at > t->begin && (t->at < 3 || memcmp(t->text + t->at - 3, "   ", 3) != 0)))
		return MATCH_NONE;
	t->known = true;
	if (!cursor_number(&c, &number) || !number.prefix || number.digits != (wide ? 16 : 8))
		return MATCH_NONE;
	const size_t at = t->at;
	enum match match = match_absolute(t, begin, c.at, number.value, match_row_is_return(context->frame, false));
	struct cursor after = cursor_at(t, t->at), rest = after;
	if (match != MATCH_TOKEN || cursor_word(&after, "   ") || cursor_rest_is_blank(&rest))
		return match;
	t->at = at;
	return MATCH_NONE;
}

/* Wine: "dispatch_exception code=6ba flags=0 addr=000000007B04D723 ip=7b04d723".  match_exception() has read the first
   address; this is the second. */
enum match match_exception_ip(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	if (t->exception_end == 0 || t->at != t->exception_end + 1 || t->text[t->exception_end] != ' ')
		return MATCH_NONE;
	if (!cursor_number(&c, &number))
		return MATCH_NONE;
	return number.digits < 5 || number.prefix ? MATCH_NONE : match_absolute(t, at, c.at, number.value, IS_EXACT);
}

/* ------------------------------------------------------------------------------------------------------ Go */

/* Returns MATCH, the result of match_absolute().  If its address is that of the exception, it is exact. */
static enum match take_go(struct tokens *t, const struct context *context, enum match match)
{
	if (match == MATCH_TOKEN && t->token.number == context->go_pc)
		t->token.is_return = IS_EXACT;
	return match;
}

/* "PC=0x70e916", the address of an exception, which begins its report */
enum match match_go_exception(struct tokens *t, struct context *context, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	if (!cursor_number(&c, &number) || number.digits < 5)
		return MATCH_NONE;
	enum match match = match_absolute(t, at, c.at, number.value, IS_EXACT);
	if (match == MATCH_TOKEN)
		context->go_pc = number.value;
	return match;
}

/* "unknown pc 0x70e916" */
enum match match_go_unknown(struct tokens *t, struct context *context, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	if (!cursor_number(&c, &number) || number.digits < 5)
		return MATCH_NONE;
	return take_go(t, context, match_absolute(t, at, c.at, number.value, IS_RETURN));
}

/* "runtime/cgocall.go:156 +0x4a fp=0xc0000cfd28 sp=0xc0000cfcf0 pc=0x7ff6661d472a": pc is a return address.  But after
   the row of a signal handler, it may be the instruction that the signal interrupted.  Each frame has two lines. */
enum match match_go_row(struct tokens *t, struct context *context, size_t at)
{
	static const char word[] = "sp=", source[] = ".go:", handler[] = "runtime/signal";
	struct cursor c = cursor_at(t, at);
	struct number number;
	/* The line is searched from its beginning for each "pc=0x" in it.  The limit keeps the time for a line with
	   many of them proportional to its length. */
	enum { BEFORE_MAX = 1024 };
	const char *line = t->text + t->begin;
	const size_t length = t->at - t->begin;
	if (length > BEFORE_MAX)
		return MATCH_NONE;
	const size_t begin = t->at > 0 ? match_address_before(t, t->at - 1, &number) : 0;
	if (t->at < 2 || begin + 1 >= t->at || begin < sizeof word - 1 || t->text[t->at - 1] != ' ' ||
	    memcmp(t->text + begin - (sizeof word - 1), word, sizeof word - 1) != 0)
		return MATCH_NONE;
	if (!cursor_number(&c, &number) || number.digits < 5)
		return MATCH_NONE;
	if (!contains_word(line, length, source))
		return MATCH_NONE;
	const bool after = context->go_signal_line > 0 && context->line <= context->go_signal_line + 2 &&
			   context->line > context->go_signal_line;
	enum match match = match_absolute(t, at, c.at, number.value, after ? IS_OPEN : IS_RETURN);
	if (match == MATCH_TOKEN && contains_word(line, length, handler))
		context->go_signal_line = context->line;
	return take_go(t, context, match);
}
