// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/job.h"
#include "debuginfo/base/discard.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/process/sandbox.h"
#include "embed/tsv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/pages.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* ------------------------------------------------------------------------------- callbacks, in the child */

/* Returns the path to store in the table for PATH. */
static const char *map_source_path(void *context, const char *path)
{
	const struct job *job = context;
	return paths_shown_path(&job->command->paths, path);
}

/* Returns a short form of NAME, which is too long for a table, valid until the next call; NULL if there is none. */
static const char *shorten_name(void *context, const char *name)
{
	struct job *job = context;
	free(job->shortened);
	job->shortened = demangle_without_parameters(name);
	return job->shortened;
}

/* In the parent: print a warning.  Its text can contain any bytes, which diag_warning() masks. */
static void show_warning(void *context, const struct rossym_warning *warning)
{
	const struct job *job = context;
	diag_warning("%s: %s", job->source, warning->what);
}

static void add_warning(void *context, const char *text)
{
	struct job *job = context;
	rs_warnings_pass_on(&job->reading_warnings, NULL, text, 0, ROSSYM_OK);
}

/* Whether the debug sections in job->image may be overwritten, because the new image will not have them. */
static bool may_discard_sections(const struct job *job)
{
	return job->image.bytes && !job->command->keep_debug;
}

/* In the child: free the memory of debug sections that will not be read again.  UNITS is how many bytes of .debug_info
   have been read, or DISCARD_ALL.  Without a child, does nothing, because the program still needs the image. */
static void discard_sections(void *context, size_t units)
{
	enum { ENOUGH = 1 << 18 }; /* for fewer new bytes, a call is not worth its time */
	struct job *job = context;
	if (units > 0 && units - job->given_back < ENOUGH)
		return;
	job->given_back = units;
	if (job->channel && may_discard_sections(job))
		rs_debuginfo_discard_sections(job->image.bytes, job->image.size, units);
}

/* Make free() return large arrays to the system at once.  By default glibc keeps freed arrays: this is faster for small
   tables, but the arrays count against the memory limit while a large table is built. */
static void return_freed_arrays(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 1 << 17);
	malloc_trim(0);
#endif
}

/* -------------------------------------------------------------------------------------------- the table */

/* Add the rows to BUILDER, from the dump or from the debug information.  Returns 0 or -1. */
static int add_rows_of_job(struct job *job, struct rossym_builder *builder, struct made *made, struct rossym_error *err)
{
	struct debuginfo_options *options = &job->command->debuginfo;
	if (job->dump.bytes)
		return tsv_add_lines((char *)job->dump.bytes, job->dump.size, builder, &job->command->paths, err) ? 0
														  : -1;
	options->map_path = map_source_path;
	options->warn = add_warning;
	options->have_read = discard_sections;
	options->context = job;
	discard_sections(job, 0); /* discard the sections that are never read */
	return rs_debuginfo_add_rows(job->image.bytes, job->image.size, options, builder, &made->counts, err);
}

/* Store in MADE a copy of the image's own table, packed if the job packs tables, else unpacked.  Returns 0 or -1. */
static int copy_own_table(const struct job *job, struct made *made, struct rossym_error *err)
{
	struct rossym_built *table = &made->table;
	struct rossym_info info = { .size = sizeof info };
	struct rossym_image *image = NULL;
	void *bytes = NULL;
	if (rossym_open_memory(job->image.bytes, job->image.size, NULL, &image, err) < 0)
		return -1;
	int r = rossym_get_info(image, &info, err);
	if (r == 0)
		r = rossym_read_table(image, &bytes, &table->bytes_size, err);
	if (r == 0 && job->command->packed) {
		void *plain = bytes;
		bytes = NULL;
		r = rossym_pack(plain, table->bytes_size, info.kind == ROSSYM_PE32PLUS, &bytes, &table->bytes_size,
				err);
		rossym_free(plain);
	}
	rossym_close(image);
	table->bytes = bytes;
	table->rows = info.rows;
	table->strings_size = info.strings_size;
	return r;
}

/* Make a table from the dump or the debug information.  Returns 0 or -1. */
static int make_new_table(struct job *job, struct made *made, struct rossym_error *err)
{
	struct rossym_builder *builder = NULL;
	const struct rossym_builder_options options = {
		.size = sizeof options,
		.flags = (job->command->debuginfo.no_inlines ? ROSSYM_BUILD_NO_BLOCK : 0) |
			 (job->command->debuginfo.entry_outer ? ROSSYM_BUILD_ENTRY_OUTER : 0) |
			 (job->command->packed ? ROSSYM_BUILD_PACKED : 0),
		.shorten = shorten_name,
		.context = job,
	};
	if (rossym_builder_create(&options, &builder, err) < 0)
		return -1;
	int r = add_rows_of_job(job, builder, made, err);
	if (r == 0)
		r = rossym_builder_finish(builder, &made->table, err);
	rossym_builder_destroy(builder);
	if (r == 0 && demangle_gave_up())
		add_warning(job, "some long names lose their ends: demangling all of them would take too long");
	return r;
}

