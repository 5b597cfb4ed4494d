// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/hear.h"

#ifdef HAVE_FORK

#include "tool/sandbox.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The deadline of a child, in seconds of real time: a multiple of its limit of CPU time, since the machine may be
   busy. */
static time_t patience(size_t input)
{
	enum { MULTIPLE = 5 };
	struct rlimit limit;
	uint64_t seconds = sandbox_child_seconds(input);
	if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur < seconds)
		seconds = limit.rlim_cur;
	return (time_t)(seconds * MULTIPLE);
}

void hear_begin(struct hearing *hearing, pid_t child, int fd, size_t input)
{
	*hearing = (struct hearing){ .child = child, .fd = fd };
	hear_again(hearing, input);
}

void hear_again(struct hearing *hearing, size_t input)
{
	hearing->late = false;
	clock_gettime(CLOCK_MONOTONIC, &hearing->deadline);
	hearing->deadline.tv_sec += patience(input);
}

/* Milliseconds until the deadline, as many as poll() can wait; 0 if it has passed. */
static int time_left(const struct hearing *hearing)
{
	enum { MOST = 1000000 };
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t left = ((int64_t)hearing->deadline.tv_sec - now.tv_sec) * 1000 +
		       (hearing->deadline.tv_nsec - now.tv_nsec) / 1000000;
	return left < 0 ? 0 : left > MOST ? MOST : (int)left;
}

/* Wait until FD takes more bytes. */
static bool wait_for_room(struct hearing *hearing, int fd)
{
	struct pollfd ready[2] = { { .fd = fd, .events = POLLOUT }, { .fd = hearing->fd, .events = POLLIN } };
	for (;;) {
		int left = time_left(hearing);
		hearing->late = left == 0;
		if (hearing->late)
			return false;
		int events = poll(ready, 2, left);
		if (events < 0 && errno != EINTR)
			return false;
		if (events > 0)
			return !ready[1].revents;
	}
}

bool hear_tell(struct hearing *hearing, int fd, const void *bytes, size_t size)
{
	const char *at = bytes;
	while (size > 0) {
		ssize_t n = write(fd, at, size);
		if (n > 0) {
			at += n;
			size -= (size_t)n;
		} else if (n < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
			return false;
		} else if (!wait_for_room(hearing, fd)) {
			return false;
		}
	}
	return true;
}

size_t hear(struct hearing *hearing, void *bytes, size_t size)
{
	for (;;) {
		struct pollfd ready = { .fd = hearing->fd, .events = POLLIN };
		int left = time_left(hearing);
		hearing->late = left == 0;
		if (hearing->late)
			return 0;
		int events = poll(&ready, 1, left);
		if (events == 0 || (events < 0 && errno == EINTR))
			continue;
		ssize_t n = read(hearing->fd, bytes, size);
		if (n < 0 && errno == EINTR)
			continue;
		return n < 0 ? 0 : (size_t)n;
	}
}

int hear_end(struct hearing *hearing)
{
	int status = 0;
	close(hearing->fd);
	kill(hearing->child, SIGKILL);
	while (waitpid(hearing->child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

#endif
