/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crashes.h - the crashes in the logs: from lines and their addresses to one block for each crash
 *
 * A crash begins where a line says so (statement.h): a bugcheck, an exception that nothing has handled, an assertion.
 * It goes on up to the next crash, the next boot or the end of the log.  The first stack in between that is printed soon
 * enough belongs to it; the others are those of commands that somebody has typed.  Two reports of the same bugcheck
 * without a boot between them are one crash: NT prints it on the screen and to the debugger.
 *
 * Crashes are equal if what has crashed and all frames of the stack are.  They are kept once, with their places.
 */
#ifndef LOG_CRASH_CRASHES_H
#define LOG_CRASH_CRASHES_H

#include "log/crash/crash-symbols.h"
#include "log/crash/stack.h"
#include "log/crash/statement.h"

enum {
	CRASH_PLACES = 16,   /* so many places of a crash are kept */
	CRASHES_MOST = 1024, /* so many different crashes */
};
#define CRASHES_MEMORY ((size_t)64 << 20) /* what they may take together, roughly */

enum crash_kind {
	CRASH_BUGCHECK,
	CRASH_EXCEPTION,
	CRASH_ASSERTION,
	CRASH_STACK, /* the log has the stack, and not what has crashed */
};

/* Where a crash is. */
struct crash_place {
	size_t log;	   /* the number of the log, from 0 */
	uint64_t line;	   /* where it begins, from 1 */
	unsigned boot;	   /* the number of the boot in its log, from 1; 0: the log names none before it */
	unsigned of_boots; /* how many boots that log has */
};

/* Strings are positions in the strings of `stack`; 0: not known. */
struct crash {
	enum crash_kind kind;
	bool has_code;
	uint32_t code;
	unsigned parameter_count;
	uint64_t parameters[STATEMENT_NUMBERS];
	size_t text;	/* what an exception says; the assertion */
	size_t detail;	/* more about the exception, such as the address that was accessed */
	size_t source;	/* where the assertion is */
	size_t module;	/* which is at fault, as the log says */
	size_t process; /* name or number */
	size_t build;	/* of the system */
	/* The place of the crash is the first frame of `place`; it has none if the place is not known. */
	struct stack place, stack;
	struct crash_symbols symbols;
	struct crash_place places[CRASH_PLACES]; /* the first ones */
	unsigned long long count;		 /* of all */
};

struct crashes {
	struct crash *items;
	size_t count, room;
	size_t memory;
	unsigned long long left_out; /* crashes that there was no room for */

	char **logs; /* names; NULL: standard input */
	size_t log_count, log_room;

	/* the current log */
	unsigned boot;
	struct crash current;
	bool is_open; /* there is a current crash */
	enum { ROWS_NONE, ROWS_THERE, ROWS_OVER } rows;
	unsigned missed;       /* so many lines since the last row were none */
	uint64_t last;	       /* the last line of the current crash, so far */
	struct strbuf process; /* which the log has named before the crash */
	struct strbuf build;   /* of the system, in words */
	struct symbols_said said;
	struct stack addresses; /* those of the current line */
	struct crash_span {
		size_t begin, end;
	} spans[STACK_FRAMES]; /* where they are in the plain text of the line */
	bool no_memory;
};

void crashes_clear(struct crashes *crashes);

/* The log NAME begins; NULL: standard input. */
void crashes_log(struct crashes *crashes, const char *name);

/* The current line begins a boot.  Call this before crashes_line(). */
void crashes_boot(struct crashes *crashes);

/* From here on, the system is of this BUILD. */
void crashes_build(struct crashes *crashes, const char *build);

/* The current line has an address from BEGIN to END of its plain text.  Returns the stack whose last frame the caller
   then fills in; NULL if there are too many, or there is no memory. */
struct stack *crashes_address(struct crashes *crashes, size_t begin, size_t end);

/* What the scanner knows of a line. */
struct crash_line {
	struct statement_line text;
	uint64_t number;
	bool prompt; /* a debugger's prompt comes before it */
};

/* The line that the addresses since the last call are on has ended.  Returns whether it says something about a crash. */
bool crashes_line(struct crashes *crashes, const struct crash_line *line);

/* The name of the log of PLACE; NULL: standard input. */
static inline const char *crashes_log_name(const struct crashes *crashes, const struct crash_place *place)
{
	return place->log < crashes->log_count ? crashes->logs[place->log] : NULL;
}

/* Whether CRASH's stack begins with its place. */
bool crashes_place_is_first(const struct crash *crash);

/* The log has ended. */
void crashes_log_end(struct crashes *crashes);

#endif