/* Make the table of the job.  All code that parses untrusted bytes is called from here.  Returns 0 or -1. */
static int make_table(struct job *job, struct made *made, struct rossym_error *err)
{
	made->table.size = sizeof made->table;
	if (!job->command->debuginfo.wanted && job->channel)
		return_freed_arrays();
	if (job->command->unpacked)
		return copy_own_table(job, made, err);
	if (make_new_table(job, made, err) < 0)
		return -1;
	/* If there was no debug information, but the image has a table, pack that. */
	struct rossym_built *table = &made->table;
	if (table->rows > 0 || !job->command->packed || job->dump.bytes)
		return 0;
	struct rossym_built empty = *table;
	int r = copy_own_table(job, made, err);
	if (r < 0 && err->code == ROSSYM_ENOSYMS) {
		*table = empty;
		return 0;
	}
	rossym_free(empty.bytes);
	return r;
}

/* Call WANTS for each .dwo file that the image needs. */
static void list_dwos(const struct job *job, void (*wants)(void *context, const char *name), void *context)
{
	const struct debuginfo_options options = { .wants_dwo = wants,
						   .context = context,
						   .files = job->command->debuginfo.files,
						   .file_count = job->command->debuginfo.file_count };
	const struct rs_source source = rs_source_from_memory(job->image.bytes, job->image.size);
	rs_debuginfo_list_dwos(&source, &options);
}

#ifdef HAVE_FORK

/*
 * The messages between parent and child.  The one request is empty, because the child has a copy of the parent's
 * memory.  A question is the name of a file, and the reply a byte: 1 if the source tree has that file.  The answer is
 * struct made, then the table.  A child that lists .dwo files asks about each name, without regard to the reply; its
 * answer is empty.
 */

/* ------------------------------------------------------------------------------------------------ child */

static bool ask_parent_for_file(void *context, const char *name)
{
	struct job *job = context;
	char reply;
	channel_send(job->channel, CHANNEL_QUESTION, NULL, 0, name, strlen(name));
	channel_receive_head(job->channel, CHANNEL_REPLY, &reply, 1);
	return reply;
}

static void tell_parent_name(void *context, const char *name)
{
	if (strlen(name) < TREE_NAME_LENGTH_MAX)
		ask_parent_for_file(context, name);
}

/* Send the table in pieces.  Give the memory of each piece back to the system after sending it, so that child and
   parent do not both have the whole table in memory. */
static void send_table(struct channel *channel, const struct made *made)
{
	enum { PIECE = 1 << 18 };
	char *bytes = made->table.bytes;
	const size_t all = made->table.bytes_size;
	channel_begin_message(channel, CHANNEL_ANSWER, made, sizeof *made, all);
	for (size_t at = 0, size; at < all; at += size) {
		size = all - at < PIECE ? all - at : PIECE;
		channel_add_bytes(channel, bytes + at, size);
		rs_release_pages(bytes + at, size);
	}
	channel_flush(channel);
}

/* The main function of the child. */
static void serve_parent(void *context)
{
	static struct channel channel;
	struct job *job = context;
	struct made made;
	struct rossym_error err;
	channel_open(&channel, CHANNEL_PIPES);
	job->channel = &channel;
	job->reading_warnings.warn = channel_send_warning;
	job->reading_warnings.context = &channel;
	job->command->paths.tree.is_there = ask_parent_for_file;
	job->command->paths.tree.context = job;
	sandbox_restrict_child(job->input, false);
	memset(&made, 0, sizeof made);
	memset(&err, 0, sizeof err);
	channel_receive_head(&channel, CHANNEL_REQUEST, NULL, 0);
	if (job->names)
		list_dwos(job, tell_parent_name, job);
	if (job->names || make_table(job, &made, &err) == 0)
		send_table(&channel, &made);
	else
		channel_send(&channel, CHANNEL_ERROR, &err, sizeof err, NULL, 0);
	rossym_free(made.table.bytes);
}

/* ----------------------------------------------------------------------------------------------- parent */

static const struct worker_job table_job = {
	.doing = "reading the debug information",
	.asks = { CHANNEL_QUESTION, 0, TREE_NAME_LENGTH_MAX - 1, TREE_NAMES_MAX, true },
	.answer = sizeof(struct made),
};

/* Collect NAME if the child lists .dwo files, and reply whether the source tree has the file NAME.  0: a failure. */
static uint32_t handle_name(void *context, struct worker *worker, const void *head, const char *name, size_t length)
{
	const struct job *job = context;
	(void)head, (void)length;
	if (job->names)
		rs_split_names_add_name(job->names, name);
	const char reply = !job->names && tree_has_file_on_disk(&job->command->paths.tree, name);
	return channel_send(worker->channel, CHANNEL_REPLY, &reply, 1, NULL, 0);
}

