// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replace-posix.c - replace.h for POSIX: a temporary file, and renameat()
 *
 * A user who can write in the directory of the output can exchange files there at any moment.  So the path is resolved
 * once, to an open directory and a name in it, and the file of that name is opened.  The new file inherits from this
 * open file, and replaces only the name in the open directory, even if the path leads to another file by then.
 */
#include "config.h"
#include "tool/files/replace.h"
#include "tool/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compat/compat.h"

/* --------------------------------------------------------------------------------------- owner, mode and attributes */

/* Nobody ever has more access to the new file than to the old one.  If one of the following cannot be copied, the new
   one gets fewer permissions:

	the owner	set-id bits are dropped; the user who runs the program owns the file
	the group	the new group and all others get only what the old group and all others both had; the ACL,
			which names the old group, is dropped
	an ACL		only the owner has access

   Attributes that describe the old content (capabilities, signatures) are not copied.  ACLs and extended attributes are
   copied only on Linux. */

/* Give FD the owner and group of OLD, or remove bits from *MODE as described above.  False: FD has another group. */
static bool copy_owner(int fd, const struct stat *old, mode_t *mode)
{
	if (fchown(fd, old->st_uid, old->st_gid) == 0)
		return true;
	*mode &= 0777; /* no set-id bits for another owner */
	if (fchown(fd, (uid_t)-1, old->st_gid) == 0)
		return true;
	mode_t both = *mode >> 3 & *mode & 7; /* the rights that both the group and all others had */
	*mode = (*mode & 0700) | both << 3 | both;
	return false;
}

#if defined __linux__ && defined HAVE_SYS_XATTR_H
#include <sys/xattr.h>

static const char posix_acl[] = "system.posix_acl_access";

static bool begins_with(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Whether the attribute NAME holds only for the old content: a signature of it, or the privileges of a program. */
static bool is_for_old_content(const char *name)
{
	return strcmp(name, "security.capability") == 0 || strcmp(name, "security.ima") == 0 ||
	       strcmp(name, "security.evm") == 0;
}

/* Whether the errno NUMBER means that the file has no such attribute, or its file system has none. */
static bool means_no_attribute(int number)
{
	return number == ENODATA || number == ENOTSUP || number == ENOSYS;
}

/* Linux allows neither a longer list of names nor a longer value. */
enum { ATTRIBUTES_SIZE_MAX = 1 << 16 };

/* Copy the attribute NAME from OLD to FD.  False: an error, in errno. */
static bool copy_attribute(int fd, int old, const char *name)
{
	static char value[ATTRIBUTES_SIZE_MAX];
	const ssize_t size = fgetxattr(old, name, value, sizeof value);
	return size < 0 ? errno == ENODATA : fsetxattr(fd, name, value, (size_t)size, 0) == 0;
}

/* Copy the extended attributes, which include ACLs.  SAME_GROUP: FD has the group of OLD; else the ACL is not copied.
   False, with errno: the attributes cannot be listed, or one whose name begins with "user." cannot be copied.  A user
   has set such an attribute, so the file must not be written without it.  Other attributes may be lost.  If the ACL is
   lost, *MODE keeps only the owner's access. */
static bool copy_attributes(int fd, int old, bool same_group, mode_t *mode)
{
	static char names[ATTRIBUTES_SIZE_MAX]; /* each with a NUL */
	const ssize_t length = flistxattr(old, names, sizeof names);
	bool good = true, acl = true;
	if (length < 0 && !means_no_attribute(errno))
		return false;
	/* Remove the ACL that FD has from the directory's default ACL. */
	if (fremovexattr(fd, posix_acl) < 0 && !means_no_attribute(errno))
		acl = false;
	for (const char *name = names; good && name - names < length; name += strlen(name) + 1) {
		if (begins_with(name, "system."))
			acl &= same_group && copy_attribute(fd, old, name);
		else if (!is_for_old_content(name) && !copy_attribute(fd, old, name))
			good = !begins_with(name, "user.");
	}
	if (!acl)
		*mode &= 0700;
	return good;
}

#else

static bool copy_attributes(int fd, int old, bool same_group, mode_t *mode)
{
	(void)fd, (void)old, (void)same_group, (void)mode;
	return true;
}

#endif

/* Set the mode of FD.  Call fchmod() only if FD has another mode, because it changes some ACLs even if the mode stays
   the same. */
static bool set_file_mode(int fd, mode_t mode)
{
	struct stat st;
	return (fstat(fd, &st) == 0 && (st.st_mode & 07777) == mode) || fchmod(fd, mode) == 0;
}

/* Copy owner, mode, ACL and attributes from the old file OLD to the new file FD; both are descriptors.  The new file
   must belong to the user and have no permissions beyond 0600.  Returns false after an error, in errno. */
static bool copy_metadata(int fd, int old)
{
	struct stat st;
	if (fstat(old, &st) < 0)
		return false;
	mode_t mode = st.st_mode & 07777;
	bool same_group = copy_owner(fd, &st, &mode);
	return copy_attributes(fd, old, same_group, &mode) && set_file_mode(fd, mode);
}

/* ----------------------------------------------------------- removing the temporary file after a signal */

/* The signals whose handler removes the temporary file before they end the program.  A signal that the program ignores
   stays ignored. */
static const int fatal_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
enum { FATAL_SIGNALS = sizeof fatal_signals / sizeof *fatal_signals };

/* The name of the temporary file, and a descriptor of its directory, which is -1 while there is no file of that name.
   Both are global, because a signal handler gets no arguments; they change only while the signals are blocked. */
static char temporary[] = ".rossym-XXXXXX";
static int temporary_directory = -1;

static void handle_fatal_signal(int number)
{
	int saved = errno;
	if (temporary_directory >= 0)
		unlinkat(temporary_directory, temporary, 0);
	/* SA_RESETHAND has removed this handler, so now the signal ends the program. */
	raise(number);
	errno = saved;
}

/* Install handle_fatal_signal(), and ignore SIGXFSZ.  Stores the old actions in OLD, of FATAL_SIGNALS + 1 elements. */
static void catch_signals(struct sigaction *old)
{
	struct sigaction action = { .sa_handler = handle_fatal_signal, .sa_flags = (int)(SA_RESETHAND | SA_RESTART) };
	sigemptyset(&action.sa_mask);
	for (int i = 0; i < FATAL_SIGNALS; i++) {
		sigaction(fatal_signals[i], NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN)
			sigaction(fatal_signals[i], &action, NULL);
	}
	/* At the limit of a file's size, SIGXFSZ would end the program; if it is ignored, write() fails with EFBIG. */
	action.sa_handler = SIG_IGN;
	sigaction(SIGXFSZ, &action, &old[FATAL_SIGNALS]);
}

static void restore_signals(const struct sigaction *old)
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

/* ----------------------------------------------------------------------------- opening the file to replace */

/* The file to replace or to make. */
struct replace_target {
	int directory;	  /* descriptor of the file's directory */
	char *path;	  /* the file's path, without symbolic links; from malloc() */
	const char *name; /* the last part of the path */
	int old;	  /* descriptor of the file that is there now; -1: there is none */
	/* The mode with which the temporary file is made; the system applies the umask or the directory's default ACL
	   to it.  mkstemp() would always make a file of mode 0600. */
	mode_t mode;
	/* The temporary file must have a name from the start, because the file system has no files without a name
	   (O_TMPFILE), or cannot give them one. */
	bool needs_name;
};

static int open_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
#ifdef O_PATH
	if (fd < 0 && errno == EACCES) /* perhaps the user may use the directory, but not list it */
		fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
#endif
	return fd;
}

