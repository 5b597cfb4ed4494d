// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "search/symbol-store.h"
#include "search/path.h"
#include "search/listings.h"
#include "lib/base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

struct store_search {
	struct listings *listings;
	const struct symbol_store_wanted *wanted;
	bool (*take)(void *context, const char *path);
	void *context;
	bool done; /* nothing more is searched: `take` has returned false, or there is no memory */
	bool no_memory;
};

/* If PATH is NULL, record that there is no memory.  Returns PATH. */
static char *note_lack_of_memory(struct store_search *search, char *path)
{
	search->no_memory |= !path;
	search->done |= !path;
	return path;
}

/* If the directory DIRECTORY/KEY has the wanted file, call search->take() with its path. */
static void visit_stored_file(struct store_search *search, const char *directory, const char *key)
{
	struct stat st;
	char *build = note_lack_of_memory(search, rs_entry_make_path(directory, key)), *path = NULL;
	if (build && !rs_listings_find_path(search->listings, build, search->wanted->name, &path))
		note_lack_of_memory(search, NULL);
	if (path && stat(path, &st) == 0 && S_ISREG(st.st_mode))
		search->done |= !search->take(search->context, path);
	rs_free(build);
	rs_free(path);
}

/* Find the entries of DIRECTORY whose names begin with the LENGTH bytes at PREFIX, as rs_listings_find_names() does.
   Returns how many; 0 if there is no memory. */
static size_t find_names_with_prefix(struct store_search *search, const char *directory, const char *prefix,
				     size_t length, char ***names)
{
	size_t count;
	search->no_memory |= !rs_listings_find_names(search->listings, directory, prefix, length, names, &count);
	search->done |= search->no_memory;
	return count;
}

/* Visit the wanted file in DIRECTORY/NAME/KEY for each KEY that matches, the one with the same letter case first. */
static void visit_matching_builds(struct store_search *search, const char *directory, const char *name)
{
	const struct symbol_store_wanted *wanted = search->wanted;
	const size_t length = strlen(wanted->key) + !wanted->beginning;
	char *path = note_lack_of_memory(search, rs_entry_make_path(directory, name)), **keys;
	const bool exists = path && access(path, F_OK) == 0;
	if (exists && !wanted->beginning)
		visit_stored_file(search, path, wanted->key);
	const size_t count = exists && !search->done ? find_names_with_prefix(search, path, wanted->key, length, &keys)
						     : 0;
	for (size_t i = 0; i < count && !search->done; i++)
		if (wanted->beginning || strcmp(keys[i], wanted->key) != 0)
			visit_stored_file(search, path, keys[i]);
	rs_free(path);
}

/* Call STEP for each entry of DIRECTORY whose name differs from NAME only in case. */
static void visit_names_of_other_case(struct store_search *search, const char *directory, const char *name,
				      void (*step)(struct store_search *search, const char *directory,
						   const char *name))
{
	char **names;
	const size_t count = search->done ? 0
					  : find_names_with_prefix(search, directory, name, strlen(name) + 1, &names);
	for (size_t i = 0; i < count && !search->done; i++)
		if (strcmp(names[i], name) != 0)
			step(search, directory, names[i]);
}

/* Search DIRECTORY/LETTERS, a directory that only stores with index2.txt have. */
static void search_letters_directory(struct store_search *search, const char *directory, const char *letters)
{
	char *path = note_lack_of_memory(search, rs_entry_make_path(directory, letters));
	if (path) {
		visit_matching_builds(search, path, search->wanted->name);
		visit_names_of_other_case(search, path, search->wanted->name, visit_matching_builds);
	}
	rs_free(path);
}

bool rs_symbol_store_find_files(struct listings *listings, const char *directory,
				const struct symbol_store_wanted *wanted, bool (*take)(void *context, const char *path),
				void *context)
{
	struct store_search search = { .listings = listings, .wanted = wanted, .take = take, .context = context };
	char letters[3];
	/* Names come from logs and images, and must not lead out of the store. */
	if (wanted->name[0] == '.' || strpbrk(wanted->name, "/\\:"))
		return true;
	snprintf(letters, sizeof letters, "%.2s", wanted->name);
	visit_matching_builds(&search, directory, wanted->name);
	if (!search.done)
		search_letters_directory(&search, directory, letters);
	/* Read all names last: this is slow in a large store, and nearly always names have the wanted case. */
	visit_names_of_other_case(&search, directory, wanted->name, visit_matching_builds);
	visit_names_of_other_case(&search, directory, letters, search_letters_directory);
	return !search.no_memory;
}
