/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library that is loaded in front of the others and makes system calls and allocations go wrong.  FAULT says how:
 *
 *	eintr		each second read and write is interrupted
 *	short		none moves more than three bytes
 *	full=N		after N bytes the disk is full
 *	source=error	reading a file that ends in ".c" is an error
 *	source=end	after such a file was opened, there is nothing in it
 *	link=none	the file system has no hard links
 *	link=same	another program has made the new link in the last moment
 *	link=other	another program has made another file of this name in the last moment
 *	pipe=N		the N-th pipe() or pipe2() fails: there are too many files
 *	fork=N		the N-th fork() fails: there are too many processes
 *	malloc=N	the N-th allocation fails; a byte is written to descriptor 9 when it does
 *	unpack=N	the N-th allocation of libarchive fails, in the first process that reads an archive
 *	crash=N		this process crashes when it goes to the N-th entry of the archive
 *	kill=N		it hangs there, and is killed by the process that forked it
 *	dump-crash=N	the process that reads a dump crashes when it reads from it for the N-th time
 *	dump-kill=N	it hangs there, and is killed by the process that forked it
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* glibc's own, for dlsym() allocates. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static const char *fault(const char *kind)
{
	const char *value = getenv("FAULT");
	size_t length = strlen(kind);
	return value && strncmp(value, kind, length) == 0 ? value + length : NULL;
}

/* What is allocated when the program has ended is none of its own: a profiler's. */
static void ended(void)
{
	unsetenv("FAULT");
}

static int allocation_fails(void)
{
	static long left = -1;
	const char *number = fault("malloc=");
	if (left < 0) {
		left = number ? atol(number) : 0;
		atexit(ended);
	}
	if (!number || left == 0 || --left > 0)
		return 0;
	(void)!write(9, "x", 1);
	errno = ENOMEM;
	return 1;
}

/* Whether this call of a function, of which CALLS were made, is the one that FAULT says KIND and the number of. */
static bool call_fails(const char *kind, long *calls, int number)
{
	const char *which = fault(kind);
	if (!which || ++*calls != atol(which))
		return false;
	errno = number;
	return true;
}

static long pipe_calls;

int pipe(int ends[2])
{
	int (*real)(int *) = (int (*)(int *))dlsym(RTLD_NEXT, "pipe");
	return call_fails("pipe=", &pipe_calls, EMFILE) ? -1 : real(ends);
}

int pipe2(int ends[2], int flags)
{
	int (*real)(int *, int) = (int (*)(int *, int))dlsym(RTLD_NEXT, "pipe2");
	return call_fails("pipe=", &pipe_calls, EMFILE) ? -1 : real(ends, flags);
}

/* How many forks there are between the first process and this one; and how many children this one's parent had when it
   was forked. */
static int depth, brothers;

/* Archives are read in the children of a child, or in the first process itself. */
static bool is_first_reader(void)
{
	return (depth == 0 || depth == 2) && brothers == 0;
}

/* Kill CHILD after a tenth of a second.  A filter may refuse to sleep. */
static void kill_later(pid_t child)
{
	struct timespec begin, now;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < 100);
	kill(child, SIGKILL);
}

