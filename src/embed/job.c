// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/job.h"
#include "debuginfo/base/discard.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "compat/hash.h"
#include "embed/progress.h"
#include "embed/tsv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* About how long it takes to make the table for all addresses: microseconds for each MiB of input, plus a constant. */
static const double all_per_mib = 8000, all_besides = 1000;

/* ------------------------------------------------------------------------------- callbacks, in the child */

/* Returns the path to store in the table for PATH. */
static const char *map_path(void *context, const char *path)
{
	const struct making *making = context;
	const struct job *job = making->context;
	return paths_show(job->paths, path);
}

/* Returns a short form of NAME, which is too long for a table; NULL if there is none.  It stays valid
   until the next call. */
static const char *shorten(void *context, const char *name)
{
	struct job *job = context;
	free(job->shortened);
	job->shortened = demangle_short(name);
	return job->shortened;
}

static void pass_warning(void *context, const char *text)
{
	making_warn(context, text);
}

/* -------------------------------------------------------------------------------------------- the table */

/* In the parent: give back the memory of all debug sections, because the new image does not have them.  Does nothing in
   a job that stays, which may have to start another child. */
static void give_back_in_parent(void *context)
{
	const struct job *job = context;
	if (job->disposable && !job->stays)
		rs_debuginfo_discard_sections(job->disposable, job->image_size, DISCARD_ALL, 0);
}

/* In the child: give back the memory of debug sections that have been read.  Does nothing if make_in_child() runs in
   the program itself, which still needs the image. */
static void give_back_in_child(void *context, enum debuginfo_discard which, size_t units)
{
	enum { ENOUGH = 1 << 18 };
	struct making *making = context;
	const struct job *job = making->context;
	if (which == DISCARD_UNITS && units - making->given_back < ENOUGH)
		return;
	making->given_back = units;
	if (making->in_child && job->last && job->disposable)
		rs_debuginfo_discard_sections(job->disposable, job->image_size, which, units);
}

/* Add the rows for WANTED to BUILDER, from the dump or from the debug information.  Returns 0 or -1. */
static int add_rows(struct making *making, const struct wanted_rvas *wanted, struct rossym_builder *builder,
		    struct made *made, struct rossym_error *err)
{
	struct job *job = making->context;
	struct debuginfo_options *options = job->debuginfo;
	options->wanted = wanted->rvas;
	options->wanted_count = wanted->rvas ? wanted->count : 0;
	if (job->dump)
		return tsv_add(job->dump, job->dump_size, builder, map_path, making, err) ? 0 : -1;
	options->map_path = map_path;
	options->warn = pass_warning;
	options->have_read = give_back_in_child;
	options->context = making;
	options->keep = making->stays && making->in_child && wanted->rvas ? &job->keep : NULL;
	give_back_in_child(making, DISCARD_UNREAD, 0);
	return rs_debuginfo_add_rows(job->image, job->image_size, options, builder, &made->counts, err);
}

/* Store in MADE a copy of the image's own table: packed if the job makes packed tables, else unpacked.  Returns 0
   or -1. */
