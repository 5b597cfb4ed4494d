/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - what a program is busy with, on a terminal, when it takes longer than a second
 *
 * One line on standard error that is written over every second, and is gone when the work is done.  Nothing at all if
 * standard error is not a terminal.
 */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H

/* The clock starts with the first call.  PATH and WHAT are copied. */
void progress(const char *path, const char *what);

/* To be called before anything else is printed: takes the line away until the next second. */
void progress_hide(void);

void progress_end(void);

#endif
