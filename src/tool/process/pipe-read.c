// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/process/pipe-read.h"

#ifdef HAVE_FORK

#include "tool/process/sandbox.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void)
{
	struct timespec time = { 0, 0 };
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* A multiple of the limit of CPU time, since the machine may be busy. */
int64_t pipe_reader_patience(size_t input)
{
	enum { MULTIPLE = 5, SECOND = 1000 };
	struct rlimit limit;
	uint64_t seconds = sandbox_child_seconds(input);
	if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur < seconds)
		seconds = limit.rlim_cur;
	return (int64_t)(seconds * MULTIPLE * SECOND);
}

void pipe_reader_begin(struct pipe_reader *reader, pid_t child, int fd, int64_t patience)
{
	*reader = (struct pipe_reader){ .child = child, .fd = fd };
	pipe_reader_again(reader, patience);
}

void pipe_reader_again(struct pipe_reader *reader, int64_t patience)
{
	reader->late = false;
	reader->deadline = now() + patience;
}

int64_t pipe_reader_time_left(const struct pipe_reader *reader)
{
	int64_t left = reader->deadline - now();
	return left < 0 ? 0 : left;
}

/* Wait until one of COUNT descriptors is READY.  If that took much longer than it may, this process was stopped, and so
   was the child if both are in the foreground of a terminal: that time does not count.  False: the deadline has passed,
   or there is an error. */
static bool wait_for(struct pipe_reader *reader, struct pollfd *ready, nfds_t count)
{
	enum { SLICE = 1000 };
	for (;;) {
		int64_t left = pipe_reader_time_left(reader);
		reader->late = left == 0;
		if (reader->late)
			return false;
		int slice = left < SLICE ? (int)left : SLICE;
		int64_t before = now();
		int events = poll(ready, count, slice);
		int64_t more = now() - before - slice;
		if (more > SLICE)
			reader->deadline += more;
		if (events > 0)
			return true;
		if (events < 0 && errno != EINTR)
			return false;
	}
}

bool pipe_reader_tell(struct pipe_reader *reader, int fd, const void *bytes, size_t size)
{
	const char *at = bytes;
	struct pollfd ready[2] = { { .fd = fd, .events = POLLOUT }, { .fd = reader->fd, .events = POLLIN } };
	while (size > 0) {
		if (!wait_for(reader, ready, 2) || ready[1].revents)
			return false;
		/* A pipe that is ready takes so many without waiting. */
		ssize_t n = write(fd, at, size < PIPE_BUF ? size : PIPE_BUF);
		if (n < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
			return false;
		at += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

size_t pipe_read(struct pipe_reader *reader, void *bytes, size_t size)
{
	struct pollfd ready = { .fd = reader->fd, .events = POLLIN };
	for (;;) {
		if (!wait_for(reader, &ready, 1))
			return 0;
		ssize_t n = read(reader->fd, bytes, size);
		if (n < 0 && errno == EINTR)
			continue;
		return n < 0 ? 0 : (size_t)n;
	}
}

bool hear_all(struct pipe_reader *reader, void *bytes, size_t size)
{
	char *at = bytes;
	size_t n;
	while (size > 0 && (n = pipe_read(reader, at, size)) > 0) {
		at += n;
		size -= n;
	}
	return size == 0;
}

int pipe_reader_end(struct pipe_reader *reader)
{
	int status = 0;
	close(reader->fd);
	kill(reader->child, SIGKILL);
	while (waitpid(reader->child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

void pipe_reader_describe(char *text, size_t size, const char *doing, bool late, int status)
{
	if (late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
		snprintf(text, size, "%s takes too long", doing);
	else if (WIFSIGNALED(status))
		snprintf(text, size, "%s crashed (signal %d)", doing, WTERMSIG(status));
	else
		snprintf(text, size, "%s ended early (status %d)", doing, WEXITSTATUS(status));
}

#endif
