/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold.h - on a page of HTML: folds long runs of lines in which nothing was found
 *
 * Most lines of a log are routine messages of the boot.  The filter marks the lines that are worth seeing, with
 * fold_show(); these are visible, and so are the FOLD_CONTEXT lines before and after each.  A run of other lines is
 * folded into an element that a click opens, if it has at least FOLD_LEAST lines.
 *
 * The length of a run is known only at its end.  So its lines are buffered, up to about FOLD_BYTES bytes; a longer run
 * becomes several folds.  fold_show() writes the buffered lines at once.
 */
#ifndef LOG_PAGE_FOLD_H
#define LOG_PAGE_FOLD_H

#include "tool/out.h"
#include "tool/strbuf.h"

enum {
	FOLD_CONTEXT = 3,     /* visible lines before and after each line that is worth seeing */
	FOLD_LEAST = 20,      /* the fewest lines that are folded */
	FOLD_BYTES = 1 << 18, /* a longer run is folded in pieces of about this many bytes of HTML */
};

/* All zeros at the beginning. */
struct fold {
	struct strbuf held; /* buffered lines, as HTML; to be cleared */
	uint64_t lines;	    /* how many lines are buffered; the last one may be incomplete */
	/* The offsets of the last buffered lines in HELD: that of line N is element N % (FOLD_CONTEXT + 1). */
	size_t begins[FOLD_CONTEXT + 1];
	unsigned context; /* how many of the next lines are visible as context */
	bool is_shown;	  /* the current line is not buffered */
};

/* Begin a line.  It is visible if it is context of a line before it; else it is buffered. */
void fold_begin_line(struct fold *fold, struct out *out);

/* Add LENGTH bytes of HTML to the current line. */
void fold_put(struct fold *fold, struct out *out, const char *bytes, size_t length);

/* Make the current line visible, with its context. */
void fold_show(struct fold *fold, struct out *out);

/* End the log; another one may follow.  False: there was no memory for some of the lines. */
bool fold_end(struct fold *fold, struct out *out);

#endif
