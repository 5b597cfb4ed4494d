// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replace-posix.c - replace.h for POSIX: a temporary file, and renameat()
 *
 * Who can write in the directory of the output can exchange files there at any moment.  So the path is resolved once,
 * into an open directory and a name in it.  What the new file inherits comes from a descriptor of the file that had
 * the name then.  If the name leads elsewhere now, only the name in that directory is replaced, never a file in
 * another one.
 */
#include "config.h"
#include "tool/files/replace.h"
#include "tool/wait.h"
#include "tool/files/inherit.h"

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

/* While there is a temporary file, these signals remove it before they end the program.  A signal that is ignored
   stays ignored. */
static const int fatal_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
enum { FATAL_SIGNALS = sizeof fatal_signals / sizeof *fatal_signals };

/* The name of the temporary file and its directory; "" if it has no name.  A signal handler cannot get arguments, so
   these are variables of the file; they change only while the signals are blocked. */
static char temporary[] = ".rossym-XXXXXX";
static int temporary_directory = -1;

static void remove_temporary(int number)
{
	int saved = errno;
	if (temporary_directory >= 0)
		unlinkat(temporary_directory, temporary, 0);
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

/* ---------------------------------------------------------------------------------------------- the target */

struct replaced {
	int directory;	  /* open */
	char *path;	  /* without symbolic links; on the heap */
	const char *name; /* its last part */
	int old;	  /* the file of this name, open; -1 = there is none */
	/* the temporary file must have a name from the start: one without cannot be made, or cannot get one */
	bool needs_name;
};

static int open_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
#ifdef O_PATH
	if (fd < 0 && errno == EACCES) /* it may be used, but not listed */
		fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
#endif
	return fd;
}

/* Open the regular file of the target's name.  False with errno; ENOENT if there is none. */
static bool open_old(struct replaced *target)
{
	enum { FLAGS = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };
	struct stat st;
	target->old = openat(target->directory, target->name, O_RDONLY | FLAGS);
	if (target->old < 0 && errno == EACCES)
		target->old = openat(target->directory, target->name, O_WRONLY | FLAGS);
	if (target->old < 0)
		return false;
	if (fstat(target->old, &st) == 0 && S_ISREG(st.st_mode))
		return true;
	errno = EEXIST; /* it was a regular file a moment ago */
	return false;
}

static void close_target(struct replaced *target)
{
	int number = errno;
	if (target->directory >= 0)
		close(target->directory);
	if (target->old >= 0)
		close(target->old);
	free(target->path);
	errno = number;
}

/* Open what PATH names now; NEW: nothing should be there.  The caller closes it, also after a failure, which
   leaves errno. */
static bool open_target(struct replaced *target, const char *path, bool new)
{
	*target = (struct replaced){ .directory = -1, .old = -1 };
	target->path = new ? NULL : realpath(path, NULL);
	const bool exists = target->path != NULL;
	if (!exists)
		target->path = strdup(path);
	if (!target->path)
		return false;
	char *slash = strrchr(target->path, '/');
	target->name = slash ? slash + 1 : target->path;
	if (slash > target->path)
		*slash = '\0';
	target->directory = open_directory(!slash ? "." : slash == target->path ? "/" : target->path);
	return target->directory >= 0 && (!exists || open_old(target));
}

/* ---------------------------------------------------------------------------------------------- the temporary file */

/* A new name of the form .rossym-XXXXXX. */
static void draw_name(uint64_t *number)
{
	enum { LENGTH = 6 };
	static const char characters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	*number = *number * UINT64_C(6364136223846793005) + 1;
	uint64_t rest = *number >> 24;
	for (char *end = temporary + sizeof temporary - 1, *p = end - LENGTH; p < end;
	     p++, rest /= sizeof characters - 1)
		*p = characters[rest % (sizeof characters - 1)];
}

/* Call MAKE with new names in the target's directory until it does not fail with EEXIST; then the temporary file has
   the name.  Signals must be blocked, so that a handler finds no file, or a file whose name it knows. */
static bool with_name(const struct replaced *target, bool (*make)(const struct replaced *target, int *fd), int *fd)
{
	enum { TRIES = 100 };
	struct timespec now;
	bool good = false;
	clock_gettime(CLOCK_REALTIME, &now);
	uint64_t number = ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec) ^ (uint64_t)getpid() << 32;
	for (int i = 0; i < TRIES && !good && (i == 0 || errno == EEXIST); i++) {
		draw_name(&number);
		good = make(target, fd);
	}
	if (good)
		temporary_directory = target->directory;
	return good;
}

/* Unlike mkstemp(), open() lets the system compute the mode of a new file, from MODE and the umask, or from the ACL
   that the directory has for new files. */
static mode_t new_mode;

