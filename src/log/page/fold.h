/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold.h - on a page: folds long runs of lines in which nothing was found
 *
 * Most of a log is chatter of the boot.  A line is worth seeing if the filter says so; with it the FOLD_CONTEXT lines
 * before and after it are shown.  The lines between are folded into an element that a click opens, if they are at least
 * FOLD_LEAST.
 *
 * How long a run is, is known only after it.  So lines that may be folded wait in memory, at most about FOLD_BYTES: a
 * longer run becomes several folds.  A line that is worth seeing waits no longer than until that is known.
 */
#ifndef LOG_PAGE_FOLD_H
#define LOG_PAGE_FOLD_H

#include "tool/out.h"
#include "tool/strbuf.h"

enum {
	FOLD_CONTEXT = 3,
	FOLD_LEAST = 20,
	FOLD_BYTES = 1 << 18,
};

/* All zeros, then fold_clear() at the end. */
struct fold {
	struct strbuf held; /* lines that wait, as HTML */
	uint64_t lines;	    /* how many of them; the last one may go on */
	/* Where the last of these lines begin; the line with index N has the place N % (FOLD_CONTEXT + 1). */
	size_t begins[FOLD_CONTEXT + 1];
	unsigned context; /* so many of the next lines are shown, since a shown one is near */
	bool is_shown;	  /* the current line does not wait */
};

void fold_clear(struct fold *fold);

/* A line begins, to which the bytes of the next fold_put() belong. */
void fold_line(struct fold *fold, struct out *out);
void fold_put(struct fold *fold, struct out *out, const char *bytes, size_t length);

/* The current line is worth seeing. */
void fold_show(struct fold *fold, struct out *out);

/* The log has ended; another one may begin.  False: there was no memory for some of the lines. */
bool fold_end(struct fold *fold, struct out *out);

#endif
