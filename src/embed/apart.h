/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apart.h - a table made in a process of its own
 *
 * What reads DWARF and what demangles names is not all ours, and what they read may be made to break them.  So a child
 * does all of it, with nothing but the bytes that the parent has read, a pipe, and limits.  What comes back is a finished
 * table, which is checked like any table of a stranger's.  On a host without fork() there is no child.
 */
#ifndef APART_H
#define APART_H

#include "embed/ask.h"
#include "debuginfo/rows.h"

#include <stdint.h>

struct made {
	struct debuginfo_counts counts;
	struct rossym_built table;	/* give it to made_free() */
};

struct making {
	/* Make the table.  Returns 0, or -1 and an error. */
	int (*make)(struct making *making, struct made *made, struct rossym_error *err);
	/* Show a warning to the user. */
	void (*warn)(void *context, const char *text);
	void *context;
	size_t input;		/* how many bytes MAKE reads: the limits depend on it */
	struct tree *tree;	/* MAKE may ask which files it has; the parent looks them up for the child */
	struct ask ask;
	int pipe;		/* the child's end, for making_warn() and for questions */
};

enum made_how {
	MADE,
	MADE_NOTHING,		/* make() failed, or no child could be started; err says why */
	MADE_BROKEN		/* the child crashed, hung, or sent a damaged table; err says which */
};

enum made_how make_apart(struct making *making, struct made *made, struct rossym_error *err);

/* For make(): pass a warning on. */
void making_warn(const struct making *making, const char *text);

void made_free(struct made *made);

#endif
