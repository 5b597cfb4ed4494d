/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h - the page that --output-style=html prints: the logs, and a summary of modules, builds and addresses
 *
 * The page is printed while the logs are read, so it can have any size, and a log may still be growing.  Only counts,
 * the modules, the crashes (crash-print.h), and lines that may be folded are in memory.  Crashes and summary
 * are known at the end, so they come last in the file; CSS puts them before the logs, and the first link of the page
 * leads to the summary.
 *
 * Each address counts once in the list of kinds, once in the table of modules, and once in the table of builds, if
 * there is one.
 *
 * Long runs of lines in which nothing was found are folded: most lines of a log are routine messages of the boot.  With
 * fold_show_line(), the filter marks the lines that are worth seeing.  These are visible, and so are the FOLD_CONTEXT
 * lines before and after each of them.  A run of other lines is folded into an element that a click opens, if it has at
 * least FOLD_LEAST lines.  The length of a run is known only at its end.  So its lines are buffered, up to about
 * FOLD_BYTES bytes; a longer run becomes several folds.  fold_show_line() writes the buffered lines at once.
 *
 * There is no script, and the Content-Security-Policy of the page forbids any.  All links except those of --source-url
 * stay in the page.
 */
#ifndef LOG_PAGE_PAGE_H
#define LOG_PAGE_PAGE_H

#include "log/crash/crashes.h"
#include "log/page/html.h"
#include "log/resolve/resolve.h"
#include "tool/out.h"

enum {
	FOLD_CONTEXT = 3,     /* visible lines before and after each line that is worth seeing */
	FOLD_LEAST = 20,      /* the fewest lines that are folded */
	FOLD_BYTES = 1 << 18, /* a run with more HTML becomes several folds of about this many bytes */
};

/* Lines that may be folded.  All zeros: no log has begun. */
struct fold {
	struct strbuf held; /* buffered lines, as HTML; strbuf_clear() frees it */
	uint64_t lines;	    /* how many lines are buffered; the last one may be incomplete */
	/* Where the last buffered lines begin in `held`: line N at element N % (FOLD_CONTEXT + 1) of this array. */
	size_t begins[FOLD_CONTEXT + 1];
	unsigned context; /* how many of the next lines are visible as context */
	bool is_shown;	  /* the current line is not buffered */
};

/* Begin a line.  It is buffered, unless it is one of the FOLD_CONTEXT lines after a line for fold_show_line(). */
void fold_begin_line(struct fold *fold, struct out *out);

/* Add LENGTH bytes of HTML to the current line. */
void fold_add(struct fold *fold, struct out *out, const char *bytes, size_t length);

/* Make the current line visible, with the FOLD_CONTEXT lines before and after it. */
void fold_show_line(struct fold *fold, struct out *out);

/* Call this when the log has ended: prints the lines that are still buffered.  Another log can follow.  Returns false
   if there was no memory for some of the lines. */
bool fold_end(struct fold *fold, struct out *out);

enum { PAGE_REASONS = 16 }; /* the most reasons that are counted separately, plus 1 for all others */

/* How many addresses of each kind there are. */
struct page_counts {
	unsigned long long of[HTML_KINDS];
};

/* The counts of a page so far, and its lines that may be folded.  Begin with all zeros; page_clear() frees memory. */
struct page {
	unsigned long long counts[HTML_KINDS]; /* addresses so far, by kind */
	struct fold fold;
	struct page_counts *modules;		 /* the counts for each module, by its number in the set */
	struct page_counts no_module;		 /* for addresses whose module is not known */
	size_t module_room;			 /* how many elements `modules` has */
	struct page_counts builds[BOOTS_BUILDS]; /* for each build, in the order of `counts` in struct boots */
	struct page_counts no_build;		 /* for addresses in boots of an unknown build */
	/* For each reason, how many addresses it leaves unresolved.  The last element counts all further reasons. */
	struct page_reason {
		const char *why;
		unsigned long long count;
	} reasons[PAGE_REASONS];
};

void page_clear(struct page *page);

/* Count an address of MODULE, or of an unknown module if that is NULL, in the current boot of BOOTS.  WHY: why it has
   no answer, a string that stays valid; NULL: it has one.  Returns false if there is no memory. */
bool page_count_address(struct page *page, const struct boots *boots, const struct rossym_module *module,
			enum html_kind kind, const char *why);

/* Print the head of a page about the COUNT logs that LOGS names; about standard input if COUNT is 0.  Returns false if
   there is no memory. */
bool page_begin(struct out *out, char *const *logs, int count);

/* Begin a log, which PAGE_LOG_END ends.  NAME: its heading; NULL: "Log".  Returns false if there is no memory. */
bool page_log_begin(struct out *out, const char *name);
#define PAGE_LOG_END "</div>\n</section>\n"

/* Print the summary and end the page.  Returns false if there is no memory. */
bool page_end(const struct page *page, struct out *out, struct resolver *resolver, struct crashes *crashes);

#endif
