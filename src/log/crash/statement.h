/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * statement.h - what a line says about a crash
 *
 *     *** Fatal System Error: 0x0000000a			a bugcheck; its parameters are on the next line
 *     *** STOP: 0x0000000A (0x00000004,0x00000002,...)
 *     BugCheck D1, {a, b, c, d}				WinDbg
 *     Unhandled exception					kernel32, Wine
 *     Entered debugger on last-chance exception (...)		KDBG
 *     *** Assertion failed: Irp != NULL
 *     Eip:   Frames:   Backtrace:   STACK_TEXT:		rows of the stack follow
 *
 * A statement counts wherever it is in the line, because other programs put something before it (front.h); the words
 * that could be part of anything count only at the beginning of the line's own text.
 */
#ifndef LOG_CRASH_STATEMENT_H
#define LOG_CRASH_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STATEMENT_NUMBERS = 4 };

enum statement_kind {
	STATEMENT_BUGCHECK,	     /* CODE, and perhaps the parameters */
	STATEMENT_BUGCHECK_REPEATED, /* a debugger speaks of a bugcheck, as often as it is asked */
	STATEMENT_PARAMETERS,	     /* the parameters of a bugcheck, alone */
	STATEMENT_PARAMETER,	     /* one, whose number from 0 is INDEX */
	STATEMENT_EXCEPTION,	     /* an exception that nothing has handled; perhaps CODE; TEXT says more */
	STATEMENT_EXCEPTION_AGAIN,   /* ... of which an earlier line may have spoken already */
	STATEMENT_FAULT,	     /* a process is killed for one; TEXT is its name */
	STATEMENT_CODE,		     /* the CODE of the exception */
	STATEMENT_DETAIL,	     /* TEXT says more about the exception */
	STATEMENT_ASSERTION,	     /* TEXT has failed */
	STATEMENT_SOURCE,	     /* ... which is at TEXT */
	STATEMENT_MODULE,	     /* the module TEXT is at fault */
	STATEMENT_PROCESS,	     /* the process is TEXT */
	STATEMENT_NEXT_PROCESS,	     /* ... of the crash that comes next */
	STATEMENT_PLACE,	     /* the address on this line is where the crash was */
	STATEMENT_REGISTER,	     /* ... if the crash is an exception */
	STATEMENT_STACK,	     /* rows of a stack follow, or they are on the same line */
	STATEMENT_FRAMES,	     /* ... after the place, which can be in a row of its own before them */
	STATEMENT_CRASH_FRAMES,	     /* ... and they are of a crash even if nothing else tells so */
	STATEMENT_STACK_GOES_ON,     /* ... and the rows before them are of the same stack */
	STATEMENT_CRASH_STACK,	     /* ... and they are of a crash even if nothing else tells so */
	STATEMENT_STACK_END,
};

struct statement {
	enum statement_kind kind;
	bool has_code;
	uint32_t code;
	unsigned index;
	unsigned count; /* of `numbers` */
	uint64_t numbers[STATEMENT_NUMBERS];
	const char *text; /* in the line */
	size_t length;
};

/* A line. */
struct statement_line {
	const char *text; /* plain (plain.h) */
	size_t length;
	size_t begin; /* where its own text begins (front.h) */
};

/* Find the next statement of LINE, from *AT on, which is 0 at first.  False: there is no more. */
bool statement_next(const struct statement_line *line, size_t *at, struct statement *statement);

#endif
