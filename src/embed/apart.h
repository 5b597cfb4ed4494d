/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apart.h - a table made in a process of its own
 *
 * The readers of debug information and libiberty read bytes from strangers, and a hostile file may take them over.  So a child process reads
 * the debug information and makes the table.  It has the bytes that the parent has read, pipes, and limits of time and
 * memory, but no right to open anything.  The parent gets a finished table and checks it like a table in any file.
 * On a system without fork() there is no child, and the same code runs in the program itself.
 */
#ifndef APART_H
#define APART_H

#include "embed/ask.h"
#include "debuginfo/rows.h"

#include <stdint.h>

/* What a child sends.  The table has been checked; the counts are only shown. */
struct made {
	struct debuginfo_counts counts;
	struct rossym_built table;	/* give it to made_free() */
};

struct making {
	/* Make the table; runs in the child.  Returns 0, or -1 and an error. */
	int (*make)(struct making *making, struct made *made, struct rossym_error *err);
	/* Show a warning to the user; runs in the parent.  TEXT may have any bytes. */
	void (*warn)(void *context, const char *text);
	/* Called in the parent after fork(): the child has its own copy of all memory.  Not called on systems without fork(). */
	void (*forked)(void *context);
	void *context;
	size_t input;		/* how many bytes make() reads; the limits depend on it */
	bool ends_after;	/* make() runs in a process that ends after it; set here */
	struct tree *tree;	/* the source tree; the child asks the parent which files it has */
	struct ask ask;
	int pipe;		/* the child's end, for making_warn() and for questions */
};

enum made_how {
	MADE,
	MADE_NOTHING,		/* make() failed, or no child could be started; err says why */
	MADE_BROKEN		/* the child crashed, hung, or sent a damaged table; err says which */
};

/* Call making->make() in a child, and store what it made in *MADE, which must be zeros; unless the result is MADE,
   describe the reason in *ERR.  Give MADE to made_free() in each case. */
enum made_how make_apart(struct making *making, struct made *made, struct rossym_error *err);

/* For make(): let the parent show a warning. */
void making_warn(const struct making *making, const char *text);

void made_free(struct made *made);

#endif