pid_t fork(void)
{
	static long calls;
	static int children;
	pid_t (*real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
	pid_t child = call_fails("fork=", &calls, EAGAIN) ? -1 : real();
	if (child == 0) {
		depth++;
		brothers = children;
		children = 0;
	} else if (child > 0 && children++ == 0 && depth == 1 && (fault("kill=") || fault("dump-kill="))) {
		kill_later(child);
	}
	return child;
}

/* Whether an allocation fails that returns to CALLER. */
static bool unpacking_fails(const void *caller)
{
	static long calls;
	Dl_info info;
	return fault("unpack=") && is_first_reader() && dladdr(caller, &info) && info.dli_fname &&
	       strstr(info.dli_fname, "libarchive") && call_fails("unpack=", &calls, ENOMEM);
}

#define FAILS (allocation_fails() || unpacking_fails(__builtin_return_address(0)))
void *malloc(size_t size)
{
	return FAILS ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size)
{
	return FAILS ? NULL : __libc_calloc(count, size);
}
void *realloc(void *old, size_t size)
{
	return FAILS ? NULL : __libc_realloc(old, size);
}

int archive_read_next_header(void *archive, void **entry)
{
	static long calls;
	int (*real)(void *, void **) = (int (*)(void *, void **))dlsym(RTLD_NEXT, "archive_read_next_header");
	if (is_first_reader() && call_fails("crash=", &calls, 0))
		abort();
	if (is_first_reader() && call_fails("kill=", &calls, 0)) {
		if (depth == 0)
			abort();
		for (;;)
			;
	}
	return real(archive, entry);
}

/* -1 if the call is to fail, else how many bytes it may move. */
static ssize_t allowed(size_t size)
{
	static unsigned long calls;
	if (fault("eintr") && calls++ % 2 == 0) {
		errno = EINTR;
		return -1;
	}
	return fault("short") && size > 3 ? 3 : (ssize_t)size;
}

static int source = -1; /* the descriptor of a file that ends in ".c" */

static int note_source(int fd, const char *path)
{
	size_t length = strlen(path);
	if (length > 2 && strcmp(path + length - 2, ".c") == 0)
		source = fd;
	return fd;
}

#define OPEN(name) \
	int name(const char *path, int flags, ...) \
	{ \
		int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name); \
		va_list args; \
		va_start(args, flags); \
		mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0; \
		va_end(args); \
		return note_source(real(path, flags, mode), path); \
	}
OPEN(open)
OPEN(open64)

ssize_t read(int fd, void *bytes, size_t size)
{
	ssize_t (*real)(int, void *, size_t) = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
	ssize_t n = allowed(size);
	if (fd == source && fault("source=end"))
		return 0;
	if (fd == source && fault("source=error")) {
		errno = EIO;
		return -1;
	}
	return n < 0 ? n : real(fd, bytes, (size_t)n);
}

/* Fail as a reader of a dump, if this call of pread() is the one. */
static void fail_in_dump(void)
{
	static long calls;
	if (is_first_reader() && depth == 2 && call_fails("dump-crash=", &calls, 0))
		abort();
	if (is_first_reader() && depth == 2 && call_fails("dump-kill=", &calls, 0))
		for (;;)
			;
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
	fail_in_dump();
	ssize_t (*real)(int, void *, size_t, off_t) = (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");
	ssize_t n = allowed(size);
	return n < 0 ? n : real(fd, bytes, (size_t)n, at);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t at)
{
	return pread(fd, bytes, size, (off_t)at);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	static size_t written;
	ssize_t (*real)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
	/* A pipe is on no disk.  Asking must not change errno, which tells rossym-embed that memory was short. */
	int number = errno;
	bool on_disk = fd != 2 && fd != 9 && lseek(fd, 0, SEEK_CUR) >= 0;
	errno = number;
	const char *most = on_disk ? fault("full=") : NULL;
	ssize_t n = fd == 2 || fd == 9 ? (ssize_t)size : allowed(size);
	if (n < 0)
		return n;
	if (most && written + (size_t)n > strtoul(most, NULL, 10)) {
		n = (ssize_t)(strtoul(most, NULL, 10) - written);
		if (n <= 0) {
			errno = ENOSPC;
			return -1;
		}
	}
	n = real(fd, bytes, (size_t)n);
	written += n > 0 && on_disk ? (size_t)n : 0;
	return n;
}

int linkat(int directory, const char *from, int other, const char *to, int flags)
{
	int (*real)(int, const char *, int, const char *,
		    int) = (int (*)(int, const char *, int, const char *, int))dlsym(RTLD_NEXT, "linkat");
	int (*real_open)(int, const char *, int, ...) = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT,
												    "openat");
	if (fault("link=none")) {
		errno = EPERM;
		return -1;
	}
	if (fault("link=same"))
		(void)!real(directory, from, other, to, flags);
	if (fault("link=other"))
		close(real_open(other, to, O_WRONLY | O_CREAT, 0666));
	return real(directory, from, other, to, flags);
}
