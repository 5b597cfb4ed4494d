/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h - another program, which is asked through one pipe and answers through another
 *
 * Both pipes are served at the same time.  How much the program reads before it answers, and how much of its answers
 * it keeps back, does not matter: neither side can wait for the other to take what it has written.
 */
#ifndef TOOL_CHILD_H
#define TOOL_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/* Writes up to SIZE bytes of what the program is to be asked to BUFFER and returns how many; 0 when there is no more. */
typedef size_t child_source(void *context, char *buffer, size_t size);

enum { CHILD_BUFFER = 65536, CHILD_LONGEST_LINE = 1 << 20 };

struct child {
	long process;			/* 0 when it has been waited for */
	int to, from;			/* -1 when closed */
	child_source *source;
	void *context;
	char asked[CHILD_BUFFER];	/* not yet written: [asked_begin, asked_end) */
	size_t asked_begin, asked_end;
	char *answers;			/* not yet handed out: [begin, end) */
	size_t size, begin, end;
	unsigned timeout, idle;		/* seconds */
	bool exited, killed;
	int status;			/* as waitpid() gives it, if exited */
};

/* False where a program cannot be started and talked to: then child_start() fails. */
extern const bool child_available;

/* Start ARGV[0], searched for in PATH unless it has a slash.  It will be asked what SOURCE says.  TIMEOUT: how many
   seconds it may neither read nor write while it should; 0 is for ever.
   Returns 0 or an errno.  CHILD is big: not for the stack. */
int child_start(struct child *child, char *const *argv, child_source *source, void *context, unsigned timeout);

enum child_status {
	CHILD_LINE,
	CHILD_END,		/* nothing more comes, even if the program still runs */
	CHILD_TOO_LONG,		/* a line is longer than CHILD_LONGEST_LINE */
	CHILD_STALLED,		/* the timeout is over */
	CHILD_NO_MEMORY,
	CHILD_ERROR		/* errno says why */
};

/* The next line of its answers, without the newline but with a NUL; valid until the next call.  What has no newline is
   not a line: it was cut off. */
enum child_status child_line(struct child *child, char **line);

/* End the conversation, and the program too if it does not end within GRACE seconds.  To be called once after
   child_start() succeeded.  Afterwards child_ending() says how it ended. */
void child_end(struct child *child, unsigned grace);

/* Whether it ended by itself with status 0; if not, what happened stands in TEXT. */
bool child_ending(const struct child *child, char *text, size_t size);

#endif
