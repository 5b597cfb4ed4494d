// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_stop.c - the code address among the parameters of a bugcheck
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
#include "config.h"
#include "log/read/match.h"

/* Which parameter, counted from 1, is a code address if the first parameter is from LOW to HIGH.  Source: Microsoft's
   reference of bugchecks. */
static const struct code_parameter {
	uint16_t bugcheck, low, high;
	unsigned char parameter;
	bool is_return; /* it is the return address of a call */
} code_parameters[] = {
#define ANY 0, UINT16_MAX
	{ 0x01, ANY, 1, false },	/* APC_INDEX_MISMATCH: system call */
	{ 0x0a, ANY, 4, false },	/* IRQL_NOT_LESS_OR_EQUAL */
	{ 0x1e, ANY, 2, false },	/* KMODE_EXCEPTION_NOT_HANDLED */
	{ 0x39, ANY, 1, false },	/* SYSTEM_EXIT_OWNED_MUTEX: worker routine */
	{ 0x3b, ANY, 2, false },	/* SYSTEM_SERVICE_EXCEPTION */
	{ 0x4a, ANY, 1, false },	/* IRQL_GT_ZERO_AT_SYSTEM_SERVICE: system call */
	{ 0x50, ANY, 3, false },	/* PAGE_FAULT_IN_NONPAGED_AREA */
	{ 0x7e, ANY, 2, false },	/* SYSTEM_THREAD_EXCEPTION_NOT_HANDLED */
	{ 0x8e, ANY, 2, false },	/* KERNEL_MODE_EXCEPTION_NOT_HANDLED */
	{ 0x96, ANY, 4, false },	/* INVALID_WORK_QUEUE_ITEM: worker routine */
	{ 0xc2, 0x9b, 0x9d, 4, true },	/* BAD_POOL_CALLER */
	{ 0xc4, 0xc1, 0xc1, 2, false }, /* DRIVER_VERIFIER_DETECTED_VIOLATION: a routine of the driver */
	{ 0xc4, 0xc3, 0xc3, 2, false },
	{ 0xc4, 0xc5, 0xc6, 2, false },
	{ 0xc4, 0xda, 0xda, 3, false }, /* callback */
	{ 0xc4, 0xfa, 0xfb, 2, false },
	{ 0xc4, 0x110, 0x111, 2, false },
	{ 0xc4, 0x2000, 0x2002, 2, false },
	{ 0xc5, ANY, 4, false },  /* DRIVER_CORRUPTED_EXPOOL */
	{ 0xc7, 2, 2, 2, false }, /* TIMER_OR_DPC_INVALID: the DPC's routine */
	{ 0xc7, 4, 5, 2, false },
	{ 0xc9, 0x07, 0x07, 2, false }, /* DRIVER_VERIFIER_IOMANAGER_VIOLATION: a routine of the driver */
	{ 0xc9, 0x11, 0x12, 2, false },
	{ 0xc9, 0x200, 0x3ff, 2, false }, /* an address in the driver's code */
	{ 0xcc, ANY, 3, false },	  /* PAGE_FAULT_IN_FREED_SPECIAL_POOL */
	{ 0xcd, ANY, 3, false },	  /* PAGE_FAULT_BEYOND_END_OF_ALLOCATION */
	{ 0xce, ANY, 3, false },	  /* DRIVER_UNLOADED_WITHOUT_CANCELLING_PENDING_OPERATIONS */
	{ 0xcf, ANY, 3, false },	  /* TERMINAL_SERVER_DRIVER_MADE_INCORRECT_MEMORY_REFERENCE */
	{ 0xd0, ANY, 4, false },	  /* DRIVER_CORRUPTED_MMPOOL */
	{ 0xd1, ANY, 4, false },	  /* DRIVER_IRQL_NOT_LESS_OR_EQUAL */
	{ 0xd3, ANY, 4, false },	  /* DRIVER_PORTION_MUST_BE_NONPAGED */
	{ 0xd4, ANY, 4, false },	  /* SYSTEM_SCAN_AT_RAISED_IRQL_CAUGHT_IMPROPER_DRIVER_UNLOAD */
	{ 0xd5, ANY, 3, false },	  /* DRIVER_PAGE_FAULT_IN_FREED_SPECIAL_POOL */
	{ 0xd6, ANY, 3, false },	  /* DRIVER_PAGE_FAULT_BEYOND_END_OF_ALLOCATION */
	{ 0xda, 0x100, 0x100, 4, true },  /* SYSTEM_PTE_MISUSE: the caller's caller */
	{ 0xdf, ANY, 1, false },	  /* IMPERSONATING_WORKER_THREAD: worker routine */
	{ 0xe1, ANY, 1, false },	  /* WORKER_THREAD_RETURNED_AT_BAD_IRQL: worker routine */
	{ 0xe4, 2, 2, 3, false },	  /* WORKER_INVALID: worker routine */
	{ 0xfc, ANY, 1, false },	  /* ATTEMPTED_EXECUTE_OF_NOEXECUTE_MEMORY: target of the jump */
	{ 0x10d, 4, 4, 3, true },	  /* WDF_VIOLATION */
	{ 0x10d, 0x0f, 0x0f, 2, false },  /* callback */
	{ 0x116, ANY, 2, false },	  /* VIDEO_TDR_FAILURE: a pointer into the driver */
	{ 0x117, ANY, 2, false },	  /* VIDEO_TDR_TIMEOUT_DETECTED */
	{ 0x11b, ANY, 2, false },	  /* DRIVER_RETURNED_HOLDING_CANCEL_LOCK: cancel routine */
	{ 0x128, ANY, 1, false },	  /* WORKER_THREAD_RETURNED_WITH_BAD_IO_PRIORITY */
	{ 0x129, ANY, 1, false },	  /* WORKER_THREAD_RETURNED_WITH_BAD_PAGING_IO_PRIORITY */
	{ 0x135, ANY, 3, false },	  /* REGISTRY_FILTER_DRIVER_EXCEPTION: callback */
	{ 0x141, ANY, 2, false },	  /* VIDEO_ENGINE_TIMEOUT_DETECTED */
	{ 0x142, ANY, 2, false },	  /* VIDEO_TDR_APPLICATION_BLOCKED */
	{ 0x151, ANY, 1, false },	  /* UNSUPPORTED_INSTRUCTION_MODE */
	{ 0x15b, ANY, 1, false },	  /* WORKER_THREAD_RETURNED_WITH_SYSTEM_PAGE_PRIORITY_ACTIVE */
	{ 0x19a, ANY, 1, false },	  /* WORKER_THREAD_RETURNED_WHILE_ATTACHED_TO_SILO */
	{ 0x1d6, ANY, 1, false },	  /* WORKER_THREAD_RETURNED_WITH_NON_DEFAULT_WORKLOAD_CLASS */
	{ 0x1ea, ANY, 4, false },
	{ 0x1f2, ANY, 3, true },
#undef ANY
};

