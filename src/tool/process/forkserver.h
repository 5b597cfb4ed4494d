/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forkserver.h - a process that forks children for a program that gives up the right to do so
 *
 * The program starts it before it reads anything from strangers.  So a child knows what the program knew at that
 * time, and nothing that it has read since.  The server has no files but its socket, and looks at nothing that its
 * children do.
 */
#ifndef TOOL_PROCESS_FORKSERVER_H
#define TOOL_PROCESS_FORKSERVER_H

#include "tool/process/pipe.h"

enum { FORKSERVER_MOST = 5 }; /* children at the same time */

struct forkserver {
	int socket; /* -1: there is none */
	int error;  /* why not: an errno */
};

/* What a child does, which has isolated itself (isolate.h) and ends afterwards.  It has these three descriptors and
   no others. */
typedef void forkserver_child(int file, int reading, int writing);

/* Start the server; its children do RUN.  Returns whether it runs.  Give SERVER to forkserver_stop() in each case. */
bool forkserver_start(struct forkserver *server, forkserver_child *run);

/* Fork child number SLOT, below FORKSERVER_MOST, which is none now.  It gets FILE and its ends of PIPES, which are
   opened here.  Returns 0 or an errno.  If forking fails, the pipes close, and forkserver_end() tells why. */
int forkserver_fork(struct forkserver *server, unsigned slot, int file, struct pipes *pipes);

/* How a child ended. */
struct forkserver_end {
	int error;  /* it could not be forked: an errno */
	int status; /* else as from waitpid(); if the child had not ended before, it was killed now */
};

/* End child number SLOT.  Returns false if the server does not answer. */
bool forkserver_end(struct forkserver *server, unsigned slot, struct forkserver_end *end);

/* End child number SLOT, which has failed while it was DOING something, and say in TEXT, which has SIZE bytes, why. */
void forkserver_end_failed(struct forkserver *server, unsigned slot, const char *doing, const struct pipes *pipes,
			   char *text, size_t size);

/* End the server and its children. */
void forkserver_stop(struct forkserver *server);

#endif
