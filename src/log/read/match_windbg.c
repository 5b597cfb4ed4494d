// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_windbg.c - what WinDbg's !analyze prints about the place of a crash
 *
 *     Arguments:
 *     Arg2: 90543bd0, The address that the exception occurred at
 *     FAULTING_MODULE: 91110000 win32k
 *     FAULTING_IP:
 *     win32k+1a230						a module and an RVA, without "0x"
 *     9112a230 8b6e28          mov     ebp,dword ptr [esi+28h]	the instruction there
 *     LAST_CONTROL_TRANSFER:  from 9112a235 to 80526f24		a return address and an exact one
 *     SYMBOL_NAME:  win32k+1a230
 *     Probably caused by : win32k.sys ( win32k+1a230 )
 *
 * Two lines like those after FAULTING_IP also come after FOLLOWUP_IP; their address may be exact or a return address.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

/* "Arg2: 90543bd0, The address that the exception occurred at": the text after the number shows whether it
   is a code address. */
enum match match_argument(struct tokens *t, struct context *context, size_t at)
{
	t->known = true;
	static const char *const texts[] = {
		", address which referenced memory",
		", The address that the exception occurred at",
		", Address of the instruction which caused the",
		", If non-zero, the instruction address which referenced",
		", If non-zero, the address which referenced memory",
	};
	enum match match = MATCH_NONE;
	struct cursor c = cursor_at(t, at);
	struct number number;
	if (!context_in_arguments(context))
		return MATCH_NONE;
	if (!cursor_number(&c, &number))
		return MATCH_NONE;
	for (size_t i = 0; match == MATCH_NONE && number.digits >= 8 && i < sizeof texts / sizeof *texts; i++)
		match = match_before(t, at, c.at, number.value, IS_EXACT, texts[i]);
	return match;
}

/* "FAULTING_MODULE: 91110000 win32k" */
enum match match_faulting_module(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number base;
	bool good = cursor_number(&c, &base) && base.digits >= 8 && cursor_blanks(&c) > 0;
	size_t begin = c.at;
	while (good && !cursor_at_end(&c) && is_module_char(c.text[c.at]))
		c.at++;
	return good && c.at > begin ? match_loaded(t, c.at, t->text + begin, c.at - begin, base.value, 0) : MATCH_NONE;
}

/* "LAST_CONTROL_TRANSFER:  from 9112a235 to 80526f24": NUMBER, which ends at C, is one of the two addresses. */
enum match match_transfer(struct tokens *t, struct cursor *c, const struct number *number)
{
	if (number->prefix || number->digits < 8 || t->at < 5)
		return MATCH_NONE;
	bool from = memcmp(t->text + t->at - 5, "from ", 5) == 0, to = memcmp(t->text + t->at - 4, " to ", 4) == 0;
	return from || to ? match_absolute(t, t->at, c->at, number->value, from ? IS_RETURN : IS_EXACT) : MATCH_NONE;
}

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
