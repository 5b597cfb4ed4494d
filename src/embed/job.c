// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/job.h"
#include "debuginfo/base/discard.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "embed/progress.h"
#include "embed/tsv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static const char *shorten_name(void *context, const char *name)
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

/* In the parent: give back the memory of all debug sections, because the new image does not have them. */
static void give_back_in_parent(void *context)
{
	const struct job *job = context;
	if (job->disposable)
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
	if (making->in_child && job->disposable)
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
		.shorten = shorten_name,
		.context = job,
	};
	if (rossym_builder_create(&options, &builder, err) < 0)
		return -1;
	made->table.size = sizeof made->table;
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

/* The function `make` of struct making: runs in the child. */
static int make_in_child(struct making *making, const struct wanted_rvas *wanted, struct made *made,
			 struct rossym_error *err)
{
	if (!wanted->rvas && making->in_child)
		making_save_memory();
	return make_table(making, wanted, made, err);
}

/* ----------------------------------------------------------------------------------------- in the parent */

static void print_warning(void *context, const char *text)
{
	const struct job *job = context;
	progress_hide();
	diag_warning("%s: %s", job->source, text);
}

/* Returns how many bytes the child will read at most, with compressed sections uncompressed; its limits depend on
   that. */
static size_t input_size(const struct job *job)
{
	const struct debuginfo_options *options = job->debuginfo;
	const struct rs_source image = rs_source_in(job->image, job->image_size);
	size_t size = rs_debuginfo_uncompressed_size(&image) + job->dump_size;
	for (uint32_t i = 0; i < options->dwo_count; i++)
		size += rs_debuginfo_uncompressed_size(&options->dwos[i].source);
	for (uint32_t i = 0; i < options->file_count; i++)
		size += rs_debuginfo_uncompressed_size(&options->files[i].source);
	return size;
}

enum made_how job_make(struct job *job, const struct wanted_rvas *wanted, struct made *made, struct rossym_error *err)
{
	struct making making = { .make = make_in_child,
				 .warn = print_warning,
				 .forked = give_back_in_parent,
				 .context = job,
				 .input = input_size(job),
				 .tree = &job->paths->tree };
	const enum made_how how = child_table_make(&making, wanted, made, err);
	free(job->shortened);
	job->shortened = NULL;
	return how;
}

void job_describe_empty(const struct job *job, const struct made *made, struct rossym_error *err)
{
	struct rossym_image *image = NULL;
	const bool other = made->counts.pdb_file > 0 || made->counts.file > 0;
	/* If the image names a PDB file that was not read, its symbols are there.  The error of rossym_open() has the
	   name of that file, so open the image for the error. */
	if (!job->dump && !other && rossym_open_memory(job->image, job->image_size, NULL, &image, err) < 0 &&
	    err->code == ROSSYM_ENOSYMS && err->offset)
		return;
	rossym_close(image);
	*err = (struct rossym_error){ .code = ROSSYM_ENOSYMS };
	snprintf(err->what, sizeof err->what, "%s", rs_debuginfo_why_empty(&made->counts));
}
