// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_number.c - numbers that are addresses without any mark
 *
 *     fffff800`02a61000			WinDbg's form for 64 bits: an address, except in the next three forms
 *     fffff880`03cfb490  fffff800`02a61000	a row of a memory dump (dq, dps): the address of data, and the data
 *     TRAP_FRAME:  fffff880`03cfb490 -- (.trap 0xfffff880`03cfb490)	a structure
 *     rsp=fffff880`03cfb490			a register; match_key.c takes those that point to code
 *     80941360  8094136a  809412fe		FreeLoader's screen: addresses, because "Frames:" came before
 *     F7A3BCE4 80941360  F7A3BD10 8094136a	PspDumpThreads: pairs of a frame pointer and a return address
 *     9112a230 8b6e28          mov     ebp,dword ptr [esi+28h]	the instruction after FAULTING_IP or FOLLOWUP_IP
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

/* Whether a blank, a carriage return or the end of the text is at AT. */
static bool has_ended(const struct tokens *t, size_t at)
{
	return at == t->length || is_blank(t->text[at]) || t->text[at] == '\r';
}

/* Whether the number with a grave accent at t->at, which ends at C, is data: in one of the three forms above. */
static bool is_data(struct tokens *t, const struct cursor *c)
{
	struct cursor after = *c;
	if (t->at > 0 && t->text[t->at - 1] == '=')
		return true;
	if (t->at == t->begin && cursor_word(&after, "  "))
		t->dump_row = !cursor_at_end(&after) && is_hex(after.text[after.at]);
	if (!t->dump_row)
		cursor_word(&after, " -- (.");
	return t->dump_row || after.at > c->at + 2;
}

/* Count a number on a line of pairs.  Returns whether it is the first of its pair, which is a frame pointer.  A mailer
   may have wrapped the line before between the two numbers of a pair. */
static bool is_frame_pointer(struct tokens *t, struct context *context)
{
	if (t->pair_numbers == 0 && context->half_line > 0 && context->half_line + 1 == context->line)
		t->pair_numbers = 1;
	const bool first = t->pair_numbers++ % 2 == 0;
	context->half_line = first ? context->line : 0;
	return first;
}

enum match match_number(struct tokens *t, struct context *context)
{
	struct number number;
	struct cursor c = cursor_at(t, t->at);
	if (!cursor_number(&c, &number) || number.prefix)
		return MATCH_NONE;
	if (number.grave) {
		if (is_data(t, &c))
			return MATCH_NONE;
	} else {
		bool spaced = t->at == t->begin || (t->at > t->begin && is_blank(t->text[t->at - 1]));
		if (!t->numbers || number.digits < 8 || !spaced || !has_ended(t, c.at) ||
		    context->heading == HEADING_NONE)
			return MATCH_NONE;
		if (context->heading == HEADING_PAIRS && is_frame_pointer(t, context))
			return MATCH_NONE;
	}
	return match_absolute(t, t->at, c.at, number.value, number.grave ? IS_OPEN : IS_RETURN);
}

bool match_is_all_numbers(const struct tokens *t)
{
	size_t at = t->begin, end = match_text_end(t);
	if (at >= end)
		return false;
	while (at < end) {
		struct number number;
		size_t n = number_parse(t->text + at, end - at, &number);
		if (n == 0 || number.prefix || number.grave || (number.digits != 8 && number.digits != 16))
			return false;
		at += n;
		if (at < end && !is_blank(t->text[at]))
			return false;
		while (at < end && is_blank(t->text[at]))
			at++;
	}
	return true;
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

/* Match the whole line as a row of a disassembly: "9112a230 8b6e28          mov     ebp,dword ptr [esi+28h]" */
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
	if (match != MATCH_TOKEN || context->place_rva == 0 || context->kept_length == 0 || base > number.value ||
	    base % PAGE != 0)
		return match;
	/* The line before has the same place as an RVA in a module, so the two tell where the module is loaded. */
	t->has_queued_token = true;
	return match_loaded(t, t->at, context->kept_name, context->kept_length, base, 0);
}
