/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * statement.h - *statements*: what lines say about crashes; forms.txt has patterns with words such as crash:exception
 *
 *     *** Fatal System Error: 0x0000000a			a bugcheck (kernel crash); parameters on the next line
 *     *** STOP: 0x0000000A (0x00000004,0x00000002,...)
 *     BugCheck D1, {a, b, c, d}				WinDbg
 *     Unhandled exception					kernel32, Wine
 *     Entered debugger on last-chance exception (...)		KDBG
 *     *** Assertion failed: Irp != NULL
 *     Eip:   Frames:   Backtrace:   STACK_TEXT:		rows of the stack follow
 *
 * Most statements are recognised anywhere in the line, because other programs put something before them.  Those whose
 * first words are common, such as "Thread ", must begin the line's own text (front.c).
 */
#ifndef LOG_READ_STATEMENT_H
#define LOG_READ_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STATEMENT_NUMBERS = 4 };

enum statement_kind {
	STATEMENT_BUGCHECK,	     /* a bugcheck: CODE and, unless COUNT is 0, its parameters */
	STATEMENT_BUGCHECK_REPEATED, /* a bugcheck in the output of a debugger's command: perhaps a repetition */
	STATEMENT_PARAMETERS,	     /* the parameters of a bugcheck, on a line without its code */
	STATEMENT_PARAMETER,	     /* one parameter, NUMBERS[0]; CODE is which one, from 1 */
	STATEMENT_EXCEPTION,	     /* an unhandled exception: CODE, TEXT or both describe it, or neither */
	STATEMENT_EXCEPTION_AGAIN,   /* an unhandled exception, which an earlier line may have reported */
	STATEMENT_FAULT,	     /* an exception for which a process is killed; TEXT is the name of the process */
	STATEMENT_PLACE,	     /* the address on this line is where the crash was */
	/* For the kinds up to here, the place of the crash may be on the same line as the statement. */
	STATEMENT_REGISTER,	/* the address on this line is where the crash was, if the crash is an exception */
	STATEMENT_CODE,		/* CODE is that of the exception */
	STATEMENT_DETAIL,	/* TEXT describes the exception further */
	STATEMENT_ASSERTION,	/* an assertion has failed; TEXT is its expression */
	STATEMENT_SOURCE,	/* TEXT is the file and the line of the assertion */
	STATEMENT_MODULE,	/* the module TEXT is at fault */
	STATEMENT_PROCESS,	/* TEXT is the process of the current crash */
	STATEMENT_NEXT_PROCESS, /* TEXT is the process of the crash that comes next */
	/* The kinds from here to STATEMENT_CRASH_STACK are headings: rows of a stack follow, maybe on the same line. */
	STATEMENT_STACK,
	STATEMENT_FRAMES,	 /* a heading, before which there can be a row with the place of the crash */
	STATEMENT_CRASH_FRAMES,	 /* STATEMENT_FRAMES and STATEMENT_CRASH_STACK in one */
	STATEMENT_STACK_GOES_ON, /* a heading inside a stack: the rows before and after it belong to one stack */
	STATEMENT_CRASH_STACK,	 /* the stack is that of a crash, even if no earlier line has reported a crash */
	STATEMENT_STACK_END,	 /* the stack has ended */
};

struct statement {
	enum statement_kind kind;
	bool has_code;
	uint32_t code;
	unsigned count;						   /* how many of NUMBERS are set */
	uint64_t numbers[STATEMENT_NUMBERS];			   /* parameters of a bugcheck */
	size_t begins[STATEMENT_NUMBERS], ends[STATEMENT_NUMBERS]; /* of NUMBERS: their positions in the line */
	const char *text;					   /* a part of the line; NULL: none */
	size_t length;						   /* bytes of TEXT */
};

struct statement_line {
	const char *text; /* the plain text of the line (plain.h) */
	size_t length;
	size_t begin; /* where the line's own text begins: after time stamps and other prefixes (front.c) */
};

/* Find the next statement of LINE at or after *AT (0 at first), and move *AT after it.  Returns false if none. */
bool statement_find_next(const struct statement_line *line, size_t *at, struct statement *statement);

#endif
