/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.h - copy a log from an input to standard output, and add annotations
 *
 * Before each read, everything that has been read is printed, except a tail whose meaning depends on the next bytes.  So a
 * filter on a serial line shows a prompt at once.  Marks are printed before a line but known only after it; so with -m or -M
 * lines wait for their end, unless they look like a prompt.
 *
 * A line of more than FILTER_LINE_MAX bytes is read in pieces, which are not cut inside a token.
 */
#ifndef LOG_FILTER_H
#define LOG_FILTER_H

#include "log/annotate.h"
#include "log/plain.h"
#include "log/resolve.h"
#include "log/source.h"
#include "tool/out.h"

enum {
	FILTER_LINE_MAX = 128 * 1024,
	FILTER_BUFFER = 2 * FILTER_LINE_MAX,
	FILTER_SOURCES = 16			/* the most places of one line whose source is shown */
};

struct filter {
	struct settings *settings;
	struct resolver *resolver;
	struct out *out;
	struct sources *sources;		/* or NULL */

	const char *log;			/* the name of the file, or NULL: standard input */
	char *buffer;
	size_t begin, end;			/* in `buffer`: from the current line on, all that has been read */
	size_t passed;				/* in `buffer`: the end of what has been passed on to the output */
	size_t scanned;				/* in `buffer`, between lines: no token begins before this */
	bool in_line;				/* the current line has begun: its tokens are being read */
	uint64_t line;				/* number of the current line */
	struct context context;
	struct plain_line plain;			/* the text of the current line, in which tokens are looked for */
	struct tokens tokens;
	struct text collected;			/* with -m or -M: the line so far, as it will be printed */
	struct text note, escaped;		/* scratch */
	bool answered, unanswered;		/* the line has a token with an answer; without one */
	bool too_late;				/* the beginning of the line has been printed, so it cannot get a mark */
	bool dropping;				/* the bytes that follow are the rest of a dropped line */
	bool after_token;			/* the last line had a token, or was a line of source that was dropped */
	struct { char *file; uint32_t line; } places[FILTER_SOURCES];
	size_t place_count;
	bool failed;				/* out of memory */
};

/* False: no memory. */
bool filter_open(struct filter *filter, struct settings *settings, struct resolver *resolver, struct out *out);
void filter_close(struct filter *filter);

/* Filter FD up to its end.  LOG is the name of the file, or NULL for standard input.  False after a message, if it cannot
   be read or there is no memory. */
bool filter_run(struct filter *filter, int fd, const char *log);

#endif
