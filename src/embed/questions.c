// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/questions.h"
#include "tool/wait.h"

#ifdef HAVE_FORK

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/*
 * The parent's end for writing does not block: an honest child reads each answer before it asks again, so the pipe
 * is never full.  The parent also keeps the end for reading open, so that writing raises no SIGPIPE when the child
 * has ended.
 */
bool questions_open(struct questions *ask, struct tree *tree)
{
	int ends[2];
	*ask = (struct questions){ .tree = tree };
	if (pipe(ends) < 0)
		return false;
	ask->reading = ends[0];
	ask->writing = ends[1];
	if (fcntl(ask->writing, F_SETFL, O_NONBLOCK) == 0)
		return true;
	int number = errno;
	questions_close(ask);
	errno = number;
	return false;
}

void questions_close(struct questions *ask)
{
	close(ask->reading);
	close(ask->writing);
}

/* Without the end for writing, read() returns 0 when the parent has ended. */
bool questions_wait(struct questions *ask)
{
	char answer;
	/* The parent has ended. */
	if (wait_read(ask->reading, &answer, 1) != 1)
		_exit(1);
	return answer;
}

bool questions_answer(struct questions *ask, const char *name)
{
	if (ask->asked++ == TREE_MOST_NAMES)
		return false;
	char answer = tree_look(ask->tree, name);
	ssize_t n;
	do {
		n = write(ask->writing, &answer, 1);
	} while (n < 0 && errno == EINTR);
	return n == 1;
}

#endif
