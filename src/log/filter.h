/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.h - copy a log from an input to standard output, and add annotations
 *
 * A line is collected and then printed together with its annotations, when it is complete; only a prompt is printed
 * earlier (scanner.h).
 *
 * With --output-style=html, the output is the part of a page that shows the log (page.h).
 */
#ifndef LOG_FILTER_H
#define LOG_FILTER_H

#include "log/annotate.h"
#include "log/missed.h"
#include "log/page/page.h"
#include "log/scan/scanner.h"
#include "log/resolve/resolve.h"
#include "log/scan/source-lines.h"
#include "tool/out.h"

enum {
	FILTER_PLACES_MAX = 16, /* -S shows the source lines of at most this many answers for one line of the log */
};

struct filter {
	struct settings *settings;
	struct resolver *resolver;
	struct out *out;
	struct sources *sources; /* reads source files; NULL without --source-root */

	/* text that filter_copy_log() reads before the file FD, or instead of a file if FD is -1; NULL: none */
	const struct strbuf *content;
	const char *log;     /* the name of the file, or NULL: standard input */
	bool names_log;	     /* the report about missed lines (missed.h) names the log, too */
	unsigned log_number; /* number of the current log, from 1 */
	struct scanner scanner;
	struct scanner ahead;	    /* reads ahead of `scanner`, if the log is a file */
	const struct line *line;    /* the current line; between lines, the one that has just ended */
	size_t done;		    /* how many bytes of the raw line were collected or left out so far */
	struct crash_address shown; /* the current token with its answer */
	struct crashes crashes;
	struct missed missed;
	struct page page;
	struct strbuf markup;	   /* scratch: HTML that is to be printed or collected next */
	struct strbuf collected;   /* the line so far, as it will be printed */
	struct strbuf after;	   /* source lines, which are printed after the line */
	struct strbuf typed;	   /* log2lines -c: the text of the line that has just ended */
	struct strbuf note;	   /* scratch: text that is added to the log */
	struct strbuf escaped;	   /* scratch: added text, such as `note`, escaped for the line, as in JSON (plain.h) */
	bool collects;		   /* the line has a token, so it is collected: its mark is known only at its end */
	size_t noted_length;	   /* length of the raw line with a mark; of its tokens' notes, those printed count */
	bool said_too_long;	   /* a line was too long, and the message about it was printed */
	bool answered, unanswered; /* the line has a token with an answer; a token without one */
	size_t place_count;	   /* how many answers have source lines in `after` */
	bool failed;		   /* there was no memory for a part of the output */
};

/* Prepare FILTER, which prints to OUT.  Returns false if there is no memory.  Call filter_close() even then. */
bool filter_open(struct filter *filter, struct settings *settings, struct resolver *resolver, struct out *out);
void filter_close(struct filter *filter);

/* Filter a log: first filter->content, then the file FD up to its end.  If FD is -1, filter->content is the whole log.
   LOG is the name of the file, or NULL for standard input.  Returns false after a message, if the log cannot be read or
   there is no memory. */
bool filter_copy_log(struct filter *filter, int fd, const char *log);

#endif
