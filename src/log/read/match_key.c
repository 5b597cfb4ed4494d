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

/* KDBG: "Entered debugger on embedded INT3 at 0x0008:0x8058324B."  match_angle() computes the kernel's base from the
   address. */
static enum match keep_int3_address(struct tokens *t, struct context *context, size_t at, unsigned value)
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
		context->int3 = false;
		context->kept = 0;
	}
	return match;
}

/* "ReactOS 0.4.2 (Build 20160816-r72234)": the kernel prints this banner at each boot.  The version comes before the
   key word, "(Build ".  A banner that was cut at the edge of a screen shows a boot of an unknown build.  Text with a
   token, an address that gets a note, is no banner: a second run, which reads this program's output, finds the note where
   the version should be. */
static enum match match_banner(struct tokens *t, struct context *context, size_t at, unsigned value)
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

/* ------------------------------------------------------------------------------------------------ bugchecks */

/*
 * The code address among the parameters of a bugcheck:
 *
 *     *** STOP: 0x0000000A (0x00000004,0x00000002,0x00000000,0x80412345)
 *     *** STOP:  0x0000001E (0xC0000005 0x80412345 00000000)			NT 4; or typed from a photograph
 *
 *     *** Fatal System Error: 0x00000050
 *                            (0xE10F9120,0x00000000,0xFD8B49C2,0x00000000)
 *
 *     BugCheck D5, {fab22c50, 0, 911db830, 0}						WinDbg
 *     Bugcheck code 000000D1								WinDbg's .bugcheck
 *     Arguments 00000004 00000002 00000000 80412345
 *     BUGCHECK_CODE:  d1								WinDbg's !analyze
 *     BUGCHECK_P4: 80412345
 *     The bugcheck was: 0x0000000a (0x00000004, 0x00000002, 0x00000000, 0x80412345)	Windows' event 1001
 *     Bugcheck code: 0xD1 (0x4, 0x2, 0x0, 0x80412345)					WhoCrashed
 *
 * Which parameter is a code address depends on the bugcheck, for some also on its first parameter.  The token is
 * tentative: the parameter may also be data, so if it is in no module, nothing is reported.
 */

/* Source of these two tables: Microsoft's reference of bugchecks.  src/report/bugcheck-names.c has the names. */

/* The bugchecks of which the first, second, third or fourth parameter is a code address, whatever the others are. */
static const uint16_t code_bugchecks[STATEMENT_NUMBERS][12] = {
	/* a system call, a worker routine, the target of a jump */
	{ 0x01, 0x39, 0x4a, 0xdf, 0xe1, 0xfc, 0x128, 0x129, 0x151, 0x15b, 0x19a, 0x1d6 },
	/* the exception's address, a pointer into the video driver, a cancel routine */
	{ 0x1e, 0x3b, 0x7e, 0x8e, 0x116, 0x117, 0x11b, 0x141, 0x142 },
	/* the instruction that accessed memory, a callback of the registry */
	{ 0x50, 0xcc, 0xcd, 0xce, 0xcf, 0xd5, 0xd6, 0x135 },
	/* the same, a worker routine */
	{ 0x0a, 0x96, 0xc5, 0xd0, 0xd1, 0xd3, 0xd4, 0x1ea },
};

