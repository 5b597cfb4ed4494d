// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_key.c - the words of forms, and the functions that some forms call because a pattern cannot say what they read
 *
 * Above each function is a line as ReactOS, WinDbg, gdb or another program prints it.
 */
#include "config.h"
#include "log/read/form-words.h"
#include "log/read/chars.h"

#include <string.h>

/* ----------------------------------------------------------- where a report begins: old modules are forgotten */

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
static enum match match_wine_dump(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	const bool first = context->wine_line == 0;
	(void)at, (void)value;
	return begin_wine_dump(context, t->token.number, true) || first ? MATCH_TOKEN
									: match_in_dump(t, context, MATCH_TOKEN);
}

/* A dump that Wine has announced has begun with the announcement, so it does not begin here. */
static enum match match_winedbg(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	const bool announced = context->wine_announced && context->wine_fault == t->token.number;
	(void)at, (void)value;
	return begin_wine_dump(context, t->token.number, false) || announced ? MATCH_TOKEN
									     : match_in_dump(t, context, MATCH_TOKEN);
}

/* Java prints this line on the terminal, and then again in its report: only the first begins a dump. */
static enum match match_java_dump(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	struct number pid;
	struct cursor c = cursor_at(t, at);
	(void)value;
	if (!cursor_word(&c, ", pid=") || !cursor_number(&c, &pid))
		return MATCH_TOKEN;
	const bool again = context->java_pid == pid.value && context->java_pc == t->token.number;
	context->java_pid = pid.value;
	context->java_pc = t->token.number;
	return again ? MATCH_TOKEN : match_in_dump(t, context, MATCH_TOKEN);
}

/* ------------------------------------------------------------------------------------------------- others */

/* Breakpad: "    eip = 0x77471f86   esp = 0x0997f9a0".  C is after the "=".  The register is that of the frame whose
   row comes before: eip is on the next line, and rip is the last of the registers.  Three blanks or the end of the line
   must follow: rossym-log's reports of dumps have two blanks, and there the row of the frame has the same address. */
static enum match match_breakpad_register(struct tokens *t, struct context *context, struct cursor c)
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

/* C is after an "Eip:" that has no number after it.  If the rest of the line is blank, "Eip:" is the
   heading of KDBG's trace. */
static enum match after_eip_alone(struct tokens *t, struct context *context, struct cursor *c)
{
	if (!cursor_rest_is_blank(c))
		return MATCH_NONE;
	context_heading(context, HEADING_EIP);
	t->at = t->length;
	return MATCH_QUIET;
}

/*
 * The instruction pointer, with or without a segment, after a colon, "=" or blanks:
 *
 *     CS:EIP 1b:7c92f0a1		kernel32
 *     CS:EIP  0x0008:0x80941360	KDBG "regs"
 *     eip=8094136a efl=00000246	WinDbg
 *     EIP: 8094136A			FreeLoader
 *     RIP  - 000000001EA372D9		EDK2
 *     Eip:				KDBG "bt": the address is a token on the next line
 */
static enum match after_eip(struct tokens *t, struct context *context, size_t end, unsigned value)
{
	(void)value;
	size_t at = t->at;
	while (at < end && is_word(t->text[at]))
		at++; /* the form may have the sign, too */
	struct cursor c = cursor_at(t, at);
	struct number number;
	bool colon = cursor_char(&c, ':');
	if (!colon && !cursor_char(&c, '=') && (at >= t->length || !is_blank(t->text[at])))
		return MATCH_NONE;
	size_t spaces = cursor_blanks(&c);
	if (spaces > 32)
		return MATCH_NONE;
	if (!colon && spaces == 1 && cursor_word(&c, "= "))
		return match_breakpad_register(t, context, c);
	if (!colon && spaces > 0)
		cursor_word(&c, "- ");
	size_t begin = c.at;
	if (!cursor_number(&c, &number)) {
		c.at = begin;
		return colon ? after_eip_alone(t, context, &c) : MATCH_NONE;
	}
	/* Up to four digits and a colon are a segment.  In place of a number, a token can follow: "CS:EIP
	   8:<ntoskrnl.exe:89b21>". */
	if (number.digits <= 4 && cursor_char(&c, ':')) {
		begin = t->pc_end = c.at;
		if (!cursor_number(&c, &number))
			return MATCH_NONE;
	}
	if (number.digits < 5)
		return MATCH_NONE;
	size_t word = t->at;
	enum match match = match_absolute(t, begin, c.at, number.value, IS_EXACT);
	if (match == MATCH_TOKEN)
		t->pc_end = t->at;
	/* WinDbg's command "r": the segment registers are on the next line, and after that line come the place and its
	   instruction.  So treat the next line as one that announces a place. */
	if (match == MATCH_TOKEN && t->text[word] == 'e' && !colon && number.digits == NUMBER_HALF && !number.prefix) {
		context_place(context, IS_EXACT);
		context->place_line++;
	}
	return match;
}

