/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings.h - the options of rossym-log and log2lines; with log2lines -c, commands in the log change some of them */
#ifndef LOG_SCAN_SETTINGS_H
#define LOG_SCAN_SETTINGS_H

#include "tool/paths.h"

#include <stdbool.h>

/* Which addresses are looked up as return addresses: those that the log shows to be such (context.h); none; or all. */
enum assume { ASSUME_NOTHING, ASSUME_EXACT, ASSUME_RETURN };

struct settings {
	bool raw;	      /* copy the log unchanged */
	bool json;	      /* instead of the log, print tokens and answers as JSON */
	bool html;	      /* print the log as a page of HTML */
	bool crashes;	      /* find the crashes in the log, for --crashes or for the page */
	bool only_crashes;    /* instead of the log, print the crashes */
	bool only_missing;    /* instead of the log, print which files are missing to answer more addresses */
	bool markdown;	      /* print the crashes as Markdown */
	bool undo;	      /* remove annotations */
	bool redo;	      /* replace annotations by new ones */
	bool mark_answered;   /* write "* | " before lines with an annotation */
	bool mark_unanswered; /* write "? | " before lines that have tokens and no annotation */
	bool bare_marks;      /* the marks are "* " and "? ", as in log2lines; they replace such marks in the log */
	bool color;
	bool demangle;	 /* demangle function names */
	bool inlines;	 /* show the callers of inlined functions */
	bool both;	 /* log2lines -t: if the answer for the byte before the address differs, show that, too */
	bool console;	 /* execute commands of log2lines that are typed at KDBG's prompt */
	bool look_ahead; /* in a log that is a file, load addresses also count for addresses before them (scout.h) */
	bool builds;	 /* compare the build that the log names with that of the directory or archive of an image */
	bool calls;	 /* let rules find addresses (rules.h), and look for a call before a return address */
	bool strict;	 /* give no answers from another build */
	bool missed;	 /* at the end, report lines with addresses that were not found or recognized (missed.h) */
	bool quiet;	 /* print no warnings, nor the report of `missed` */
	bool statistics; /* -s: print counts at the end */
	bool verbose;
	unsigned wait; /* a prompt is printed when nothing has followed it for so many milliseconds; 0: never */
	enum assume assume;
	bool source;		 /* show source lines after each line with an annotation */
	unsigned source_before;	 /* how many source lines to show up to and including the answer's line */
	unsigned source_after;	 /* how many to show after that line */
	const char *source_root; /* the directory that has the source files */
	struct paths paths;	 /* how paths of source files are changed before they are shown (--path-map) */
	const char *source_url;	 /* the template of URLs of source lines (url.h), or NULL */
	bool hyperlinks;	 /* annotations are links, if there is a source_url */
};

/* Whether to remove the annotations, marks and source lines that earlier runs have added. */
static inline bool settings_is_removal(const struct settings *settings)
{
	return (settings->undo || settings->redo) && !settings->raw;
}

/* Whether to print something else instead of the text of the log. */
static inline bool settings_is_log_hidden(const struct settings *settings)
{
	return settings->json || settings->only_crashes || settings->only_missing;
}

#endif
