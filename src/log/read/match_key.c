// SPDX-License-Identifier: GPL-2.0-or-later
/* match_key.c - the words of forms; which parameter of a bugcheck is a code address */
#include "config.h"
#include "log/read/form-words.h"
#include "log/read/chars.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ bugchecks */

/*
 * The code address among the parameters of a bugcheck, which is a crash of the kernel with a number:
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
 * tentative: the parameter may also be data, so nothing is reported if no module has it.
 */

/* Source of these two tables: Microsoft's reference of bugchecks.  src/report/code-names.c has the names. */

/* Row I lists the bugchecks whose parameter I + 1 is always a code address.  The comments say what is at that address
   in some of them. */
static const uint16_t code_bugchecks[STATEMENT_NUMBERS][12] = {
	/* a system call, a worker routine, the target of a jump */
	{ 0x01, 0x39, 0x4a, 0xdf, 0xe1, 0xfc, 0x128, 0x129, 0x151, 0x15b, 0x19a, 0x1d6 },
	/* the exception's address, a pointer into the video driver, a cancel routine */
	{ 0x1e, 0x3b, 0x7e, 0x8e, 0x116, 0x117, 0x11b, 0x141, 0x142 },
	/* the instruction that accessed memory; in 0x135, a callback of the registry */
	{ 0x50, 0xcc, 0xcd, 0xce, 0xcf, 0xd5, 0xd6, 0x135 },
	/* the instruction that accessed memory, a worker routine */
	{ 0x0a, 0x96, 0xc5, 0xd0, 0xd1, 0xd3, 0xd4, 0x1ea },
};

/* The bugchecks of which PARAMETER, counted from 1, is a code address if the first parameter is from LOW to HIGH.  All
   bugchecks of which a parameter is a return address are in this table. */
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

/* Returns which parameter of BUGCHECK, counted from 1, is a code address if the first parameter is *FIRST.  If FIRST is
   NULL, returns which one can be a code address.  Returns 0 if none is, or if the bugcheck is not in the tables.
   Stores in *RET_IS_RETURN whether that address is a return address. */
