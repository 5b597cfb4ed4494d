// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_stop.c - the code address among the parameters of a bugcheck
 *
 *     *** STOP: 0x0000000A (0x00000004,0x00000002,0x00000000,0x80412345)
 *
 *     *** Fatal System Error: 0x00000050
 *                            (0xE10F9120,0x00000000,0xFD8B49C2,0x00000000)
 *
 *     BugCheck D5, {fab22c50, 0, 911db830, 0}						WinDbg
 *     The bugcheck was: 0x0000000a (0x00000004, 0x00000002, 0x00000000, 0x80412345)	Windows' event 1001
 *
 * The bugcheck decides which parameter is a code address.  The token is tentative: such a parameter may also be data,
 * so one that lies in no module gets neither an annotation nor a complaint.
 */
#include "config.h"
#include "log/read/match.h"

/* Which parameter, counted from 1, is a code address; 0 if none is, or if we do not know the bugcheck. */
static unsigned code_parameter(uint64_t bugcheck)
{
	enum { MINIDUMP = 0x10000000 }; /* a flag that Windows adds to some bugchecks */
	switch (bugcheck & ~(uint64_t)MINIDUMP) {
	case 0x151: /* UNSUPPORTED_INSTRUCTION_MODE */
		return 1;
	case 0x1e: /* KMODE_EXCEPTION_NOT_HANDLED */
	case 0x3b: /* SYSTEM_SERVICE_EXCEPTION */
	case 0x7e: /* SYSTEM_THREAD_EXCEPTION_NOT_HANDLED */
	case 0x8e: /* KERNEL_MODE_EXCEPTION_NOT_HANDLED */
		return 2;
	case 0x50: /* PAGE_FAULT_IN_NONPAGED_AREA */
	case 0xcc: /* PAGE_FAULT_IN_FREED_SPECIAL_POOL */
	case 0xcd: /* PAGE_FAULT_BEYOND_END_OF_ALLOCATION */
	case 0xce: /* DRIVER_UNLOADED_WITHOUT_CANCELLING_PENDING_OPERATIONS */
	case 0xcf: /* TERMINAL_SERVER_DRIVER_MADE_INCORRECT_MEMORY_REFERENCE */
	case 0xd5: /* DRIVER_PAGE_FAULT_IN_FREED_SPECIAL_POOL */
	case 0xd6: /* DRIVER_PAGE_FAULT_BEYOND_END_OF_ALLOCATION */
		return 3;
	case 0x0a: /* IRQL_NOT_LESS_OR_EQUAL */
	case 0xc5: /* DRIVER_CORRUPTED_EXPOOL */
	case 0xd0: /* DRIVER_CORRUPTED_MMPOOL */
	case 0xd3: /* DRIVER_PORTION_MUST_BE_NONPAGED */
	case 0xd4: /* SYSTEM_SCAN_AT_RAISED_IRQL_CAUGHT_IMPROPER_DRIVER_UNLOAD */
	case 0xd1: /* DRIVER_IRQL_NOT_LESS_OR_EQUAL */
		return 4;
	default:
		return 0;
	}
}

/* Match "(0xE10F9120,0x00000000,0xFD8B49C2,0x00000000)" or, with the bracket OPEN, "{fab22c50, 0, 911db830, 0}" at C,
   and make a token of parameter WANTED. */
static enum match match_parameters(struct tokens *t, struct cursor c, unsigned wanted, char open)
{
	size_t begin = c.at;
	bool good = cursor_char(&c, open);
	struct number number = { .value = 0 };
	for (unsigned i = 1; good && i <= wanted; i++) {
		begin = c.at;
		good = cursor_number(&c, &number) && number.prefix == (open == '(') &&
		       (i == wanted || cursor_char(&c, ','));
		if (i < wanted)
			cursor_blanks(&c);
	}
	if (c.more || !good)
		return c.more ? match_more(t, t->at) : MATCH_NONE;
	/* In other cases than the usual one, this is a small number. */
	if (number.value < 0x1000)
		return MATCH_NONE;
	enum match match = match_absolute(t, begin, c.at, number.value, IS_EXACT);
	if (match == MATCH_TOKEN)
		t->token.tentative = true;
	return match;
}

enum match match_bugcheck(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number bugcheck;
	if (!cursor_number(&c, &bugcheck) || !cursor_word(&c, ", "))
		return c.more ? match_more(t, t->at) : MATCH_NONE;
	unsigned wanted = code_parameter(bugcheck.value);
	return wanted ? match_parameters(t, c, wanted, '{') : MATCH_NONE;
}

enum match match_stop(struct tokens *t, struct context *context, size_t at)
{
	struct cursor c = cursor_at(t, at), after;
	struct number bugcheck;
	if (!cursor_number(&c, &bugcheck) || !bugcheck.prefix)
		return c.more ? match_more(t, t->at) : MATCH_NONE;
	unsigned wanted = code_parameter(bugcheck.value);
	if (wanted == 0)
		return MATCH_NONE;
	after = c;
	if (cursor_rest_is_blank(&after)) {
		context->stop_parameter = wanted;
		context->stop_line = context->line;
		t->at = t->length;
		return MATCH_QUIET;
	}
	if (after.more)
		return match_more(t, t->at);
	cursor_blanks(&c);
	return match_parameters(t, c, wanted, '(');
}

enum match match_stop_line(struct tokens *t, struct context *context)
{
	enum match match = MATCH_NONE;
	/* The start of the text is not known while only a part of a time stamp or the like has arrived. */
	if (context->line == context->stop_line + 1)
		match = !t->complete && match_may_be_row(t)
				? match_more(t, t->begin)
				: match_parameters(t, cursor_at(t, t->begin), context->stop_parameter, '(');
	if (match != MATCH_MORE)
		context->stop_parameter = 0;
	return match;
}
