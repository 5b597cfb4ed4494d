/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * context.h - what earlier lines say about the lines to come
 *
 * A number in a stack trace is a code address or a return address, and only the header above it tells which.  A
 * return address is one byte after the call that is meant; it may belong to the next line, even to the next
 * function.  The rules, one for each printer (docs: "Text formats" of ReactOS's sources):
 *
 *     KDBG bt, i386	Eip: exact; Frames: corrected by KDBG itself, but a bare number there is not
 *     KDBG bt, x64	Frames: "[stack pointer] token", the first exact, the others return addresses
 *     kernel32		Address: exact; Frames: return addresses, "(path@base)" behind them
 *     before 2010	Frames: all on one line, or "<name: offset>" under it: return addresses
 *     KeRosDump...	"<name: 0001A2B3>", eight or sixteen digits: return addresses; and bare ones among them
 *     FreeLoader	Frames: numbers on one line: return addresses
 *     PspDumpThreads	pairs of a frame pointer and a return address
 *     gdb		"#0" exact, "#1" and so on return addresses
 *     Dr. Watson	the rows after the first
 *     WinDbg k		the rows after the first
 *
 * Other lines may come in between (another processor's output, a pager's prompt), so a header holds for some lines.
 */
#ifndef LOG_CONTEXT_H
#define LOG_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

/* What stands above. */
enum header {
	HEADER_NONE,
	HEADER_EIP,		/* "Eip:", and what stands under it is one exact address */
	HEADER_ADDRESS,		/* kernel32's "Address:" */
	HEADER_KDBG_FRAMES,
	HEADER_USER_FRAMES,	/* kernel32's */
	HEADER_FRAMES,		/* "Frames:" of nobody knows whom */
	HEADER_ROSDUMP,		/* a token of KeRosDumpStackFrames stood there */
	HEADER_PAIRS,		/* a thread of PspDumpThreads: numbers, every second one an address */
	HEADER_WINDBG_STACK	/* "ChildEBP RetAddr" and its 64-bit form */
};

/* Tables whose rows only mean something below their head. */
enum table {
	TABLE_NONE,
	TABLE_MOD,		/* KDBG "mod" */
	TABLE_LM,		/* WinDbg "lm" */
	TABLE_THREADS,		/* KDBG "thread list" */
	TABLE_WATSON_MODULES,
	TABLE_WATSON_STACK
};

struct context {
	uint64_t line;		/* the number of the line that is read */
	enum header header;
	uint64_t header_line;	/* where it stands, or the last line that belonged to it */
	bool on_header_line;	/* the header and what is read stand on one line */
	unsigned seen;		/* how many addresses were under it */
	enum table table;
	unsigned rows;		/* how many rows were under it */
	bool int3;		/* KDBG was entered at a breakpoint, at int3_address, and no trace was read since */
	uint64_t int3_address;
	unsigned stop_parameter;	/* of a bugcheck, on the line below stop_line, from 1; 0: none is awaited */
	uint64_t stop_line;
};

/* How a token is written, as far as that tells who wrote it. */
struct spelling {
	bool bare;		/* no module */
	bool space;		/* "<name: offset>" */
	bool padded;		/* all digits of an address, leading zeros and all */
	bool path;		/* the module is a path */
	bool stack_pointer;	/* "[0123456789ABCDEF] " before it */
	bool path_behind;	/* " (" behind it */
};

/* A new line begins. */
void context_line(struct context *context);

/* A header was read on the current line. */
void context_header(struct context *context, enum header header);

/* "Frames:" was read. */
void context_frames(struct context *context);

/* The head of a table was read. */
void context_table(struct context *context, enum table table);

/* A prompt or the beginning of something else: no header holds any more. */
void context_reset(struct context *context);

/* Whether the next line can mean something, or end something, whatever is in it. */
bool context_every_line_counts(const struct context *context);

/* Whether a token in angle brackets is a return address; it counts as seen. */
bool context_is_return(struct context *context, const struct spelling *spelling);

/* Whether the next row or frame of a stack whose first address is exact is a return address; it counts as seen. */
bool context_is_caller(struct context *context);

#endif
