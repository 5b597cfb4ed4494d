// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/process/forkserver.h"

#include <errno.h>

#ifdef HAVE_FORK

#include "tool/process/sandbox.h"
#include "tool/wait.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/* ---------------------------------------------------------------------------------------- isolating a child */

/* These functions call only async-signal-safe functions, because the parent may have had threads when it forked. */

enum { FIRST = 3 };

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
	/* _SC_OPEN_MAX is a limit for new descriptors.  Open descriptors can have higher numbers, if the limit was
	   lowered after they were opened.  And the limit can be a thousand million, which would be too many calls. */
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
	/* If the parent had closed descriptor 0, 1 or 2, pipe() may have returned this number.  So give both ends
	   higher numbers before dup2(). */
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
	return replace_standard_streams() && close_descriptors_from(FIRST + (int)count);
}

/* The descriptors that a child gets: its ends of two pipes, and the files of its job. */
enum { PIPES = 2, FILES = PIPES + FORKSERVER_FILES_MAX };

/* What the program sends to the server.  With FORK come the descriptors of the two pipes and those of the job.  The
   server does not answer FORK; it answers END with struct forkserver_end. */
enum order { FORK = 1, END };

struct message {
	uint8_t order, slot, job;
	uint8_t files; /* with FORK: how many descriptors come with the message */
};

/* The buffer of a control message (SCM_RIGHTS) with FILES descriptors at most.  The union gives it the alignment. */
union passed {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(FILES * sizeof(int))];
};

/* -------------------------------------------------------------------------------------- what the server does */

struct forked_child {
	pid_t id;  /* the process id; 0: there is no child */
	int error; /* the errno, if the child could not be forked */
};

/* Store the descriptors that came with MESSAGE.  If their number is not WANTED, closes them and returns false. */
static bool receive_files(struct msghdr *message, int files[FILES], size_t wanted)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
		return false;
	size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof *files;
	if (count > FILES)
		return false;
	memcpy(files, CMSG_DATA(header), count * sizeof *files);
	for (size_t i = 0; count != wanted && i < count; i++)
		close(files[i]);
	return count == wanted;
}

/* Receive a message and its descriptors.  False: the program has ended. */
static bool receive_message(int socket, struct message *message, int files[FILES], bool *has_files)
{
	union passed passed;
	struct iovec bytes = { message, sizeof *message };
	struct msghdr whole = {
		.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &passed, .msg_controllen = sizeof passed
	};
	ssize_t n;
	do
		n = recvmsg(socket, &whole, 0);
	while (n < 0 && errno == EINTR);
	*has_files = n == (ssize_t)sizeof *message && receive_files(&whole, files, message->files);
	return n == (ssize_t)sizeof *message;
}

static void run_child(forkserver_child *run, const struct message *message, int files[FILES])
{
	static struct channel channel;
	int *own[FILES];
	for (size_t i = 0; i < message->files; i++)
		own[i] = &files[i];
	if (isolate_process(own, message->files)) {
		channel_open(&channel, files + PIPES, message->files - PIPES, files[0], files[1]);
		run(message->job, &channel);
	}
	_exit(1);
}

static void fork_child(struct forked_child *child, forkserver_child *run, const struct message *message,
		       int files[FILES], bool has_files)
{
	/* If the server has no room for more descriptors, the kernel drops those of the message. */
	*child = (struct forked_child){ .error = EMFILE };
	if (!has_files)
		return;
	pid_t id = fork();
	if (id == 0)
		run_child(run, message, files);
	*child = (struct forked_child){ .id = id > 0 ? id : 0, .error = id < 0 ? errno : 0 };
	for (size_t i = 0; i < message->files; i++)
		close(files[i]);
}

/* Kill the child, and store how it ended.  If the child had ended before, kill() does not change its status. */
static void end_child(struct forked_child *child, struct forkserver_end *end)
{
	*end = (struct forkserver_end){ .error = child->error };
	if (child->id > 0) {
		kill(child->id, SIGKILL);
		while (waitpid(child->id, &end->status, 0) < 0 && errno == EINTR)
			;
	}
	*child = (struct forked_child){ .id = 0 };
}

/* Obey messages until the program closes the socket, then kill all children.  FORK in a slot that has a child ends that
   child first. */
