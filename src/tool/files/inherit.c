// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * inherit.c - gives a file that replaces another one the owner, mode, ACL and extended attributes of that file
 *
 * Nobody ever has more access to the new file than to the old one.  If something cannot be copied, the mode of the new
 * file becomes narrower:
 *
 *	the owner	set-id bits are dropped; the user who runs the program owns the file
 *	the group	the new group and all others get only what the old group and all others both had; the ACL,
 *			which names the old group, is dropped
 *	an ACL		only the owner has access
 *
 * Attributes that describe the old content (capabilities, signatures) are not copied.  ACLs and extended attributes are
 * copied only on Linux.
 */
#include "config.h"
#include "tool/files/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Give FD the old owner and group, or narrow *MODE as inherit.h says.  Returns whether FD has the old group now. */
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

/* Whether the attribute NAME is only for the old content: a signature of it, or the privileges with which it runs if it
   is a program. */
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

/* Copy the attribute NAME from OLD to FD.  False: an error, in errno. */
static bool copy_attribute(int fd, int old, const char *name)
{
	ssize_t size = fgetxattr(old, name, NULL, 0);
	if (size < 0)
		return errno == ENODATA;
	char *value = malloc((size_t)size + 1);
	if (!value) {
		errno = ENOMEM;
		return false;
	}
	size = fgetxattr(old, name, value, (size_t)size);
	bool good = size >= 0 && fsetxattr(fd, name, value, (size_t)size, 0) == 0;
	int number = errno;
	free(value);
	errno = number;
	return good;
}

/* Store the names of all attributes of OLD, each with its NUL, in *RET; NULL if there are none.  The caller frees them.
   False: an error, in errno. */
static bool list_attributes(int old, char **ret, size_t *length)
{
	ssize_t size = flistxattr(old, NULL, 0);
	*ret = NULL;
	*length = 0;
	if (size <= 0)
		return size == 0 || means_no_attribute(errno);
	char *names = malloc((size_t)size);
	if (!names) {
		errno = ENOMEM;
		return false;
	}
	size = flistxattr(old, names, (size_t)size);
	if (size < 0) {
		int number = errno;
		free(names);
		errno = number;
		return false;
	}
	*ret = names;
	*length = (size_t)size;
	return true;
}

/* Copy the extended attributes, which include ACLs.  SAME_GROUP: FD has the group of OLD; else the ACL is not copied.
   False, with errno: the attributes cannot be listed, or one whose name begins with "user." cannot be copied: a user
   has set it, so the file must not be written without it.  Other attributes may be lost.  If the ACL is lost, only the
   owner keeps access in *MODE. */
static bool copy_attributes(int fd, int old, bool same_group, mode_t *mode)
{
	char *names;
	size_t length;
	bool good = true, acl = true;
	if (!list_attributes(old, &names, &length))
		return false;
	/* Remove the ACL that FD has from the directory's default ACL. */
	if (fremovexattr(fd, posix_acl) < 0 && !means_no_attribute(errno))
		acl = false;
	for (size_t at = 0; good && at < length; at += strlen(names + at) + 1) {
		const char *name = names + at;
		if (begins_with(name, "system."))
			acl &= same_group && copy_attribute(fd, old, name);
		else if (!is_for_old_content(name) && !copy_attribute(fd, old, name))
			good = !begins_with(name, "user.");
	}
	int number = errno;
	free(names);
	if (!acl)
		*mode &= 0700;
	errno = number;
	return good;
}

#else

static bool copy_attributes(int fd, int old, bool same_group, mode_t *mode)
{
	(void)fd, (void)old, (void)same_group, (void)mode;
	return true;
}

#endif

/* Set the mode of FD unless it has that mode: fchmod() changes some ACLs even if the mode stays the same. */
static bool set_mode(int fd, mode_t mode)
{
	struct stat st;
	return (fstat(fd, &st) == 0 && (st.st_mode & 07777) == mode) || fchmod(fd, mode) == 0;
}

bool file_inherit(int fd, int old)
{
	struct stat st;
	if (fstat(old, &st) < 0)
		return false;
	mode_t mode = st.st_mode & 07777;
	bool same_group = copy_owner(fd, &st, &mode);
	return copy_attributes(fd, old, same_group, &mode) && set_mode(fd, mode);
}
