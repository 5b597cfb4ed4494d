// SPDX-License-Identifier: GPL-2.0-or-later
/* isolate.c - calls only async-signal-safe functions, because the parent may have had threads when it forked */
#include "config.h"
#include "tool/process/isolate.h"

#ifdef HAVE_FORK

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { FIRST = 3 };

/* Close all descriptors whose number is at least FROM; without close_range(), only those below 2^20. */
static bool close_from(int from)
{
#ifdef HAVE_CLOSE_RANGE
	if (close_range((unsigned)from, ~0u, 0) == 0)
		return true;
	/* The kernel is too old (ENOSYS), or a seccomp filter refuses the call (EPERM): continue below. */
	if (errno != ENOSYS && errno != EPERM)
		return false;
#endif
	/* _SC_OPEN_MAX is a limit for new descriptors.  Open descriptors may have higher numbers, if the limit has been
	   lowered since; or the limit may be a thousand million. */
	enum { END_MIN = 1 << 16, END_MAX = 1 << 20 };
	const long limit = sysconf(_SC_OPEN_MAX);
	const int end = limit < END_MIN ? END_MIN : limit > END_MAX ? END_MAX : (int)limit;
	for (int fd = from; fd < end; fd++)
		close(fd);
	return true;
}

/* Make descriptors 0, 1 and 2 the ends of a pipe that no other process has.  They are not /dev/null, because this
   process may have no privilege to open that. */
static bool replace_standard_streams(void)
{
	int ends[2];
	if (pipe(ends) < 0)
		return false;
	/* A read from the empty pipe and a write to the full one fail instead of waiting. */
	bool good = fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0;
	/* If the parent had closed one of the three, pipe() may have returned its number.  So give both ends higher
	   numbers before dup2(). */
	int reading = fcntl(ends[0], F_DUPFD, FIRST + ISOLATE_MAX),
	    writing = fcntl(ends[1], F_DUPFD, FIRST + ISOLATE_MAX);
	return good && reading >= 0 && writing >= 0 && dup2(reading, STDIN_FILENO) >= 0 &&
	       dup2(writing, STDOUT_FILENO) >= 0 && dup2(writing, STDERR_FILENO) >= 0;
}

bool isolate_process(int *const *fds, size_t count)
{
	/* First give each descriptor a number above the final ones: else dup2() could close one that
	   is still needed. */
	for (size_t i = 0; i < count; i++)
		if ((*fds[i] = fcntl(*fds[i], F_DUPFD, FIRST + ISOLATE_MAX)) < 0)
			return false;
	for (size_t i = 0; i < count; i++)
		if ((*fds[i] = dup2(*fds[i], FIRST + (int)i)) < 0)
			return false;
	return replace_standard_streams() && close_from(FIRST + (int)count);
}

#endif