static void serve_orders(int socket, forkserver_child *run)
{
	struct forked_child children[FORKSERVER_CHILDREN_MAX] = { { .id = 0 } };
	struct forkserver_end end;
	struct message message;
	int files[FILES];
	bool has_files;
	while (receive_message(socket, &message, files, &has_files) && message.slot < FORKSERVER_CHILDREN_MAX) {
		struct forked_child *child = &children[message.slot];
		end_child(child, &end);
		if (message.order == FORK)
			fork_child(child, run, &message, files, has_files);
		else if (!wait_write(socket, &end, sizeof end))
			break;
	}
	for (size_t i = 0; i < FORKSERVER_CHILDREN_MAX; i++)
		end_child(&children[i], &end);
}

/* ------------------------------------------------------------------------------------- what the program calls */

/* Make a pair of sockets that are closed on exec.  False: an error, in errno. */
static bool make_socket_pair(int ends[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) {
		ends[0] = ends[1] = -1;
		return false;
	}
	return fcntl(ends[0], F_SETFD, FD_CLOEXEC) >= 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) >= 0;
}

bool forkserver_start(struct forkserver *server, forkserver_child *run)
{
	int ends[2];
	pid_t id = make_socket_pair(ends) ? fork() : -1;
	int error = id < 0 ? errno : 0;
	if (id == 0) {
		int *const own[] = { &ends[1] };
		if (isolate_process(own, 1)) {
			sandbox_restrict_forkserver();
			serve_orders(ends[1], run);
		}
		_exit(0);
	}
	if (ends[1] >= 0)
		close(ends[1]);
	if (error && ends[0] >= 0)
		close(ends[0]);
	*server = (struct forkserver){ .socket = error ? -1 : ends[0], .error = error };
	return !error;
}

/* Send MESSAGE, and the descriptors FILES unless that is NULL.  Returns 0 or an errno. */
static int send_message(struct forkserver *server, struct message message, const int *files)
{
	union passed passed;
	struct iovec bytes = { &message, sizeof message };
	struct msghdr whole = { .msg_iov = &bytes, .msg_iovlen = 1 };
	if (server->socket < 0)
		return server->error ? server->error : ENOTCONN; /* the server was never started, or has been stopped */
	memset(&passed, 0, sizeof passed);
	if (files) {
		whole.msg_control = &passed;
		whole.msg_controllen = sizeof passed;
		struct cmsghdr *header = CMSG_FIRSTHDR(&whole);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(message.files * sizeof *files);
		whole.msg_controllen = CMSG_SPACE(message.files * sizeof *files);
		memcpy(CMSG_DATA(header), files, message.files * sizeof *files);
	}
	ssize_t n;
	do
		n = sendmsg(server->socket, &whole, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? errno : 0;
}

int forkserver_fork(struct forkserver *server, unsigned slot, unsigned job, const int *files, size_t count,
		    struct pipes *pipes)
{
	int ends[2], all[FILES];
	if (!pipes_open(pipes, ends))
		return errno;
	memcpy(all, ends, sizeof ends);
	if (count > 0)
		memcpy(all + PIPES, files, count * sizeof *files);
	const struct message message = { FORK, (uint8_t)slot, (uint8_t)job, (uint8_t)(PIPES + count) };
	const int error = send_message(server, message, all);
	close(ends[1]);
	if (error)
		pipes_close(pipes);
	return error;
}

bool forkserver_end(struct forkserver *server, unsigned slot, struct forkserver_end *end)
{
	*end = (struct forkserver_end){ .status = 0 };
	if (send_message(server, (struct message){ END, (uint8_t)slot, 0, 0 }, NULL) != 0)
		return false;
	return wait_read_all(server->socket, end, sizeof *end) == (ssize_t)sizeof *end;
}

void forkserver_stop(struct forkserver *server)
{
	if (server->socket >= 0)
		close(server->socket);
	server->socket = -1;
}

#else

bool forkserver_start(struct forkserver *server, forkserver_child *run)
{
	(void)run;
	*server = (struct forkserver){ .socket = -1, .error = ENOSYS };
	return false;
}

void forkserver_stop(struct forkserver *server)
{
	(void)server;
}

#endif
