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
	const struct code_parameter *row = code_parameter(code,
							  count + b->before > 0 ? &context->bugcheck_first : NULL);
	if (!row)
		return MATCH_NONE;
	const unsigned i = row->parameter - 1u - b->before;
	if (i < count)
		return take_parameter(t, b->says->begins[i], b->says->ends[i], b->says->numbers[i], row);
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