/* KDBG: "Entered debugger on embedded INT3 at 0x0008:0x8058324B."  match_angle() computes the kernel's base from the
   address. */
static enum match after_int3(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)at, (void)value;
	context->int3 = true;
	context->int3_address = t->token.number;
	return MATCH_TOKEN;
}

enum match match_boot(struct tokens *t, struct context *context, size_t begin, size_t at, bool must)
{
	enum match match = match_build(t, FACT_BOOT, begin, at, must);
	if (match == MATCH_FACT) {
		context_reset(context);
		context->int3 = context->watson = false;
	}
	return match;
}

/* "ReactOS 0.4.2 (Build 20160816-r72234)": the kernel prints this banner at each boot.  The version comes before the
   key word, "(Build ".  A banner that was cut at the edge of a screen shows a boot of an unknown build.  Text with a
   token in it is no banner, because after the token was annotated, another run could not read the version. */
static enum match after_build(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)value;
	static const char name[] = "ReactOS ";
	size_t name_length = sizeof name - 1, begin = t->at;
	while (begin > t->token_end && t->at - begin < 64 && t->text[begin - 1] != ')')
		begin--;
	for (; begin + name_length < t->at; begin++)
		if (memcmp(t->text + begin, name, name_length) == 0 && is_digit(t->text[begin + name_length]))
			return match_boot(t, context, begin, at, false);
	return MATCH_NONE;
}

/* "0.4.15-dev-1397-g19779b3" in a sentence or a form.  "-dev-" is in the middle of it. */
static enum match after_version_number(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)context, (void)value;
	size_t begin = t->at;
	while (begin > 0 && (is_digit(t->text[begin - 1]) || t->text[begin - 1] == '.'))
		begin--;
	return begin < t->at ? match_build(t, FACT_BUILD, begin, at, true) : MATCH_NONE;
}

/* Dr. Watson: "    Exception address: 7c92f0a0".  The report of a process begins here, so the FACT_USER comes before
   the token.  The module list, which comes later in the report, holds for this address, too. */
static enum match after_watson_address(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)at, (void)value;
	const enum match match = match_in_dump(t, context, MATCH_TOKEN);
	context->watson = true;
	return match;
}

/* Dr. Watson's list of modules.  If no "Exception address:" came before it, the report of a process begins here. */
static enum match after_watson_modules(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)value;
	context_table(context, TABLE_WATSON_MODULES);
	if (!context->watson)
		return match_user_dump(t, context, at);
	context->watson = false;
	t->at = at;
	return MATCH_QUIET;
}

/* ------------------------------------------------------------------------------------------------------ Go */

/* "PC=0x70e916", the address of an exception, which begins its report */
static enum match match_go_exception(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)at, (void)value;
	context->go_pc = t->token.number;
	return MATCH_TOKEN;
}

/* "unknown pc 0x70e916": if this is the address of the exception, it is exact. */
static enum match match_go_unknown(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)at, (void)value;
	if (t->token.number == context->go_pc)
		t->token.is_return = IS_EXACT;
	return MATCH_TOKEN;
}

