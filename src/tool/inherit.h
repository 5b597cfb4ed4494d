/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inherit.h - a file that takes another one's place gets its owner, mode, ACL and extended attributes
 *
 * Nobody gets more access than he had to the old file, at no moment.  What cannot be kept makes the mode narrower:
 *
 *	the owner	set-id bits go.  The new owner is who writes.
 *	the group	the new group and all others get what both had.  An ACL goes, for it speaks of the old group.
 *	an ACL		nobody but the owner gets anything.
 *
 * Attributes that speak of the old content (capabilities, signatures) are not kept.  On systems other than Linux ACLs and
 * attributes are not known here.
 */
#ifndef TOOL_INHERIT_H
#define TOOL_INHERIT_H

#include <stdbool.h>
#include <sys/stat.h>

/* FD has the new content, is ours, and has mode 0600 or less.  PATH is the old file, and OLD what stat() says of it.  False
   and errno. */
bool inherit(int fd, const char *path, const struct stat *old);

#endif
