// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/ask.h"

#ifdef HAVE_FORK

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { READING, WRITING };

/*
 * The parent's end for writing does not block: an honest child reads each answer before it asks again, so the pipe is
 * never full.  The parent also keeps the end for reading open, so that writing raises no SIGPIPE when the child has
 * ended.
 */
bool ask_open(struct ask *ask, struct tree *tree)
{
	*ask = (struct ask){ .tree = tree };
	if (pipe(ask->ends) < 0)
		return false;
	if (fcntl(ask->ends[WRITING], F_SETFL, O_NONBLOCK) == 0)
		return true;
	int number = errno;
	ask_close(ask);
	errno = number;
	return false;
}

void ask_close(struct ask *ask)
{
	close(ask->ends[READING]);
	close(ask->ends[WRITING]);
}

void ask_begin(struct ask *ask)
{
	/* With this end closed, read() in ask_wait() returns 0 when the parent has ended. */
	close(ask->ends[WRITING]);
}

bool ask_wait(struct ask *ask)
{
	char answer;
	ssize_t n;
	do {
		n = read(ask->ends[READING], &answer, 1);
	} while (n < 0 && errno == EINTR);
	/* The parent has ended. */
	if (n != 1)
		_exit(1);
	return answer;
}

bool ask_answer(struct ask *ask, const char *name)
{
	if (ask->asked++ == TREE_MOST_NAMES)
		return false;
	char answer = tree_look(ask->tree, name);
	ssize_t n;
	do {
		n = write(ask->ends[WRITING], &answer, 1);
	} while (n < 0 && errno == EINTR);
	return n == 1;
}

#endif
