// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_stack.c - rows of stacks that WinDbg's k, kb, kv, kp and !analyze print, or with frame numbers kn, kvn, kpn
 *
 *     f793e0fc 80a01230 f793e114 00000000 f793e234 win32k+0x1a230	child's frame, RetAddr, arguments, call site
 *     02 f793e0fc 80a01230 win32k+0x1a230					with a frame number, without arguments
 *     fffff880`03cfb490 fffff800`02a89b00 : 0 0 0 0 : nt+0x89b00		64 bits, with or without grave accents
 *     f793e0ec 80545357 nt!KiDispatchException+0x25 [exp.c @ 845]		WinDbg has the symbols: nothing to add
 *     f793e10c 00000000 0xcccccccc							in no module that WinDbg knows
 *
 * The call site is the address of the frame in code, and the only address of the row that gets an annotation.  RetAddr
 * is the call site of the next row; the other numbers are data.
 *
 * Also the instruction after FAULTING_IP or FOLLOWUP_IP; after FOLLOWUP_IP it may be exact or a return address:
 *
 *     win32k+1a230						a module and an RVA, without "0x"
 *     9112a230 8b6e28          mov     ebp,dword ptr [esi+28h]
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

enum { FRAME_DIGITS = 3, ARGUMENTS_MAX = 8 };

/* What has been read of a row. */
struct row_reader {
	struct cursor cursor;
	struct stack_row row;
	bool begun; /* the child's frame and RetAddr have been read */
	bool grave; /* its numbers have grave accents, so each could be a token of its own */
};

/* Read a number of 8 or 16 digits; of *DIGITS digits if that is not 0.  Stores how many it has in *DIGITS. */
static bool read_column(struct row_reader *r, struct number *number, unsigned *digits)
{
	if (!cursor_number(&r->cursor, number) || number->prefix || (*digits && number->digits != *digits))
		return false;
	*digits = number->digits;
	r->grave |= number->grave;
	return number->digits == 8 || number->digits == 16;
}

/* Read the columns before the call site.  Returns false if the line is no row of a stack.  Two blanks between the first
   two addresses show that it is a row of a memory dump ("dps esp"). */
static bool read_columns(struct row_reader *r)
{
	struct cursor *c = &r->cursor;
	struct number number;
	unsigned digits = 0;
	size_t begin = c->at;
	if (!cursor_number(c, &number) || number.prefix)
		return false;
	r->row.numbered = number.digits <= FRAME_DIGITS;
	r->row.frame = number.value;
	if (!r->row.numbered)
		c->at = begin;
	else if (!cursor_blanks(c))
		return false;
	if (!read_column(r, &number, &digits) || !cursor_char(c, ' ') || !read_column(r, &number, &digits))
		return false;
	r->row.return_address = number.value;
	r->begun = true;
	for (unsigned i = 0; i <= ARGUMENTS_MAX && cursor_blanks(c) > 0; i++) {
		if (cursor_char(c, ':') && !cursor_blanks(c))
			return false;
		begin = c->at;
		if (!cursor_number(c, &number) || number.prefix || cursor_at_end(c) || !is_blank(c->text[c->at])) {
			c->at = begin;
			return true;
		}
		r->grave |= number.grave;
	}
	return false;
}

/* A call site that WinDbg has named: "nt!KiTrap0E+0x8f [path @ 1408]".  It needs no annotation, but counts as a row.
   Without a heading it counts only if the line has a sign of sieve.c, "+" or "`": whether a row counts must not depend
   on whether the sieve has skipped its line. */
static enum match named_site(struct tokens *t, struct context *context, struct row_reader *r)
{
	const char *site = t->text + r->cursor.at;
	size_t length = t->length - r->cursor.at;
	if (match_is_too_long(t, r->cursor.at))
		return MATCH_NONE;
	if (!context_in_stack(context) && !r->grave && !memchr(site, '+', length))
		return MATCH_NONE;
	context_stack_row(context, &r->row);
	context->windbg_trap = contains_word(site, length, "Trap") || contains_word(site, length, "Fault");
	t->stack_row = true;
	return MATCH_QUIET;
}

/* A call site for which WinDbg has no symbol: an RVA, "win32k+0x1a230", or an address, "0xcccccccc", whose
   MODULE_LENGTH is 0. */
