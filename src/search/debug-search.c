// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "search/debug-search.h"
#include "search/entry.h"
#include "search/path.h"
#include "search/symbol-store.h"
#include "lib/base/alloc.h"

#include <string.h>

/* Take PATH, if it is not NULL, and free it.  GOOD: there was memory for it.  Returns GOOD. */
static bool take_path(struct debug_search *search, char *path, bool good)
{
	if (path)
		search->take(search->context, path);
	rs_free(path);
	return good;
}

static bool take_entry(struct debug_search *search, const char *directory, const char *name)
{
	char *path = rs_entry_path(directory, name);
	return take_path(search, path, path != NULL);
}

/* Take the file NAME of DIRECTORY; the name of a PDB file is compared without regard to case, unless EXACT. */
static bool take_name(struct debug_search *search, const char *directory, const struct debug_name *name, bool exact)
{
	char *path = NULL;
	if (!name->pdb || exact)
		return take_entry(search, directory, name->name);
	const bool good = rs_listings_find_path(search->listings, directory, name->name, &path);
	return take_path(search, path, good);
}

/* Take the files called NAME beside the image. */
static bool take_beside(struct debug_search *search, const struct debug_name *name)
{
	const size_t before = (size_t)(rs_path_base(search->image) - search->image);
	bool good = true;
	for (const char *const *place = rs_debug_names_beside; *place && good; place++) {
		char *directory = rs_alloc(before + strlen(*place) + 1, 1);
		if (!directory)
			return false;
		memcpy(directory, search->image, before);
		memcpy(directory + before, *place, strlen(*place) + 1);
		good = take_name(search, directory, name, false);
		rs_free(directory);
	}
	return good;
}

/* The function `take` of rs_symbol_store_find(). */
static bool take_stored(void *context, const char *path)
{
	const struct debug_search *search = context;
	search->take(search->context, path);
	return false;
}

bool rs_debug_search(struct debug_search *search, const struct debug_name *name)
{
	const struct symbol_store_wanted wanted = { .name = name->name, .key = name->key };
	bool good = !search->image || !name->name[0] || take_beside(search, name);
	for (size_t i = 0; i < search->directory_count && good; i++) {
		const char *directory = search->directories[i];
		if (name->name[0])
			good = take_name(search, directory, name, i < search->exact_count);
		if (name->key[0] && good)
			good = rs_symbol_store_find(search->listings, directory, &wanted, take_stored, search);
		if (name->build_id[0] && good)
			good = take_entry(search, directory, name->build_id);
	}
	if (search->recorded && name->recorded[0] && good)
		search->take(search->context, name->recorded);
	return good;
}
