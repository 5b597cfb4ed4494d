/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.h - a log from an input to standard output, with annotations
 *
 * Text is passed on as soon as nothing can belong before it any more: before each read all that has been read is out, but
 * for the tail that the next bytes decide about.  So a filter on a serial line shows a prompt at once.  (Marks belong
 * before the line; with them, lines wait for their end unless they look like a prompt.)
 *
 * No line is too long: one of more than FILTER_LINE_MAX bytes is read in pieces, cut where no token is.
 */
#ifndef LOG_FILTER_H
#define LOG_FILTER_H

#include "log/annotate.h"
#include "log/resolve.h"
#include "log/source.h"
#include "tool/out.h"

enum {
	FILTER_LINE_MAX = 128 * 1024,
	FILTER_BUFFER = 2 * FILTER_LINE_MAX,
	FILTER_SOURCES = 16			/* places in one line whose source is shown */
};

struct filter {
	struct settings *settings;
	struct resolver *resolver;
	struct out *out;
	struct sources *sources;		/* or NULL */

	const char *log;			/* the name of the file, or NULL: standard input */
	char *buffer;
	size_t begin, end;			/* what is there: from the current line on */
	size_t passed;				/* so much of it has been passed on */
	size_t scanned;				/* no line with a token begins before, if the current line has not begun */
	bool in_line;
	uint64_t line;				/* number of the current line */
	struct context context;
	struct tokens tokens;
	struct text collected;			/* the line as it is to be shown, if it can have a mark */
	struct text note;
	bool answered, unanswered;		/* tokens with and without answer on the line */
	bool too_late;				/* the line's beginning is out already: no mark */
	bool dropping;				/* what comes next is the rest of a line that is dropped */
	bool after_token;			/* the last line had a token, or was a line of source that was dropped */
	struct { char *file; uint32_t line; } places[FILTER_SOURCES];
	size_t place_count;
	bool failed;				/* out of memory */
};

/* False: no memory. */
bool filter_open(struct filter *filter, struct settings *settings, struct resolver *resolver, struct out *out);
void filter_close(struct filter *filter);

/* Filter what FD has to its end.  LOG is its name, or NULL.  False after saying why it could not be read. */
bool filter_run(struct filter *filter, int fd, const char *log);

#endif
