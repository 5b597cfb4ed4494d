/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash-frame.h - an address of the log as a frame of a stack (crash/stack.h), with its answer or the note in the log
 */
#ifndef LOG_CRASH_FRAME_H
#define LOG_CRASH_FRAME_H

#include "log/annotate.h"
#include "log/crash/crashes.h"
#include "log/read/scanner.h"

/* What is known of an address. */
struct crash_address {
	const struct found_token *found;
	const struct answer *answer; /* NULL: it was not looked up, because it has a note that stays */
	const struct line *line;
	/* on a page: the kind of the address, and its number; 0: not on a page */
	char letter;
	unsigned long long id;
};

/* Tell CRASHES of an address of the current line.  False: no memory. */
bool crash_frame_add(struct crashes *crashes, struct settings *settings, const struct crash_address *address);

#endif