static unsigned find_code_parameter(uint64_t bugcheck, const uint64_t *first, bool *ret_is_return)
{
	enum { MINIDUMP = 0x10000000 }; /* a bit that Windows sets in the number of some bugchecks */
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

/* Make a tentative token of the parameter NUMBER of a bugcheck, which is the text from BEGIN to END. */
static enum match make_parameter_token(struct tokens *t, size_t begin, size_t end, uint64_t number, bool is_return)
{
	/* Some variants of a bugcheck have a small number in place of the address. */
	if (number < 0x1000)
		return MATCH_NONE;
	enum match match = match_make_absolute(t, begin, end, number, is_return ? IS_RETURN : IS_EXACT);
	if (match == MATCH_TOKEN)
		t->token.tentative = true;
	return match;
}

enum match match_bugcheck(struct tokens *t, struct context *context, const struct form_bugcheck *b, unsigned lines)
{
	const unsigned count = b->says->count;
	struct cursor after = cursor_make(t, b->at);
	t->known = true;
	cursor_skip_blanks(&after);
	cursor_read_char(&after, ',');
	if (!b->says->has_code && !context_may_have_parameters(context))
		return MATCH_NONE;
	const uint64_t code = b->says->has_code ? b->says->code : context->bugcheck_code;
	if (b->before == 0)
		context->bugcheck_first = b->says->numbers[0];
	bool is_return;
	const unsigned parameter = find_code_parameter(code, count + b->before > 0 ? &context->bugcheck_first : NULL,
						       &is_return);
	if (parameter == 0)
		return MATCH_NONE;
	const unsigned i = parameter - 1 - b->before;
	if (i < count)
		return make_parameter_token(t, b->says->begins[i], b->says->ends[i], b->says->numbers[i], is_return);
	if (!lines || !cursor_skip_to_line_end(&after))
		return MATCH_NONE;
	/* The other parameters can be on the next lines. */
	context->bugcheck_code = code;
	context->bugcheck_read = b->before + count;
	context->bugcheck_line = context->line;
	context->bugcheck_lines = lines;
	t->at = t->length;
	return MATCH_QUIET;
}

/* --------------------------------------------------------------------------------------------- the words */

const struct form_word form_words[] = {
	{ "exact", MAKES, IS_EXACT },
	{ "return", MAKES, IS_RETURN },
	{ "open", MAKES, IS_OPEN },
	{ "trace", MAKES, KIND_TRACE },
	{ "row", MAKES, KIND_ROW },
	{ "written", MAKES, KIND_WRITTEN },
	{ "thread", MAKES, KIND_THREAD },
	{ "frame-of-go", MAKES, KIND_FRAME },
	{ "frame-of-ntdll", MAKES, KIND_LOADED },
	{ "heading:eip", SETS_HEADING, HEADING_EIP },
	{ "heading:address", SETS_HEADING, HEADING_ADDRESS },
	{ "heading:tss", SETS_HEADING, HEADING_TSS },
	{ "heading:pairs", SETS_HEADING, HEADING_PAIRS },
	{ "heading:windbg", SETS_HEADING, HEADING_WINDBG },
	{ "heading:trace", SETS_HEADING, HEADING_TRACE },
	{ "frames", SETS_FRAMES, 0 },
	{ "table:mod", SETS_TABLE, TABLE_MOD },
	{ "table:lm", SETS_TABLE, TABLE_LM },
	{ "table:threads", SETS_TABLE, TABLE_THREADS },
	{ "table:wine", SETS_TABLE, TABLE_WINE },
	{ "table:java", SETS_TABLE, TABLE_JAVA },
	{ "table:watson-modules", SETS_TABLE, TABLE_WATSON_MODULES },
	{ "table:version", SETS_TABLE, TABLE_VERSION },
	{ "table:nt-drivers", SETS_TABLE, TABLE_NT_DRIVERS },
	{ "table:nt-stack", SETS_TABLE, TABLE_NT_STACK },
	{ "table:eureka-stack", SETS_TABLE, TABLE_EUREKA_STACK },
	{ "table:eureka-modules", SETS_TABLE, TABLE_EUREKA_MODULES },
	{ "table:event-program", SETS_TABLE, TABLE_EVENT_PROGRAM },
	{ "table:event-module", SETS_TABLE, TABLE_EVENT_MODULE },
	{ "table:event-code", SETS_TABLE, TABLE_EVENT_CODE },
	{ "counted", COUNTS_ROW, 0 },
	{ "call-site", MAKES, KIND_CALL_SITE },
	{ "break", BREAKS, 0 },
	{ "frame", SETS_FRAME, 0 },
	{ "if:frame", WANTS_FRAME, 9 }, /* Breakpad prints 17 registers of a row on 9 lines after it; rip is the last */
	{ "if:frame-row", WANTS_FRAME, 1 },
	{ "end", ENDS_TABLES, 0 },
	{ "dump", BEGINS_DUMP, DUMP_ALWAYS },
	{ "dump:once", BEGINS_DUMP, DUMP_ONCE },
	{ "dump:announces", BEGINS_DUMP, DUMP_ANNOUNCES },
	{ "dump:announced", BEGINS_DUMP, DUMP_ANNOUNCED },
	{ "boot", BEGINS_BOOT, 0 },
	{ "boot:unknown", BEGINS_BOOT, 1 },
	{ "int3", SETS_INT3, 0 },
	{ "build", TELLS_BUILD, 0 },
	{ "version", TELLS_BUILD, 1 }, /* 1: a "[" is before the name */
	{ "machine:i386", TELLS_MACHINE, MACHINE_I386 },
	{ "machine:amd64", TELLS_MACHINE, MACHINE_AMD64 },
	{ "machine:arm64", TELLS_MACHINE, MACHINE_ARM64 },
	{ "machine:riscv64", TELLS_MACHINE, MACHINE_RISCV64 },
	{ "user", TELLS_USER, 0 },
	{ "of-kept", OF_KEPT, 0 },
	{ "based", TELLS_BASED, 0 },
	{ "wraps", WRAPS, 0 },
	{ "symbols", TELLS_MODULE, 0 },
	{ "keep:arguments", KEEPS, KEPT_ARGUMENTS },
	{ "if:bugcheck", WANTS_BUGCHECK, 0 },
	{ "if:parameters", WANTS_BUGCHECK, 1 },
	{ "bugcheck", READS_BUGCHECK, 1 },
	{ "bugcheck:8", READS_BUGCHECK, 8 },
	{ "bugcheck:0", READS_BUGCHECK, 0 },
	{ "if:fields", KEEPS, KEPT_APPCRASH | KEPT_BEX },
	{ "if:field-4", WANTS_FIELD, 4 },
	{ "if:field-6", WANTS_FIELD, 6 },
	{ "if:field-8", WANTS_FIELD, 8 },
	{ "keep:name", KEEPS, 0 },
	{ "keep:signature", KEEPS, KEPT_SIGNATURE },
	{ "keep:appcrash", KEEPS, KEPT_APPCRASH },
	{ "keep:bex", KEEPS, KEPT_BEX },
	{ "keep:data", KEEPS, KEPT_DATA },
	{ "keep:watson", KEEPS, KEPT_WATSON },
	{ "keep:list", KEEPS, KEPT_LIST },
	{ "keep:signal", KEEPS, KEPT_SIGNAL },
	{ "field", COUNTS_FIELD, 0 },
	{ "fault", SETS_FAULT, 0 },
	{ "place:exact", SETS_PLACE, IS_EXACT },
	{ "place:registers", SETS_PLACE, PLACE_REGISTERS },
	{ "place:open", SETS_PLACE, IS_OPEN },
	{ "pc", ENDS_PC, 0 },
	{ "line:plain", SETS_LINE, LINE_PLAIN },
	{ "line:place", SETS_LINE, LINE_PLACE },
	{ "line:transfer", SETS_LINE, LINE_TRANSFER },
	{ "line:exception", SETS_LINE, LINE_EXCEPTION },

	{ "prefix", IS_PREFIX, PREFIX_PLAIN },
	{ "prefix:stamp", IS_PREFIX, PREFIX_STAMP },
	{ "prefix:after-stamp", IS_PREFIX, PREFIX_AFTER_STAMP },
	{ "prefix:columns", IS_PREFIX, PREFIX_COLUMNS },
	{ "prefix:prompt", IS_PREFIX, PREFIX_PROMPT },
	{ "prefix:string", IS_PREFIX, PREFIX_STRING },

	{ "crash:bugcheck", SAYS, STATEMENT_BUGCHECK },
	{ "crash:bugcheck-again", SAYS, STATEMENT_BUGCHECK_REPEATED },
	{ "crash:parameters", SAYS, STATEMENT_PARAMETERS },
	{ "crash:parameter", SAYS, STATEMENT_PARAMETER },
	{ "crash:exception", SAYS, STATEMENT_EXCEPTION },
	{ "crash:exception-again", SAYS, STATEMENT_EXCEPTION_AGAIN },
	{ "crash:fault", SAYS, STATEMENT_FAULT },
	{ "crash:code", SAYS, STATEMENT_CODE },
	{ "crash:detail", SAYS, STATEMENT_DETAIL },
	{ "crash:assertion", SAYS, STATEMENT_ASSERTION },
	{ "crash:source", SAYS, STATEMENT_SOURCE },
	{ "crash:module", SAYS, STATEMENT_MODULE },
	{ "crash:process", SAYS, STATEMENT_PROCESS },
	{ "crash:next-process", SAYS, STATEMENT_NEXT_PROCESS },
	{ "crash:place", SAYS, STATEMENT_PLACE },
	{ "crash:register", SAYS, STATEMENT_REGISTER },
	{ "crash:stack", SAYS, STATEMENT_STACK },
	{ "crash:frames", SAYS, STATEMENT_FRAMES },
	{ "crash:kernel-frames", SAYS, STATEMENT_CRASH_FRAMES },
	{ "crash:stack-goes-on", SAYS, STATEMENT_STACK_GOES_ON },
	{ "crash:crash-stack", SAYS, STATEMENT_CRASH_STACK },
	{ "crash:stack-end", SAYS, STATEMENT_STACK_END },
	{ NULL, MAKES, 0 },
};