/* Returns the row for BUGCHECK that allows its first parameter to be *FIRST; the first row for BUGCHECK if FIRST is
   NULL.  Returns NULL if no parameter is a code address, or if the bugcheck is not in the table. */
static const struct code_parameter *code_parameter(uint64_t bugcheck, const uint64_t *first)
{
	enum { MINIDUMP = 0x10000000 }; /* a flag that Windows sets in the number of some bugchecks */
	for (size_t i = 0; i < sizeof code_parameters / sizeof *code_parameters; i++) {
		const struct code_parameter *row = &code_parameters[i];
		if (row->bugcheck != (bugcheck & ~(uint64_t)MINIDUMP))
			continue;
		if (!first || row->high == UINT16_MAX || (*first >= row->low && *first <= row->high))
			return row;
	}
	return NULL;
}

/* Make a token of the parameter NUMBER, which is the text from BEGIN to END. */
static enum match take_parameter(struct tokens *t, size_t begin, size_t end, uint64_t number,
				 const struct code_parameter *row)
{
	/* Some variants of a bugcheck have a small number in place of the address. */
	if (number < 0x1000)
		return MATCH_NONE;
	enum match match = match_absolute(t, begin, end, number, row->is_return ? IS_RETURN : IS_EXACT);
	if (match == MATCH_TOKEN)
		t->token.tentative = true;
	return match;
}

/* Read what is between two parameters: a comma, blanks, or both. */
static bool take_comma(struct cursor *c)
{
	size_t blanks = cursor_blanks(c);
	bool comma = cursor_char(c, ',');
	return (cursor_blanks(c) > 0 || blanks > 0 || comma);
}

/* Record that the parameters of BUGCHECK are on the next LINES lines. */
static enum match expect_parameters(struct tokens *t, struct context *context, uint64_t bugcheck, unsigned lines)
{
	context->bugcheck_code = bugcheck;
	context->bugcheck_first = 0;
	context->bugcheck_read = 0;
	context->bugcheck_line = context->line;
	context->bugcheck_lines = lines;
	t->at = t->length;
	return MATCH_QUIET;
}

/* Record that the line was wrapped after READ parameters, so the others are on the next line. */
static enum match expect_rest(struct tokens *t, struct context *context, uint64_t bugcheck, unsigned read)
{
	uint64_t first = context->bugcheck_first;
	enum match match = expect_parameters(t, context, bugcheck, 1);
	context->bugcheck_first = first;
	context->bugcheck_read = read;
	return match;
}

