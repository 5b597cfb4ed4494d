/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serve.h - rossym-embed --serve: makes tables for another program of this project
 *
 * The client sends requests to standard input; tool/process/tables.h has the messages.  This process reads headers of
 * images only: each image gets a child process that stays (kept.h).  If a child crashes or hangs, the
 * client gets the reason.
 */
#ifndef EMBED_SERVE_H
#define EMBED_SERVE_H

#include "embed/job.h"

/* Answer requests until standard input ends.  OWN has the image of the command line, if there is one, and the options
   and paths for all requests.  Returns the exit status: 1 after an invalid request, or if the client is gone. */
int serve(const struct job *own);

/* Tell the client that it will get no answers, because files could not be read; a message has said why.  Returns the
   exit status. */
int serve_failure(void);

#endif
