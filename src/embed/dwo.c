// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/dwo.h"
#include "search/debug-names.h"
#include "tool/diag.h"
#include "tool/process/worker.h"
#include "search/path.h"
#include "tool/process/sandbox.h"
#include "tool/strbuf.h"

#include <stdlib.h>
#include <string.h>

/* Limits in bytes that no real image reaches: of the list of names, and of a file. */
enum { LIST_LENGTH_MAX = 1 << 20 };
#define FILE_SIZE_MAX ((uint64_t)256 << 20)

/* ------------------------------------------------------------------------------------------- their names */

/* Add NAME to NAMES, with its NUL.  Returns false if there are too many. */
static bool add_name(struct strbuf *names, const char *name)
{
	return names->length <= LIST_LENGTH_MAX && strbuf_add_bytes(names, name, strlen(name) + 1);
}

#ifdef HAVE_FORK

struct dwo_listing {
	const struct file_content *image;
	const struct files *files;
};

static void send_name(void *context, const char *name)
{
	const size_t length = strlen(name);
	if (length <= CHANNEL_TEXT_LENGTH_MAX)
		channel_send(context, CHANNEL_ITEM, NULL, 0, name, length);
}

/* The main function of the child: send the names of .dwo files that are in the image or in its files
   with debug information. */
static void send_names(void *context, struct channel *channel)
{
	const struct dwo_listing *listing = context;
	const struct file_content *image = listing->image;
	const struct files *files = listing->files;
	const struct debuginfo_options options = {
		.wants_dwo = send_name, .context = channel, .files = files->items, .file_count = files->count
	};
	sandbox_child(image->size + (size_t)files->size);
	channel_take(channel, CHANNEL_REQUEST, NULL, 0);
	rs_debuginfo_list_dwos(image->bytes, image->size, &options);
	channel_send(channel, CHANNEL_ANSWER, NULL, 0, NULL, 0);
}

static bool take_name(void *context, const void *head, const char *name, size_t length)
{
	(void)head, (void)length;
	return add_name(context, name);
}

/* Store in NAMES the names of .dwo files that are in IMAGE, whose path is PATH, or in FILES, each with its NUL.  If the
   child fails, the names that it has sent are used, without a message: the child that makes the table will fail at the
   same bytes, and its error is shown.  Returns false, after a message, if no child can be started. */
static bool list_names(const char *path, const struct file_content *image, const struct files *files,
		       struct strbuf *names)
{
	static const struct worker_job job = { .doing = "listing",
					       .item = { 0, CHANNEL_TEXT_LENGTH_MAX, LIST_LENGTH_MAX, true } };
	const struct worker_host host = { .item = take_name, .context = names };
	const struct worker_request request = { .patience = worker_patience(image->size + files->size) };
	struct dwo_listing listing = { image, files };
	struct worker_answer answer = { .head = NULL };
	struct worker worker;
	if (!worker_fork(&worker, &job, send_names, &listing, &answer.error)) {
		diag("%s: %s: %s", path, answer.error.what, strerror(answer.error.sys_errno));
		return false;
	}
	worker_ask(&worker, &request, &host, &answer);
	worker_end(&worker);
	return true;
}

#else

static void take_name(void *context, const char *name)
{
	add_name(context, name);
}

static bool list_names(const char *path, const struct file_content *image, const struct files *files,
		       struct strbuf *names)
{
	struct debuginfo_options options = {
		.wants_dwo = take_name, .context = names, .files = files->items, .file_count = files->count
	};
	(void)path;
	rs_debuginfo_list_dwos(image->bytes, image->size, &options);
	return true;
}

#endif

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns a list of the names in NAMES that are plain (rs_debug_name_is_plain()), sorted, each once; NULL: no memory.
   Its pointers are into NAMES. */
static const char **sort_names(const struct strbuf *names, size_t *ret_count)
{
	size_t count = 0, kept = 0;
	for (size_t i = 0; i < names->length; i++)
		count += names->bytes[i] == '\0';
	const char **list = malloc((count + 1) * sizeof *list), *name = names->bytes;
	if (!list)
		return NULL;
	for (size_t i = 0; i < count; i++, name += strlen(name) + 1)
		if (rs_debug_name_is_plain(name))
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

static bool may_be_split(const struct file_content *image, const struct files *files)
{
	const struct debuginfo_file file = files_item(NULL, image);
	bool split = rs_debuginfo_may_be_split(&file);
	for (uint32_t i = 0; i < files->count && !split; i++)
		split = rs_debuginfo_may_be_split(&files->items[i]);
	return split;
}

static bool add_from(struct files *dwos, const char *directory, size_t length, const char *name)
{
	return files_add(dwos, directory, length, name, FILE_SIZE_MAX, NULL);
}

/* Add the files called NAME in the directory of the image and in all directories of PLACES, as far as they exist.
   Returns false after a message. */
static bool add_everywhere(struct files *dwos, const struct places *places, const char *name)
{
	bool good = add_from(dwos, places->image, (size_t)(rs_path_base(places->image) - places->image), name);
	for (uint32_t i = 0; i < places->dwo_directory_count && good; i++)
		good = add_from(dwos, places->dwo_directories[i], strlen(places->dwo_directories[i]), name);
	for (uint32_t i = 0; i < places->directory_count && good; i++)
		good = add_from(dwos, places->directories[i], strlen(places->directories[i]), name);
	return good;
}

/* Add packages, files that have all .dwo files of an image: for the image X.EXE, X.EXE.dwp and X.dwp.  Returns false
   after a message. */
static bool add_packages(struct files *dwos, const struct places *places)
{
	const char *base = rs_path_base(places->image), *dot = strrchr(base, '.');
	const size_t lengths[] = { strlen(base), dot ? (size_t)(dot - base) : 0 };
	bool good = true;
	for (size_t i = 0; i < 2 && lengths[i] > 0 && good; i++) {
		struct strbuf name = { .length = 0 };
		strbuf_add_bytes(&name, base, lengths[i]);
		strbuf_add(&name, ".dwp");
		good = name.no_memory ? diag_out_of_memory() : add_everywhere(dwos, places, name.bytes);
		strbuf_clear(&name);
	}
	return good;
}

static int by_last_part(const void *a, const void *b)
{
	const struct debuginfo_file *left = a, *right = b;
	return strcmp(rs_path_base(left->path), rs_path_base(right->path));
}

bool dwo_read(struct files *dwos, const struct file_content *image, const struct files *files,
	      const struct places *places)
{
	struct strbuf names = { .length = 0 };
	size_t count = 0;
	bool good = true;
	if (!may_be_split(image, files))
		return true;
	if (!list_names(places->image, image, files, &names))
		return false;
	const char **list = sort_names(&names, &count);
	if (!list || names.no_memory) {
		diag_no_memory();
		good = false;
	}
	for (size_t i = 0; i < count && good; i++)
		good = add_everywhere(dwos, places, list[i]);
	good = good && add_packages(dwos, places);
	if (dwos->count)
		qsort(dwos->items, dwos->count, sizeof *dwos->items, by_last_part);
	free(list);
	strbuf_clear(&names);
	return good;
}
