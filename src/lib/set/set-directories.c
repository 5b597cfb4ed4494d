// SPDX-License-Identifier: GPL-2.0-or-later
/* set-directories.c - looks for images in the directories that the options of a set name */
#include "config.h"
#include "lib/set/set.h"
#include "lib/base/error.h"
#include "search/path.h"
#include "search/symbol-store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A search for the files that WANTED describes.  The function TAKE gets their paths. */
struct directory_search {
	int (*take)(void *context, const char *path, struct rossym_error *err);
	void *context;
	struct rossym_error *err;
	int result; /* 0 or -1 */
};

/* Pass the file PATH to search->take, unless it is a directory, as in a symbol store.  Returns false when the search
   has ended. */
static bool pass_file(void *context, const char *path)
{
	struct directory_search *search = context;
	struct stat st;
	if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
		search->result = search->take(search->context, path, search->err);
	return search->result == 0;
}

/* Pass the entry NAME of DIRECTORY to search->take if it ends with SUFFIX, which is NULL or in lower case. */
static void pass_entry(struct directory_search *search, const char *directory, const char *name, const char *suffix)
{
	const size_t length = strlen(name), end = suffix ? strlen(suffix) : 0;
	char lower[RS_MODULE_NAME_LENGTH_MAX + 1];
	if (end > length || length > RS_MODULE_NAME_LENGTH_MAX ||
	    rs_normalize_module_name(name, length, lower) != length ||
	    (suffix && strcmp(lower + length - end, suffix) != 0))
		return;
	char *path = rs_entry_path(directory, name);
	if (path)
		pass_file(search, path);
	else
		search->result = rs_fail_memory(search->err);
	rossym_free(path);
}

/* If DIRECTORY is a symbol store, pass its files with the DateStamp and the length of WANTED to search->take. */
static void pass_stored_files(struct directory_search *search, struct listings *listings, const char *directory,
			      const struct rossym_wanted *wanted)
{
	char key[32];
	const struct symbol_store_wanted stored = { .name = wanted->name, .key = key };
	if (wanted->suffix || !wanted->time_date_stamp || !wanted->length)
		return;
	snprintf(key, sizeof key, "%08" PRIX32 "%" PRIx64, wanted->time_date_stamp, wanted->length);
	if (!rs_symbol_store_find(listings, directory, &stored, pass_file, search))
		search->result = rs_fail_memory(search->err);
}

int rs_set_search(struct rossym_set *set, const struct rossym_wanted *wanted,
		  int (*take)(void *context, const char *path, struct rossym_error *err), void *context,
		  struct rossym_error *err)
{
	struct directory_search search = { .take = take, .context = context, .err = err };
	const size_t length = strlen(wanted->name);
	for (size_t i = 0; i < set->files.options.directory_count && search.result == 0; i++) {
		const char *directory = set->files.directories[i];
		char **names;
		size_t count;
		if (!rs_listings_find(&set->listings, directory, wanted->name, wanted->suffix ? length : length + 1,
				      &names, &count))
			return rs_fail_memory(err);
		for (size_t k = 0; k < count && search.result == 0; k++)
			pass_entry(&search, directory, names[k], wanted->suffix);
		if (search.result == 0)
			pass_stored_files(&search, &set->listings, directory, wanted);
	}
	return search.result;
}
