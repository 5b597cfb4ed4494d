// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/dwo.h"
#include "embed/hear.h"
#include "tool/diag.h"
#include "tool/paths.h"
#include "tool/sandbox.h"
#include "tool/text.h"
#include "tool/wait.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits that no real image reaches. */
enum { LONGEST_NAME = 255, LONGEST_LIST = 1 << 20 };
#define LARGEST_FILE ((uint64_t)256 << 20)
#define LARGEST_SUM ((uint64_t)1 << 30)

/* ------------------------------------------------------------------------------------------- their names */

#ifdef HAVE_FORK

static void send_name(void *context, const char *name)
{
	const int *fd = context;
	if (!wait_write(*fd, name, strlen(name) + 1))
		_exit(1);
}

static void receive(struct hearing *hearing, struct text *names)
{
	char buffer[4096];
	size_t n;
	while (names->length <= LONGEST_LIST && (n = hear(hearing, buffer, sizeof buffer)) > 0)
		if (!text_add_bytes(names, buffer, n))
			break;
}

/* Store the names that IMAGE has in NAMES, each with its NUL.  If the child fails, the names that it has sent so far
   must do: the child that makes the table will meet the same bytes, and say what is wrong. */
static void list_names(const struct file *image, struct text *names)
{
	int ends[2];
	if (pipe(ends) < 0)
		return;
	pid_t child = fork();
	if (child == 0) {
		struct debuginfo_options options = { .wants_dwo = send_name, .context = &ends[1] };
		close(ends[0]);
		sandbox_child(image->size);
		debuginfo_list_dwos(image->bytes, image->size, &options);
		_exit(0);
	}
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return;
	}
	struct hearing hearing;
	hear_begin(&hearing, child, ends[0], image->size);
	receive(&hearing, names);
	hear_end(&hearing);
}

#else

static void add_name(void *context, const char *name)
{
	struct text *names = context;
	if (names->length <= LONGEST_LIST)
		text_add_bytes(names, name, strlen(name) + 1);
}

static void list_names(const struct file *image, struct text *names)
{
	struct debuginfo_options options = { .wants_dwo = add_name, .context = names };
	debuginfo_list_dwos(image->bytes, image->size, &options);
}

#endif

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether NAME is the name of a file in a directory on every system: no path, no drive, no stream of NTFS. */
static bool is_plain(const char *name)
{
	return name[0] && name[0] != '.' && strlen(name) <= LONGEST_NAME && !strpbrk(name, "/\\:");
}

/* Return the plain names in NAMES, each once, sorted; NULL if memory runs out.  They point into NAMES. */
static const char **sort_names(const struct text *names, size_t *ret_count)
{
	size_t count = 0, kept = 0;
	for (size_t i = 0; i < names->length; i++)
		count += names->bytes[i] == '\0';
	const char **list = malloc((count + 1) * sizeof *list), *name = names->bytes;
	if (!list)
		return NULL;
	for (size_t i = 0; i < count; i++, name += strlen(name) + 1)
		if (is_plain(name))
			list[kept++] = name;
	if (kept)
		qsort(list, kept, sizeof *list, by_text);
	*ret_count = 0;
	for (size_t i = 0; i < kept; i++)
		if (i == 0 || strcmp(list[i], list[i - 1]) != 0)
			list[(*ret_count)++] = list[i];
	return list;
}

/* ------------------------------------------------------------------------------------------- their bytes */

/* Add the file NAME in a directory, the first LENGTH bytes of DIRECTORY, if it is there.  Returns false after a
   message. */
static bool read_one(struct dwo_files *files, const char *directory, size_t length, const char *name)
{
	struct text path = { .length = 0 };
	struct file file;
	bool good = false;
	text_add_bytes(&path, directory, length);
	if (length && directory[length - 1] != '/')
		text_add_char(&path, '/');
	text_add(&path, name);
	struct debuginfo_file *items = realloc(files->items, (files->count + (size_t)1) * sizeof *items);
	if (items)
		files->items = items;
	if (!items || path.no_memory) {
		diag_no_memory();
		goto out;
	}
	good = true;
	if (stat(path.bytes, &file.st) < 0)
		goto out;
	if (!S_ISREG(file.st.st_mode)) {
		diag_warning("%s: not a regular file; it is not read", path.bytes);
		goto out;
	}
	if ((uint64_t)file.st.st_size > LARGEST_FILE || (uint64_t)file.st.st_size > LARGEST_SUM - files->size) {
		diag_warning("%s: too large; it is not read", path.bytes);
		goto out;
	}
	good = file_read(path.bytes, &file);
	if (!good)
		goto out;
	files->items[files->count++] = (struct debuginfo_file){ path.bytes, file.bytes, file.size, .named = false };
	files->size += file.size;
	return true;
out:
	text_clear(&path);
	return good;
}

bool dwo_read(struct dwo_files *files, const struct file *image, const struct dwo_places *places)
{
	struct text names = { .length = 0 };
	size_t count = 0, beside = (size_t)(paths_base(places->image) - places->image);
	bool good = true;
	if (!debuginfo_may_be_split(image->bytes, image->size))
		return true;
	list_names(image, &names);
	const char **list = sort_names(&names, &count);
	if (!list || names.no_memory) {
		diag_no_memory();
		good = false;
	}
	for (size_t i = 0; i < count && good; i++) {
		good = read_one(files, places->image, beside, list[i]);
		for (uint32_t k = 0; k < places->directory_count && good; k++)
			good = read_one(files, places->directories[k], strlen(places->directories[k]), list[i]);
	}
	free(list);
	text_clear(&names);
	return good;
}

void dwo_clear(struct dwo_files *files)
{
	for (uint32_t i = 0; i < files->count; i++) {
		const union { const void *from; void *to; } path = { files->items[i].path }, bytes = { files->items[i].bytes };
		free(path.to);
		free(bytes.to);
	}
	free(files->items);
}
