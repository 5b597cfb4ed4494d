/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.h - copy a log from an input to standard output, and add annotations
 *
 * What has been read is printed before the next read (scanner.h), so a filter on a serial line shows a prompt at once.
 * Marks are printed before a line but known only after it; so with -m or -M lines wait for their end, unless they look
 * like a prompt.
 *
 * On a page (page.h), what is put is HTML.
 */
#ifndef LOG_FILTER_H
#define LOG_FILTER_H

#include "log/annotate.h"
#include "log/crash/crashes.h"
#include "log/missed.h"
#include "log/page/page.h"
#include "log/read/scanner.h"
#include "log/resolve/resolve.h"
#include "log/read/source-lines.h"
#include "tool/out.h"

enum {
	FILTER_SOURCES = 16, /* the most places of one line whose source is shown */
};

struct filter {
	struct settings *settings;
	struct resolver *resolver;
	struct out *out;
	struct sources *sources; /* or NULL */

	const struct strbuf
		*content;    /* what the next log says, before its file or, without one, in place of it; or NULL */
	const char *log;     /* the name of the file, or NULL: standard input */
	unsigned log_number; /* from 1 */
	struct scanner scanner;
	const struct line *line; /* the current one, or the last one */
	size_t at;		 /* in a token: the raw line before this position has been printed or left out */
	const struct found_token *found; /* the current token */
	char shown_letter;		 /* ... on a page: the letter of its kind, and its number among these */
	unsigned long long shown_number;
	struct crashes crashes;
	struct missed missed;
	struct page page;
	struct strbuf markup;	     /* scratch */
	struct strbuf collected;     /* the line so far, as it will be printed */
	struct strbuf note, escaped; /* scratch */
	bool collects;		     /* the line waits for its end, because it can get a mark or lose one */
	bool printed;		     /* its beginning has been printed, so it can do neither */
	bool has_token;		     /* the line has one */
	bool has_fact;		     /* ... a fact */
	bool answered, unanswered;   /* it has one with an answer; without one */
	struct {
		char *file;
		uint32_t line;
	} places[FILTER_SOURCES];
	size_t place_count;
	bool failed; /* out of memory */
};

/* False: no memory. */
bool filter_open(struct filter *filter, struct settings *settings, struct resolver *resolver, struct out *out);
void filter_close(struct filter *filter);

/* Filter FD up to its end.  LOG is the name of the file, or NULL for standard input.  False after a message, if it
   cannot be read or there is no memory. */
bool filter_run(struct filter *filter, int fd, const char *log);

#endif
