/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-search.h - searches for the files of debug-names.h
 *
 * A name is searched for in this order: in the directory of the image, and in those below it that rs_debug_names_beside
 * lists; in each directory of the user's: the name in it, then the file of a symbol store, then the path of the
 * build-id; last, if the user asks for that, at the path that the image records.
 */
#ifndef SEARCH_DEBUG_SEARCH_H
#define SEARCH_DEBUG_SEARCH_H

#include "search/debug-names.h"
#include "search/listings.h"

struct debug_search {
	const char *image; /* the path of the image; NULL: look in the directories only */
	const char *const *directories;
	size_t directory_count;
	size_t exact_count; /* in the first EXACT_COUNT directories, the case of a PDB file's name matters */
	bool recorded;	    /* also look at the paths that the image records */
	struct listings *listings;
	void (*take)(void *context, const char *path);
	void *context;
};

/* Call search->take for each path at which the file that NAME describes may be.  Such a path
   need not exist, unless its name has another case or it is in a symbol store.  Returns false if there is no memory. */
bool rs_debug_search(struct debug_search *search, const struct debug_name *name);

#endif
