/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash-frame.h - an address of the log as a frame of a stack (crash/stack.h), with its answer or the note in the log
 */
#ifndef LOG_CRASH_FRAME_H
#define LOG_CRASH_FRAME_H

#include "log/annotate.h"
#include "log/crash/crashes.h"
#include "log/scan/scanner.h"

/* An address of the log. */
struct crash_address {
	const struct found_token *found;
	const struct answer *answer; /* NULL: it was not looked up, because its note is left in place */
	const struct line *line;
	char letter;	       /* on a page of HTML: the letter of its kind (html_letter()); 0: not on a page */
	unsigned long long id; /* on a page of HTML: its number among the addresses of its kind */
};

/* Add an address of the current line to CRASHES, as a frame of a stack.  Returns false if there is no memory. */
bool crash_frame_add(struct crashes *crashes, struct settings *settings, const struct crash_address *address);

#endif