/* "runtime/cgocall.go:156 +0x4a fp=0xc0000cfd28 sp=0xc0000cfcf0 pc=0x7ff6661d472a": pc is a return address.  But after
   the row of a signal handler, it may be the instruction that the signal interrupted.  Each frame has two lines. */
static enum match match_go_row(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)value;
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
	if (!cursor_number(&c, &number) || !number.prefix || number.digits < 5)
		return MATCH_NONE;
	if (!contains_word(line, length, source))
		return MATCH_NONE;
	const bool after = context->go_signal_line > 0 && context->line <= context->go_signal_line + 2 &&
			   context->line > context->go_signal_line;
	enum match match = match_absolute(t, at, c.at, number.value, after ? IS_OPEN : IS_RETURN);
	if (match == MATCH_TOKEN && contains_word(line, length, handler))
		context->go_signal_line = context->line;
	return match == MATCH_TOKEN ? match_go_unknown(t, context, at, 0) : match;
}

/* --------------------------------------------------------------------------------------------- the words */

const struct form_word form_words[] = {
	{ "exact", MAKES, IS_EXACT, NULL },
	{ "return", MAKES, IS_RETURN, NULL },
	{ "open", MAKES, IS_OPEN, NULL },
	{ "trace", MAKES, KIND_TRACE, NULL },
	{ "row", MAKES, KIND_ROW, NULL },
	{ "written", MAKES, KIND_WRITTEN, NULL },
	{ "thread", MAKES, KIND_THREAD, NULL },
	{ "heading:address", SETS_HEADING, HEADING_ADDRESS, NULL },
	{ "heading:tss", SETS_HEADING, HEADING_TSS, NULL },
	{ "heading:pairs", SETS_HEADING, HEADING_PAIRS, NULL },
	{ "heading:windbg", SETS_HEADING, HEADING_WINDBG_STACK, NULL },
	{ "heading:trace", SETS_HEADING, HEADING_TRACE, NULL },
	{ "if:trace", WANTS_HEADING, HEADING_TRACE, NULL },
	{ "frames", SETS_FRAMES, 0, NULL },
	{ "table:mod", SETS_TABLE, TABLE_MOD, NULL },
	{ "table:lm", SETS_TABLE, TABLE_LM, NULL },
	{ "table:threads", SETS_TABLE, TABLE_THREADS, NULL },
	{ "table:wine", SETS_TABLE, TABLE_WINE, NULL },
	{ "table:java", SETS_TABLE, TABLE_JAVA, NULL },
	{ "table:version", SETS_TABLE, TABLE_VERSION, NULL },
	{ "table:nt-drivers", SETS_TABLE, TABLE_NT_DRIVERS, NULL },
	{ "table:nt-stack", SETS_TABLE, TABLE_NT_STACK, NULL },
	{ "table:eureka-stack", SETS_TABLE, TABLE_EUREKA_STACK, NULL },
	{ "table:eureka-modules", SETS_TABLE, TABLE_EUREKA_MODULES, NULL },
	{ "if:lm", WANTS_TABLE, TABLE_LM, NULL },
	{ "if:threads", WANTS_TABLE, TABLE_THREADS, NULL },
	{ "if:nt-stack", WANTS_TABLE, TABLE_NT_STACK, NULL },
	{ "if:eureka-stack", WANTS_TABLE, TABLE_EUREKA_STACK, NULL },
	{ "if:eureka-modules", WANTS_TABLE, TABLE_EUREKA_MODULES, NULL },
	{ "if:version", WANTS_TABLE, TABLE_VERSION, NULL },
	{ "if:wine", WANTS_TABLE, TABLE_WINE, NULL },
	{ "if:java", WANTS_TABLE, TABLE_JAVA, NULL },
	{ "if:nt-drivers", WANTS_TABLE, TABLE_NT_DRIVERS, NULL },
	{ "if:mod", WANTS_TABLE, TABLE_MOD, NULL },
	{ "if:watson-modules", WANTS_TABLE, TABLE_WATSON_MODULES, NULL },
	{ "counted", COUNTS_ROW, 0, NULL },
	{ "frame", SETS_FRAME, 0, NULL },
	{ "end", ENDS_TABLES, 0, NULL },
	{ "prompt", SETS_PROMPT, 0, NULL },
	{ "dump", BEGINS_DUMP, 0, NULL },
	{ "boot", BEGINS_BOOT, 0, NULL },
	{ "build", TELLS_BUILD, 0, NULL },
	{ "version", TELLS_BUILD, 1, NULL }, /* after "[" */
	{ "machine:i386", TELLS_MACHINE, MACHINE_I386, NULL },
	{ "machine:amd64", TELLS_MACHINE, MACHINE_AMD64, NULL },
	{ "machine:arm64", TELLS_MACHINE, MACHINE_ARM64, NULL },
	{ "machine:riscv64", TELLS_MACHINE, MACHINE_RISCV64, NULL },
	{ "user", TELLS_USER, 0, NULL },
	{ "based", TELLS_BASED, 0, NULL },
	{ "wraps", WRAPS, 0, NULL },
	{ "symbols", TELLS_MODULE, 0, NULL },
	{ "arguments", SETS_ARGUMENTS, 0, NULL },
	{ "if:arguments", WANTS_ARGUMENTS, 0, NULL },
	{ "if:fields", WANTS_FIELDS, 0, NULL },
	{ "place:exact", SETS_PLACE, IS_EXACT, NULL },
	{ "place:open", SETS_PLACE, IS_OPEN, NULL },
	{ "line:plain", SETS_LINE, LINE_PLAIN, NULL },
	{ "line:place", SETS_LINE, LINE_PLACE, NULL },
	{ "line:transfer", SETS_LINE, LINE_TRANSFER, NULL },
	{ "if:transfer", WANTS_LINE, LINE_TRANSFER, NULL },
	{ "line:exception", SETS_LINE, LINE_EXCEPTION, NULL },
	{ "if:exception", WANTS_LINE, LINE_EXCEPTION, NULL },

	{ "call:eip", CALLS, 0, after_eip },
	{ "call:int3", CALLS_AFTER, 0, after_int3 },
	{ "call:banner", CALLS, 0, after_build },
	{ "call:version-number", CALLS, 0, after_version_number },
	{ "call:watson-address", CALLS_AFTER, 0, after_watson_address },
	{ "call:watson-modules", CALLS, 0, after_watson_modules },
	{ "call:windbg-bugcheck", CALLS, 0, match_windbg_bugcheck },
	{ "call:bugcheck", CALLS, 0, match_bugcheck_number },
	{ "call:bugcheck-code", CALLS, 0, match_analyze_code },
	{ "call:bugcheck-parameter", CALLS, 0, match_analyze_parameter },
	{ "call:event-xp", CALLS, 0, match_event_xp },
	{ "call:event-module", CALLS, 0, match_event_module },
	{ "call:event-xml", CALLS, EVENT_XML, match_event_fields },
	{ "call:event-appcrash", CALLS, EVENT_APPCRASH, match_event_fields },
	{ "call:event-bex", CALLS, EVENT_BEX, match_event_fields },
	{ "call:event-data", CALLS, 0, match_event_data },
	{ "call:field-4", CALLS, 4, match_event_parameter },
	{ "call:field-6", CALLS, 6, match_event_parameter },
	{ "call:field-7", CALLS, 7, match_event_parameter },
	{ "call:field-8", CALLS, 8, match_event_parameter },
	{ "call:fault-module", CALLS, 0, match_fault_module },
	{ "call:fault-stamp", CALLS, 0, match_fault_number },
	{ "call:fault-offset", CALLS, 1, match_fault_number },
	{ "call:wine", CALLS_AFTER, 0, match_wine_dump },
	{ "call:winedbg", CALLS_AFTER, 0, match_winedbg },
	{ "call:java", CALLS_AFTER, 0, match_java_dump },
	{ "call:go-row", CALLS, 0, match_go_row },
	{ "call:go-exception", CALLS_AFTER, 0, match_go_exception },
	{ "call:go-unknown", CALLS_AFTER, 0, match_go_unknown },
	{ NULL, MAKES, 0, NULL },
};
