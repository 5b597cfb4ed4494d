/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child-table.h - makes a table in a child process
 *
 * libiberty and the readers of debug information parse untrusted bytes, and a hostile file may exploit a bug in them.
 * So a child process reads the debug information and makes the table.  It has the bytes that the parent has read,
 * pipes, and limits of time and memory, but no privilege to open anything.  The parent receives a finished table and
 * checks it like a table in any file.  On a system without fork() there is no child, and the same code runs in the
 * program itself.
 */
#ifndef EMBED_CHILD_TABLE_H
#define EMBED_CHILD_TABLE_H

#include "debuginfo/read-rows.h"
#include "tool/process/worker.h"
#include "tool/tree.h"

#include <stdint.h>

/* The addresses that a table must answer for. */
struct wanted_rvas {
	const uint32_t *rvas; /* ascending; NULL: all addresses */
	uint32_t count;
};

/* What the child sends.  The table has been checked; the other fields have not. */
struct made {
	struct debuginfo_counts counts;
	struct rossym_built table; /* made_clear() frees it */
};

/* How to make the table of an image. */
struct making {
	/* Make a table; runs in the child.  Returns 0, or -1 and an error. */
	int (*make)(struct making *making, const struct wanted_rvas *wanted, struct made *made,
		    struct rossym_error *err);
	/* Show a warning to the user; runs in the parent.  TEXT may have any bytes. */
	void (*warn)(void *context, const char *text);
	/* Called in the parent after fork(), when the child has its own copy of all memory, so that the parent can free
	   some of it.  Not called on systems without fork(). */
	void (*forked)(void *context);
	void *context;		 /* passed to warn() and forked(); make() can use it, too */
	size_t input;		 /* how many bytes make() reads; the limits of time and memory depend on it */
	struct tree *tree;	 /* the source tree; the child asks the parent which files are in it */
	bool in_child;		 /* make() runs in a child process; child-table.c sets it */
	size_t given_back;	 /* in the child: how many bytes of .debug_info it has given back to the system */
	struct channel *channel; /* in the child */
	struct channel_warnings warnings; /* without fork(): how many there were */
};

enum made_how {
	MADE,
	MADE_NOTHING, /* make() failed, or no child could be started; err says why */
	MADE_BROKEN,  /* the child crashed, hung, or sent a damaged table; err says which */
};

/* Let a child call making->make().  Returns MADE, and stores the table in *MADE, which must be zeros; or another
   result, and stores the reason in *ERR.  Call made_clear() on MADE in each case. */
enum made_how child_table_make(struct making *making, const struct wanted_rvas *wanted, struct made *made,
			       struct rossym_error *err);

/* make() calls this to let the parent show a warning. */
void making_warn(struct making *making, const char *text);

/* make() calls this in a child that makes a large table: from now on free() returns large arrays to the system at once.
   By default glibc keeps freed arrays, which then count against the memory limit while the table is built.  For small
   tables it is faster to use them again. */
void making_save_memory(void);

void made_clear(struct made *made);

#endif