static int take_own_table(const struct job *job, struct made *made, struct rossym_error *err)
{
	struct rossym_built *table = &made->table;
	struct rossym_info info = { .size = sizeof info };
	struct rossym_image *image = NULL;
	void *bytes = NULL;
	if (rossym_open_memory(job->image, job->image_size, NULL, &image, err) < 0)
		return -1;
	int r = rossym_get_info(image, &info, err);
	if (r == 0)
		r = rossym_read_table(image, &bytes, &table->bytes_size, err);
	if (r == 0 && job->packed) {
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
	made->whole = 1;
	return r;
}

/* Make a table from the dump or the debug information.  Returns 0 or -1. */
static int make_new_table(struct making *making, const struct wanted_rvas *wanted, struct made *made,
			  struct rossym_error *err)
{
	struct job *job = making->context;
	struct rossym_builder *builder = NULL;
	const struct rossym_builder_options options = {
		.size = sizeof options,
		.flags = (job->debuginfo->no_inlines ? ROSSYM_BUILD_NO_BLOCK : 0) |
			 (job->debuginfo->entry_outer ? ROSSYM_BUILD_ENTRY_OUTER : 0) |
			 (job->packed ? ROSSYM_BUILD_PACKED : 0),
		.shorten = shorten,
		.context = job,
	};
	if (rossym_builder_create(&options, &builder, err) < 0)
		return -1;
	made->table.size = sizeof made->table;
	made->whole = !wanted->rvas;
	job->last = !making->stays || made->whole;
	/* The demangler limits its work for all names together.  Reset it, so that a table does not depend on earlier
	   tables of this child. */
	demangle_begin_again();
	int r = add_rows(making, wanted, builder, made, err);
	if (r == 0)
		r = rossym_builder_finish(builder, &made->table, err);
	rossym_builder_destroy(builder);
	if (r == 0 && demangle_gave_up())
		making_warn(making, "some long names lose their ends: demangling all of them would take too long");
	return r;
}

/* Make the table that the job asks for.  All code that parses untrusted bytes is called from here.  Returns 0 or -1. */
static int make_table(struct making *making, const struct wanted_rvas *wanted, struct made *made,
		      struct rossym_error *err)
{
	const struct job *job = making->context;
	made->table.size = sizeof made->table;
	if (job->unpacked)
		return take_own_table(job, made, err);
	if (make_new_table(making, wanted, made, err) < 0)
		return -1;
	/* An image without debug information may have a table to pack. */
	struct rossym_built *table = &made->table;
	if (table->rows > 0 || !job->packed || job->dump)
		return 0;
	struct rossym_built empty = *table;
	int r = take_own_table(job, made, err);
	if (r < 0 && err->code == ROSSYM_ENOSYMS) {
		*table = empty;
		return 0;
	}
	rossym_free(empty.bytes);
	return r;
}

/*
 * Whether a job that stays has spent as much time on tables for some addresses as the table for all of them takes.  The
 * job cannot know whether more requests will come.  With this rule, it takes at most twice the time that it would take
 * if it knew.
 */
static bool is_time_for_all(const struct making *making)
{
	const struct job *job = making->context;
	const double all = (double)making->input / (1 << 20) * all_per_mib + all_besides;
	return making->stays && (double)job->spent / CLOCKS_PER_SEC * 1e6 >= all;
}

/* Make the table for all addresses.  A child that stays keeps it for later requests.  Returns 0 or -1. */
static int make_all(struct making *making, struct made *made, struct rossym_error *err)
{
	const struct wanted_rvas everything = { .rvas = NULL };
	struct job *job = making->context;
	rs_debuginfo_keep_clear(&job->keep);
	if (making->in_child)
		making_save_memory();
	if (make_table(making, &everything, made, err) < 0)
		return -1;
	if (making->stays && making->in_child) {
		job->all = *made;
		making->kept = made->table.bytes;
	}
	return 0;
}

/* The function `make` of struct making: runs in the child. */
static int make_in_child(struct making *making, const struct wanted_rvas *wanted, struct made *made,
			 struct rossym_error *err)
{
	struct job *job = making->context;
	if (job->all.table.bytes) {
		*made = job->all;
		return 0;
	}
	if (!wanted->rvas || is_time_for_all(making))
		return make_all(making, made, err);
	const clock_t begin = clock();
	if (make_table(making, wanted, made, err) < 0)
		return -1;
	job->spent += clock() - begin;
	if (!making->stays || made->table.rows > 0)
		return 0;
	/* The table for these addresses is empty.  The client must know whether the image has no symbols at all, so
	   make the table for all addresses. */
	rossym_free(made->table.bytes);
	*made = (struct made){ .table = { .bytes = NULL } };
	return make_all(making, made, err);
}

/* ----------------------------------------------------------------------------------------- in the parent */

/* If SHOWN has the warning TEXT for the file PATH, returns false.  Else adds it, in place of the oldest if
   SHOWN is full. */
static bool is_new(struct job_shown *shown, const char *path, const char *text)
{
	const size_t most = sizeof shown->hashes / sizeof *shown->hashes;
	uint64_t hash = hash_bytes(hash_bytes(0, path, strlen(path)), text, strlen(text));
	for (size_t i = 0; i < shown->count && i < most; i++)
		if (shown->hashes[i] == hash)
			return false;
	shown->hashes[shown->count++ % most] = hash;
	return true;
}

static bool warn(void *context, const char *text)
{
	const struct job *job = context;
	if (job->shown && !is_new(job->shown, job->source, text))
		return false;
	progress_hide();
	diag_warning("%s: %s", job->source, text);
	return true;
}

size_t job_input_size(struct job *job)
{
	if (job->input_size > 0)
		return job->input_size;
	const struct debuginfo_options *options = job->debuginfo;
	const struct debuginfo_file image = { .bytes = job->image,
					      .size = job->image_size,
					      .mapped = job->file && job->file->mapped,
					      .fd = job->file ? job->file->fd : -1 };
	size_t size = rs_debuginfo_uncompressed_size(&image) + job->dump_size;
	for (uint32_t i = 0; i < options->dwo_count; i++)
		size += rs_debuginfo_uncompressed_size(&options->dwos[i]);
	for (uint32_t i = 0; i < options->file_count; i++)
		size += rs_debuginfo_uncompressed_size(&options->files[i]);
	return job->input_size = size;
}

enum made_how job_make(struct job *job, const struct wanted_rvas *wanted, struct made *made, struct rossym_error *err)
{
	if (!job->child.running)
		job->making = (struct making){ .make = make_in_child,
					       .warn = warn,
					       .forked = give_back_in_parent,
					       .context = job,
					       .input = job_input_size(job),
					       .tree = &job->paths->tree,
					       .stays = job->stays };
	enum made_how how = child_table_make(&job->child, &job->making, wanted, made, err);
	free(job->shortened);
	job->shortened = NULL;
	if (!job->stays)
		job_end(job);
	return how;
}

void job_end(struct job *job)
{
	child_table_end(&job->child);
}

/* Open the image in this process.  Read a mapped file through its descriptor: if another program shortens the file,
   reading the mapping would raise a fatal signal.  Returns 0 or -1. */
static int open_image(const struct job *job, struct rossym_image **image, struct rossym_error *err)
{
	return job->file && job->file->mapped ? rossym_open_fd(job->file->fd, NULL, image, err)
					      : rossym_open_memory(job->image, job->image_size, NULL, image, err);
}

void job_describe_empty(const struct job *job, const struct made *made, struct rossym_error *err)
{
	struct rossym_image *image = NULL;
	const bool other = made->counts.pdb_file > 0 || made->counts.file > 0;
	/* If the image names a PDB file that was not read, its symbols are there.  The error of rossym_open() has the
	   name of that file, so open the image for the error. */
	if (!job->dump && !other && open_image(job, &image, err) < 0 && err->code == ROSSYM_ENOSYMS && err->offset)
		return;
	rossym_close(image);
	*err = (struct rossym_error){ .code = ROSSYM_ENOSYMS };
	const char *why = "no debug information and no symbols of code were found";
	if (made->counts.pdb_dotnet)
		why = "its PDB file is .NET's, which has no symbols of machine code";
	else if (made->counts.unreadable > 0 || made->counts.damaged > 0)
		why = "its debug information is damaged or cannot be read";
	snprintf(err->what, sizeof err->what, "%s", why);
}