static bool make_named(const struct replaced *target, int *fd)
{
	*fd = openat(target->directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, new_mode);
	return *fd >= 0;
}

/* Give the file without a name FD the name NAME in the target's directory.  False with errno, EEXIST if a file
   has it. */
static bool link_unnamed(const struct replaced *target, int fd, const char *name)
{
	char path[40];
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, path, target->directory, name, AT_SYMLINK_FOLLOW) == 0;
}

static bool make_linked(const struct replaced *target, int *fd)
{
	return link_unnamed(target, *fd, temporary);
}

/* Make the temporary file, without a name if the system can do that and give it one later.  Returns a descriptor,
   or -1. */
static int make_temporary(struct replaced *target, mode_t mode)
{
	sigset_t mask;
	int fd = -1;
#ifdef O_TMPFILE
	if (!target->needs_name)
		fd = openat(target->directory, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	if (fd >= 0)
		return fd;
#endif
	target->needs_name = true;
	block_signals(&mask);
	new_mode = mode;
	if (!with_name(target, make_named, &fd))
		fd = -1;
	int number = errno;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	errno = number;
	return fd;
}

/* Give the temporary file, which has a name, the target's name, unless a file has it: renameat() would replace that
   one, linkat() fails.  Some file systems have no links.  There, a file that gets the name between these two calls
   is replaced. */
static bool name_new(const struct replaced *target)
{
	struct stat st;
	if (linkat(target->directory, temporary, target->directory, target->name, 0) == 0) {
		unlinkat(target->directory, temporary, 0);
		return true;
	}
	if (errno == EEXIST)
		return false;
	if (fstatat(target->directory, target->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return renameat(target->directory, temporary, target->directory, target->name) == 0;
	errno = EEXIST;
	return false;
}

/* Give the temporary file FD the target's name.  NEW: only if no file has it.  Signals must be blocked. */
static bool give_name(struct replaced *target, int fd, bool new)
{
	if (!target->needs_name) {
		if (target->old < 0 && link_unnamed(target, fd, target->name))
			return true;
		if (target->old < 0 && (errno != EEXIST || new)) {
			target->needs_name = errno != EEXIST;
			return false;
		}
		if (!with_name(target, make_linked, &fd)) {
			target->needs_name = true;
			return false;
		}
	}
	return new ? name_new(target) : renameat(target->directory, temporary, target->directory, target->name) == 0;
}

/* Close the temporary file and, if it is GOOD, give it the target's name; else, or if that fails, it is gone. */
static bool end_temporary(struct replaced *target, int fd, bool good, bool new)
{
	sigset_t mask;
	block_signals(&mask);
	/* close() can report that writing has failed; but a file without a name must be open to get one. */
	int other = good ? dup(fd) : -1, number = errno;
	if (close(fd) < 0 && good) {
		number = errno;
		good = false;
	}
	if (good && !(good = other >= 0 && give_name(target, other, new)))
		number = errno;
	if (other >= 0)
		close(other);
	if (!good && temporary_directory >= 0)
		unlinkat(target->directory, temporary, 0);
	temporary_directory = -1;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	errno = number;
	return good;
}

/* ---------------------------------------------------------------------------------------------- replacing */

/* Write the content, then what the old file had.  In this order, nobody can read a part with the old file's rights.
   Force both to the disk. */
static bool fill(int fd, const struct replaced *target, const void *bytes, size_t size)
{
	return wait_write(fd, bytes, size) && (target->old < 0 || inherit(fd, target->old)) && fsync(fd) == 0;
}

static bool write_target(struct replaced *target, const void *bytes, size_t size, mode_t mode, bool new)
{
	bool good, had_name;
	do {
		int fd = make_temporary(target, target->old >= 0 ? 0600 : mode);
		if (fd < 0)
			return false;
		had_name = target->needs_name;
		good = end_temporary(target, fd, fill(fd, target, bytes, size), new);
	} while (!good && target->needs_name && !had_name);
	if (!good)
		return false;
	/* Force the directory to the disk, and with it the new name.  Not every file system can do that. */
	(void)!fsync(target->directory);
	return true;
}

/* NEW: only if no file has the name. */
static bool write_with_signals(const char *path, const void *bytes, size_t size, mode_t mode, bool new)
{
	struct sigaction old_actions[FATAL_SIGNALS + 1];
	struct replaced target;
	catch_signals(old_actions);
	bool good = open_target(&target, path, new) && write_target(&target, bytes, size, mode, new);
	close_target(&target);
	int number = errno;
	release_signals(old_actions);
	errno = number;
	return good;
}

bool replace_file(const char *path, const void *bytes, size_t size, mode_t mode)
{
	return write_with_signals(path, bytes, size, mode, false);
}

bool replace_nothing(const char *path, const void *bytes, size_t size, mode_t mode)
{
	return write_with_signals(path, bytes, size, mode, true);
}
