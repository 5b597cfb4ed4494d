/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache.h - a file that keeps which builds archives are of
 *
 * It begins with a line that says what it is.  A line follows for each archive, its fields separated by tabs:
 *
 *	path  size  time  version  build  commit
 *
 * SIZE is in bytes, TIME is that of the last change, in seconds since 1970.  A line counts only while the archive has
 * this size and time.  The file is written as a whole, by a process that keeps the right to do so when this one gives
 * it up.
 */
#ifndef LOG_FIND_CACHE_H
#define LOG_FIND_CACHE_H

#include "log/read/build.h"

#include <stdbool.h>

struct cache;

/* Open the cache PATH, which may be absent or empty.  Call this before giving up rights.  Returns NULL after a message
   if the file is of another kind or cannot be read, or without memory. */
struct cache *cache_open(const char *path);

/* Store in *BUILD the build of the archive PATH.  False: the cache does not have it, or the archive has changed. */
bool cache_find(struct cache *cache, const char *path, struct build *build);

/* Keep that the archive PATH is of BUILD. */
void cache_keep(struct cache *cache, const char *path, const struct build *build);

/* Write the file, if there is anything new, and free CACHE, which may be NULL.  False after a message. */
bool cache_close(struct cache *cache);

#endif
