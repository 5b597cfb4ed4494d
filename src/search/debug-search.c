// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "search/debug-search.h"
#include "search/path.h"
#include "search/symbol-store.h"
#include "lib/base/alloc.h"

#include <string.h>

/* Pass PATH, unless it is NULL, to search->take, and free it.  Returns GOOD: whether there was memory for PATH. */
static bool pass_path(struct debug_search *search, char *path, bool good)
{
	if (path)
		search->take(search->context, path);
	rs_free(path);
	return good;
}

static bool pass_entry(struct debug_search *search, const char *directory, const char *name)
{
	char *path = rs_entry_path(directory, name);
	return pass_path(search, path, path != NULL);
}

/* Pass the path of the file NAME in DIRECTORY to search->take.  The case of a PDB file's name counts only if EXACT. */
static bool pass_named_file(struct debug_search *search, const char *directory, const struct debug_name *name,
			    bool exact)
{
	char *path = NULL;
	if (!name->pdb || exact)
		return pass_entry(search, directory, name->name);
	const bool good = rs_listings_find_path(search->listings, directory, name->name, &path);
	return pass_path(search, path, good);
}

/* Pass the paths of the files called NAME beside the image to search->take. */
static bool pass_files_beside_image(struct debug_search *search, const struct debug_name *name)
{
	const size_t before = (size_t)(rs_path_base(search->image) - search->image);
	bool good = true;
	for (const char *const *place = rs_debug_names_beside; *place && good; place++) {
		char *directory = rs_alloc(before + strlen(*place) + 1, 1);
		if (!directory)
			return false;
		memcpy(directory, search->image, before);
		memcpy(directory + before, *place, strlen(*place) + 1);
		good = pass_named_file(search, directory, name, false);
		rs_free(directory);
	}
	return good;
}

/* The function `take` of rs_symbol_store_find(). */
static bool pass_stored_file(void *context, const char *path)
{
	const struct debug_search *search = context;
	search->take(search->context, path);
	return false;
}

bool rs_debug_search(struct debug_search *search, const struct debug_name *name)
{
	const struct symbol_store_wanted wanted = { .name = name->name, .key = name->key };
	bool good = !search->image || !name->name[0] || pass_files_beside_image(search, name);
	for (size_t i = 0; i < search->directory_count && good; i++) {
		const char *directory = search->directories[i];
		if (name->name[0])
			good = pass_named_file(search, directory, name, i < search->exact_count);
		if (name->key[0] && good)
			good = rs_symbol_store_find(search->listings, directory, &wanted, pass_stored_file, search);
		if (name->build_id[0] && good)
			good = pass_entry(search, directory, name->build_id);
	}
	if (search->recorded && name->recorded[0] && good)
		search->take(search->context, name->recorded);
	return good;
}