static enum match unresolved_site(struct tokens *t, struct context *context, struct row_reader *r, size_t module_length)
{
	struct cursor *c = &r->cursor;
	struct number number;
	size_t begin = c->at;
	c->at += module_length + (module_length > 0);
	if (!cursor_number(c, &number) || !number.prefix)
		return MATCH_NONE;
	enum match match = match_relative(t, begin, c->at, in_module(t->text + begin, module_length, number.value),
					  IS_OPEN);
	if (match != MATCH_TOKEN)
		return match;
	r->row.place = number.value;
	t->token.is_return = context_stack_row(context, &r->row);
	t->token.absolute = module_length == 0;
	t->stack_row = true;
	return MATCH_TOKEN;
}

/* Whether the line ends at AT, or after one more number or ":" of the columns before the call site. */
static bool is_rest_number(const struct tokens *t, size_t at)
{
	struct number number;
	const size_t end = match_text_end(t);
	return at >= end || (number_parse(t->text + at, end - at, &number) == end - at && !number.prefix) ||
	       (end - at == 1 && t->text[at] == ':');
}

/* A mailer has wrapped the row before its call site: wrapped.c reads it together with the next line. */
static enum match cut_row(struct tokens *t)
{
	t->stack_row = t->stack_cut = true;
	t->at = t->length;
	return MATCH_QUIET;
}

enum match match_stack_row(struct tokens *t, struct context *context)
{
	struct row_reader r = { .cursor = cursor_at(t, t->begin) };
	struct cursor *c = &r.cursor;
	if (c->at >= match_text_end(t))
		context_stack_break(context);
	const bool columns = read_columns(&r);
	if (r.begun && context->heading == HEADING_WINDBG_STACK && is_rest_number(t, c->at))
		return cut_row(t);
	if (!columns)
		return MATCH_NONE;
	size_t at = c->at;
	while (at < t->length && is_module_char(t->text[at]))
		at++;
	if (at > c->at && at < t->length && t->text[at] == '!')
		return named_site(t, context, &r);
	if (at > c->at && at < t->length && t->text[at] == '+')
		return unresolved_site(t, context, &r, at - c->at);
	/* Without a heading, an address alone only counts in a line with a sign of sieve.c, as in named_site(). */
	return context_in_stack(context) || r.grave ? unresolved_site(t, context, &r, 0) : MATCH_NONE;
}

/* --------------------------------------------------------------------------------- the place of a crash */

/* Skip the bytes of an instruction: "8b6e28". */
static bool take_bytes(struct cursor *c)
{
	enum { DIGITS_MAX = 2 * 15 };
	size_t from = c->at;
	while (!cursor_at_end(c) && is_hex(c->text[c->at]))
		c->at++;
	return c->at > from && (c->at - from) % 2 == 0 && c->at - from <= DIGITS_MAX;
}

/* Skip the name of an instruction.  A number of 8 or more digits is no name, although it can begin with a letter. */
static bool take_mnemonic(struct cursor *c)
{
	struct number number;
	size_t from = c->at;
	if (cursor_at_end(c) || !is_letter(c->text[c->at]) ||
	    (cursor_number(c, &number) && number.digits >= NUMBER_HALF))
		return false;
	for (c->at = from; !cursor_at_end(c) && is_word(c->text[c->at]);)
		c->at++;
	return true;
}

enum { PAGE = 0x1000 };

/* "9112a230 8b6e28          mov     ebp,dword ptr [esi+28h]" */
enum match match_instruction(struct tokens *t, struct context *context)
{
	struct cursor c = cursor_at(t, t->begin);
	struct number number;
	bool good = cursor_number(&c, &number) && !number.prefix && (number.digits == 8 || number.digits == 16);
	size_t end = c.at;
	good = good && cursor_char(&c, ' ') && take_bytes(&c) && cursor_blanks(&c) > 0 && take_mnemonic(&c);
	if (!good)
		return MATCH_NONE;
	context->place_line = 0;
	enum match match = match_absolute(t, t->begin, end, number.value, context->place_kind);
	const uint64_t base = number.value - context->place_rva;
	if (match != MATCH_TOKEN || context->place_module_length == 0 || base > number.value || base % PAGE != 0)
		return match;
	/* The line before has the same place as an RVA in a module, so the two tell where the module is loaded. */
	t->has_queued_token = true;
	return match_loaded(t, t->at, context->place_module, context->place_module_length, base, 0);
}
