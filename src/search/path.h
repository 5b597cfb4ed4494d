/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path.h - the last part of a path */
#ifndef SEARCH_PATH_H
#define SEARCH_PATH_H

/* Returns the part of PATH, a path of the host, after its last slash or drive. */
const char *rs_path_base(const char *path);

/* Returns the part of PATH, a path of any system, after its last "/" or "\". */
const char *rs_path_last_part(const char *path);

#endif
