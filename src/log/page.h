/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h - the page that --format=html prints: logs, and a summary of modules, builds and addresses
 *
 * The page is printed as the logs are read, so it may be of any size and of a log that has no end yet.  In memory there are only
 * numbers and the modules.  The summary is known last, so it comes last in the file; CSS puts it before the logs, and the first
 * link of the page leads to it.
 *
 * There is no script, and a policy in the page forbids any.  All links but those of --source-url stay in the page.
 */
#ifndef LOG_PAGE_H
#define LOG_PAGE_H

#include "log/html.h"
#include "log/resolve.h"
#include "tool/out.h"

/* Begin the page about COUNT logs with these names; none: standard input. */
void page_begin(struct out *out, char *const *logs, int count);

/* Begin and end the text of one of them.  NAME: NULL if it is the only one. */
void page_log_begin(struct out *out, const char *name);
void page_log_end(struct out *out);

/* Print the summary and end the page.  False: no memory. */
bool page_end(const struct html *html, struct out *out, struct resolver *resolver);

#endif
