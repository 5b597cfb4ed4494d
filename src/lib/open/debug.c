// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * debug.c - an image without a table, which answers from its debug information
 *
 * Tables are made in memory when look-ups need them (lib/demand.c): for a few addresses, for which little must be read,
 * or for all addresses.
 */
#include "config.h"
#include "debuginfo/base/decompress.h"
#include "debuginfo/read-rows.h"
#include "lib/base/alloc.h"
#include "lib/base/pieces.h"
#include "lib/image.h"
#include "lib/open/debug-files.h"
#include "search/debug-names.h"

#include <string.h>
#include <time.h>

/* Estimated time for making the table for all addresses: microseconds for each MiB of input, plus a constant. */
static const double all_per_mib = 8000, all_besides = 1000;

struct rs_debug {
	struct rossym_image *image;
	struct rs_pieces pieces;	   /* the bytes of the image, read piece by piece or mapped */
	struct rs_source content;	   /* a source of the bytes in `pieces` */
	struct rs_stamp stamp;		   /* of the image's file, when it was opened */
	struct rs_debug_files files, dwos; /* debug files and .dwo files of the image */
	struct debuginfo_options options;
	struct debuginfo_keep keep; /* facts from debug information that later look-ups use */
	bool detailed;		    /* columns and other details (lib/base/details.h) are made, too */
	struct rs_places places;    /* lines with details (places.h) that `keep` refers to, if `detailed` */
	struct rs_warnings warnings;
	struct rs_decompressors decompressors;
	struct rs_debug_places where; /* where to search for other files; `path` and `directories` have its strings */
	struct rossym_error why;      /* the error for an image without debug information */
	bool open;		      /* rs_debug_open() has returned 0 */
	bool loaded;		      /* load_files() has succeeded */
	uint64_t input;		      /* bytes of all files, uncompressed */
	clock_t spent;		      /* processor time spent on tables that were not for all addresses */
	char *path;		      /* of the image; NULL: unknown */
	char **directories;
};

/* ------------------------------------------------------------------------------------------------ .dwo files */

/* Returns -1 with *ERR if the image has changed, or if a piece of it could not be read; else 0. */
static int check_image_unchanged(const struct rs_debug *debug, struct rossym_error *err)
{
	if (rs_source_has_changed(&debug->image->file, &debug->stamp))
		return rs_fail(err, ROSSYM_ECHANGED, 0, "it has changed since it was opened");
	return debug->pieces.failed ? rs_fail_with(err, &debug->pieces.why) : 0;
}

/* Open and load the .dwo and .dwp files that the image refers to.  Returns 0 or -1. */
static int load_dwos(struct rs_debug *debug, struct rossym_error *err)
{
	struct rs_split_names names = { .items = NULL };
	struct debuginfo_options options = debug->options;
	if (!debug->image->demand->opens_files && !(debug->where.find_split && debug->image->demand->is_split))
		return rs_debug_files_load(&debug->dwos, &debug->where, err);
	options.wants_dwo = rs_split_names_add_name;
	options.context = &names;
	options.warn = NULL;
	rs_debuginfo_list_dwos(&debug->content, &options);
	const int result = check_image_unchanged(debug, err) < 0
				   ? -1
				   : rs_split_files_open(&debug->dwos, &names, &debug->where, err);
	rs_split_names_clear(&names);
	return result;
}

/* ------------------------------------------------------------------------------------------------ the bytes */

/* For debuginfo_options.warn: pass the warning TEXT on to the library's caller. */
static void pass_on_warning(void *context, const char *text)
{
	struct rs_debug *debug = context;
	rs_warnings_pass_on(&debug->warnings, NULL, text, 0, ROSSYM_OK);
}

