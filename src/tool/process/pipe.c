// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/process/pipe.h"
#include "tool/wait.h"

#include <errno.h>
#include <unistd.h>

#include "compat/compat.h"

#ifndef PIPE_BUF
#define PIPE_BUF 512
#endif

/* ------------------------------------------------------------------------------------- opening and closing pipes */

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void pipes_close_to(struct pipes *pipes)
{
	close_end(&pipes->to);
	close_end(&pipes->read_end);
}

void pipes_close(struct pipes *pipes)
{
	pipes_close_to(pipes);
	close_end(&pipes->from);
}

#ifndef _WIN32
#include <fcntl.h>

/* Make a pipe whose ends are closed on exec.  False: an error, and ENDS are -1. */
static bool open_pipe(int ends[2])
{
#ifdef HAVE_PIPE2
	bool good = pipe2(ends, O_CLOEXEC) == 0;
#else
	bool good = pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) >= 0 &&
		    fcntl(ends[1], F_SETFD, FD_CLOEXEC) >= 0;
#endif
	if (!good)
		ends[0] = ends[1] = -1;
	return good;
}

bool pipes_open(struct pipes *pipes, int theirs[2])
{
	int to[2], from[2];
	if (!open_pipe(to)) {
		*pipes = (struct pipes){ .to = -1, .read_end = -1, .from = -1 };
		return false;
	}
	const bool good = open_pipe(from);
	const int error = errno;
	*pipes = (struct pipes){ .to = to[1], .read_end = to[0], .from = from[0] };
	pipes->blocks = fcntl(to[1], F_SETFL, O_NONBLOCK) < 0; /* sandbox_restrict_searcher() does not allow this */
	if (!good)
		pipes_close(pipes);
	theirs[0] = pipes->read_end;
	theirs[1] = from[1];
	errno = error;
	return good;
}
#endif

/* ------------------------------------------------------------------------------------------------ the deadline */

static int64_t clock_now(void)
{
	return (int64_t)wait_clock_milliseconds();
}

void pipes_set_deadline(struct pipes *pipes, int64_t ms)
{
	pipes->late = false;
	pipes->deadline = clock_now() + ms;
}

int64_t pipes_time_left(const struct pipes *pipes)
{
	int64_t left = pipes->deadline - clock_now();
	return left < 0 ? 0 : left;
}

/* Wait until FD is ready.  Returns false if the deadline has passed, or after an error.  With WAIT_TO_WRITE, it also
   returns false if the other process has sent something or ended.  Polls one descriptor at a time, because
   RLIMIT_NOFILE of a sandbox may be 1, and then poll() accepts no more. */
static bool wait_until_ready(struct pipes *pipes, int fd, enum wait_direction direction)
{
	enum { SLICE = 100, STOPPED = 1000 }; /* milliseconds */
	for (;;) {
		int64_t before = clock_now(), left = pipes->deadline - before;
		pipes->late = left <= 0;
		if (pipes->late)
			return false;
		int slice = left < SLICE ? (int)left : SLICE;
		int ready = wait_for_descriptor(fd, direction, slice);
		if (ready > 0)
			return true;
		if (ready < 0 && errno != EINTR)
			return false;
		int64_t more = clock_now() - before - slice;
		/* If a wait took longer than SLICE by more than STOPPED, this process was stopped. */
		if (more > STOPPED)
			pipes->deadline += more;
		if (direction == WAIT_TO_WRITE && wait_is_ready(pipes->from))
			return false;
	}
}

/* ------------------------------------------------------------------------------------------- sending and receiving */

bool pipes_send(struct pipes *pipes, const void *bytes, size_t size)
{
	const char *at = bytes;
	while (size > 0) {
		if (!wait_until_ready(pipes, pipes->to, WAIT_TO_WRITE))
			return false;
		/* POSIX: a pipe that is ready takes PIPE_BUF bytes without waiting. */
		ssize_t n = write(pipes->to, at, pipes->blocks && size > PIPE_BUF ? PIPE_BUF : size);
		if (n < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
			return false;
		at += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

size_t pipes_receive_some(struct pipes *pipes, void *bytes, size_t size)
{
	if (!wait_until_ready(pipes, pipes->from, WAIT_TO_READ))
		return 0;
	ssize_t n = wait_read(pipes->from, bytes, size);
	return n < 0 ? 0 : (size_t)n;
}
