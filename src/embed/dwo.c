// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/dwo.h"
#include "debuginfo/read-rows.h"
#include "tool/diag.h"
#include "tool/process/worker.h"
#include "tool/process/sandbox.h"

#include <string.h>

#ifdef HAVE_FORK

struct dwo_listing {
	const struct file_content *image;
	const struct rs_debug_files *files;
};

static void send_name(void *context, const char *name)
{
	const size_t length = strlen(name);
	if (length <= CHANNEL_TEXT_LENGTH_MAX)
		channel_send(context, CHANNEL_ITEM, NULL, 0, name, length);
}

/* Returns how many bytes the files have together. */
static uint64_t size_of(const struct rs_debug_files *files)
{
	uint64_t size = 0;
	for (uint32_t i = 0; i < files->count; i++)
		size += files->items[i].source.size;
	return size;
}

/* The main function of the child: send the names of .dwo files that are in the image or in its files
   with debug information. */
static void send_names(void *context, struct channel *channel)
{
	const struct dwo_listing *listing = context;
	const struct file_content *image = listing->image;
	const struct rs_debug_files *files = listing->files;
	const struct debuginfo_options options = {
		.wants_dwo = send_name, .context = channel, .files = files->items, .file_count = files->count
	};
	sandbox_child(image->size + (size_t)size_of(files));
	channel_take(channel, CHANNEL_REQUEST, NULL, 0);
	rs_debuginfo_list_dwos(image->bytes, image->size, &options);
	channel_send(channel, CHANNEL_ANSWER, NULL, 0, NULL, 0);
}

static bool take_name(void *context, const void *head, const char *name, size_t length)
{
	struct rs_split_names *names = context;
	(void)head, (void)length;
	rs_split_names_add(names, name);
	return names->count < RS_SPLIT_NAMES_MAX && !names->no_memory;
}

/* Add to NAMES the names of .dwo files that are in IMAGE, whose path is PATH, or in FILES.  If the child fails, the names that it has sent are used, without a message: the child that makes the table will fail at the
   same bytes, and its error is shown.  Returns false, after a message, if no child can be started. */
static bool list_names(const char *path, const struct file_content *image, const struct rs_debug_files *files,
		       struct rs_split_names *names)
{
	static const struct worker_job job = { .doing = "listing",
					       .item = { 0, CHANNEL_TEXT_LENGTH_MAX, RS_SPLIT_NAMES_MAX, true } };
	const struct worker_host host = { .item = take_name, .context = names };
	const struct worker_request request = { .patience = worker_patience(image->size + (size_t)size_of(files)) };
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

static bool list_names(const char *path, const struct file_content *image, const struct rs_debug_files *files,
		       struct rs_split_names *names)
{
	struct debuginfo_options options = {
		.wants_dwo = rs_split_names_add, .context = names, .files = files->items, .file_count = files->count
	};
	(void)path;
	rs_debuginfo_list_dwos(image->bytes, image->size, &options);
	return true;
}

#endif

static bool may_be_split(const struct file_content *image, const struct rs_debug_files *files)
{
	const struct rs_source source = rs_source_in(image->bytes, image->size);
	bool split = rs_debuginfo_may_be_split(&source);
	for (uint32_t i = 0; i < files->count && !split; i++)
		split = rs_debuginfo_may_be_split(&files->items[i].source);
	return split;
}

bool dwo_read(struct rs_debug_files *dwos, const struct file_content *image, const struct rs_debug_files *files,
	      const struct rs_debug_places *places)
{
	struct rs_split_names names = { .count = 0 };
	struct rossym_error err;
	if (!may_be_split(image, files))
		return true;
	bool good = list_names(places->image, image, files, &names);
	if (good && rs_split_files_open(dwos, &names, places, &err) < 0) {
		diag_image(places->image, &err);
		good = false;
	}
	rs_split_files_sort(dwos);
	rs_split_names_clear(&names);
	return good;
}
