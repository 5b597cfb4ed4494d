/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crashes.h - collects the crashes of the logs from lines and their addresses
 *
 * A crash begins at a line that reports one (statement.h): a bugcheck, an exception that nothing has handled, a failed
 * assertion; or at a heading (a line such as "Frames:" before a stack) that only the stack of a crash has.  It ends at
 * the next crash, where the machine boots again, or at the end of the log.  The lines of a stack are its rows.  The
 * first stack belongs to the crash if it begins soon: at most 200 lines after the last line about the crash, or 40 if
 * the stack has no heading.  Later stacks come from commands that somebody typed in a debugger.  A
 * bugcheck that is reported again soon and before its stack, or by a debugger, is the same crash: NT prints it on the
 * screen and to the debugger.
 *
 * Two crashes are equal if the kind, the code, the expression of an assertion, the build, the process and all frames of
 * the stack are equal; without stacks, if the parameters and the place are equal, too.  Equal crashes are stored once,
 * with a count and with the places of the first ones.
 */
#ifndef LOG_CRASH_CRASHES_H
#define LOG_CRASH_CRASHES_H

#include "log/crash/stack.h"
#include "log/read/statement.h"

enum {
	CRASH_PLACES = 16,  /* the most places that are stored for equal crashes */
	CRASHES_MAX = 1024, /* the most different crashes that are stored */
	CRASH_SYMBOLS = 32, /* the most modules in `symbols` of a crash */
};
#define CRASHES_MEMORY ((size_t)64 << 20) /* the most bytes that the stored crashes may take, roughly */

enum crash_kind {
	CRASH_BUGCHECK,
	CRASH_EXCEPTION,
	CRASH_ASSERTION,
	CRASH_STACK, /* the log has a stack of a crash, but no line that says what has crashed */
};

/* Where in the logs a crash is. */
struct crash_place {
	size_t log;    /* the number of the log, from 0 */
	uint64_t line; /* the line at which the crash begins, from 1 */
	unsigned boot; /* the number of the boot in that log, from 1; 0: the crash is before the first boot */
};

/* Members of type size_t are positions in the strings of `stack`; 0: not known. */
struct crash {
	enum crash_kind kind;
	bool has_code;
	uint32_t code; /* the code of a bugcheck or an exception, if `has_code` is set */
	unsigned parameter_count;
	uint64_t parameters[STATEMENT_NUMBERS]; /* the parameters of a bugcheck */
	size_t text;				/* the exception in the log's words; the expression of the assertion */
	size_t detail;				/* more about the exception, such as the address that was accessed */
	size_t source;				/* file and line of the assertion, as one string */
	size_t module;				/* the module that the log says is at fault */
	size_t process;				/* name or number of the process */
	size_t build;				/* the build of the system */
	struct stack place;			/* one frame: where the crash was; no frame: not known */
	struct stack stack;
	struct crash_symbols {
		struct {
			size_t module, text;
			bool found; /* `text` names the files with the symbols; else it says why there are none */
		} list[CRASH_SYMBOLS];
		size_t count;
	} symbols; /* if the log is a dump's report: where the symbols of the modules in the stack come from */
	struct crash_place places[CRASH_PLACES]; /* where this crash and the next equal ones are */
	unsigned long long count;		 /* how many equal crashes there are */
};

struct crashes {
	struct crash *items;
	size_t count, room;
	size_t memory;		     /* bytes that `items` take, for CRASHES_MEMORY */
	unsigned long long left_out; /* crashes that exceeded CRASHES_MAX or CRASHES_MEMORY */

	struct crash_log {
		char *name;	/* NULL: standard input */
		unsigned boots; /* how many boots the log has had so far */
	} * logs;
	size_t log_count, log_room;

	/* about the current log: */
	struct crash current; /* the crash that has begun, if `is_open` */
	bool is_open;
	enum {
		ROWS_NONE,  /* the stack of the current crash has not begun */
		ROWS_THERE, /* the heading or a row of this stack has been read */
		ROWS_OVER,  /* this stack has ended */
	} rows;
	unsigned missed;	/* lines since the last row or the heading of the stack that were no rows */
	uint64_t last;		/* the number of the last line with a statement, a row of the stack or a prompt */
	struct strbuf process;	/* the process that the log has named, for the next crash */
	struct strbuf build;	/* the build of the system: version and commit, as text */
	struct strbuf notes;	/* notes about symbols in this boot, each "MODULE NUL TEXT NUL", without parentheses */
	struct stack addresses; /* a frame for each address of the current line */
	bool no_memory;
};

void crashes_clear(struct crashes *crashes);

/* Call this when the log NAME begins; NULL: standard input. */
void crashes_begin_log(struct crashes *crashes, const char *name);

/* Call this when the current line begins a boot, before crashes_end_line().  Ends the current crash. */
void crashes_begin_boot(struct crashes *crashes);

/* Call this when the log names the BUILD of the system.  Crashes that begin later get it. */
void crashes_set_build(struct crashes *crashes, const char *build);

/* Call this for each row of a module in a dump's report.  NAME is the module, NOTE its note: "(symbols: FILES)" or "(no
   symbols: WHY)".  Crashes that follow in the same boot show the note if a frame of their stack is in the module. */
void crashes_add_symbols_note(struct crashes *crashes, const char *name, size_t name_length, const char *note,
			      size_t length);

/* A line, as the scanner has read it. */
struct crash_line {
	struct statement_line text;
	uint64_t number;
	bool prompt; /* the line has a debugger's prompt before its own text */
};

/* Call this at the end of each line, when crashes->addresses has a frame for each address in it.  Returns whether the
   line has a statement about a crash (statement.h). */
bool crashes_end_line(struct crashes *crashes, const struct crash_line *line);

/* Whether the place of CRASH is the first frame of its stack, so that it need not be printed twice. */
bool crashes_place_is_first(const struct crash *crash);

/* End the current crash, if there is one.  Call this when the log has ended. */
void crashes_end_current(struct crashes *crashes);

#endif
