/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - show on a terminal what the program is busy with, when it takes longer than a second
 *
 * One line on standard error, which is overwritten every second and removed when the work is done.  Does nothing if
 * standard error is not a terminal.
 */
#ifndef EMBED_PROGRESS_H
#define EMBED_PROGRESS_H

/* The clock starts with the first call.  PATH and WHAT are copied. */
void progress(const char *path, const char *what);

/* Take the line away until the next second; call this before anything else is printed. */
void progress_hide(void);

void progress_end(void);

#endif
