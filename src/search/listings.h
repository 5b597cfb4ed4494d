/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listings.h - finds entries of directories without regard to case, and reads each directory once
 *
 * An entry that is added to a directory after it has been read is found only if its name has the wanted case.
 */
#ifndef SEARCH_LISTINGS_H
#define SEARCH_LISTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The names of the entries of a directory. */
struct listing {
	char *directory;
	char **names; /* sorted without regard to case; names that differ only in case, by their bytes */
	uint32_t count, room;
};

/* The directories that have been read.  All zeros: none. */
struct listings {
	struct listing *items; /* sorted by directory */
	uint32_t count, room;
};

/* Find the entries of DIRECTORY whose names begin, without regard to case, with the LENGTH bytes at PREFIX; if LENGTH
   includes the NUL, those whose whole names equal PREFIX.  *NAMES becomes the first of *COUNT names, which are valid
   until rs_listings_clear().  A directory that cannot be read has no entries.  False: no memory. */
bool rs_listings_find_names(struct listings *listings, const char *directory, const char *prefix, size_t length,
			    char ***names, size_t *count);

/* Store in *RET the path of the entry NAME of DIRECTORY; if there is none, the path of an entry whose name differs only
   in case, or NULL.  rossym_free() frees the path.  DIRECTORY may be "", the current one.  False: no memory. */
bool rs_listings_find_path(struct listings *listings, const char *directory, const char *name, char **ret);

void rs_listings_clear(struct listings *listings);

#endif
