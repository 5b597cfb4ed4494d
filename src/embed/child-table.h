/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child-table.h - tables made in a process of its own
 *
 * The readers of debug information and libiberty read bytes from strangers, and a hostile file may take them over.  So
 * a child process reads the debug information and makes the tables.  It has the bytes that the parent has read, pipes,
 * and limits of time and memory, but no right to open anything.  The parent gets a finished table and checks it like a
 * table in any file.  On a system without fork() there is no child, and the same code runs in the program itself.
 *
 * A child is for one image only.  It can be asked for several tables, and keeps what it has read.
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

/* What a child sends.  The table has been checked; the rest is only shown. */
struct made {
	struct debuginfo_counts counts;
	uint32_t whole;		   /* the table is for all addresses */
	struct rossym_built table; /* give it to made_free() */
};

struct making {
	/* Make a table; runs in the child.  Returns 0, or -1 and an error. */
	int (*make)(struct making *making, const struct wanted_rvas *wanted, struct made *made,
		    struct rossym_error *err);
	/* Show a warning to the user; runs in the parent.  TEXT may have any bytes. */
	void (*warn)(void *context, const char *text);
	/* Called in the parent after fork(): the child has its own copy of all memory.  Not called on systems
	   without fork(). */
	void (*forked)(void *context);
	void *context;
	size_t input;	   /* how many bytes make() reads; the limits depend on it */
	struct tree *tree; /* the source tree; the child asks the parent which files it has */
	/* in the child: the bytes of a table that make() keeps, so that it must not change; or NULL */
	const void *kept;
	bool stays;	      /* the child waits for more requests; else it ends after the first one */
	bool in_child;	      /* make() runs in a process of its own; set here */
	size_t given_back;    /* in the child: of .debug_info, to the system */
	int reading, writing; /* in the child: its ends of the pipes */
};

/* A child, as its parent sees it.  All zeros: there is none. */
struct child_table {
	bool running;
	struct worker worker;
	/* for the present table: */
	size_t warned; /* bytes of warnings */
	size_t name_requests;
	uint64_t left; /* how many bytes it may still send */
	bool floods;   /* it has sent more */
};

enum made_how {
	MADE,
	MADE_NOTHING, /* make() failed, or no child could be started; err says why */
	MADE_BROKEN,  /* the child crashed, hung, or sent a damaged table; err says which */
};

/*
 * Let a child call making->make(), and store what it made in *MADE, which must be zeros; unless the result is MADE,
 * describe the reason in *ERR.  Give MADE to made_free() in each case.  If no child is running, one is started; *MAKING
 * must stay in place as long as it runs.  It runs on only with making->stays, and if the result is MADE.
 */
enum made_how child_table_make(struct child_table *child, struct making *making, const struct wanted_rvas *wanted,
			       struct made *made, struct rossym_error *err);

/* End the child, if one is running. */
void child_table_end(struct child_table *child);

/* For make(): let the parent show a warning. */
void making_warn(const struct making *making, const char *text);

/* For make(), if it runs in a child: let free() return large arrays to the system at once.  By default glibc keeps the
   arrays that reading has freed, and they count against the memory limit while a large table is built.  For small
   tables it is quicker to use them again. */
void making_save_memory(void);

void made_free(struct made *made);

#endif
