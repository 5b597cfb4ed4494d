// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/places.h"
#include "log/archive/archive.h"
#include "search/debug-names.h"
#include "search/path.h"
#include "tool/files/file.h"
#include "rossym.h"
#include "tool/diag.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* How many entries of directories are read to find out what the current directory is.  A build directory of ReactOS has
   about 100,000, and the first module comes after some hundred of them.  Opening a file counts as ENTRIES_FOR_A_FILE
   entries.  Without d_type, as on Windows, each entry needs a second system call, which is slow there. */
#ifdef HAVE_STRUCT_DIRENT_D_TYPE
enum { ENTRIES_MAX = 50000 };
#else
enum { ENTRIES_MAX = 5000 };
#endif
enum { ENTRIES_FOR_A_FILE = 50, DEPTH_MAX = 8 };

/* Read the next entry of DIRECTORY, and subtract 1 from *LEFT, the number of entries that may still be read.  Returns
   NULL if there is no entry, if *LEFT is 0, or if DIRECTORY is NULL because it could not be opened. */
static const struct dirent *read_next_entry(DIR *directory, unsigned *left)
{
	if (!directory || *left == 0)
		return NULL;
	(*left)--;
	return rs_entry_read_next(directory);
}

/* ------------------------------------------------------------------------------ recognizing a build directory */

static bool is_module_name(const char *name)
{
	return archive_name_ends_with(name, ".exe") || archive_name_ends_with(name, ".dll") ||
	       archive_name_ends_with(name, ".sys");
}

/* Whether the file PATH is an image with a table.  DEBUG_INFO: an image that has debug information, or names a file
   that should have it, counts, too.  Subtracts ENTRIES_FOR_A_FILE from *LEFT. */
static bool is_image_with_symbols(const char *path, bool debug_info, unsigned *left)
{
	const struct rossym_open_options headers = { .size = sizeof headers, .flags = ROSSYM_OPEN_HEADERS };
	struct rossym_debug_reference reference = { .size = sizeof reference };
	struct rossym_image *image;
	struct rossym_error err;
	*left -= *left < ENTRIES_FOR_A_FILE ? *left : ENTRIES_FOR_A_FILE;
	bool is = rossym_open(path, NULL, &image, &err) == 0;
	if (!is && (!debug_info || err.code != ROSSYM_ENOSYMS || rossym_open(path, &headers, &image, NULL) < 0))
		return false;
	is = is || rs_image_has_dwarf_or_stabs(image) || rossym_get_debug_reference(image, 0, &reference, NULL) > 0;
	rossym_close(image);
	return is;
}

/* Whether there is a module exactly LEVELS directories below PATH.  Directories called CMakeFiles are skipped: CMake
   puts object files there, and most files are object files. */
static bool has_module(const char *path, unsigned levels, bool debug_info, unsigned *left)
{
	bool found = false;
	DIR *directory = opendir(path);
	const struct dirent *entry;
	while (!found && (entry = read_next_entry(directory, left)) != NULL) {
		if (levels == 0 ? !is_module_name(entry->d_name) : strcmp(entry->d_name, "CMakeFiles") == 0)
			continue;
		char *child = rs_entry_make_path(path, entry->d_name);
		enum entry kind = child ? entry_kind(entry, child) : ENTRY_OTHER;
		found = levels == 0 ? kind == ENTRY_FILE && is_image_with_symbols(child, debug_info, left)
				    : kind == ENTRY_DIRECTORY && has_module(child, levels - 1, debug_info, left);
		rossym_free(child);
	}
	if (directory)
		closedir(directory);
	return found;
}

/* Whether the current directory is a build directory with a module.  Searches level after level: large parts of the
   directory have no modules, and the others have them only a few levels below. */
static bool is_build_directory(bool debug_info, unsigned *left)
{
	if (access("build.ninja", F_OK) < 0 && access("CMakeCache.txt", F_OK) < 0)
		return false;
	for (unsigned levels = 0; levels <= DEPTH_MAX && *left > 0; levels++)
		if (has_module(".", levels, debug_info, left))
			return true;
	return false;
}

/* ---------------------------------------------------------------------------- recognizing the content of an ISO */

/* Find an entry of KIND in DIRECTORY that is called NAME, without regard to case.  Returns its path, which the caller
   must free, or NULL if there is none. */
static char *find_entry(const char *directory, const char *name, enum entry kind, unsigned *left)
{
	char *found = NULL;
	DIR *open = opendir(directory);
	const struct dirent *entry;
	while (!found && (entry = read_next_entry(open, left)) != NULL) {
		if (strcasecmp(entry->d_name, name) != 0)
			continue;
		found = rs_entry_make_path(directory, entry->d_name);
		if (found && entry_kind(entry, found) != kind) {
			rossym_free(found);
			found = NULL;
		}
	}
	if (open)
		closedir(open);
	return found;
}

static bool has_file(const char *directory, const char *name, unsigned *left)
{
	char *path = find_entry(directory, name, ENTRY_FILE, left);
	bool has = path != NULL;
	rossym_free(path);
	return has;
}

/* Whether the current directory has the content of an ISO: of an installation medium, which has a cabinet or the kernel
   in reactos/, or of a live medium, which has the kernel in reactos/system32/. */
static bool has_iso_content(unsigned *left)
{
	char *reactos = find_entry(".", "reactos", ENTRY_DIRECTORY, left);
	char *system32 = reactos ? find_entry(reactos, "system32", ENTRY_DIRECTORY, left) : NULL;
	bool is = (reactos && (has_file(reactos, "reactos.cab", left) || has_file(reactos, "ntoskrnl.exe", left))) ||
		  (system32 && has_file(system32, "ntoskrnl.exe", left));
	rossym_free(reactos);
	rossym_free(system32);
	return is;
}

/* --------------------------------------------------------------------------- going through all places */

bool places_add(struct search_path *places, bool debug_info)
{
	const char *list = getenv("ROSSYM_PATH");
	unsigned left = ENTRIES_MAX;
	bool good = search_path_add(places, list);
	if (places->count > 0)
		diag("no -e or -d: looking for modules in ROSSYM_PATH, %s", list);
	const char *what = !good || places->count > 0		   ? NULL
			   : is_build_directory(debug_info, &left) ? "a build directory"
			   : has_iso_content(&left)		   ? "the content of an ISO"
								   : NULL;
	if (what) {
		diag("no -e or -d: looking for modules in the current directory, which looks like %s", what);
		good = search_path_add_one(places, ".", 1);
	}
	return good || diag_report_no_memory();
}
