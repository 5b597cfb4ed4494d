/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of a directory: found without regard to case, and read once. */
#include "config.h"
#include "search/listings.h"
#include "rossym.h"
#include "tests/lib/files.h"
#include "tests/lib/tap.h"

/* The path of NAME in the current directory is WANT; NULL: there is none. */
static void is_found(struct listings *listings, const char *name, const char *want)
{
	char *path = NULL;
	ok(rs_listings_find_path(listings, "", name, &path) && (want ? path && strcmp(path, want) == 0 : !path),
	   "%s is %s", name, want ? want : "not there");
	rossym_free(path);
}

/* The entries of DIRECTORY that begin with the LENGTH bytes at PREFIX are WANT, each with a blank after it. */
static void are_found(struct listings *listings, const char *directory, const char *prefix, size_t length,
		      const char *want)
{
	char text[256] = "", **names;
	size_t count;
	ok(rs_listings_find_names(listings, directory, prefix, length, &names, &count), "a listing of %s", directory);
	for (size_t i = 0; i < count; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s ", names[i]);
	is_str(text, want, "which begin as asked");
}

int main(void)
{
	static const char *const files[] = { "a.PDB", "A.pdb", "ab.pdb", "B", "A", "c.pdb" };
	struct listings listings = { .count = 0 };
	const char *directory = files_enter_directory();
	if (!directory)
		return skip_all("no temporary directory");
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		files_write(files[i], "", 0);
	is_found(&listings, "A.pdb", "A.pdb");
	is_found(&listings, "A.PDB", "A.pdb");
	is_found(&listings, "AB.pdb", "ab.pdb");
	is_found(&listings, "a.pd", NULL);
	are_found(&listings, ".", "a", 1, "A A.pdb a.PDB ab.pdb ");
	are_found(&listings, ".", "A", 2, "A ");
	are_found(&listings, ".", "a.PDB", 6, "A.pdb a.PDB ");
	are_found(&listings, ".", "d", 1, "");
	are_found(&listings, "none", "a", 1, "");
	is_uint(listings.count, 2, "a directory that cannot be read is not remembered");

	files_write("d.pdb", "", 0);
	is_found(&listings, "D.pdb", NULL);
	is_found(&listings, "d.pdb", "d.pdb");
	is_uint(listings.items[0].count, 6, "the directory was read once");
	rs_listings_clear(&listings);
	files_leave_directory(directory);
	return done_testing();
}