/* Match the parameters of BUGCHECK at C, and make a token of the code address.  The bracket OPEN must come before the
   first parameter; there is none if OPEN is 0, or if the first parameter was on the line before. */
static enum match match_parameters(struct tokens *t, struct context *context, struct cursor c, uint64_t bugcheck,
				   char open)
{
	enum { PARAMETERS_MAX = 4 };
	const bool continues = context->bugcheck_code == bugcheck && context_in_bugcheck(context);
	const unsigned read = continues ? context->bugcheck_read : 0;
	struct number number;
	bool good = read > 0 || !open || cursor_char(&c, open);
	for (unsigned i = read + 1; good && i <= PARAMETERS_MAX; i++) {
		size_t begin = c.at;
		struct cursor rest = c;
		if (i > read + 1 && cursor_rest_is_blank(&rest))
			return expect_rest(t, context, bugcheck, i - 1);
		good = cursor_number(&c, &number) && (open == '(' || !number.prefix);
		if (i == 1 && good)
			context->bugcheck_first = number.value;
		const struct code_parameter *row = code_parameter(bugcheck, &context->bugcheck_first);
		if (good && !row)
			return MATCH_NONE;
		if (good && row->parameter == i)
			return take_parameter(t, begin, c.at, number.value, row);
		good = good && take_comma(&c);
	}
	return MATCH_NONE;
}

/* "BugCheck D5, {fab22c50, 0, 911db830, 0}" */
enum match match_windbg_bugcheck(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)value;
	t->known = true;
	struct cursor c = cursor_at(t, at);
	struct number bugcheck;
	if (!cursor_number(&c, &bugcheck) || !cursor_word(&c, ", "))
		return MATCH_NONE;
	return code_parameter(bugcheck.value, NULL) ? match_parameters(t, context, c, bugcheck.value, '{') : MATCH_NONE;
}

/* "STOP: 0x0000000A (...", "Fatal System Error: 0x00000050", "Bugcheck code 000000D1" */
enum match match_bugcheck_number(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)value;
	t->known = true;
	enum { STOP_DIGITS = 8 };
	struct cursor c = cursor_at(t, at), after;
	struct number bugcheck;
	bool colon = cursor_char(&c, ':');
	if ((!cursor_blanks(&c) && !colon) || !cursor_number(&c, &bugcheck) ||
	    !(bugcheck.prefix || bugcheck.digits == STOP_DIGITS))
		return MATCH_NONE;
	if (!code_parameter(bugcheck.value, NULL))
		return MATCH_NONE;
	after = c;
	if (cursor_rest_is_blank(&after))
		return expect_parameters(t, context, bugcheck.value, 1);
	cursor_blanks(&c);
	return match_parameters(t, context, c, bugcheck.value, '(');
}

/* "BUGCHECK_CODE:  d1": the next lines have the parameters, one on each line. */
enum match match_analyze_code(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)value;
	t->known = true;
	enum { LINES = 8 };
	struct cursor c = cursor_at(t, at);
	struct number bugcheck;
	cursor_blanks(&c);
	if (!cursor_number(&c, &bugcheck) || !cursor_rest_is_blank(&c))
		return MATCH_NONE;
	return code_parameter(bugcheck.value, NULL) ? expect_parameters(t, context, bugcheck.value, LINES) : MATCH_NONE;
}

/* "BUGCHECK_P4: 80412345": AT is that of "4" */
enum match match_analyze_parameter(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)value;
	t->known = true;
	struct cursor c = cursor_at(t, at + 1);
	struct number number;
	const unsigned index = at < t->length ? (unsigned)(t->text[at] - '0') : 0;
	if (!context_in_bugcheck(context) || !cursor_char(&c, ':'))
		return MATCH_NONE;
	cursor_blanks(&c);
	size_t begin = c.at;
	if (!cursor_number(&c, &number))
		return MATCH_NONE;
	if (index == 1)
		context->bugcheck_first = number.value;
	const struct code_parameter *row = code_parameter(context->bugcheck_code, &context->bugcheck_first);
	return row && row->parameter == index ? take_parameter(t, begin, c.at, number.value, row) : MATCH_NONE;
}

enum match match_bugcheck_line(struct tokens *t, struct context *context)
{
	t->known = true;
	enum match match = MATCH_NONE;
	uint64_t line = context->bugcheck_line;
	if (context->bugcheck_lines != 1)
		return MATCH_NONE;
	if (context_in_bugcheck(context)) {
		struct cursor c = cursor_at(t, t->begin);
		bool words = cursor_word(&c, "Arguments ");
		match = match_parameters(t, context, c, context->bugcheck_code, words ? '\0' : '(');
	}
	if (context->bugcheck_line == line)
		context->bugcheck_lines = 0;
	return match;
}
