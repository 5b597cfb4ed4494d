// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/store.h"
#include "log/entry.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Call TAKE for the file NAME below PATH/KEY, if there is one.  *GO_ON becomes what TAKE returns.  False: no memory. */
static bool take_file(const char *path, const char *key, const char *name, bool (*take)(void *context, const char *path),
		      void *context, bool *go_on)
{
	struct stat st;
	char *build = entry_path(path, key), *file = build ? entry_path(build, name) : NULL;
	if (file && stat(file, &st) == 0 && S_ISREG(st.st_mode))
		*go_on = take(context, file);
	free(build);
	free(file);
	return file != NULL;
}

/* Call TAKE for each build below DIRECTORY/NAME whose key begins with KEY, as long as *GO_ON.  False: no memory. */
static bool take_builds(const char *directory, const char *name, const char *key, bool (*take)(void *context, const char *path),
			void *context, bool *go_on)
{
	char *path = entry_path(directory, name);
	if (!path)
		return false;
	bool good = true;
	const struct dirent *entry;
	DIR *builds = opendir(path);
	while (builds && good && *go_on && (entry = entry_next(builds)) != NULL)
		if (strncasecmp(entry->d_name, key, strlen(key)) == 0)
			good = take_file(path, entry->d_name, name, take, context, go_on);
	if (builds)
		closedir(builds);
	free(path);
	return good;
}

bool store_find(const char *directory, const char *name, const char *key, bool (*take)(void *context, const char *path),
		void *context)
{
	/* Names come from logs and images, which must not lead anywhere else. */
	if (name[0] == '.' || strpbrk(name, "/\\:"))
		return true;
	bool go_on = true, good = take_builds(directory, name, key, take, context, &go_on);
	/* Only now read the names of all files in the store: nearly always they are in lower case. */
	const struct dirent *entry;
	DIR *names = good && go_on ? opendir(directory) : NULL;
	while (names && good && go_on && (entry = entry_next(names)) != NULL)
		if (strcasecmp(entry->d_name, name) == 0 && strcmp(entry->d_name, name) != 0)
			good = take_builds(directory, entry->d_name, key, take, context, &go_on);
	if (names)
		closedir(names);
	return good;
}
