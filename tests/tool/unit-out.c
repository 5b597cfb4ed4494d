/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/out.c: nothing before it is wanted, everything in spite of short writes and full pipes, and the first error.
   Numbers are in unit-record. */
#include "config.h"

#include "tests/lib/random.h"
#include "tests/lib/tap.h"
#include "tool/out.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct out out;
static int terminal = -1; /* where TAP goes while standard output is something else */

static void redirect(int fd)
{
	fflush(stdout);
	if (dup2(fd, STDOUT_FILENO) < 0)
		abort();
}

static void restore(void)
{
	redirect(terminal);
}

static void start(void)
{
	out.error = 0;
	out.used = 0;
}

/* What is in the pipe FD now. */
static size_t pending(int fd)
{
	char buffer[4096];
	size_t all = 0;
	ssize_t n;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	while ((n = read(fd, buffer, sizeof buffer)) > 0)
		all += (size_t)n;
	return all;
}

static void holds_back(void)
{
	static char much[OUT_SIZE + 1];
	size_t seen[4];
	int fd[2];
	if (pipe(fd) < 0)
		abort();
	start();
	redirect(fd[1]);
	out_text(&out, "held back");
	seen[0] = pending(fd[0]);
	out_flush(&out);
	seen[1] = pending(fd[0]);
	out_bytes(&out, much, OUT_SIZE);
	seen[2] = pending(fd[0]);
	restore();
	is_uint(seen[0], 0, "nothing comes out by itself");
	is_uint(seen[1], 9, "until it is flushed");
	is_uint(seen[2], 0, "a buffer that is exactly full is held back too");
	is_uint(out.used, OUT_SIZE, "and full");
	is_int(out.error, 0, "no error");
	close(fd[0]);
	close(fd[1]);
}

/* A long run is written at once, but not before what waits. */
static void runs(void)
{
	static char much[OUT_SIZE];
	char first;
	int fd[2];
	if (pipe(fd) < 0)
		abort();
	start();
	redirect(fd[1]);
	out_write_large(&out, much, OUT_SIZE / 2);
	size_t at_once = pending(fd[0]);
	out_char(&out, '!');
	out_write_large(&out, much, OUT_SIZE / 2);
	size_t later = pending(fd[0]);
	out_flush(&out);
	bool good = read(fd[0], &first, 1) == 1;
	size_t rest = pending(fd[0]);
	restore();
	is_uint(at_once, OUT_SIZE / 2, "a long run is written at once");
	is_uint(later, 0, "but not if something waits before it");
	ok(good && first == '!', "which comes first");
	is_uint(rest, OUT_SIZE / 2, "and then the run");
	close(fd[0]);
	close(fd[1]);
}

/* Records of any size, and what is written is whole pages all the same. */
static void whole_pages(void)
{
	enum { RECORDS = 300, LENGTH = 250 };
	static char seen[OUT_SIZE + 1];
	size_t length, wrong = 0, written;
	int fd[2];
	if (pipe(fd) < 0)
		abort();
	start();
	redirect(fd[1]);
	for (size_t i = 0; i < RECORDS; i++) {
		char *p = out_room(&out);
		memset(p, 'a' + (int)(i % 26), LENGTH);
		out_commit(&out, p + LENGTH);
	}
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	written = 0;
	for (ssize_t n; (n = read(fd[0], seen + written, sizeof seen - written)) > 0;)
		written += (size_t)n;
	restore();
	length = out.used;
	for (size_t i = 0; i < RECORDS * LENGTH; i++)
		wrong += (i < written ? seen[i] : out.buffer[i - written]) != 'a' + (char)(i / LENGTH % 26);
	is_uint(written, OUT_SIZE, "a full buffer is written by whole pages");
	is_uint(length, RECORDS * LENGTH - OUT_SIZE, "the rest is kept");
	is_uint(wrong, 0, "every byte in its place");
	close(fd[0]);
	close(fd[1]);
}

enum { TOTAL = 3000000 };

static char pattern_at(size_t i)
{
	return (char)(i * 2654435761u >> 13);
}

/* Write TOTAL bytes in pieces of all sizes; exit with what out says. */
static void writer(void)
{
	static char piece[200000];
	random_start(1);
	for (size_t done = 0; done < TOTAL;) {
		size_t n = random_one_in(50) ? random_below(sizeof piece) : random_below(300);
		if (n > TOTAL - done)
			n = TOTAL - done;
		for (size_t i = 0; i < n; i++)
			piece[i] = pattern_at(done + i);
		if (n == 1)
			out_char(&out, piece[0]);
		else
			out_bytes(&out, piece, n);
		done += n;
		if (random_one_in(100))
			out_flush(&out);
	}
	out_flush(&out);
	_exit(out.error != 0);
}

/* A pipe that somebody has left in the mode in which a write would rather fail than wait. */
static void slow_reader(bool nonblocking, const char *name)
{
	char buffer[5000];
	size_t seen = 0, wrong = 0;
	int fd[2], status = -1;
	ssize_t n;
	if (pipe(fd) < 0)
		abort();
	fflush(stdout);
	pid_t child = fork();
	if (child < 0)
		abort();
	if (child == 0) {
		start();
		close(fd[0]);
		if (nonblocking)
			fcntl(fd[1], F_SETFL, O_NONBLOCK);
		redirect(fd[1]);
		writer();
	}
	close(fd[1]);
	random_start(2);
	while ((n = read(fd[0], buffer, 1 + random_below(sizeof buffer))) > 0) {
		for (ssize_t i = 0; i < n; i++)
			wrong += buffer[i] != pattern_at(seen + (size_t)i);
		seen += (size_t)n;
		if (random_one_in(100))
			usleep(1000);
	}
	close(fd[0]);
	waitpid(child, &status, 0);
	is_uint(seen, TOTAL, name);
	is_uint(wrong, 0, "every byte in its place");
	is_int(status, 0, "without an error");
}

static void errors(void)
{
	static char much[3 * OUT_SIZE];
	int fd[2], full = open("/dev/full", O_WRONLY);
	signal(SIGPIPE, SIG_IGN);
	if (pipe(fd) < 0)
		abort();
	close(fd[0]);
	start();
	redirect(fd[1]);
	out_text(&out, "nobody reads this");
	out_flush(&out);
	restore();
	close(fd[1]);
	is_int(out.error, EPIPE, "a pipe without a reader");
	is_uint(out.used, 0, "nothing is kept");

	out_bytes(&out, much, sizeof much);
	out_text(&out, "more");
	out_flush(&out); /* to where TAP goes: nothing may arrive there */
	is_int(out.error, EPIPE, "the first error is kept");
	is_uint(out.used, 0, "and what follows is dropped");

	if (full < 0) {
		skip("a full disk", "no /dev/full");
	} else {
		start();
		redirect(full);
		out_bytes(&out, much, sizeof much);
		restore();
		close(full);
		is_int(out.error, ENOSPC, "a full disk, without a flush");
	}

	int closed = open("/dev/null", O_RDONLY);
	start();
	redirect(closed);
	out_flush(&out);
	int before = out.error;
	out_char(&out, 'x');
	out_flush(&out);
	restore();
	close(closed);
	is_int(before, 0, "a flush of nothing writes nothing");
	is_int(out.error, EBADF, "an output that cannot be written");
}

int main(void)
{
	terminal = dup(STDOUT_FILENO);
	holds_back();
	runs();
	whole_pages();
	slow_reader(false, "a slow reader gets all");
	slow_reader(true, "a slow reader of a pipe that does not wait gets all");
	errors();
	return done_testing();
}