/* Open the regular file that the target names.  False: an error, in errno; ENOENT if there is none. */
static bool open_old_file(struct replace_target *target)
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
	errno = EEXIST; /* there was a regular file, but another program has replaced it */
	return false;
}

static void close_target(struct replace_target *target)
{
	int number = errno;
	if (target->directory >= 0)
		close(target->directory);
	if (target->old >= 0)
		close(target->old);
	free(target->path);
	errno = number;
}

/* Open the directory of PATH, and the file if it exists.  NEW: PATH should not exist, so do not follow a link there,
   and open no file.  False: an error, in errno.  The caller must call close_target() in both cases. */
static bool open_target(struct replace_target *target, const char *path, bool new)
{
	*target = (struct replace_target){ .directory = -1, .old = -1 };
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
	return target->directory >= 0 && (!exists || open_old_file(target));
}

/* ---------------------------------------------------------------------------------------------- the temporary file */

/* Store a new pseudo-random name, .rossym-XXXXXX, in `temporary`; *NUMBER is the state of the generator.  The name need
   not be secret, because the file is made with O_EXCL or linkat(), which fail if the name exists. */
static void generate_temporary_name(uint64_t *number)
{
	enum { LENGTH = 6 };
	static const char characters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	/* A linear congruential generator with the multiplier of Knuth's MMIX, and another increment. */
	*number = *number * UINT64_C(6364136223846793005) + 1;
	uint64_t rest = *number >> 24;
	for (char *end = temporary + sizeof temporary - 1, *p = end - LENGTH; p < end;
	     p++, rest /= sizeof characters - 1)
		*p = characters[rest % (sizeof characters - 1)];
}

/* Give FD, a file without a name, the name NAME in the target's directory.  False: an error, in errno; EEXIST if there
   is a file of that name. */
