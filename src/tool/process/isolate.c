// SPDX-License-Identifier: GPL-2.0-or-later
/* isolate.c - only system calls that a child may make after fork() in a process with threads */
#include "config.h"
#include "tool/process/isolate.h"

#ifdef HAVE_FORK

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { FIRST = 3 };

/* Close all descriptors from number FROM on. */
static bool close_from(int from)
{
#ifdef HAVE_CLOSE_RANGE
	if (close_range((unsigned)from, ~0u, 0) == 0)
		return true;
	if (errno != ENOSYS && errno != EPERM) /* an old kernel, or a filter that does not know the call */
		return false;
#endif
	/* The limit may be lower than numbers that were open before it was lowered, and it may be a
	   thousand million. */
	enum { LEAST = 1 << 16, MOST = 1 << 20 };
	const long limit = sysconf(_SC_OPEN_MAX);
	const int end = limit < LEAST ? LEAST : limit > MOST ? MOST : (int)limit;
	for (int fd = from; fd < end; fd++)
		close(fd);
	return true;
}

/* Let 0, 1 and 2 be a pipe that leads nowhere.  /dev/null would do, but this process may have no right to open it. */
static bool replace_standard_streams(void)
{
	int ends[2];
	if (pipe(ends) < 0)
		return false;
	/* Reading fails when the pipe is empty, and writing fails when it is full: nothing waits. */
	bool good = fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0;
	/* One of the three may be closed in the parent, so an end may be one of them: take both away from
	   there first. */
	int reading = fcntl(ends[0], F_DUPFD, FIRST + ISOLATE_MOST),
	    writing = fcntl(ends[1], F_DUPFD, FIRST + ISOLATE_MOST);
	return good && reading >= 0 && writing >= 0 && dup2(reading, STDIN_FILENO) >= 0 &&
	       dup2(writing, STDOUT_FILENO) >= 0 && dup2(writing, STDERR_FILENO) >= 0;
}

bool isolate(int *const *fds, size_t count)
{
	/* First above all numbers that they will have, so that none takes the place of another. */
	for (size_t i = 0; i < count; i++)
		if ((*fds[i] = fcntl(*fds[i], F_DUPFD, FIRST + ISOLATE_MOST)) < 0)
			return false;
	for (size_t i = 0; i < count; i++)
		if ((*fds[i] = dup2(*fds[i], FIRST + (int)i)) < 0)
			return false;
	return replace_standard_streams() && close_from(FIRST + (int)count);
}

#endif
