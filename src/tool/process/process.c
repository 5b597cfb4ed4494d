// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/process/process.h"

#if defined HAVE_FORK || (defined HAVE_SPAWN_H && defined HAVE_POLL_H)

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PIPE_BUF
#define PIPE_BUF 512
#endif

/* ------------------------------------------------------------------------------------------------ pipes */

static void close_pipe_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void pipes_close_sending(struct pipes *pipes)
{
	close_pipe_end(&pipes->to);
	close_pipe_end(&pipes->read_end);
}

void pipes_close(struct pipes *pipes)
{
	pipes_close_sending(pipes);
	close_pipe_end(&pipes->from);
}

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
	int to[2], from[2] = { -1, -1 };
	const bool good = open_pipe(to) && open_pipe(from);
	const int error = errno;
	*pipes = (struct pipes){ .to = to[1], .read_end = to[0], .from = from[0] };
	if (!good)
		pipes_close(pipes);
	theirs[0] = pipes->read_end;
	theirs[1] = from[1];
	errno = error;
	return good;
}

ssize_t pipes_write_some(struct pipes *pipes, const void *bytes, size_t size)
{
	/* Writing up to PIPE_BUF bytes to a pipe that is ready does not wait (POSIX). */
	const ssize_t n = write(pipes->to, bytes, size < PIPE_BUF ? size : PIPE_BUF);
	return n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : n;
}

int process_end(pid_t id)
{
	int status = 0;
	kill(id, SIGKILL);
	while (waitpid(id, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

#endif

#ifdef HAVE_FORK

/* ---------------------------------------------------------------------------------------- isolating a process */

/* These functions call only async-signal-safe functions, because the parent may have had threads when it forked. */

/* Close all descriptors whose number is at least FROM; without close_range(), only those below 2^20. */
static bool close_descriptors_from(int from)
{
#ifdef HAVE_CLOSE_RANGE
	if (close_range((unsigned)from, ~0u, 0) == 0)
		return true;
	/* The kernel is too old (ENOSYS), or a seccomp filter refuses the call (EPERM): continue below. */
	if (errno != ENOSYS && errno != EPERM)
		return false;
#endif
	/* _SC_OPEN_MAX is a limit for new descriptors.  Open ones can have higher numbers if the limit was lowered
	   later; hence END_MIN.  The limit can be 1,000,000,000, which would be too many calls; hence END_MAX. */
	enum { END_MIN = 1 << 16, END_MAX = 1 << 20 };
	const long limit = sysconf(_SC_OPEN_MAX);
	const int end = limit < END_MIN ? END_MIN : limit > END_MAX ? END_MAX : (int)limit;
	for (int fd = from; fd < end; fd++)
		close(fd);
	return true;
}

/* Make descriptors 0, 1 and 2 the ends of a pipe that no other process has.  They are not /dev/null, because this
   process may have no privilege to open that.  Does not change the descriptors from PROCESS_FIRST_FILE to ABOVE - 1. */
static bool replace_standard_streams(int above)
{
	int ends[2];
	if (pipe(ends) < 0)
		return false;
	/* A read from the empty pipe and a write to the full one fail instead of waiting. */
	bool good = fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0;
	/* If the parent had closed descriptor 0, 1 or 2, pipe() may have returned that descriptor.  So give both ends
	   higher numbers before dup2(). */
	int reading = fcntl(ends[0], F_DUPFD, above), writing = fcntl(ends[1], F_DUPFD, above);
	return good && reading >= 0 && writing >= 0 && dup2(reading, STDIN_FILENO) >= 0 &&
	       dup2(writing, STDOUT_FILENO) >= 0 && dup2(writing, STDERR_FILENO) >= 0;
}

/* Give the COUNT descriptors FILES the numbers from PROCESS_FIRST_FILE on, and close all others.  False: an error. */
static bool keep_only_files(const int *files, size_t count)
{
	/* First give each descriptor a number above the final ones, because dup2() could close one that is still
	   needed.  ABOVE is no higher, because the limit of descriptors may be low. */
	const int above = PROCESS_FIRST_FILE + (int)count;
	int high[PROCESS_FILES_MAX];
	for (size_t i = 0; i < count; i++)
		if ((high[i] = fcntl(files[i], F_DUPFD, above)) < 0)
			return false;
	for (size_t i = 0; i < count; i++)
		if (dup2(high[i], PROCESS_FIRST_FILE + (int)i) < 0)
			return false;
	return replace_standard_streams(above) && close_descriptors_from(above);
}

pid_t process_fork(const int *files, size_t count, process_function *run, void *context)
{
	const pid_t id = fork();
	if (id == 0) {
		const bool good = keep_only_files(files, count);
		if (good)
			run(context);
		_exit(good ? 0 : 1);
	}
	return id;
}

#endif
