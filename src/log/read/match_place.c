// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_place.c - numbers that are addresses, though no word says so; a module and an offset in it
 *
 *     fffff800`02a61000			WinDbg's form for 64 bits: an address, except in the next three forms
 *     fffff880`03cfb490  fffff800`02a61000	a row of a memory dump (dq, dps): the address of data, and the data
 *     TRAP_FRAME:  fffff880`03cfb490 -- (.trap 0xfffff880`03cfb490)	a structure
 *     rsp=fffff880`03cfb490			a register; forms.txt has those that point to code
 *     80941360  8094136a  809412fe		FreeLoader's screen: addresses, because "Frames:" came before
 *     F7A3BCE4 80941360  F7A3BD10 8094136a	PspDumpThreads: pairs of a frame pointer and a return address
 *     9112a230 8b6e28          mov     ebp,dword ptr [esi+28h]	the instruction after FAULTING_IP or FOLLOWUP_IP
 *     win32k+0x1a2b3					WinDbg, without symbols: a module and an RVA
 *     win32k+1a2b3						WinDbg's !analyze
 *     win32k.sys+1a2b3					as people write it, without the "0x"
 *
 * Nothing marks where a module's name begins, so the matcher is called at the "+" and looks back for the module.  If an
 * address comes before the module's name, the rules (rules.h) derive the module's load address.
 *
 * Rows of stacks with a number, or without an address, are forms of forms.txt.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

enum { PAGE = 0x1000 };

void match_queue_base(struct tokens *t, uint64_t base)
{
	t->queued = (struct fact){
		.kind = FACT_LOADED, .module = t->token.module, .module_length = t->token.module_length, .base = base
	};
	t->has_queued = true;
}

/* Returns where the module's name that ends at END begins.  Nothing marks its beginning: "win32k", "libstdc++-6.dll".
   Text before LEAST is no part of the name.  Returns END if there is no name. */
static size_t find_name_before(const struct tokens *t, size_t end, size_t least)
{
	size_t begin = end;
	while (begin > least && end - begin < NAME_LENGTH_MAX) {
		const char *last = t->text + begin - 1;
		const size_t length = module_char_length_before(t->text, least, begin);
		if (length > 0)
			begin -= length;
		else if (begin - least > 2 && memcmp(last - 1, "++", 2) == 0 && is_word_char(last[-2]))
			begin -= 2;
		else
			break;
	}
	return begin;
}

size_t match_find_path_before(const char *text, size_t least, size_t name)
{
	size_t begin = name;
	if (name == 0 || !is_separator(text[name - 1]))
		return name;
	while (begin > least && name - begin < NAME_LENGTH_MAX && text[begin] != ':')
		begin--;
	return begin > least && text[begin] == ':' ? begin - 1 : name;
}

enum match match_plus(struct tokens *t, struct context *context)
{
	const size_t least = t->at < t->begin ? 0 : t->begin, begin = find_name_before(t, t->at, least);
	if (begin == t->at)
		return MATCH_NONE;
	/* "nt!KiDispatchException+0x25" is a symbol and an offset, which need no answer: WinDbg had the symbols. */
	if (begin > least && (t->text[begin - 1] == '!' || t->text[begin - 1] == ':' || t->text[begin - 1] == '@'))
		return MATCH_NONE;
	if (is_digit(t->text[begin]) || strchr(".-$~+", t->text[begin]))
		return MATCH_NONE;
	struct cursor c = cursor_make(t, t->at + 1);
	struct number number;
	if (!cursor_read_number(&c, &number))
		return MATCH_NONE;
	/* winedbg's "EntryPoint+0x10() in ntdll" is also a symbol and an offset (forms.txt). */
	struct cursor after = cursor_make(t, c.at);
	if (cursor_read_word(&after, "() in "))
		return MATCH_NONE;
	const enum is_return kind = context_may_have_place(context) ? context->place_kind : IS_OPEN;
	const char *name = t->text + begin;
	const size_t length = t->at - begin;
	enum match match;
	if (number.prefix || (t->line_state == LINE_PLACE && number.digits >= LEAST_WRITTEN))
		match = match_make_relative(t, begin, c.at, make_module_offset(name, length, number.value), kind);
	/* "ntoskrnl.exe+8f9b0".  Other text has this form, too: parts of URLs, "a.exe+1". */
	else if (number.digits < LEAST_WRITTEN || !match_is_module_name(name, length) ||
		 (begin > least && !match_is_boundary(t->text[begin - 1])))
		return MATCH_NONE;
	else
		match = match_make_written(t, begin, c.at, name, length, number.value);
	t->token.may_have_base = match == MATCH_TOKEN;
	return match;
}

/* ----------------------------------------------------------------------------------------------- numbers */

/* Whether the number with a grave accent from t->at to C is data: form 2, 3 or 4 at the head of this file.
   Sets t->dump_row for form 2. */
static bool is_data_number(struct tokens *t, const struct cursor *c)
{
	struct cursor after = *c;
	if (t->at > 0 && t->text[t->at - 1] == '=')
		return true;
	if (t->at == t->begin && cursor_read_word(&after, "  "))
		t->dump_row = !cursor_is_at_end(&after) && is_hex(after.text[after.at]);
	if (!t->dump_row)
		cursor_read_word(&after, " -- (.");
	return t->dump_row || after.at > c->at + 2;
}

/* If a module may be from BASE, the number before C, to the number after C, skip both and return true: the rules
   (rules.h) read rows with such numbers, which other programs print like the rows of WinDbg's lm. */
static bool skip_module_range(struct tokens *t, const struct cursor *c, uint64_t base)
{
	struct cursor after = *c;
	struct number end;
	cursor_skip_blanks(&after);
	if (base % PAGE || !cursor_read_number(&after, &end) || !end.grave || end.value <= base || end.value % PAGE)
		return false;
	t->at = after.at - 1;
	return true;
}

enum match match_number(struct tokens *t, struct context *context)
{
	struct number number;
	struct cursor c = cursor_make(t, t->at);
	if (!cursor_read_number(&c, &number) || number.prefix)
		return MATCH_NONE;
	if (number.grave && (is_data_number(t, &c) || skip_module_range(t, &c, number.value)))
		return MATCH_NONE;
	struct cursor after = c;
	const bool spaced = (t->at <= t->begin || is_blank(t->text[t->at - 1])) &&
			    (cursor_skip_to_line_end(&after) || after.at > c.at);
	if (!number.grave && (!t->numbers || number.digits < 8 || !spaced || context->heading == HEADING_NONE))
		return MATCH_NONE;
	if (!number.grave && context->heading == HEADING_PAIRS) {
		/* The first number of a pair is a frame pointer.  A mailer may have wrapped the line after it. */
		const bool is_first = context->half_line == 0 || context->half_line + 1 < context->line;
		context->half_line = is_first ? context->line : 0;
		if (is_first)
			return MATCH_NONE;
	}
	return match_make_absolute(t, t->at, c.at, number.value, number.grave ? IS_OPEN : IS_RETURN);
}

bool match_is_all_numbers(const struct tokens *t)
{
	struct number number;
	struct cursor c = cursor_make(t, t->begin);
	while (cursor_read_number(&c, &number) && !number.prefix && (number.digits == 8 || number.digits == 16) &&
	       !number.grave)
		if (cursor_skip_to_line_end(&c))
			return true;
	return false;
}

/* --------------------------------------------------------------------------------- the place of a crash */

/* Skip the bytes of an instruction: "8b6e28". */
static bool skip_instruction_bytes(struct cursor *c)
{
	enum { DIGITS_MAX = 2 * 15 };
	size_t from = c->at;
	while (!cursor_is_at_end(c) && is_hex(c->text[c->at]))
		c->at++;
	return c->at > from && (c->at - from) % 2 == 0 && c->at - from <= DIGITS_MAX;
}

enum match match_disassembly_row(struct tokens *t, struct context *context)
{
	struct cursor c = cursor_make(t, t->begin);
	struct number number, word;
	bool good = cursor_read_number(&c, &number) && !number.prefix && (number.digits == 8 || number.digits == 16);
	size_t end = c.at;
	good = good && cursor_read_char(&c, ' ') && skip_instruction_bytes(&c) && cursor_skip_blanks(&c) > 0 &&
	       !cursor_is_at_end(&c) && is_letter(c.text[c.at]);
	/* a number of 8 or more digits is no instruction, although it can begin with a letter */
	if (!good || (cursor_read_number(&c, &word) && word.digits >= NUMBER_HALF))
		return MATCH_NONE;
	context->place_line = 0;
	enum match match = match_make_absolute(t, t->begin, end, number.value, context->place_kind);
	const uint64_t base = number.value - context->place_rva;
	if (match != MATCH_TOKEN || context->place_rva == 0 || context->kept_length == 0 || base > number.value ||
	    base % PAGE != 0)
		return match;
	/* The line before has the same place as an RVA in a module, so the module is loaded at the difference. */
	t->has_queued_token = true;
	return match_make_loaded_fact(t, t->at, context->kept_name, context->kept_length, base, 0);
}
