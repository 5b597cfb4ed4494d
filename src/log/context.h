/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * context.h - the heading or table that the current line belongs to
 *
 * An address in a stack trace is *exact*, or it is a *return address*: the first byte after a call.  That byte may belong to
 * another source line, even to another function, so a return address is looked up one byte lower.  The two look alike; only the
 * heading before them tells which is which.  The rule depends on the program that printed the trace:
 *
 *     KDBG bt, i386	"Eip:" exact; "Frames:": KDBG has subtracted 5 already, except from bare numbers
 *     KDBG bt, x64	"Frames:", then "[stack pointer] token" on each line: the first exact, the others return addresses
 *     kernel32		"Address:" exact; "Frames:" return addresses, each with " (path@base)" after it
 *     before 2010	"Frames:" with all tokens on the same line, or "<name: offset>" after it: return addresses
 *     KeRosDump...	"<name: 0001A2B3>" with 8 or 16 digits: return addresses, as are bare numbers among them
 *     FreeLoader	"Frames:" and bare numbers on one line: return addresses
 *     PspDumpThreads	pairs of a frame pointer and a return address
 *     gdb		"#0" exact, "#1" and so on return addresses
 *     Dr. Watson	first row exact, the others return addresses
 *     WinDbg k		first row exact, the others return addresses
 *
 * Lines that do not belong to the trace may come in between: another processor's output, a pager's prompt.  So a heading stays
 * valid over some of them.
 */
#ifndef LOG_CONTEXT_H
#define LOG_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

/* The heading of the addresses to come. */
enum heading {
	HEADING_NONE,
	HEADING_EIP,		/* KDBG's "Eip:": one exact address follows */
	HEADING_ADDRESS,		/* kernel32's "Address:": one exact address follows */
	HEADING_KDBG_FRAMES,	/* "Frames:" after "Eip:" */
	HEADING_USER_FRAMES,	/* "Frames:" after "Address:" */
	HEADING_FRAMES,		/* "Frames:" of an unknown printer */
	HEADING_ROSDUMP,		/* no heading, but a token in the form of KeRosDumpStackFrames */
	HEADING_PAIRS,		/* PspDumpThreads: every second number is an address */
	HEADING_WINDBG_STACK	/* "ChildEBP RetAddr", or "Child-SP RetAddr" for 64 bits */
};

/* Tables: their rows only mean something after the heading. */
enum table {
	TABLE_NONE,
	TABLE_MOD,		/* KDBG "mod" */
	TABLE_LM,		/* WinDbg "lm" */
	TABLE_THREADS,		/* KDBG "thread list" */
	TABLE_WATSON_MODULES,
	TABLE_WATSON_STACK
};

struct context {
	uint64_t line;		/* the number of the current line */
	enum heading heading;
	uint64_t heading_line;	/* the line of the heading, or the last line so far that belongs to it */
	bool on_heading_line;	/* the heading is on the current line */
	unsigned seen;		/* how many addresses followed the heading so far */
	enum table table;
	unsigned rows;		/* how many rows of Dr. Watson's stack have been read */
	bool watson;		/* a report of Dr. Watson has begun, and its module list has not been read yet */
	bool int3;		/* KDBG was entered at the breakpoint int3_address, and no trace has been read since */
	uint64_t int3_address;
	unsigned stop_parameter;	/* the number, from 1, of the bugcheck parameter that is an address; 0: do not look for one */
	uint64_t stop_line;		/* the parameters are on the line after this one */
};

/* The details of a token in angle brackets that tell which program printed it. */
struct spelling {
	bool bare;		/* no module: "<80953369>" */
	bool space;		/* a blank after the colon: "<name: offset>" */
	bool padded;		/* 8 or 16 digits, leading zeros included */
	bool path;		/* the module is a path */
	bool stack_pointer;	/* "[FFFFF88003CFB490] " comes before it */
	bool path_follows;	/* " (" follows it */
};

/* Begin a new line. */
void context_line(struct context *context);

/* Take note of a heading on the current line. */
void context_heading(struct context *context, enum heading heading);

/* Take note of the heading "Frames:"; the heading before it tells whose it is. */
void context_frames(struct context *context);

/* Take note of the heading of a table. */
void context_table(struct context *context, enum table table);

/* Forget heading and table: a prompt or the beginning of another dump was read. */
void context_reset(struct context *context);

/* Whether every line must be read now, because a line without any token or key word can be a row or end a table. */
bool context_every_line_counts(const struct context *context);

/* Whether a token in angle brackets is a return address.  Counts the token. */
bool context_is_return(struct context *context, const struct spelling *spelling);

/* Whether a row of Dr. Watson's stack is a return address: all but the first are.  Counts the row. */
bool context_is_caller(struct context *context);

#endif
