/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h - the page that --format=html prints: logs, and a summary of modules, builds and addresses
 *
 * The page is printed as the logs are read, so it may be of any size and of a log that has no end yet.  In memory there
 * are only numbers, the modules, the crashes (crash-page.h), and lines that may be folded (fold.h).  Crashes and summary are known last, so they come last
 * in the file; CSS puts them before the logs, and the first link of the page leads to the summary.
 *
 * The page counts what it shows: each address is in the list of kinds, in the table of modules, and in that of builds
 * if there is one.
 *
 * There is no script, and a policy in the page forbids any.  All links but those of --source-url stay in the page.
 */
#ifndef LOG_PAGE_PAGE_H
#define LOG_PAGE_PAGE_H

#include "log/crash/crashes.h"
#include "log/page/fold.h"
#include "log/page/html.h"
#include "log/resolve/resolve.h"
#include "tool/out.h"

enum { PAGE_REASONS = 16 };

/* Addresses by kind. */
struct page_counts {
	unsigned long long of[HTML_KINDS];
};

/* All zeros, then page_clear() at the end. */
struct page {
	struct html html;
	struct fold fold;
	/* by the module's number; of addresses whose module is not known */
	struct page_counts *modules, no_module;
	size_t module_room;
	/* as those of struct boots; before the log names a build */
	struct page_counts builds[BOOTS_BUILDS], no_build;
	/* Why addresses are unresolved.  The last one is for all further reasons. */
	struct page_reason {
		const char *why;
		unsigned long long count;
	} reasons[PAGE_REASONS];
};

void page_clear(struct page *page);

/* Count an address of MODULE, which may be NULL, in the current boot.  WHY: the reason why it has no answer, a
   constant; NULL: it has one.  False: no memory. */
bool page_count(struct page *page, const struct boots *boots, const struct rossym_module *module, enum html_kind kind,
		const char *why);

/* Begin the page about COUNT logs with these names; none: standard input. */
void page_begin(struct out *out, char *const *logs, int count);

/* Begin and end the text of one of them.  NAME: NULL if it is the only one. */
void page_log_begin(struct out *out, const char *name);
void page_log_end(struct out *out);

/* Print the summary and end the page.  False: no memory. */
bool page_end(const struct page *page, struct out *out, struct resolver *resolver, struct crashes *crashes);

#endif