static bool link_unnamed_file(const struct replace_target *target, int fd, const char *name)
{
	char path[40];
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, path, target->directory, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Give the temporary file *FD the name in `temporary`; or, if *FD is -1, make it with that name. */
static bool name_or_make_temporary_file(const struct replace_target *target, int *fd)
{
	if (*fd >= 0)
		return link_unnamed_file(target, *fd, temporary);
	*fd = openat(target->directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, target->mode);
	return *fd >= 0;
}

/* Call name_or_make_temporary_file() with new names until it succeeds, fails with an errno that is not EEXIST, or has
   failed TRIES times.  Signals must be blocked, so that the handler never misses a file that exists. */
static bool try_temporary_names(const struct replace_target *target, int *fd)
{
	enum { TRIES = 100 };
	struct timespec now;
	bool good = false;
	clock_gettime(CLOCK_REALTIME, &now);
	uint64_t number = ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec) ^ (uint64_t)getpid() << 32;
	for (int i = 0; i < TRIES && !good && (i == 0 || errno == EEXIST); i++) {
		generate_temporary_name(&number);
		good = name_or_make_temporary_file(target, fd);
	}
	if (good)
		temporary_directory = target->directory;
	return good;
}

/* Make the temporary file, without a name if the file system can make such files.  Returns a descriptor; -1: an error,
   in errno. */
static int make_temporary_file(struct replace_target *target)
{
	sigset_t mask;
	int fd = -1;
#ifdef O_TMPFILE
	if (!target->needs_name)
		fd = openat(target->directory, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, target->mode);
	if (fd >= 0)
		return fd;
#endif
	target->needs_name = true;
	block_signals(&mask);
	try_temporary_names(target, &fd);
	int number = errno;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	errno = number;
	return fd;
}

/* Give the temporary file the target's name, or fail with EEXIST if there is a file of that name.  linkat() does so,
   while renameat() would replace that file.  On a file system without hard links, calls renameat() after a check, so a
   file that another program makes between the two is replaced. */
static bool rename_without_replacing(const struct replace_target *target)
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

/* Give the temporary file FD the target's name.  NEW: fail if there is a file of that name.  Signals must be blocked.
   False: an error, in errno; if `needs_name` has become true, the file system cannot give FD a name, and the caller
   must make another temporary file. */
static bool give_target_name(struct replace_target *target, int fd, bool new)
{
	if (!target->needs_name) {
		if (target->old < 0 && link_unnamed_file(target, fd, target->name))
			return true;
		if (target->old < 0 && (errno != EEXIST || new)) {
			target->needs_name = errno != EEXIST;
			return false;
		}
		if (!try_temporary_names(target, &fd)) {
			target->needs_name = true;
			return false;
		}
	}
	return new ? rename_without_replacing(target)
		   : renameat(target->directory, temporary, target->directory, target->name) == 0;
}

/* Close the temporary file FD, and give it the target's name; if one of these fails, or GOOD is false, remove it.  NEW:
   as for give_target_name().  False: an error, in errno. */
static bool close_and_name_file(struct replace_target *target, int fd, bool good, bool new)
{
	sigset_t mask;
	block_signals(&mask);
	/* close() can report a write error, so it must come before the renaming; but a file without a name must be
	   open to get one.  So close one of two descriptors of the file. */
	int other = good ? dup(fd) : -1, number = errno;
	if (close(fd) < 0 && good) {
		number = errno;
		good = false;
	}
	if (good && !(good = other >= 0 && give_target_name(target, other, new)))
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

/* ------------------------------------------------------------------------- writing and replacing the file */

/* Write the target.  If that fails because the file system cannot give the temporary file a name, try again with a
   temporary file that has a name from the start. */
static bool write_target(struct replace_target *target, const void *bytes, size_t size, mode_t mode, bool new)
{
	bool good, had_name;
	target->mode = target->old >= 0 ? 0600 : mode;
	do {
		int fd = make_temporary_file(target);
		if (fd < 0)
			return false;
		had_name = target->needs_name;
		/* In this order, the file never has the old permissions before it is complete. */
		good = wait_write(fd, bytes, size) && (target->old < 0 || copy_metadata(fd, target->old)) &&
		       fsync(fd) == 0;
		good = close_and_name_file(target, fd, good, new);
	} while (!good && target->needs_name && !had_name);
	if (!good)
		return false;
	/* Force the directory, which has the new name, to the disk.  Errors are ignored: not every file
	   system can do that. */
	(void)!fsync(target->directory);
	return true;
}

/* A signal that ends the program meanwhile removes the temporary file. */
bool replace_file(const char *path, const void *bytes, size_t size, mode_t mode, bool new)
{
	struct sigaction old_actions[FATAL_SIGNALS + 1];
	struct replace_target target;
	catch_signals(old_actions);
	bool good = open_target(&target, path, new) && write_target(&target, bytes, size, mode, new);
	close_target(&target);
	int number = errno;
	restore_signals(old_actions);
	errno = number;
	return good;
}
