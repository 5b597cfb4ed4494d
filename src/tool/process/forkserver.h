/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forkserver.h - a process that forks children for a program that drops the privilege to do so
 *
 * A program starts the server before it reads untrusted data.  So a child has a copy of the program's memory from that
 * time, and nothing that the program has read since.  The server has no open file but its socket to the program, and
 * reads nothing that its children write, so a hostile child cannot take it over.
 */
#ifndef TOOL_PROCESS_FORKSERVER_H
#define TOOL_PROCESS_FORKSERVER_H

#include "tool/process/channel.h"

/* The most children at the same time, and the most files of a child. */
enum { FORKSERVER_CHILDREN_MAX = 13, FORKSERVER_FILES_MAX = 16 };

struct forkserver {
	int socket; /* the socket to the server; -1: the server could not be started */
	int error;  /* the errno, if the server could not be started */
};

/* What a child does.  CHANNEL has the files that the program has passed for JOB.  The child has been isolated
   (isolate_process()): it has no open files but these and its ends of two pipes.  When the function returns, the child
   ends. */
typedef void forkserver_child(unsigned job, struct channel *channel);

/* Start the server, whose children run RUN.  False: it could not be started.  Call forkserver_stop() in both cases. */
bool forkserver_start(struct forkserver *server, forkserver_child *run);

/* Open PIPES, and ask the server to fork a child that does JOB.  SLOT is a number below FORKSERVER_CHILDREN_MAX that
   has no child now.  The child gets the COUNT descriptors FILES, at most FORKSERVER_FILES_MAX, and the other ends of
   the pipes.  Returns 0 or an errno.  This does not wait for the fork: if the server cannot fork, the pipes reach their
   end, and forkserver_end() returns the reason. */
int forkserver_fork(struct forkserver *server, unsigned slot, unsigned job, const int *files, size_t count,
		    struct pipes *pipes);

/* How a child ended. */
struct forkserver_end {
	int error;  /* the errno, if the child could not be forked; else 0 */
	int status; /* the child's status, as from waitpid(); a child that still ran has been killed */
};

/* Kill the child in SLOT if it still runs, and store how it ended in *END.  False: the server does not answer. */
bool forkserver_end(struct forkserver *server, unsigned slot, struct forkserver_end *end);

/* End the server and its children. */
void forkserver_stop(struct forkserver *server);

/*
 * Call this in a child, before it reads any input.  Untrusted data may take over a child that reads it.  With the standard
 * output of its parent, such a child could write false answers; with the standard input, it could read data that it should
 * not see.  So this function closes all descriptors except the COUNT ones that FDS point to, which are at most
 * ISOLATE_MAX.  These get the numbers from 3 on, which are stored where FDS point.  Descriptors 0, 1 and 2 become the
 * ends of one pipe that no other process has: what is written reaches nobody else, and reads and writes fail instead of
 * waiting.  Returns false if a system call has failed, with errno; then the child must end.
 */
enum { ISOLATE_MAX = 20 };
bool isolate_process(int *const *fds, size_t count);

#endif
