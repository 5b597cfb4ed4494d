/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crash-symbols.h - where the symbols of a crash's modules come from, as the rows of the modules say before it */
#ifndef LOG_CRASH_CRASH_SYMBOLS_H
#define LOG_CRASH_CRASH_SYMBOLS_H

#include "log/crash/stack.h"
#include "tool/strbuf.h"

enum { CRASH_SYMBOLS = 32 }; /* the most modules of a crash whose symbols are told */

/* What the rows of the current log say: for each module its name and a text, each with a NUL.  All zeros: nothing. */
struct symbols_said {
	struct strbuf text;
};

/* Of a crash: positions in the strings of its stack. */
struct crash_symbols {
	struct {
		size_t module, text;
		bool found; /* TEXT names files; else it says why there are no symbols */
	} list[CRASH_SYMBOLS];
	size_t count;
};

/* The row of the module NAME has this NOTE (note.h). */
void symbols_said_add(struct symbols_said *said, const char *name, size_t name_length, const char *note, size_t length);

/* Store what was said of the modules of STACK's frames. */
void crash_symbols_take(struct crash_symbols *symbols, const struct symbols_said *said, struct stack *stack);

#endif