/* Returns how many bytes the child will read at most, with compressed sections uncompressed. */
static size_t count_input_bytes(const struct job *job)
{
	const struct debuginfo_options *options = &job->command->debuginfo;
	const struct rs_source image = rs_source_from_memory(job->image.bytes, job->image.size);
	size_t size = rs_debuginfo_uncompressed_size(&image) + job->dump.size;
	for (uint32_t i = 0; i < options->dwo_count; i++)
		size += rs_debuginfo_uncompressed_size(&options->dwos[i].source);
	for (uint32_t i = 0; i < options->file_count; i++)
		size += rs_debuginfo_uncompressed_size(&options->files[i].source);
	return size;
}

/* Fork a child, and get its answer.  Returns WORKER_ERROR if it sends an error, or if it cannot be started. */
static enum worker_result fork_and_ask_child(struct job *job, struct worker_answer *answer)
{
	const struct worker_host host = { .handle = handle_name, .warn = show_warning, .context = job };
	job->input = count_input_bytes(job);
	const struct worker_request request = { .patience = worker_choose_patience(job->input),
						.most = job->names ? 0 : worker_table_size_max(job->input) };
	struct worker worker;
	if (!worker_fork(&worker, &table_job, serve_parent, job, &answer->error))
		return WORKER_ERROR;
	/* The child has a copy of the debug sections, so free those of the parent. */
	if (!job->names && may_discard_sections(job))
		rs_debuginfo_discard_sections(job->image.bytes, job->image.size, DISCARD_ALL);
	const enum worker_result result = worker_ask(&worker, &request, &host, answer);
	worker_end(&worker);
	return result;
}

/* Whether the table passes every check of the library, and has as many rows as the child says.  False also if memory
   runs out.  Stores the reason in *ERR, except if only the number of rows is wrong. */
static bool is_sound_table(const struct rossym_built *table, struct rossym_error *err)
{
	struct rossym_image *image;
	struct rossym_report report = { .size = sizeof report };
	if (rossym_open_memory(table->bytes, table->bytes_size, NULL, &image, err) < 0)
		return false;
	bool sound = rossym_check(image, &report, err) == 0 && report.rows == table->rows;
	rossym_close(image);
	return sound;
}

bool job_make_table(struct job *job, struct rossym_error *err)
{
	struct made *made = &job->made;
	struct worker_answer answer = { .head = made };
	const enum worker_result result = fork_and_ask_child(job, &answer);
	*err = answer.error;
	made->table.bytes = answer.tail; /* from malloc(), as all memory that rossym_free() frees */
	made->table.bytes_size = answer.size;
	if (result == WORKER_ANSWER) {
		*err = (struct rossym_error){ .code = ROSSYM_OK };
		if (answer.size > 0 && is_sound_table(&made->table, err))
			return true;
		if (err->code != ROSSYM_ENOMEM)
			*err = (struct rossym_error){ .what = "reading the debug information gave a damaged table" };
	}
	job->broken = result != WORKER_ERROR && err->code != ROSSYM_ENOMEM;
	if (job->broken)
		err->code = ROSSYM_ENOSYMS; /* messages for this code have no offset */
	return false;
}

/* Store in NAMES the names of the .dwo files that the image needs.  If the child fails, use the names that it has sent,
   without a message: the child that makes the table will fail at the same bytes, and its error is shown.  Returns
   false, after a message, if no child can be started; an honest child never sends an error. */
static bool list_dwo_names(struct job *job, struct rs_split_names *names)
{
	struct made unused;
	struct worker_answer answer = { .head = &unused };
	job->names = names;
	const enum worker_result result = fork_and_ask_child(job, &answer);
	job->names = NULL;
	return result != WORKER_ERROR || diag_image_error(job->source, &answer.error);
}

#else

bool job_make_table(struct job *job, struct rossym_error *err)
{
	job->reading_warnings.warn = show_warning;
	job->reading_warnings.context = job;
	const bool good = make_table(job, &job->made, err) == 0;
	free(job->shortened);
	job->shortened = NULL;
	return good;
}

static bool list_dwo_names(struct job *job, struct rs_split_names *names)
{
	list_dwos(job, rs_split_names_add_name, names);
	return true;
}

#endif

/* ---------------------------------------------------------------------------------- with and without fork() */

bool job_has_source(const struct job *job, bool (*test)(const struct rs_source *source))
{
	const struct rs_source image = rs_source_from_memory(job->image.bytes, job->image.size);
	bool has = test(&image);
	for (uint32_t i = 0; i < job->files.count && !has; i++)
		has = test(&job->files.items[i].source);
	return has;
}

bool job_open_dwos(struct job *job, const struct rs_debug_places *places)
{
	struct rs_split_names names = { .count = 0 };
	struct rossym_error err;
	if (!job_has_source(job, rs_debuginfo_may_be_split))
		return true;
	bool good = list_dwo_names(job, &names);
	if (good && rs_split_files_open(&job->dwos, &names, places, &err) < 0)
		good = diag_image_error(places->image, &err);
	rs_split_files_sort(&job->dwos);
	rs_split_names_clear(&names);
	return good;
}
