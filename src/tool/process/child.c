// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/process/child.h"
#include "tool/diag.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined HAVE_SPAWN_H && defined HAVE_POLL_H

#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

const bool child_available = true;

enum { SECOND = 1000 /* ms between two checks whether a program that writes nothing still runs */ };

/* -------------------------------------------------------------------------------------- starting the program */

/* Start PROGRAM with INPUT and OUTPUT, ends of two pipes, as its standard input and output.  PROGRAM gets no other end
   of these pipes.  Returns 0 or an errno. */
static int spawn_program(struct child *child, const char *program, char *const *argv, int input, int output)
{
	posix_spawn_file_actions_t actions;
	pid_t id;
	int number = posix_spawn_file_actions_init(&actions);
	if (number)
		return number;
	number = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	if (!number)
		number = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!number)
		number = posix_spawnp(&id, program, &actions, NULL, argv, environ);
	if (!number)
		child->id = id;
	posix_spawn_file_actions_destroy(&actions);
	return number;
}

int child_start(struct child *child, const char *program, char *const *argv, child_questions *questions, void *context,
		unsigned timeout)
{
	int ends[2];
	memset(child, 0, sizeof *child);
	child->questions = questions;
	child->context = context;
	child->timeout = timeout;
	if (!pipes_open(&child->pipes, ends))
		return errno;
	const int number = spawn_program(child, program, argv, ends[0], ends[1]);
	close(ends[1]);
	if (number)
		pipes_close(&child->pipes);
	return number;
}

/* Whether the program has ended; does not wait. */
static bool reap_if_ended(struct child *child)
{
	if (!child->gone && waitpid((pid_t)child->id, &child->status, WNOHANG) == (pid_t)child->id)
		child->gone = true;
	return child->gone;
}

/* ----------------------------------------------------------------------------------------- questions and answers */

/* Write as much of the questions as the pipe takes.  Close the pipe after an error: the program may have ended. */
static void write_questions(struct child *child)
{
	ssize_t n = pipes_write_some(&child->pipes, child->request + child->request_begin,
				     child->request_end - child->request_begin);
	if (n > 0) {
		child->request_begin += (size_t)n;
		child->idle = 0;
	} else if (n < 0) {
		pipes_close_sending(&child->pipes);
	}
}

/* Read what the program has written so far, and append it to the answers.  Returns CHILD_LINE if the caller can
   continue, even if no whole line has come; or CHILD_ERROR or CHILD_NO_MEMORY. */
static enum child_status read_answers(struct child *child)
{
	struct strbuf *answers = &child->answers;
	char bytes[CHILD_BUFFER];
	const ssize_t n = read(child->pipes.from, bytes, sizeof bytes);
	if (n < 0)
		return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK ? CHILD_LINE : CHILD_ERROR;
	child->ended = n == 0;
	child->idle = 0;
	if (child->begin > 0) {
		answers->length -= child->begin;
		memmove(answers->bytes, answers->bytes + child->begin, answers->length);
		child->begin = 0;
	}
	return strbuf_add_bytes(answers, bytes, (size_t)n) ? CHILD_LINE : CHILD_NO_MEMORY;
}

/* Wait at most a second until one of the pipes is ready, and write questions or read answers.  Returns CHILD_LINE if
   the caller can continue, even if no whole line has come; or another status. */
static enum child_status exchange_once(struct child *child)
{
	if (child->pipes.to >= 0 && child->request_begin == child->request_end) {
		size_t size = child->questions(child->context, child->request, sizeof child->request);
		if (size == 0)
			pipes_close_sending(&child->pipes);
		child->request_begin = 0;
		child->request_end = size == CHILD_LATER ? 0 : size;
	}
	const bool asks = child->pipes.to >= 0 && child->request_begin < child->request_end;
	struct pollfd ends[2] = { { child->pipes.from, POLLIN, 0 }, { child->pipes.to, POLLOUT, 0 } };
	int ready = poll(ends, asks ? 2 : 1, SECOND);
	if (ready < 0)
		return errno == EINTR ? CHILD_LINE : CHILD_ERROR;
	if (ready == 0) {
		/* A process that the program has started may keep the pipe open after the program has ended.  So the
		   answers end then, even if the pipe is still open. */
		if (reap_if_ended(child))
			child->ended = true;
		else if (++child->idle == child->timeout)
			return CHILD_STALLED;
		return CHILD_LINE;
	}
	if (asks && ends[1].revents)
		write_questions(child);
	return ends[0].revents ? read_answers(child) : CHILD_LINE;
}

