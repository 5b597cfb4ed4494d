// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/job.h"
#include "debuginfo/spare.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/hash.h"
#include "tool/progress.h"
#include "tool/tsv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------- callbacks, in the child */

/* Return the path to store for PATH. */
static const char *map_path(void *context, const char *path)
{
	const struct making *making = context;
	const struct job *job = making->context;
	return paths_show(job->paths, path);
}

/* Return the short form of a NAME that is too long for a table; the caller does not free it. */
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

/* The parent needs no debug section: it only writes the other ones into the new image. */
static void give_back_in_parent(void *context)
{
	const struct job *job = context;
	if (job->spare)
		debuginfo_give_back(job->spare, job->image_size, SPARE_ALL);
}

/* The child has memory of its own.  Without a child, make() runs in the process that still needs the image. */
static void give_back_in_child(void *context, enum debuginfo_spare which)
{
	const struct making *making = context;
	const struct job *job = making->context;
	if (making->ends_after && job->spare)
		debuginfo_give_back(job->spare, job->image_size, which);
}

/* Add all rows to BUILDER, from the dump or from the debug information.  Returns 0 or -1. */
static int add_rows(struct making *making, struct rossym_builder *builder, struct made *made, struct rossym_error *err)
{
	struct job *job = making->context;
	struct debuginfo_options *options = job->debuginfo;
	if (job->dump)
		return tsv_add(job->dump, job->dump_size, builder, map_path, making, err) ? 0 : -1;
	options->map_path = map_path;
	options->warn = pass_warning;
	options->have_read = give_back_in_child;
	options->context = making;
	give_back_in_child(making, SPARE_UNREAD);
	return debuginfo_add_rows(job->image, job->image_size, options, builder, &made->counts, err);
}

/* Do everything that parses untrusted bytes.  Runs in the child, if the system has fork(). */
static int make(struct making *making, struct made *made, struct rossym_error *err)
{
	struct job *job = making->context;
	struct rossym_builder *builder = NULL;
	const struct rossym_builder_options options = {
		.size = sizeof options,
		.flags = (job->debuginfo->no_inlines ? ROSSYM_BUILD_NO_BLOCK : 0) |
			 (job->debuginfo->entry_outer ? ROSSYM_BUILD_ENTRY_OUTER : 0),
		.shorten = shorten,
		.context = job,
	};
	if (rossym_builder_create(&options, &builder, err) < 0)
		return -1;
	made->table.size = sizeof made->table;
	int r = add_rows(making, builder, made, err);
	if (r == 0)
		r = rossym_builder_finish(builder, &made->table, err);
	rossym_builder_destroy(builder);
	if (r == 0 && demangle_gave_up())
		making_warn(making, "some long names lose their ends: demangling all of them would take too long");
	return r;
}

/* ----------------------------------------------------------------------------------------- in the parent */

/* Whether the warning TEXT for the file PATH has not been shown lately.  If so, remember it as shown. */
static bool is_new(struct job_shown *shown, const char *path, const char *text)
{
	const size_t most = sizeof shown->hashes / sizeof *shown->hashes;
	uint64_t hash = hash_bytes(text, strlen(text), hash_bytes(path, strlen(path), 0));
	for (size_t i = 0; i < shown->count && i < most; i++)
		if (shown->hashes[i] == hash)
			return false;
	shown->hashes[shown->count++ % most] = hash;
	return true;
}

static void warn(void *context, const char *text)
{
	const struct job *job = context;
	if (job->shown && !is_new(job->shown, job->source, text))
		return;
	progress_hide();
	diag_warning("%s: %s", job->source, text);
}

size_t job_input_size(const struct job *job)
{
	const struct debuginfo_options *options = job->debuginfo;
	size_t size = job->image_size + job->dump_size;
	for (uint32_t i = 0; i < options->dwo_count; i++)
		size += options->dwos[i].size;
	for (uint32_t i = 0; i < options->file_count; i++)
		size += options->files[i].size;
	return size;
}

enum made_how job_make(struct job *job, struct made *made, struct rossym_error *err)
{
	struct making making = { .make = make, .warn = warn, .forked = give_back_in_parent, .context = job, .input = job_input_size(job),
				 .tree = &job->paths->tree };
	enum made_how how = make_apart(&making, made, err);
	free(job->shortened);
	job->shortened = NULL;
	return how;
}

void job_describe_empty(const struct job *job, const struct made *made, struct rossym_error *err)
{
	struct rossym_image *image = NULL;
	const bool other = made->counts.pdb_file > 0 || made->counts.file > 0;
	/* If the image names a PDB file, its symbols are there, unless that file was read.  The library names it when it refuses
	   to open the image, so open the image for its error. */
	if (!job->dump && !other && rossym_open_memory(job->image, job->image_size, NULL, &image, err) < 0 &&
	    err->code == ROSSYM_ENOSYMS && err->offset)
		return;
	rossym_close(image);
	*err = (struct rossym_error){ .code = ROSSYM_ENOSYMS };
	snprintf(err->what, sizeof err->what, "%s", made->counts.pdb_dotnet ?
		 "its PDB file is .NET's, which has no symbols of machine code" :
		 "no debug information and no symbols of code were found");
}
