/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h - runs another program, sends it questions through one pipe, and reads its answers from another
 *
 * The other program has the standard error of this one.  It inherits no other open file if this program opens all files
 * with O_CLOEXEC.
 *
 * This program writes and reads as each pipe becomes ready (poll()).  So the two sides never wait for each other,
 * however many questions the other program reads before it answers.
 */
#ifndef TOOL_PROCESS_CHILD_H
#define TOOL_PROCESS_CHILD_H

#include "tool/process/process.h"
#include "tool/strbuf.h"

/* A function that stores up to SIZE bytes of questions in BUFFER.  Returns how many bytes; 0: there are no more
   questions; CHILD_LATER: there are none until the caller has all answers to the earlier ones. */
typedef size_t child_questions(void *context, char *buffer, size_t size);

#define CHILD_LATER SIZE_MAX

enum { CHILD_BUFFER = 65536, CHILD_LINE_LENGTH_MAX = 1 << 20 }; /* both in bytes */

struct child {
	intptr_t id;	    /* the program's process id; 0: it was not started, or child_end() was called */
	struct pipes pipes; /* the pipes to the program's standard input, and from its standard output */
	child_questions *questions;
	void *context;
	char request[CHILD_BUFFER]; /* questions; bytes from `request_begin` to `request_end` are still to be written */
	size_t request_begin, request_end;
	struct strbuf answers;
	size_t begin;	  /* the answers from this offset on are still to be returned */
	unsigned timeout; /* the longest time without progress, in seconds; 0: no limit */
	unsigned idle;	  /* how many seconds the program has neither read nor written */
	bool ended;	  /* the answers have ended, although the program may still run */
	bool gone;	  /* the program has ended */
	int status;	  /* if `gone`, the program's status, as from waitpid() */
	bool exited;	  /* after child_end(): the program ended by itself, with any status */
};

/* Whether this system can start a program; if not, child_start() always fails. */
extern const bool child_available;

/* Start PROGRAM with the arguments ARGV, of which ARGV[0] is the name of the program.  PROGRAM is searched for in PATH
   unless it has a slash.  QUESTIONS is called with CONTEXT when more can be written to the program.  TIMEOUT: see
   struct child.  Returns 0 or an errno.  CHILD should not be on the stack, because it is too big. */
int child_start(struct child *child, const char *program, char *const *argv, child_questions *questions, void *context,
		unsigned timeout);

enum child_status {
	CHILD_LINE,
	CHILD_END,	/* the answers have ended, although the program may still run */
	CHILD_TOO_LONG, /* a line is longer than CHILD_LINE_LENGTH_MAX */
	CHILD_STALLED,	/* the program has neither read nor written for `timeout` seconds */
	CHILD_NO_MEMORY,
	CHILD_ERROR, /* an error, in errno */
};

/* Read the next line of the answers, with a NUL in place of the newline; valid until the next call.  A last line
   without a newline is incomplete, and is dropped. */
enum child_status child_read_line(struct child *child, char **line);

/* Close the pipes, and kill the program if it does not end within GRACE seconds.  Call this once after a child_start()
   that succeeded: while child->id is not 0.  Returns whether the program ended by itself with status 0.  If not, stores
   a phrase in TEXT, of SIZE bytes, that says how it ended. */
bool child_end(struct child *child, unsigned grace, char *text, size_t size);

/* Returns the path of the running program, or its argv[0] where the system provides no path.  The caller frees it.
   NULL: no memory. */
char *find_own_program(void);

/* Returns the path of the program NAME in the directory of the running program, if it is there; else INSTALLED, the
   path where `make install` puts it, if that exists.  The caller frees the path.  NULL: neither exists, or
   there is no memory. */
char *find_sibling(const char *name, const char *installed);

#endif