enum child_status child_read_line(struct child *child, char **line)
{
	size_t searched = 0; /* how many bytes from `begin` on are known to have no newline */
	for (;;) {
		size_t have = child->answers.length - child->begin;
		char *begin = have > 0 ? child->answers.bytes + child->begin : NULL; /* there may be no answer yet */
		char *newline = have > searched ? memchr(begin + searched, '\n', have - searched) : NULL;
		if (newline) {
			*newline = '\0';
			*line = begin;
			child->begin += (size_t)(newline - begin) + 1;
			return CHILD_LINE;
		}
		if (child->ended)
			return CHILD_END;
		if (have > CHILD_LINE_LENGTH_MAX)
			return CHILD_TOO_LONG;
		searched = have;
		enum child_status status = exchange_once(child);
		if (status != CHILD_LINE)
			return status;
	}
}

/* -------------------------------------------------------------------------------------- the end of the program */

bool child_end(struct child *child, unsigned grace, char *text, size_t size)
{
	enum { LOOKS_A_SECOND = 100 };
	pipes_close(&child->pipes);
	strbuf_clear(&child->answers);
	for (unsigned looks = 0; looks < grace * LOOKS_A_SECOND && !reap_if_ended(child); looks++)
		poll(NULL, 0, SECOND / LOOKS_A_SECOND);
	const bool killed = !reap_if_ended(child);
	if (killed)
		process_end((pid_t)child->id);
	child->id = 0;
	child->exited = !killed && WIFEXITED(child->status);
	if (killed)
		snprintf(text, size, "it did not end and was killed");
	else if (WIFSIGNALED(child->status))
		snprintf(text, size, "it was killed by signal %d", WTERMSIG(child->status));
	else if (WEXITSTATUS(child->status) == 127)
		snprintf(text, size, "exit status 127: it could not be started");
	else if (WEXITSTATUS(child->status) != 0)
		snprintf(text, size, "exit status %d", WEXITSTATUS(child->status));
	return child->exited && WEXITSTATUS(child->status) == 0;
}

#else /* a system without posix_spawn() or poll() */

const bool child_available = false;

int child_start(struct child *child, const char *program, char *const *argv, child_questions *questions, void *context,
		unsigned timeout)
{
	(void)child, (void)program, (void)argv, (void)questions, (void)context, (void)timeout;
	return ENOSYS;
}

enum child_status child_read_line(struct child *child, char **line)
{
	(void)child, (void)line;
	return CHILD_END;
}

bool child_end(struct child *child, unsigned grace, char *text, size_t size)
{
	(void)child, (void)grace, (void)text, (void)size;
	return false;
}

#endif

/* --------------------------------------------------------------------------------- finding programs of this project */

char *find_own_program(void)
{
#ifdef __linux__
	char path[4096];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
	if (length > 0)
		return copy_text(path, (size_t)length);
#endif
	return strdup(diag_program());
}

char *find_sibling(const char *name, const char *installed)
{
	char *own = find_own_program();
	const char *slash = own ? strrchr(own, '/') : NULL;
	struct strbuf path = { .length = 0 };
	if (slash)
		strbuf_addf(&path, "%.*s/%s", (int)(slash - own), own, name);
	free(own);
	if (path.bytes && access(path.bytes, X_OK) == 0)
		return path.bytes;
	strbuf_clear(&path);
	return access(installed, X_OK) == 0 ? strdup(installed) : NULL;
}
