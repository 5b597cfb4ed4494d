/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inherit.h - a file that takes another one's place gets its owner, mode, ACL and extended attributes
 *
 * At no moment does anybody have more access than to the old file.  If something cannot be kept, the mode
 * becomes narrower:
 *
 *	the owner	set-id bits are dropped; the user who runs the program owns the file
 *	the group	the new group and all others get only what both had; the ACL, which names the old group, is dropped
 *	an ACL		only the owner keeps access
 *
 * Attributes that describe the old content (capabilities, signatures) are dropped.  On systems other than Linux this
 * file does not deal with ACLs and attributes.
 */
#ifndef TOOL_FILES_INHERIT_H
#define TOOL_FILES_INHERIT_H

#include <stdbool.h>
#include <sys/stat.h>

/* Let FD, the new file, have what OLD, a descriptor of the old file, has.  Before, FD must be ours and have mode 0600
   or less.  On failure returns false and sets errno. */
bool inherit(int fd, int old);

#endif
