// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_dump.c - where another program's report of a process begins: the modules of the process before are forgotten
 *
 *     wine: Unhandled page fault on read access to 00000000 at address 01FC9328 (thread 0024), starting debugger...
 *     Unhandled exception: page fault on read access to 0x00000000 in 32-bit code (0x01fc9328).	winedbg
 *     #  EXCEPTION_ACCESS_VIOLATION (0xc0000005) at pc=0x00401234, pid=1234, tid=5678			Java
 *     Crash reason:  EXCEPTION_ACCESS_VIOLATION_READ							Breakpad
 *     Loading Dump File [C:\app.dmp]									WinDbg
 *     Kill app.exe, ExceptionCode: c0000005, ExceptionAddress: 00401234, BaseAddress: 00400000, P0: 0, P1: 0	ReactOS
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

enum match match_user_dump(struct tokens *t, struct context *context, size_t at)
{
	context->watson = false;
	t->fact = (struct fact){ .kind = FACT_USER };
	t->at = at;
	return MATCH_FACT;
}

enum match match_in_dump(struct tokens *t, struct context *context, enum match match)
{
	if (match != MATCH_TOKEN)
		return match;
	t->has_queued_token = true;
	return match_user_dump(t, context, t->at);
}

enum match match_dump_heading(struct tokens *t, struct context *context, size_t at)
{
	if (t->at != t->begin)
		return MATCH_NONE;
	context_reset(context);
	return match_user_dump(t, context, at);
}

/* Store that the current line begins Wine's dump of a fault at ADDRESS, or only announces it, if ANNOUNCED.  Returns
   whether the line before did so, too: then no other dump begins here.  That line can be the same one: the scout
   (log/resolve/scout.h) reads a line again, as the next one, and the second reading must not find
   more than the first. */
static bool begin_wine_dump(struct context *context, uint64_t address, bool announced)
{
	const bool again = context->wine_line > 0 && context->line <= context->wine_line + 1;
	context->wine_line = context->line;
	context->wine_fault = address;
	context->wine_announced = announced;
	return again;
}

/* Wine also prints which modules are loaded, and the log may be of only one process: so its first dump makes no
   FACT_USER, after which these modules would be forgotten. */
enum match match_wine_dump(struct tokens *t, struct context *context, enum match match)
{
	const bool first = context->wine_line == 0;
	if (match != MATCH_TOKEN || begin_wine_dump(context, t->token.number, true) || first)
		return match;
	return match_in_dump(t, context, match);
}

/* A dump that Wine has announced has begun with the announcement, so it does not begin here. */
enum match match_winedbg(struct tokens *t, struct context *context, enum match match)
{
	static const char word[] = "Unhandled exception: ";
	const size_t length = sizeof word - 1;
	if (match != MATCH_TOKEN || t->length - t->begin < length || memcmp(t->text + t->begin, word, length) != 0)
		return match;
	const bool announced = context->wine_announced && context->wine_fault == t->token.number;
	return begin_wine_dump(context, t->token.number, false) || announced ? match : match_in_dump(t, context, match);
}

/* Java prints this line on the terminal, and then again in its report: only the first begins a dump. */
enum match match_java_dump(struct tokens *t, struct context *context, enum match match)
{
	struct number pid;
	struct cursor c = cursor_at(t, t->at);
	if (match != MATCH_TOKEN)
		return match;
	if (!cursor_word(&c, ", pid=") || !cursor_number(&c, &pid))
		return match;
	const bool again = context->java_pid == pid.value && context->java_pc == t->token.number;
	context->java_pid = pid.value;
	context->java_pc = t->token.number;
	return again ? match : match_in_dump(t, context, match);
}

enum match match_killed(struct tokens *t, struct context *context, size_t from, enum match match)
{
	enum { LINE_MAX = 256 };
	const size_t length = from - t->begin;
	const bool killed = from >= t->begin + 2 && length <= LINE_MAX && memcmp(t->text + from - 2, ", ", 2) == 0 &&
			    contains_word(t->text + t->begin, length, "Kill ");
	return killed ? match_in_dump(t, context, match) : match;
}
