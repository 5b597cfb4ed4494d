/* SPDX-License-Identifier: GPL-2.0-or-later */
/* last-part.h - the last part of a path that can be from another system */
#ifndef COMPAT_LAST_PART_H
#define COMPAT_LAST_PART_H

/* Returns the part of PATH after its last "/" or "\". */
static inline const char *path_last_part(const char *path)
{
	const char *last = path;
	for (; *path; path++)
		if (*path == '/' || *path == '\\')
			last = path + 1;
	return last;
}

#endif
