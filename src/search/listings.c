// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "search/listings.h"
#include "search/path.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "compat/bisect.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "compat/compat.h"

enum { NAMES_MAX = 1 << 20 }; /* the most entries of a directory that are read */

static int compare_names(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	const int alike = strcasecmp(x, y);
	return alike ? alike : strcmp(x, y);
}

static void clear_listing(struct listing *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		rs_free(listing->names[i]);
	rs_free(listing->names);
	rs_free(listing->directory);
}

/* Read the names of the entries of the directory OPEN into LISTING, and sort them.  False: no memory. */
static bool read_and_sort_names(struct listing *listing, DIR *open)
{
	const struct dirent *entry;
	while (listing->count < NAMES_MAX && (entry = rs_entry_read_next(open)) != NULL) {
		char *name;
		if (rs_array_grow(&listing->names, &listing->room, listing->count, sizeof *listing->names) < 0 ||
		    !(name = rs_copy_text(entry->d_name)))
			return false;
		listing->names[listing->count] = name;
		listing->count++;
	}
	if (listing->count > 0)
		qsort(listing->names, listing->count, sizeof *listing->names, compare_names);
	return true;
}

/* Store in *RET the listing of DIRECTORY, read now if necessary; NULL if it cannot be read.  False: no memory. */
static bool find_or_read_listing(struct listings *listings, const char *directory, const struct listing **ret)
{
	size_t at;
	BISECT(at, listings->count, strcmp(listings->items[at].directory, directory) < 0);
	*ret = NULL;
	if (at < listings->count && strcmp(listings->items[at].directory, directory) == 0) {
		*ret = &listings->items[at];
		return true;
	}
	DIR *open = opendir(directory[0] ? directory : ".");
	if (!open)
		return true;
	struct listing listing = { .directory = rs_copy_text(directory) };
	bool good = listing.directory && read_and_sort_names(&listing, open);
	closedir(open);
	if (!good || rs_array_grow(&listings->items, &listings->room, listings->count, sizeof *listings->items) < 0) {
		clear_listing(&listing);
		return false;
	}
	struct listing *items = listings->items;
	memmove(items + at + 1, items + at, (listings->count++ - at) * sizeof *items);
	items[at] = listing;
	*ret = &items[at];
	return true;
}

/* Returns the index of the first name that begins, without regard to case, with the LENGTH bytes at PREFIX; if AFTER,
   the index after the last such name.  If there is no such name, both indexes are equal. */
static size_t find_prefix_bound(const struct listing *listing, const char *prefix, size_t length, bool after)
{
	size_t at;
	BISECT(at, listing->count, strncasecmp(listing->names[at], prefix, length) < (after ? 1 : 0));
	return at;
}

bool rs_listings_find_names(struct listings *listings, const char *directory, const char *prefix, size_t length,
			    char ***names, size_t *count)
{
	const struct listing *listing;
	*names = NULL;
	*count = 0;
	if (!find_or_read_listing(listings, directory, &listing))
		return false;
	if (!listing)
		return true;
	const size_t first = find_prefix_bound(listing, prefix, length, false);
	*names = listing->names + first;
	*count = find_prefix_bound(listing, prefix, length, true) - first;
	return true;
}

bool rs_listings_find_path(struct listings *listings, const char *directory, const char *name, char **ret)
{
	struct stat st;
	char **names;
	size_t count;
	*ret = rs_entry_make_path(directory, name);
	if (!*ret || stat(*ret, &st) == 0)
		return *ret != NULL;
	rs_free(*ret);
	*ret = NULL;
	if (!rs_listings_find_names(listings, directory, name, strlen(name) + 1, &names, &count))
		return false;
	/* Take the first name in byte order, so that the result does not depend on the order of the entries. */
	return count == 0 || (*ret = rs_entry_make_path(directory, names[0])) != NULL;
}

void rs_listings_clear(struct listings *listings)
{
	for (size_t i = 0; i < listings->count; i++)
		clear_listing(&listings->items[i]);
	rs_free(listings->items);
	*listings = (struct listings){ .items = NULL };
}