/* Which parameter, counted from 1, is a code address if the first parameter is from LOW to HIGH; and return addresses. */
static const struct code_parameter {
	uint16_t bugcheck, low, high;
	unsigned char parameter;
	bool is_return; /* it is the return address of a call */
} code_parameters[] = {
	{ 0xc2, 0x9b, 0x9d, 4, true },	/* BAD_POOL_CALLER */
	{ 0xc4, 0xc1, 0xc1, 2, false }, /* DRIVER_VERIFIER_DETECTED_VIOLATION: a routine of the driver */
	{ 0xc4, 0xc3, 0xc3, 2, false },
	{ 0xc4, 0xc5, 0xc6, 2, false },
	{ 0xc4, 0xda, 0xda, 3, false }, /* callback */
	{ 0xc4, 0xfa, 0xfb, 2, false },
	{ 0xc4, 0x110, 0x111, 2, false },
	{ 0xc4, 0x2000, 0x2002, 2, false },
	{ 0xc7, 2, 2, 2, false }, /* TIMER_OR_DPC_INVALID: the DPC's routine */
	{ 0xc7, 4, 5, 2, false },
	{ 0xc9, 0x07, 0x07, 2, false }, /* DRIVER_VERIFIER_IOMANAGER_VIOLATION: a routine of the driver */
	{ 0xc9, 0x11, 0x12, 2, false },
	{ 0xc9, 0x200, 0x3ff, 2, false }, /* an address in the driver's code */
	{ 0xda, 0x100, 0x100, 4, true },  /* SYSTEM_PTE_MISUSE: the caller's caller */
	{ 0xe4, 2, 2, 3, false },	  /* WORKER_INVALID: worker routine */
	{ 0x10d, 4, 4, 3, true },	  /* WDF_VIOLATION */
	{ 0x10d, 0x0f, 0x0f, 2, false },  /* callback */
	{ 0x1f2, 0, UINT16_MAX, 3, true },
};

/* Returns which parameter of BUGCHECK is a code address, if its first one is *FIRST; if FIRST is NULL, which one can be.
   Returns 0 if none is, or if the bugcheck is not in the tables.  Sets *RET_IS_RETURN. */
static unsigned code_parameter(uint64_t bugcheck, const uint64_t *first, bool *ret_is_return)
{
	enum { MINIDUMP = 0x10000000 }; /* a flag that Windows sets in the number of some bugchecks */
	bugcheck &= ~(uint64_t)MINIDUMP;
	*ret_is_return = false;
	for (unsigned i = 0; i < STATEMENT_NUMBERS; i++)
		for (size_t n = 0; n < sizeof code_bugchecks[i] / sizeof *code_bugchecks[i]; n++)
			if (bugcheck > 0 && code_bugchecks[i][n] == bugcheck)
				return i + 1;
	for (size_t i = 0; i < sizeof code_parameters / sizeof *code_parameters; i++) {
		const struct code_parameter *row = &code_parameters[i];
		const bool fits = !first || row->high == UINT16_MAX || (*first >= row->low && *first <= row->high);
		if (row->bugcheck != bugcheck || !fits)
			continue;
		*ret_is_return = row->is_return;
		return row->parameter;
	}
	return 0;
}

/* Make a token of the parameter NUMBER, which is the text from BEGIN to END. */
static enum match take_parameter(struct tokens *t, size_t begin, size_t end, uint64_t number, bool is_return)
{
	/* Some variants of a bugcheck have a small number in place of the address. */
	if (number < 0x1000)
		return MATCH_NONE;
	enum match match = match_absolute(t, begin, end, number, is_return ? IS_RETURN : IS_EXACT);
	if (match == MATCH_TOKEN)
		t->token.tentative = true;
	return match;
}

