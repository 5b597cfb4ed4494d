/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inherit.h - gives a file that replaces another one the owner, mode, ACL and extended attributes of that file
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
#ifndef TOOL_FILES_INHERIT_H
#define TOOL_FILES_INHERIT_H

#include <stdbool.h>
#include <sys/stat.h>

/* Copy owner, mode, ACL and attributes from OLD, a descriptor of the old file, to FD, that of the new one.  FD must
   belong to the user and have mode 0600 or less before.  Returns false after an error, in errno. */
bool file_inherit(int fd, int old);

#endif
