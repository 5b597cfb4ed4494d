/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash-page.h - the crashes on a page (page.h): a block for each, whose place and frames are links to their lines
 *
 * They are known when all logs have been read, so they are written last; a style sheet shows them first.
 */
#ifndef LOG_PAGE_CRASH_PAGE_H
#define LOG_PAGE_CRASH_PAGE_H

#include "log/crash/crashes.h"

/* Append how many crashes there are, as an element of the summary's list; nothing if there are none. */
void crash_page_count(struct strbuf *text, const struct crashes *crashes);

/* Append the section with the crashes; nothing if there are none. */
void crash_page_add(struct strbuf *text, struct crashes *crashes);

#endif
