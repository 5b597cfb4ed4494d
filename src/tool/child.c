// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined HAVE_SPAWN_H && defined HAVE_POLL_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

const bool child_available = true;

extern char **environ;

enum { FIRST_SIZE = 65536, SECOND = 1000 /* ms: how often to look whether a program that says nothing is still there */ };

/* ------------------------------------------------------------------------------------------------ start */

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Make a pipe whose ends no program inherits, except those that spawn_with() passes on. */
static bool make_pipe(int ends[2])
{
	if (pipe(ends) < 0) {
		ends[0] = ends[1] = -1;
		return false;
	}
	return fcntl(ends[0], F_SETFD, FD_CLOEXEC) >= 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) >= 0;
}

/* Start ARGV with INPUT and OUTPUT as its standard streams.  Returns 0 or an errno. */
static int spawn_with(struct child *child, char *const *argv, int input, int output)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	pid_t process;

	int number = posix_spawn_file_actions_init(&actions);
	if (number)
		return number;
	number = posix_spawnattr_init(&attributes);
	if (number) {
		posix_spawn_file_actions_destroy(&actions);
		return number;
	}
	/* The program must not inherit that SIGPIPE is ignored, as we do while we talk to it. */
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	number = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	if (!number)
		number = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!number)
		number = posix_spawnp(&process, argv[0], &actions, &attributes, argv, environ);
	if (!number)
		child->process = process;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return number;
}

int child_start(struct child *child, char *const *argv, child_questions *questions, void *context, unsigned timeout)
{
	int asks[2] = { -1, -1 }, answers[2] = { -1, -1 };
	memset(child, 0, sizeof *child);
	child->questions = questions;
	child->context = context;
	child->timeout = timeout;
	child->to = child->from = -1;

	int number = 0;
	if (!make_pipe(asks) || !make_pipe(answers) || fcntl(asks[1], F_SETFL, O_NONBLOCK) < 0)
		number = errno;
	else
		number = spawn_with(child, argv, asks[0], answers[1]);
	close_end(&asks[0]);
	close_end(&answers[1]);
	child->to = asks[1];
	child->from = answers[0];
	if (number) {
		close_end(&child->to);
		close_end(&child->from);
		return number;
	}
	/* If it closes its input, write() must fail instead of sending a signal. */
	signal(SIGPIPE, SIG_IGN);
	return 0;
}

/* ----------------------------------------------------------------------------------------- conversation */

/* Write as many questions as the pipe takes. */
static void ask(struct child *child)
{
	ssize_t n = write(child->to, child->asked + child->asked_begin, child->asked_end - child->asked_begin);
	if (n > 0) {
		child->asked_begin += (size_t)n;
		child->idle = 0;
	} else if (n < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
		/* The child has closed its input.  If it did so too early, its answers end too early as well, and the caller of this
		   file reports that. */
		close_end(&child->to);
	}
}

static bool make_room(struct child *child)
{
	if (child->begin > 0) {
		memmove(child->answers, child->answers + child->begin, child->end - child->begin);
		child->end -= child->begin;
		child->begin = 0;
	}
	if (child->end < child->size)
		return true;
	size_t size = child->size ? child->size * 2 : FIRST_SIZE;
	char *answers = realloc(child->answers, size);
	if (!answers)
		return false;
	child->answers = answers;
	child->size = size;
	return true;
}

/* Read what the program has written.  CHILD_LINE: go on. */
static enum child_status hear(struct child *child)
{
	if (!make_room(child))
		return CHILD_NO_MEMORY;
	ssize_t n = read(child->from, child->answers + child->end, child->size - child->end);
	if (n > 0) {
		child->end += (size_t)n;
		child->idle = 0;
	} else if (n == 0) {
		close_end(&child->from);
	} else if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
		return CHILD_ERROR;
	}
	return CHILD_LINE;
}

/* Whether it has ended; does not wait. */
static bool has_exited(struct child *child)
{
	if (!child->exited && waitpid((pid_t)child->process, &child->status, WNOHANG) == (pid_t)child->process)
		child->exited = true;
	return child->exited;
}

