// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/dwo.h"
#include "embed/hear.h"
#include "tool/debug-names.h"
#include "tool/diag.h"
#include "tool/isolate.h"
#include "tool/paths.h"
#include "tool/sandbox.h"
#include "tool/text.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits that no real image reaches. */
enum { LONGEST_LIST = 1 << 22 };
#define LARGEST_FILE ((uint64_t)256 << 20)

/* ------------------------------------------------------------------------------------------- their paths */

struct listing {
	const struct places *places;
	struct text *paths;	/* where they go; each with its NUL */
	int fd;			/* where the child sends them */
};

/* Add the path that the image records; or only its last part, if the rest does not count. */
static void add_path(void *context, const char *directory, const char *path)
{
	const struct listing *listing = context;
	struct text *paths = listing->paths;
	if (paths->length > LONGEST_LIST)
		return;
	const bool is_absolute = path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
	if (listing->places->recorded && directory[0] && !is_absolute) {
		text_add(paths, directory);
		text_add_char(paths, '/');
	}
	text_add(paths, listing->places->recorded ? path : debug_path_last_part(path));
	text_add_char(paths, '\0');
}

#ifdef HAVE_FORK

static void send_path(void *context, const char *directory, const char *path)
{
	const struct listing *listing = context;
	listing->paths->length = 0;
	add_path(context, directory, path);
	if (listing->paths->no_memory || !wait_write(listing->fd, listing->paths->bytes, listing->paths->length))
		_exit(1);
}

static void receive(struct hearing *hearing, struct text *paths)
{
	char buffer[4096];
	size_t n;
	while (paths->length <= LONGEST_LIST && (n = hear(hearing, buffer, sizeof buffer)) > 0)
		if (!text_add_bytes(paths, buffer, n))
			break;
}

/* Send the paths that IMAGE has, or FILES for it, to the descriptor of LISTING.  Runs in the child. */
static void send_paths(const struct file *image, const struct files *files, struct listing *listing)
{
	const struct debuginfo_options options = { .wants_dwo = send_path, .context = listing, .files = files->items,
						   .file_count = files->count };
	int *const own[] = { &listing->fd };
	if (!isolate(own, 1))
		_exit(1);
	sandbox_child(image->size + (size_t)files->size);
	debuginfo_list_dwos(image->bytes, image->size, &options);
	_exit(0);
}

static bool fail(const char *path, const char *what)
{
	diag("%s: %s: %s", path, what, strerror(errno));
	return false;
}

/* Store the paths of the image in the text of LISTING.  If the child fails, the paths that it has sent so far must do: the child that
   makes the table will meet the same bytes, and say what is wrong.  Returns false, after a message, if there can be no child. */
static bool list_paths(struct listing *listing, const struct file *image, const struct files *files)
{
	const char *path = listing->places->image;
	int ends[2];
	if (pipe(ends) < 0)
		return fail(path, "cannot make a pipe");
	pid_t child = fork();
	listing->fd = ends[1];
	if (child == 0)
		send_paths(image, files, listing);
	if (child < 0)
		fail(path, "cannot start a process");
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return false;
	}
	struct hearing hearing;
	hear_begin(&hearing, child, ends[0], image->size + (size_t)files->size);
	receive(&hearing, listing->paths);
	hear_end(&hearing);
	return true;
}

#else

static bool list_paths(struct listing *listing, const struct file *image, const struct files *files)
{
	const struct debuginfo_options options = { .wants_dwo = add_path, .context = listing, .files = files->items,
						   .file_count = files->count };
	debuginfo_list_dwos(image->bytes, image->size, &options);
	return true;
}

#endif

struct recorded {
	const char *path, *name;	/* NAME is the last part */
};

/* Order by name, as debuginfo_options wants it. */
static int by_name(const void *a, const void *b)
{
	const struct recorded *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : strcmp(x->path, y->path);
}

/* Return the paths in PATHS whose last part is a plain name, each once, sorted; NULL if memory runs out.  They point into PATHS. */
static struct recorded *sort_paths(const struct text *paths, size_t *ret_count)
{
	size_t count = 0, kept = 0;
	for (size_t i = 0; i < paths->length; i++)
		count += paths->bytes[i] == '\0';
	struct recorded *list = malloc((count + 1) * sizeof *list);
	const char *path = paths->bytes;
	if (!list)
		return NULL;
	for (size_t i = 0; i < count; i++, path += strlen(path) + 1) {
		list[kept] = (struct recorded){ path, debug_path_last_part(path) };
		kept += debug_name_is_plain(list[kept].name);
	}
	if (kept)
		qsort(list, kept, sizeof *list, by_name);
	*ret_count = 0;
	for (size_t i = 0; i < kept; i++)
		if (i == 0 || by_name(&list[i], &list[i - 1]) != 0)
			list[(*ret_count)++] = list[i];
	return list;
}

/* ------------------------------------------------------------------------------------------- their bytes */

static bool may_be_split(const struct file *image, const struct files *files)
{
	bool split = debuginfo_may_be_split(image->bytes, image->size);
	for (uint32_t i = 0; i < files->count && !split; i++)
		split = debuginfo_may_be_split(files->items[i].bytes, files->items[i].size);
	return split;
}

/* Add the files called NAME in the directory of the image and in those that the user named. */
static bool add_named(struct files *dwos, const struct places *places, const char *name)
{
	const size_t beside = (size_t)(paths_base(places->image) - places->image);
	bool good = files_add(dwos, places->image, beside, name, LARGEST_FILE, NULL);
	for (uint32_t i = 0; i < places->directory_count && good; i++)
		good = files_add(dwos, places->directories[i], strlen(places->directories[i]), name, LARGEST_FILE, NULL);
	return good;
}

/* Add the file at PATH, which the image records, unless it is one of those from number FIRST on. */
static bool add_recorded(struct files *dwos, uint32_t first, const char *path)
{
	if (!debug_path_is_local(path))
		return true;
	for (uint32_t i = first; i < dwos->count; i++)
		if (file_is_same(dwos->items[i].path, path))
			return true;
	return files_add(dwos, "", 0, path, LARGEST_FILE, NULL);
}

bool dwo_read(struct files *dwos, const struct file *image, const struct files *files, const struct places *places)
{
	struct text paths = { .length = 0 };
	struct listing listing = { .places = places, .paths = &paths };
	size_t count = 0;
	uint32_t first = 0;
	bool good = true;
	if (!may_be_split(image, files))
		return true;
	if (!list_paths(&listing, image, files))
		return false;
	struct recorded *list = sort_paths(&paths, &count);
	if (!list || paths.no_memory) {
		diag_no_memory();
		good = false;
	}
	for (size_t i = 0; i < count && good; i++) {
		if (i == 0 || strcmp(list[i].name, list[i - 1].name) != 0) {
			first = dwos->count;
			good = add_named(dwos, places, list[i].name);
		}
		if (good && places->recorded)
			good = add_recorded(dwos, first, list[i].path);
	}
	free(list);
	text_clear(&paths);
	return good;
}