enum match match_bugcheck(struct tokens *t, struct context *context, const struct form_bugcheck *b, unsigned lines)
{
	const unsigned count = b->says->count;
	struct cursor after = cursor_at(t, b->at);
	t->known = true;
	cursor_blanks(&after);
	cursor_char(&after, ',');
	if (!b->says->has_code && !context_in_bugcheck(context))
		return MATCH_NONE;
	const uint64_t code = b->says->has_code ? b->says->code : context->bugcheck_code;
	if (b->before == 0)
		context->bugcheck_first = b->says->numbers[0];
	bool is_return;
	const unsigned parameter = code_parameter(code, count + b->before > 0 ? &context->bugcheck_first : NULL,
						  &is_return);
	if (parameter == 0)
		return MATCH_NONE;
	const unsigned i = parameter - 1 - b->before;
	if (i < count)
		return take_parameter(t, b->says->begins[i], b->says->ends[i], b->says->numbers[i], is_return);
	if (!lines || !cursor_rest_is_blank(&after))
		return MATCH_NONE;
	/* The next lines have the other parameters. */
	context->bugcheck_code = code;
	context->bugcheck_read = b->before + count;
	context->bugcheck_line = context->line;
	context->bugcheck_lines = lines;
	t->at = t->length;
	return MATCH_QUIET;
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
	{ "register", MAKES, KIND_REGISTER, NULL },
	{ "frame-of-go", MAKES, KIND_FRAME, NULL },
	{ "frame-of-ntdll", MAKES, KIND_LOADED, NULL },
	{ "heading:eip", SETS_HEADING, HEADING_EIP, NULL },
	{ "heading:address", SETS_HEADING, HEADING_ADDRESS, NULL },
	{ "heading:tss", SETS_HEADING, HEADING_TSS, NULL },
	{ "heading:pairs", SETS_HEADING, HEADING_PAIRS, NULL },
	{ "heading:windbg", SETS_HEADING, HEADING_WINDBG, NULL },
	{ "heading:trace", SETS_HEADING, HEADING_TRACE, NULL },
	{ "frames", SETS_FRAMES, 0, NULL },
	{ "table:mod", SETS_TABLE, TABLE_MOD, NULL },
	{ "table:lm", SETS_TABLE, TABLE_LM, NULL },
	{ "table:threads", SETS_TABLE, TABLE_THREADS, NULL },
	{ "table:wine", SETS_TABLE, TABLE_WINE, NULL },
	{ "table:java", SETS_TABLE, TABLE_JAVA, NULL },
	{ "table:watson-modules", SETS_TABLE, TABLE_WATSON_MODULES, NULL },
	{ "table:version", SETS_TABLE, TABLE_VERSION, NULL },
	{ "table:nt-drivers", SETS_TABLE, TABLE_NT_DRIVERS, NULL },
	{ "table:nt-stack", SETS_TABLE, TABLE_NT_STACK, NULL },
	{ "table:eureka-stack", SETS_TABLE, TABLE_EUREKA_STACK, NULL },
	{ "table:eureka-modules", SETS_TABLE, TABLE_EUREKA_MODULES, NULL },
	{ "table:event-program", SETS_TABLE, TABLE_EVENT_PROGRAM, NULL },
	{ "table:event-module", SETS_TABLE, TABLE_EVENT_MODULE, NULL },
	{ "table:event-code", SETS_TABLE, TABLE_EVENT_CODE, NULL },
	{ "counted", COUNTS_ROW, 0, NULL },
	{ "call-site", MAKES, KIND_CALL_SITE, NULL },
	{ "named-site", NAMES_SITE, 0, NULL },
	{ "break", BREAKS, 0, NULL },
	{ "frame", SETS_FRAME, 0, NULL },
	{ "if:frame", WANTS_FRAME, 9, NULL }, /* 17 registers of Breakpad, two on a line; the last is rip */
	{ "if:frame-row", WANTS_FRAME, 1, NULL },
	{ "end", ENDS_TABLES, 0, NULL },
	{ "prompt", SETS_PROMPT, 0, NULL },
	{ "dump", BEGINS_DUMP, DUMP_ALWAYS, NULL },
	{ "dump:once", BEGINS_DUMP, DUMP_ONCE, NULL },
	{ "dump:announces", BEGINS_DUMP, DUMP_ANNOUNCES, NULL },
	{ "dump:announced", BEGINS_DUMP, DUMP_ANNOUNCED, NULL },
	{ "boot", BEGINS_BOOT, 0, NULL },
	{ "build", TELLS_BUILD, 0, NULL },
	{ "version", TELLS_BUILD, 1, NULL }, /* after "[" */
	{ "machine:i386", TELLS_MACHINE, MACHINE_I386, NULL },
	{ "machine:amd64", TELLS_MACHINE, MACHINE_AMD64, NULL },
	{ "machine:arm64", TELLS_MACHINE, MACHINE_ARM64, NULL },
	{ "machine:riscv64", TELLS_MACHINE, MACHINE_RISCV64, NULL },
	{ "user", TELLS_USER, 0, NULL },
	{ "of-kept", OF_KEPT, 0, NULL },
	{ "based", TELLS_BASED, 0, NULL },
	{ "wraps", WRAPS, 0, NULL },
	{ "symbols", TELLS_MODULE, 0, NULL },
	{ "keep:arguments", KEEPS, KEPT_ARGUMENTS, NULL },
	{ "if:bugcheck", WANTS_BUGCHECK, 0, NULL },
	{ "if:parameters", WANTS_BUGCHECK, 1, NULL },
	{ "bugcheck", READS_BUGCHECK, 1, NULL },
	{ "bugcheck:8", READS_BUGCHECK, 8, NULL },
	{ "bugcheck:0", READS_BUGCHECK, 0, NULL },
	{ "if:fields", KEEPS, KEPT_APPCRASH | KEPT_BEX, NULL },
	{ "if:field-4", WANTS_FIELD, 4, NULL },
	{ "if:field-6", WANTS_FIELD, 6, NULL },
	{ "if:field-8", WANTS_FIELD, 8, NULL },
	{ "keep:name", KEEPS, 0, NULL },
	{ "keep:signature", KEEPS, KEPT_SIGNATURE, NULL },
	{ "keep:appcrash", KEEPS, KEPT_APPCRASH, NULL },
	{ "keep:bex", KEEPS, KEPT_BEX, NULL },
	{ "keep:data", KEEPS, KEPT_DATA, NULL },
	{ "keep:watson", KEEPS, KEPT_WATSON, NULL },
	{ "keep:list", KEEPS, KEPT_LIST, NULL },
	{ "keep:signal", KEEPS, KEPT_SIGNAL, NULL },
	{ "field", COUNTS_FIELD, 0, NULL },
	{ "fault", SETS_FAULT, 0, NULL },
	{ "place:exact", SETS_PLACE, IS_EXACT, NULL },
	{ "place:registers", SETS_PLACE, PLACE_REGISTERS, NULL },
	{ "place:open", SETS_PLACE, IS_OPEN, NULL },
	{ "pc", ENDS_PC, 0, NULL },
	{ "line:plain", SETS_LINE, LINE_PLAIN, NULL },
	{ "line:place", SETS_LINE, LINE_PLACE, NULL },
	{ "line:transfer", SETS_LINE, LINE_TRANSFER, NULL },
	{ "line:exception", SETS_LINE, LINE_EXCEPTION, NULL },

