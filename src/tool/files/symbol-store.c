// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/files/symbol-store.h"
#include "tool/files/entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

struct store_search {
	const struct symbol_store_wanted *wanted;
	bool (*take)(void *context, const char *path);
	void *context;
	bool done; /* TAKE has returned false, or there is no memory */
	bool no_memory;
};

/* Returns PATH, and notes a lack of memory if it is NULL. */
static char *check_memory(struct store_search *search, char *path)
{
	search->no_memory |= !path;
	search->done |= !path;
	return path;
}

/* Whether to search the directory NAME.  If the wanted key is only the beginning of a key, NAME must begin with it.
   Else NAME must differ from the key, but only in case: the key itself has been tried by then. */
static bool is_key(const struct symbol_store_wanted *wanted, const char *name)
{
	if (wanted->beginning)
		return strncasecmp(name, wanted->key, strlen(wanted->key)) == 0;
	return strcasecmp(name, wanted->key) == 0 && strcmp(name, wanted->key) != 0;
}

/* If DIRECTORY/KEY has the wanted file, call TAKE for it. */
static void find_file(struct store_search *search, const char *directory, const char *key)
{
	struct stat st;
	char *build = check_memory(search, entry_path(directory, key)), *path = NULL;
	if (build && !entry_find(build, search->wanted->name, &path))
		check_memory(search, NULL);
	if (path && stat(path, &st) == 0 && S_ISREG(st.st_mode))
		search->done |= !search->take(search->context, path);
	free(build);
	free(path);
}

/* Call TAKE for the wanted files at DIRECTORY/NAME/KEY, for each KEY that matches; first for the one in
   the wanted case. */
static void find_builds(struct store_search *search, const char *directory, const char *name)
{
	const struct dirent *entry;
	char *path = check_memory(search, entry_path(directory, name));
	DIR *builds = path ? opendir(path) : NULL;
	if (builds && !search->wanted->beginning)
		find_file(search, path, search->wanted->key);
	while (builds && !search->done && (entry = entry_next(builds)) != NULL)
		if (is_key(search->wanted, entry->d_name))
			find_file(search, path, entry->d_name);
	if (builds)
		closedir(builds);
	free(path);
}

/* A step of find_alike(): call SEARCH for each entry of a directory whose name differs from NAME, but only in case. */
struct step {
	const char *name;
	void (*search)(struct store_search *search, const char *directory, const char *name);
};

/* Read all entries of DIRECTORY once, and do each of the COUNT STEPS for the entries that match it. */
static void find_alike(struct store_search *search, const char *directory, const struct step *steps, unsigned count)
{
	const struct dirent *entry;
	DIR *names = search->done ? NULL : opendir(directory);
	while (names && !search->done && (entry = entry_next(names)) != NULL)
		for (unsigned i = 0; i < count; i++)
			if (strcasecmp(entry->d_name, steps[i].name) == 0 && strcmp(entry->d_name, steps[i].name) != 0)
				steps[i].search(search, directory, entry->d_name);
	if (names)
		closedir(names);
}

/* Search DIRECTORY/LETTERS; only a store with index2.txt has such directories. */
static void find_below(struct store_search *search, const char *directory, const char *letters)
{
	const struct step step = { search->wanted->name, find_builds };
	char *path = check_memory(search, entry_path(directory, letters));
	if (path) {
		find_builds(search, path, search->wanted->name);
		find_alike(search, path, &step, 1);
	}
	free(path);
}

void symbol_store_letters(const char *name, char letters[3])
{
	snprintf(letters, 3, "%.2s", name);
}

bool symbol_store_find(const char *directory, const struct symbol_store_wanted *wanted,
		       bool (*take)(void *context, const char *path), void *context)
{
	struct store_search search = { .wanted = wanted, .take = take, .context = context };
	char letters[3];
	/* Names come from logs and images, and must not lead out of the store. */
	if (wanted->name[0] == '.' || strpbrk(wanted->name, "/\\:"))
		return true;
	symbol_store_letters(wanted->name, letters);
	find_builds(&search, directory, wanted->name);
	if (!search.done)
		find_below(&search, directory, letters);
	/* Reading all names of a large store is slow, so it comes last: nearly always the names
	   have the wanted case. */
	const struct step steps[] = { { wanted->name, find_builds }, { letters, find_below } };
	find_alike(&search, directory, steps, 2);
	return !search.no_memory;
}