/* Wait until one of the pipes is ready, at most a second, and serve it.  CHILD_LINE: go on. */
static enum child_status pump(struct child *child)
{
	if (child->to >= 0 && child->asked_begin == child->asked_end) {
		child->asked_begin = 0;
		child->asked_end = child->questions(child->context, child->asked, sizeof child->asked);
		if (child->asked_end == 0)
			close_end(&child->to);
	}
	struct pollfd ends[2] = { { child->from, POLLIN, 0 }, { child->to, POLLOUT, 0 } };
	int ready = poll(ends, child->to >= 0 ? 2 : 1, SECOND);
	if (ready < 0)
		return errno == EINTR ? CHILD_LINE : CHILD_ERROR;
	if (ready == 0) {
		/* If the program has ended, a process that it started may still hold the pipe open, and its end would
		   never come. */
		if (has_exited(child))
			close_end(&child->from);
		else if (++child->idle == child->timeout)
			return CHILD_STALLED;
		return CHILD_LINE;
	}
	if (child->to >= 0 && ends[1].revents)
		ask(child);
	return ends[0].revents ? hear(child) : CHILD_LINE;
}

enum child_status child_line(struct child *child, char **line)
{
	size_t searched = 0;	/* so many bytes from `begin` on have no newline */
	for (;;) {
		size_t have = child->end - child->begin;
		char *begin = have > 0 ? child->answers + child->begin : NULL;	/* there may be no buffer yet */
		char *newline = have > searched ? memchr(begin + searched, '\n', have - searched) : NULL;
		if (newline) {
			*newline = '\0';
			*line = begin;
			child->begin += (size_t)(newline - begin) + 1;
			return CHILD_LINE;
		}
		if (child->from < 0)
			return CHILD_END;
		if (have > CHILD_LONGEST_LINE)
			return CHILD_TOO_LONG;
		searched = have;
		enum child_status status = pump(child);
		if (status != CHILD_LINE)
			return status;
	}
}

/* -------------------------------------------------------------------------------------------------- end */

void child_end(struct child *child, unsigned grace)
{
	enum { LOOKS_A_SECOND = 100 };
	close_end(&child->to);
	close_end(&child->from);
	free(child->answers);
	child->answers = NULL;
	for (unsigned looks = 0; looks < grace * LOOKS_A_SECOND && !has_exited(child); looks++)
		poll(NULL, 0, SECOND / LOOKS_A_SECOND);
	if (!has_exited(child)) {
		kill((pid_t)child->process, SIGKILL);
		child->killed = true;
		while (waitpid((pid_t)child->process, &child->status, 0) < 0 && errno == EINTR)
			;
		child->exited = true;
	}
	child->process = 0;
	signal(SIGPIPE, SIG_DFL);
}

bool child_ending(const struct child *child, char *text, size_t size)
{
	if (child->killed)
		snprintf(text, size, "it did not end and was killed");
	else if (WIFSIGNALED(child->status))
		snprintf(text, size, "it was killed by signal %d", WTERMSIG(child->status));
	else if (WIFEXITED(child->status) && WEXITSTATUS(child->status) == 127)
		snprintf(text, size, "exit status 127: it could not be started");
	else if (WIFEXITED(child->status) && WEXITSTATUS(child->status) != 0)
		snprintf(text, size, "exit status %d", WEXITSTATUS(child->status));
	else
		return true;
	return false;
}

#else /* a host that cannot start a program and talk to it */

const bool child_available = false;

int child_start(struct child *child, char *const *argv, child_questions *questions, void *context, unsigned timeout)
{
	(void)child, (void)argv, (void)questions, (void)context, (void)timeout;
	return ENOSYS;
}

enum child_status child_line(struct child *child, char **line)
{
	(void)child, (void)line;
	return CHILD_END;
}

void child_end(struct child *child, unsigned grace)
{
	(void)child, (void)grace;
}

bool child_ending(const struct child *child, char *text, size_t size)
{
	(void)child;
	snprintf(text, size, "not possible on this system");
	return false;
}

#endif
