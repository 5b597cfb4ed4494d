/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serve.h - rossym-embed --serve: tables for another program of this project, which asks through standard input
 *
 * tool/process/tables.h says what crosses.  This process looks at headers of images only: each image gets a child of
 * its own, which stays (kept.h), and a request whose child crashes or hangs is answered with the reason.
 */
#ifndef EMBED_SERVE_H
#define EMBED_SERVE_H

#include "embed/job.h"

/* Answer requests until standard input ends.  OWN: the image that was opened at the start, or all zeros but for the
   options and paths, which hold for every request.  Returns the exit status: 1 after what no client sends. */
int serve(const struct job *own);

/* Tell the client that there will be no answers: files could not be read, and a message says why.  Returns the
   exit status. */
int serve_failure(void);

#endif
