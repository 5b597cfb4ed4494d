// SPDX-License-Identifier: GPL-2.0-or-later
/* replace-posix.c - replace.h for POSIX: a temporary file, and rename() */
#include "config.h"
#include "tool/replace.h"
#include "tool/wait.h"
#include "tool/inherit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compat/open.h"

bool replace_is_same(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* ---------------------------------------------------------------------------------------------- signals */

/* While there is a temporary file, these signals remove it before they end the program.  A signal that is ignored stays
   ignored. */
static const int fatal_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
enum { FATAL_SIGNALS = sizeof fatal_signals / sizeof *fatal_signals };

/* The path of the temporary file, or NULL.  A signal handler cannot get arguments, so this is a variable of the file; it
   changes only while the signals are blocked. */
static char *temporary;

static void remove_temporary(int number)
{
	int saved = errno;
	if (temporary)
		unlink(temporary);
	/* The handler is gone (SA_RESETHAND), so this time the signal ends the program. */
	raise(number);
	errno = saved;
}

static void catch_signals(struct sigaction *old)
{
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_handler = remove_temporary;
	action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
	sigemptyset(&action.sa_mask);
	for (int i = 0; i < FATAL_SIGNALS; i++) {
		sigaction(fatal_signals[i], NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN)
			sigaction(fatal_signals[i], &action, NULL);
	}
	/* SIGXFSZ would end the program at the limit of a file's size.  Ignored, it lets write() fail with EFBIG. */
	action.sa_handler = SIG_IGN;
	sigaction(SIGXFSZ, &action, &old[FATAL_SIGNALS]);
}

static void release_signals(const struct sigaction *old)
{
	for (int i = 0; i < FATAL_SIGNALS; i++)
		sigaction(fatal_signals[i], &old[i], NULL);
	sigaction(SIGXFSZ, &old[FATAL_SIGNALS], NULL);
}

static void block_signals(sigset_t *old)
{
	sigset_t set;
	sigemptyset(&set);
	for (int i = 0; i < FATAL_SIGNALS; i++)
		sigaddset(&set, fatal_signals[i]);
	sigprocmask(SIG_BLOCK, &set, old);
}

/* ---------------------------------------------------------------------------------------------- replacing */

/* Returns the path of a file NAME in the directory of PATH; on the heap, NULL without memory. */
static char *beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	size_t directory = slash ? (size_t)(slash - path) + 1 : 0;
	char *result = malloc(directory + strlen(name) + 1);
	if (result) {
		memcpy(result, path, directory);
		strcpy(result + directory, name);
	}
	return result;
}

/* Make a new file; its name is NAME with six random characters for its last six.  Returns a file descriptor, or -1.
   Unlike mkstemp(), open() lets the system compute the mode, from MODE and the umask, or from the ACL that the
   directory has for new files. */
static int make_unique(char *name, mode_t mode)
{
	enum { TRIES = 100, LENGTH = 6 };
	static const char characters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	char *end = name + strlen(name);
	struct timespec now;
	int fd = -1;
	clock_gettime(CLOCK_REALTIME, &now);
	uint64_t number = ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec) ^ (uint64_t)getpid() << 32;
	for (int i = 0; i < TRIES && fd < 0 && (i == 0 || errno == EEXIST); i++) {
		number = number * UINT64_C(6364136223846793005) + 1;
		uint64_t rest = number >> 24;
		for (char *p = end - LENGTH; p < end; p++, rest /= sizeof characters - 1)
			*p = characters[rest % (sizeof characters - 1)];
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	}
	return fd;
}

/* Make the temporary file beside TARGET.  Signals are blocked meanwhile, so a handler finds no file, or a file whose
   name it knows.  Returns a file descriptor, or -1. */
static int make_temporary(const char *target, mode_t mode)
{
	sigset_t mask;
	char *name = beside(target, ".rossym-XXXXXX");
	if (!name) {
		errno = ENOMEM;
		return -1;
	}
	block_signals(&mask);
	int fd = make_unique(name, mode);
	if (fd >= 0)
		temporary = name;
	int number = errno;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (fd < 0)
		free(name);
	errno = number;
	return fd;
}

/* Give the temporary file the name TARGET, unless a file has it: rename() would replace that one, link() fails.  Some file
   systems have no links.  There, a file that gets the name between these two calls is replaced. */
static bool name_new(const char *target)
{
	struct stat st;
	if (link(temporary, target) == 0) {
		unlink(temporary);
		return true;
	}
	if (errno == EEXIST)
		return false;
	if (lstat(target, &st) < 0)
		return rename(temporary, target) == 0;
	errno = EEXIST;
	return false;
}

/* Give the temporary file the target's name, or, without a target, remove it. */
static bool end_temporary(const char *target, bool new)
{
	sigset_t mask;
	block_signals(&mask);
	bool good = target && (new ? name_new(target) : rename(temporary, target) == 0);
	int number = errno;
	if (!good)
		unlink(temporary);
	free(temporary);
	temporary = NULL;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	errno = number;
	return good;
}

/* Write the content, then what the old file had.  In this order, nobody can read a part with the old file's rights.
   Force both to the disk. */
static bool fill(int fd, const char *target, const void *bytes, size_t size, const struct stat *old)
{
	return wait_write(fd, bytes, size) && (!old || inherit(fd, target, old)) && fsync(fd) == 0;
}

/* Force the directory to the disk, and with it the new name.  A failure is ignored, because not every file system can do
   it. */
static void sync_directory(const char *target)
{
	char *directory = beside(target, ".");
	int fd = directory ? open(directory, O_RDONLY | O_CLOEXEC) : -1;
	if (fd >= 0) {
		(void)!fsync(fd);
		close(fd);
	}
	free(directory);
}

/* NEW: only if no file has the name. */
static bool write_target(const char *target, const void *bytes, size_t size, mode_t mode, const struct stat *old, bool new)
{
	int fd = make_temporary(target, old ? 0600 : mode);
	if (fd < 0)
		return false;
	bool good = fill(fd, target, bytes, size, old);
	int number = errno;
	if (close(fd) < 0 && good) {
		good = false;
		number = errno;
	}
	errno = number;
	if (!good) {
		end_temporary(NULL, new);
		errno = number;
		return false;
	}
	if (!end_temporary(target, new))
		return false;
	sync_directory(target);
	return true;
}

static bool write_with_signals(const char *target, const void *bytes, size_t size, mode_t mode, const struct stat *old, bool new)
{
	struct sigaction old_actions[FATAL_SIGNALS + 1];
	catch_signals(old_actions);
	bool good = write_target(target, bytes, size, mode, old, new);
	int number = errno;
	release_signals(old_actions);
	errno = number;
	return good;
}

bool replace_file(const char *path, const void *bytes, size_t size, mode_t mode, const struct stat *old)
{
	char *resolved = old ? realpath(path, NULL) : NULL;
	bool good = write_with_signals(resolved ? resolved : path, bytes, size, mode, old, false);
	int number = errno;
	free(resolved);
	errno = number;
	return good;
}

bool replace_nothing(const char *path, const void *bytes, size_t size, mode_t mode)
{
	return write_with_signals(path, bytes, size, mode, NULL, true);
}
