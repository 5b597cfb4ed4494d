/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h - run another program, send it questions through one pipe, and read its answers from another
 *
 * Both pipes are served at the same time.  So the two sides can never block each other, however much the program reads
 * before it answers.
 */
#ifndef TOOL_PROCESS_CHILD_H
#define TOOL_PROCESS_CHILD_H

#include "tool/process/process.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes up to SIZE bytes of questions to BUFFER and returns how many; 0 when there are no more. */
typedef size_t child_questions(void *context, char *buffer, size_t size);

enum { CHILD_BUFFER = 65536, CHILD_LONGEST_LINE = 1 << 20 };

struct child {
	struct process process;
	child_questions *questions;
	void *context;
	char request[CHILD_BUFFER]; /* not yet written: [request_begin, request_end) */
	size_t request_begin, request_end;
	char *answers; /* not yet handed out: [begin, end) */
	size_t size, begin, end;
	unsigned timeout, idle; /* seconds */
	bool ended;		/* nothing more comes, even if the program still runs */
	bool killed;
};

/* False on a system where this is not possible; there child_start() always fails. */
extern const bool child_available;

/* Start ARGV[0], searched for in PATH unless it has a slash.  QUESTIONS is called for what to write to it.  TIMEOUT:
   give up when it has neither read nor written for so many seconds; 0: never.  Returns 0 or an errno.  CHILD is too big
   for the stack. */
int child_start(struct child *child, char *const *argv, child_questions *questions, void *context, unsigned timeout);

enum child_status {
	CHILD_LINE,
	CHILD_END,	/* nothing more comes, even if the program still runs */
	CHILD_TOO_LONG, /* a line is longer than CHILD_LONGEST_LINE */
	CHILD_STALLED,	/* it did nothing for `timeout` seconds */
	CHILD_NO_MEMORY,
	CHILD_ERROR, /* errno says why */
};

/* Read the next line of its answers, with a NUL in place of the newline; valid until the next call.  Text without a
   newline at the end was cut off, and is dropped. */
enum child_status child_line(struct child *child, char **line);

/* Close the pipes, and kill the program if it does not end within GRACE seconds.  Call this once after child_start()
   succeeded; then child_ending() may be called. */
void child_end(struct child *child, unsigned grace);

/* Whether the program ended by itself with status 0.  If not, TEXT becomes a phrase that says how it ended. */
bool child_ending(const struct child *child, char *text, size_t size);

#endif
