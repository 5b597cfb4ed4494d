/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash-page.h - the crashes on a page of HTML (page.h): a block for each, whose place and frames link to the log
 *
 * Crashes are known only when all logs have been read, so they come last in the file.  The style sheet moves them to
 * the top.
 */
#ifndef LOG_PAGE_CRASH_PAGE_H
#define LOG_PAGE_CRASH_PAGE_H

#include "log/crash/crashes.h"

/* Append how many crashes there are, as an item of the summary's list; nothing if there are none. */
void crash_page_count(struct strbuf *text, const struct crashes *crashes);

/* Append the section with the crashes; nothing if there are none. */
void crash_page_add(struct strbuf *text, struct crashes *crashes);

#endif
