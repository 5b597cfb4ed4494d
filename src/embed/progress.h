/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - a line on the terminal that says what the program is doing
 *
 * It appears after a second on standard error, is updated every second, and is removed before messages and when the
 * work is done.  If standard error is no terminal, and on Windows, which lacks SIGALRM, these functions do nothing.
 */
#ifndef EMBED_PROGRESS_H
#define EMBED_PROGRESS_H

/* Change the line to say that WHAT is being done with the file PATH.  The seconds in the line count from the first
   call.  PATH and WHAT are copied. */
void progress_show(const char *path, const char *what);

/* Remove the line for good. */
void progress_end(void);

#endif
