// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/writer.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "tool/process/process.h"
#include "tool/process/sandbox.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MODE = 0666 };

#ifdef HAVE_FORK
#include <signal.h>

/* Read SIZE bytes.  False: there are not so many. */
static bool read_all(int fd, char *bytes, size_t size)
{
	size_t done = 0;
	ssize_t n = 1;
	while (done < size && (n = wait_read(fd, bytes + done, size - done)) > 0)
		done += (size_t)n;
	return done == size;
}

/* The process: take the size of the content and the content from TO, and say on FROM whether it could be written. */
static void serve(const char *path, int to, int from)
{
	size_t size;
	sandbox_writer(NULL, 0, path);
	if (!read_all(to, (char *)&size, sizeof size))
		return;
	char *bytes = malloc(size ? size : 1);
	char good = bytes && read_all(to, bytes, size) && file_write(path, bytes, size, MODE);
	wait_write(from, &good, 1);
	free(bytes);
}

bool writer_start(struct writer *writer, const char *path)
{
	int to[2] = { -1, -1 }, from[2] = { -1, -1 };
	pid_t id = process_pipe(to) && process_pipe(from) ? fork() : -1;
	if (id == 0) {
		/* Standard streams of this process must not stay open when the other one has ended. */
		close(STDIN_FILENO);
		close(STDOUT_FILENO);
		close(to[1]);
		close(from[0]);
		serve(path, to[0], from[1]);
		_exit(0);
	}
	if (id < 0)
		diag("%s: cannot start a process to write it: %s", path, strerror(errno));
	close(to[0]);
	close(from[1]);
	*writer = (struct writer){ .path = path, .to = to[1], .from = from[0] };
	return id > 0;
}

bool writer_end(struct writer *writer, const void *bytes, size_t size)
{
	char good = 1;
	if (size > 0) {
		/* If the process is gone, writing to it must fail, and not end this one. */
		void (*old)(int) = signal(SIGPIPE, SIG_IGN);
		if (!wait_write(writer->to, &size, sizeof size) || !wait_write(writer->to, bytes, size) ||
		    wait_read(writer->from, &good, 1) != 1) {
			diag("%s: cannot write: the process for it has ended", writer->path);
			good = 0;
		}
		signal(SIGPIPE, old);
	}
	close(writer->to);
	close(writer->from);
	return good;
}

#else

bool writer_start(struct writer *writer, const char *path)
{
	*writer = (struct writer){ .path = path, .to = -1, .from = -1 };
	return true;
}

bool writer_end(struct writer *writer, const void *bytes, size_t size)
{
	return size == 0 || file_write(writer->path, bytes, size, MODE);
}

#endif
