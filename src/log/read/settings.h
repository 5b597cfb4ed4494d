/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings.h - the options that the parts of rossym-log read; with log2lines -c, commands in the log change some
   of them */
#ifndef LOG_READ_SETTINGS_H
#define LOG_READ_SETTINGS_H

#include "tool/paths.h"

#include <stdbool.h>

enum assume { ASSUME_NOTHING, ASSUME_EXACT, ASSUME_RETURN };

struct settings {
	bool raw; /* copy the log unchanged */
	bool json;
	bool html;
	bool crashes;	      /* the crashes in the log are wanted */
	bool only_crashes;    /* ... and nothing else is printed */
	bool markdown;	      /* ... as Markdown */
	bool undo;	      /* remove annotations */
	bool redo;	      /* replace annotations by new ones */
	bool mark_answered;   /* write "* | " before lines with an annotation */
	bool mark_unanswered; /* write "? | " before lines that have tokens and no annotation */
	bool bare_marks;      /* as log2lines: without the bar, and in place of a mark that the log has */
	bool color;
	bool demangle;
	bool inlines;	 /* show the callers of inlined functions */
	bool both;	 /* show the answers for the address and for the byte before it, if they differ */
	bool console;	 /* obey commands typed at KDBG's prompt */
	bool look_ahead; /* load addresses hold for the addresses before them, too, if the log is a file */
	bool builds;	 /* compare the build that the log names with that of an image's place */
	bool calls;	 /* say of a return address that there is no call before it */
	bool strict;	 /* give no answers from another build */
	bool missed;	 /* say at the end what was missed */
	bool statistics;
	bool verbose;
	enum assume assume; /* whether tokens are return addresses; ASSUME_NOTHING: the context decides */
	bool source;	    /* show source lines after each line with an annotation */
	unsigned source_before, source_after;
	const char *source_root;
	struct paths paths;
	const char *source_url; /* url.h; or NULL */
	bool hyperlinks;	/* annotations are links, if there is a source_url */
};

/* Whether what earlier runs have added is left out. */
static inline bool settings_remove(const struct settings *settings)
{
	return (settings->undo || settings->redo) && !settings->raw;
}

/* Whether the text of the log is not printed. */
static inline bool settings_silent(const struct settings *settings)
{
	return settings->json || settings->only_crashes;
}

/* Whether lines are printed when they are complete, because each can get a mark at its beginning. */
static inline bool settings_mark_lines(const struct settings *settings)
{
	return settings->mark_answered || settings->mark_unanswered;
}

#endif