/* Make the bytes of all files available, unless that has been done.  Returns 0 or -1. */
static int load_files(struct rs_debug *debug, struct rossym_error *err)
{
	struct debuginfo_options *options = &debug->options;
	if (debug->loaded)
		return 0;
	if (rs_debug_files_load(&debug->files, &debug->where, err) < 0)
		return -1;
	options->files = debug->files.items;
	options->file_count = debug->files.count;
	if (load_dwos(debug, err) < 0)
		return -1;
	rs_split_files_sort(&debug->dwos);
	options->dwos = debug->dwos.items;
	options->dwo_count = debug->dwos.count;
	debug->input = rs_debuginfo_uncompressed_size(&debug->content);
	for (uint32_t i = 0; i < debug->files.count; i++)
		debug->input += debug->files.items[i].source.size;
	for (uint32_t i = 0; i < debug->dwos.count; i++)
		debug->input += debug->dwos.items[i].source.size;
	debug->loaded = true;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ tables */

static void drop_kept_facts(struct rs_debug *debug)
{
	rs_debuginfo_keep_clear(&debug->keep);
	rs_places_clear(&debug->places);
}

/* Make in *MADE the table for the COUNT addresses RVAS, or for all addresses if RVAS is NULL.  Stores in *COUNTS what
   was found.  Returns 0 or -1. */
static int make_table_once(struct rs_debug *debug, const uint32_t *rvas, size_t count, struct rs_made *made,
			   struct debuginfo_counts *counts, struct rossym_error *err)
{
	const struct rossym_builder_options how = { .size = sizeof how };
	struct debuginfo_options options = debug->options;
	struct rossym_builder *builder = NULL;
	struct rossym_built table = { .size = sizeof table };
	*counts = (struct debuginfo_counts){ .file = 0 };
	options.wanted = rvas;
	options.wanted_count = (uint32_t)count;
	options.warn = pass_on_warning;
	options.context = debug;
	options.keep = rvas ? &debug->keep : NULL;
	options.places = debug->detailed ? &debug->places : NULL;
	options.details = &made->details;
	made->details = NULL;
	if (rossym_builder_create(&how, &builder, err) < 0)
		return -1;
	int r = rs_debuginfo_add_source_rows(&debug->image->core.pe, &debug->content, &options, builder, counts, err);
	if (check_image_unchanged(debug, err) < 0)
		r = -1;
	if (r == 0)
		r = rs_builder_finish(builder, !rvas, &table, err);
	rossym_builder_destroy(builder);
	/* The kept facts lack what could not be read, so drop them. */
	if (debug->pieces.failed)
		drop_kept_facts(debug);
	if (r < 0)
		rs_details_free(made->details);
	made->table = table.bytes;
	made->size = table.bytes_size;
	made->rows = table.rows;
	return r;
}

/* Remove files that have changed or could not be read.  Returns 1 if there were some; 0 if not; or -1. */
static int drop_changed_files(struct rs_debug *debug, struct rossym_error *err)
{
	const int files = rs_debug_files_drop_unusable(&debug->files, &debug->warnings, err);
	const int dwos = files < 0 ? -1 : rs_debug_files_drop_unusable(&debug->dwos, &debug->warnings, err);
	if (files == 0 && dwos == 0)
		return 0;
	drop_kept_facts(debug);
	debug->loaded = false;
	debug->image->demand->debug_file = NULL;
	return dwos < 0 ? -1 : 1;
}

/* Do what make_table_once() does, and repeat it without the files that could not be read or have changed meanwhile. */
static int make_table(struct rs_debug *debug, const uint32_t *rvas, size_t count, struct rs_made *made,
		      struct debuginfo_counts *counts, struct rossym_error *err)
{
	for (;;) {
		const int r = load_files(debug, err) < 0 ? -1 : make_table_once(debug, rvas, count, made, counts, err);
		const int left_out = drop_changed_files(debug, err);
		if (left_out == 0)
			return r;
		if (r == 0)
			rs_made_clear(made);
		if (left_out < 0)
			return -1;
	}
}

/*
 * Whether tables for some addresses have taken as much time as the table for all addresses would take.  The library
 * does not know how many look-ups will follow.  With this rule, it takes at most twice the time of the best choice.
 */
static bool is_time_for_whole_table(const struct rs_debug *debug)
{
	const double times = debug->detailed ? 2 : 1; /* a table with details takes twice as long */
	const double all = (double)debug->input / (1 << 20) * all_per_mib * times + all_besides;
	return (double)debug->spent / CLOCKS_PER_SEC * 1e6 >= all;
}

/* For rs_demand.make: make the table for the COUNT addresses RVAS, or for all addresses (made->whole). */
static int make_wanted_table(void *context, const uint32_t *rvas, size_t count, struct rs_made *made,
			     struct rossym_error *err)
{
	struct rs_debug *debug = context;
	struct debuginfo_counts counts;
	debug->pieces.failed = false;
	if (check_image_unchanged(debug, err) < 0 || load_files(debug, err) < 0)
		return -1;
	made->whole = !rvas || is_time_for_whole_table(debug);
	const clock_t begin = clock();
	for (;; made->whole = true) {
		/* The table for all addresses is the last one to be made, and needs no facts that were kept. */
		if (made->whole)
			drop_kept_facts(debug);
		if (make_table(debug, made->whole ? NULL : rvas, count, made, &counts, err) < 0)
			return -1;
		if (made->rows > 0 || made->whole)
			break;
		/* The table for some addresses is empty: only the one for all shows whether there are symbols. */
		rs_made_clear(made);
	}
	debug->spent += clock() - begin;
	if (made->rows == 0) {
		/* If the image names a file with its symbols, and no file was read, the error names that file. */
		if (counts.pdb_file == 0 && counts.file == 0 && debug->why.offset)
			rs_fail_with(err, &debug->why);
		else
			rs_fail(err, ROSSYM_ENOSYMS, 0, "%s", rs_debuginfo_why_empty(&counts));
		/* While the image is being opened, this is an error; later, a warning, and the empty table answers. */
		if (!debug->open) {
			rs_made_clear(made);
			return -1;
		}
		rs_warnings_pass_on(&debug->warnings, NULL, err->what, 0, ROSSYM_ENOSYMS);
	}
	const uint32_t origin = counts.pdb_file ? counts.pdb_file : counts.file;
	if (origin > 0)
		debug->image->demand->debug_file = debug->files.items[origin - 1].path;
	if (made->whole)
		rs_places_clear(&debug->places);
	return 0;
}

/* ------------------------------------------------------------------------------------------------ opening */

/* For rs_demand.end: free CONTEXT, a struct rs_debug, with all that it has. */
static void close_debug(void *context)
{
	struct rs_debug *debug = context;
	drop_kept_facts(debug);
	rs_debug_files_clear(&debug->files);
	rs_debug_files_clear(&debug->dwos);
	rs_decompressors_unload(&debug->decompressors);
	rs_pieces_clear(&debug->pieces);
	rs_free(debug->directories);
	rs_free(debug->path);
	rs_free(debug);
}

/* Copy from OPTIONS and PATH all that look-ups need later.  Returns 0, or -1 without memory. */
static int copy_options(struct rs_debug *debug, const char *path, const struct rossym_open_options *options,
			struct rossym_error *err)
{
	debug->options.decorated = options->flags & ROSSYM_OPEN_DECORATED;
	debug->options.data = options->flags & ROSSYM_OPEN_DATA;
	debug->options.no_frames = options->flags & ROSSYM_OPEN_NO_FRAMES;
	debug->detailed = options->flags & ROSSYM_OPEN_DETAILS;
	debug->warnings.warn = options->warn;
	debug->warnings.context = options->warn_context;
	debug->path = path ? rs_copy_text(path) : NULL;
	debug->directories = rs_copy_texts(options->debug_directories, options->debug_directory_count);
	debug->where = (struct rs_debug_places){ .image = debug->path,
						 .directories = (const char *const *)debug->directories,
						 .directory_count = options->debug_directory_count,
						 .recorded = options->flags & ROSSYM_OPEN_RECORDED_PATHS,
						 .reading = options->flags & ROSSYM_OPEN_MAPPED ? RS_MAP : RS_PIECES,
						 .warnings = &debug->warnings,
						 .find_split = options->find_split,
						 .find_context = options->find_context };
	return (path && !debug->path) || !debug->directories ? rs_fail_memory(err) : 0;
}

/* Open the files in OPTIONS; also search for files, unless the caller has chosen one, or its find_split() searches. */
static int open_files(struct rs_debug *debug, const struct rossym_open_options *options, struct rossym_error *err)
{
	bool chosen = false;
	for (size_t i = 0; i < options->debug_file_count; i++) {
		const struct rossym_debug_file *given = &options->debug_files[i];
		const bool split = given->path && rs_debug_files_is_split(given->path);
		if (rs_debug_files_add(split ? &debug->dwos : &debug->files, given, err) < 0)
			return -1;
		chosen |= given->flags & ROSSYM_DEBUG_FILE_CHOSEN;
	}
	return chosen || options->find_split ? 0 : rs_debug_files_find(&debug->files, debug->image, &debug->where, err);
}

/* Whether there may be debug information or symbols: files were found, or the headers of the image have symbols or
   debug sections.  A section whose long name cannot be resolved may be a debug section. */
static bool may_have_symbols(const struct rs_debug *debug)
{
	struct rossym_image *image = debug->image;
	struct rossym_section section;
	if (debug->files.count > 0 || image->core.pe.symbol_count > 0 || rs_image_has_dwarf_or_stabs(image))
		return true;
	for (uint32_t i = 0; rossym_get_section(image, i, &section, NULL) > 0; i++)
		if (section.name[0] == '/')
			return true;
	return false;
}

/* Read the headers of SOURCE: set *SPLIT if it may refer to files with split DWARF, and *COMPRESSED if it may have
   compressed sections. */
static void inspect_headers(const struct rs_source *source, bool *split, bool *compressed)
{
	if (source->read_function)
		return;
	*split |= rs_debuginfo_may_be_split(source);
	*compressed |= rs_debuginfo_may_be_compressed(source);
}

/* Store whether the image or one of its debug files may refer to files with split DWARF; with ALL_FILES, open these
   files now.  If there may be such files or compressed sections, load the libraries that decompress.  All this is done
   now, because the program may be forbidden to open files later.  Returns 0 or -1. */
static int prepare_split_and_compressed(struct rs_debug *debug, bool all_files, struct rossym_error *err)
{
	bool split = false, compressed = false;
	inspect_headers(&debug->image->file, &split, &compressed);
	for (uint32_t i = 0; i < debug->files.count; i++)
		inspect_headers(&debug->files.items[i].opened->source, &split, &compressed);
	if (split || compressed)
		rs_decompressors_load(&debug->decompressors);
	debug->image->demand->is_split = split;
	debug->image->demand->opens_files = split && !all_files && !debug->where.find_split;
	return split && all_files ? rs_split_files_open(&debug->dwos, NULL, &debug->where, err) : 0;
}

int rs_debug_open(struct rossym_image *image, const char *path, const struct rossym_open_options *options,
		  const struct rossym_error *why, struct rossym_error *err)
{
	struct rs_debug *debug = rs_alloc(1, sizeof *debug);
	struct rossym_error reason;
	if (!debug)
		return rs_fail_memory(err);
	image->demand = rs_alloc(1, sizeof *image->demand);
	if (!image->demand) {
		rs_free(debug);
		return rs_fail_memory(err);
	}
	image->demand->make = make_wanted_table;
	image->demand->end = close_debug;
	image->demand->context = debug;
	image->core.table.row_size = RS_ROW_SIZE;
	image->partial = image->wants_whole = true;
	debug->image = image;
	debug->why = *why;
	debug->stamp = rs_source_stamp(&image->file);
	if (copy_options(debug, path, options, &reason) < 0 ||
	    rs_pieces_open(&debug->pieces, &image->file, debug->where.reading == RS_MAP, &reason) < 0)
		goto fail;
	debug->content = rs_pieces_source(&debug->pieces);
	if (open_files(debug, options, &reason) < 0 ||
	    prepare_split_and_compressed(debug, options->flags & ROSSYM_OPEN_ALL_FILES, &reason) < 0)
		goto fail;
	/* If nothing hints at symbols, make the table now: this is quick, and detects damage that hides debug files. */
	if (!may_have_symbols(debug) && rs_demand_make_whole_table(image, &reason) < 0)
		goto fail;
	debug->open = true;
	return 0;
fail:
	return rs_fail_with(err, &reason);
}
