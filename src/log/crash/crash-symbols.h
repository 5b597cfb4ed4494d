/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash-symbols.h - where the symbols of a crash's modules come from
 *
 * A dump's report has a list of modules.  rossym-log adds a note to each row of it: "(symbols: FILES)" or
 * "(no symbols: WHY)".  A crash that follows shows the notes of the modules in its stack.
 */
#ifndef LOG_CRASH_CRASH_SYMBOLS_H
#define LOG_CRASH_CRASH_SYMBOLS_H

#include "log/crash/stack.h"
#include "tool/strbuf.h"

enum { CRASH_SYMBOLS = 32 }; /* the most modules of a crash whose notes are stored */

/* The notes in the current boot of the log.  All zeros: none. */
struct crash_symbol_notes {
	struct strbuf text; /* for each note: the module's name, NUL, the text in parentheses, NUL */
};

/* The notes that belong to a crash. */
struct crash_symbols {
	struct {
		size_t module, text; /* positions of strings in the stack of the crash, for stack_string() */
		bool found;	     /* TEXT names files; else it says why there are no symbols */
	} list[CRASH_SYMBOLS];
	size_t count;
};

/* Add the note on the row of the module NAME: the LENGTH bytes at NOTE, with the parentheses. */
void crash_symbols_add_note(struct crash_symbol_notes *notes, const char *name, size_t name_length, const char *note,
			    size_t length);

/* For each module that has a frame in STACK, but at most CRASH_SYMBOLS modules, store in SYMBOLS the last of its NOTES.
   The texts become strings of STACK. */
void crash_symbols_take(struct crash_symbols *symbols, const struct crash_symbol_notes *notes, struct stack *stack);

#endif