	{ "crash:bugcheck", SAYS, STATEMENT_BUGCHECK, NULL },
	{ "crash:bugcheck-again", SAYS, STATEMENT_BUGCHECK_REPEATED, NULL },
	{ "crash:parameters", SAYS, STATEMENT_PARAMETERS, NULL },
	{ "crash:parameter", SAYS, STATEMENT_PARAMETER, NULL },
	{ "crash:exception", SAYS, STATEMENT_EXCEPTION, NULL },
	{ "crash:exception-again", SAYS, STATEMENT_EXCEPTION_AGAIN, NULL },
	{ "crash:fault", SAYS, STATEMENT_FAULT, NULL },
	{ "crash:code", SAYS, STATEMENT_CODE, NULL },
	{ "crash:detail", SAYS, STATEMENT_DETAIL, NULL },
	{ "crash:assertion", SAYS, STATEMENT_ASSERTION, NULL },
	{ "crash:source", SAYS, STATEMENT_SOURCE, NULL },
	{ "crash:module", SAYS, STATEMENT_MODULE, NULL },
	{ "crash:process", SAYS, STATEMENT_PROCESS, NULL },
	{ "crash:next-process", SAYS, STATEMENT_NEXT_PROCESS, NULL },
	{ "crash:place", SAYS, STATEMENT_PLACE, NULL },
	{ "crash:register", SAYS, STATEMENT_REGISTER, NULL },
	{ "crash:stack", SAYS, STATEMENT_STACK, NULL },
	{ "crash:frames", SAYS, STATEMENT_FRAMES, NULL },
	{ "crash:kernel-frames", SAYS, STATEMENT_CRASH_FRAMES, NULL },
	{ "crash:stack-goes-on", SAYS, STATEMENT_STACK_GOES_ON, NULL },
	{ "crash:crash-stack", SAYS, STATEMENT_CRASH_STACK, NULL },
	{ "crash:stack-end", SAYS, STATEMENT_STACK_END, NULL },
	{ "call:int3", CALLS_AFTER, 0, keep_int3_address },
	{ "call:banner", CALLS, 0, match_banner },
	{ "call:version-number", CALLS, 0, after_version_number },
	{ NULL, MAKES, 0, NULL },
};
