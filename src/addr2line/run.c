// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run.c - opens the image, makes the rules that convert an address of the input to an RVA (answer/query.h), and runs
 * one of the jobs, which visits the input (tool/input.h): records, count, folded or diff
 */
#include "config.h"
#include "addr2line/jobs.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "answer/open-image.h"
#include "tool/files/wanted-files.h"
#include "tool/process/sandbox.h"
#include "search/path.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Store in *SECTION the section that -j names.  Returns false after a message. */
static bool find_section(const struct addr2line_command *command, struct rossym_image *image,
			 struct rossym_section *section)
{
	struct rossym_error err;
	int found = rossym_find_section(image, command->section, section, &err);
	if (found < 0)
		return diag_image_error(command->path, &err);
	return found > 0 || diag("%s: cannot find section %s", command->path, command->section);
}

static bool prints_functions(const struct addr2line_command *command)
{
	switch (command->run) {
	case RUN_COUNT:
		return command->count == COUNT_FUNCTIONS;
	case RUN_FOLDED:
		return true;
	default:
		return command->style.functions || command->style.form == RECORD_JSON;
	}
}

/* Whether to print the outermost frame's function, as llvm-symbolizer does.  Only the extension block has its name. */
static bool prints_outermost(const struct addr2line_command *command)
{
	return command->run == RUN_RECORDS && command->style.form != RECORD_GNU && prints_functions(command);
}

/* Whether this run prints columns and other details where they are known. */
static bool prints_details(const struct addr2line_command *command)
{
	return command->run == RUN_RECORDS && command->style.form != RECORD_GNU;
}

/* Whether IMAGE answers from its debug information, because it has no table. */
static bool has_no_table(struct rossym_image *image)
{
	struct rossym_info info = { .size = sizeof info };
	struct rossym_section section;
	return rossym_get_info(image, &info, NULL) == 0 && info.kind != ROSSYM_BARE &&
	       rossym_find_section(image, ".rossym", &section, NULL) <= 0;
}

/* If an option needs IMAGE's extension block (inlined calls, outermost functions), read it.  Without a table, debug
   information has these, and is read when an address needs it.  Returns false after a message. */
static bool read_block_if_needed(struct addr2line_command *command, struct rossym_image *image, const char *path)
{
	if (!command->inlines && !prints_outermost(command))
		return true;
	int found = has_no_table(image) ? 1 : read_block_or_warn(image, path);
	command->style.inlines = found > 0 && command->inlines ? image : NULL;
	command->style.outermost_from = found > 0 && prints_outermost(command) ? image : NULL;
	return found >= 0;
}

/* Make the rules for the addresses of IMAGE, and read its extension block if needed.  Returns false after a message. */
static bool make_rules_and_read_block(struct addr2line_command *command, struct job_image *image)
{
	struct rossym_section section;
	if (command->section && !find_section(command, image->image, &section))
		return false;
	const struct query_base base = { command->origin, command->load_address, &section };
	query_make_rules(&image->rules, image->image, image->path, &image->symbols, &base);
	image->rules.has_commands = command->style.form != RECORD_GNU;
	image->callers = image->rules;
	if (command->return_addresses)
		query_adjust_for_returns(&image->callers);
	const bool good = read_block_if_needed(command, image->image, image->path);
	image->inlines = command->style.inlines;
	return good;
}

/* Run one of the jobs records, count and diff; RULES convert the addresses of the input.  Returns the exit status. */
static int run_records_count_or_diff(struct addr2line_command *command, const struct query_rules *rules)
{
	if (command->run == RUN_RECORDS)
		return !records_run(command, rules);
	if (command->run == RUN_COUNT)
		return !count_run(command, rules);
	struct input input = addr2line_command_make_input(command, NULL, NULL);
	struct diff diff = { .request = &command->diff,
			     .rules = rules,
			     .lookup_flags = command->lookup_flags,
			     .inlines = command->inlines,
			     .style = &command->style,
			     .out = command->out };
	return diff_run(&diff, &input);
}

/* Print which files are missing to answer more addresses of IMAGE.  Returns the exit status. */
static int print_missing_files(const struct addr2line_command *command, struct rossym_image *image)
{
	struct wanted_files files = { .items = NULL };
	struct rossym_info info = { .size = sizeof info };
	struct rossym_section section;
	uint64_t rva = UINT64_MAX; /* the first address of the first section of code */
	for (uint32_t i = 0; rva == UINT64_MAX && rossym_get_section(image, i, &section, NULL) > 0; i++)
		if (rossym_section_is_code(&section))
			rva = section.rva;
	/* The library searches for a file with symbols only at the first look-up, so prepare for one. */
	rossym_prepare_addresses(image, &rva, 1, NULL);
	rossym_get_info(image, &info, NULL);
	if (!info.debug_file)
		wanted_files_add_symbols(&files, image, command->path);
	const bool good = !files.no_memory || diag_report_no_memory();
	wanted_files_print(&files, command->out, command->style.form == RECORD_JSON);
	wanted_files_clear(&files);
	return !good;
}

/* Make the rules and the style, and run the job.  Returns the exit status: if something fails, 1 or FAILED. */
static int prepare_and_run_job(struct addr2line_command *command, struct job_image *image, int failed)
{
	struct rossym_info info = { .size = sizeof info };
	rossym_get_info(image->image, &info, NULL);
	command->style.digits = info.kind == ROSSYM_PE32PLUS ? 16 : 8;
	command->style.module = image->path;
	command->style.image_base = info.image_base;
	command->style.details = prints_details(command) && has_no_table(image->image);
	if (!make_rules_and_read_block(command, image))
		return failed;
	int status = run_records_count_or_diff(command, &image->callers);
	diag_warn_of_cut_names(image->image, image->path);
	return status;
}

/* Run --folded, which can have several images.  Returns the exit status. */
static int run_folded(struct addr2line_command *command, struct job_image *images, size_t count)
{
	bool good = true;
	for (size_t i = 0; good && i < count; i++)
		good = make_rules_and_read_block(command, &images[i]);
	good = good && folded_run(command, images, count);
	for (size_t i = 0; good && i < count; i++)
		diag_warn_of_cut_names(images[i].image, images[i].path);
	return !good;
}

/* Warn about options that need a feature which this build lacks. */
static void warn_about_build(struct addr2line_command *command)
{
	if (command->workers > 1 && !records_have_workers) {
		diag_warning("built without threads: -P %u is taken for -P 1", command->workers);
		command->workers = 1;
	}
	if (style_demangles(&command->style) && !demangle_available)
		diag_warning("built without a demangler: names are shown as they are");
}

/* Open the image PATH.  Returns false after a message. */
static bool open_image_for_job(struct addr2line_command *command, const char *path, struct rossym_image **ret)
{
	/* --check and --diff are only about the image's own table. */
	const bool explain = command->run == RUN_CHECK || command->run == RUN_DIFF;
	/* Only the extension block has the whole form of a cut name.  If names are printed, and no option needs the
	   whole block, this lets the library read the block when it finds a cut name. */
	const bool whole = prints_functions(command) && !command->inlines && !prints_outermost(command);
	/* The fallback, another addr2line, can print records, but do none of the other jobs. */
	const struct open_image how = { .target = command->target,
					.explain = explain,
					.flags = whole ? ROSSYM_OPEN_WHOLE_STRINGS : 0,
					.even_without = command->run == RUN_MISSING,
					.fallback = command->run == RUN_RECORDS ? &command->fallback : NULL,
					.debug = explain || command->no_debug_info ? NULL : &command->debug };
	return open_image(path, &how, ret);
}

#ifdef SIGBUS
/* The path of the image whose files are being read, for handle_bus_error(). */
static const char *volatile shrinking_path;

/* The handler of SIGBUS: another program has shortened a file that was mapped.  Only the readers of debug information
   use mapped files, so the signal comes while they run, and the handler can call other code of this program. */
static void handle_bus_error(int signal)
{
	(void)signal;
	diag("%s: it, or its debug file, became shorter while it was read", shrinking_path);
	_exit(diag_finish_output(1, 1));
}
#endif

/* Drop the privileges that the jobs do not need.  If look-ups in one of the COUNT IMAGES may open files, files below
   the directories of the images and of the options can still be opened. */
static void drop_privileges(const struct addr2line_command *command, const struct job_image *images, size_t count)
{
	struct search_path directories = { .items = NULL };
	bool opens_files = false;
	/* If there is no memory, a directory is left out, so its files cannot be opened. */
	for (size_t i = 0; i < count; i++) {
		const char *path = images[i].path;
		const size_t length = (size_t)(rs_path_base(path) - path);
		struct rossym_info info = { .size = sizeof info };
		rossym_get_info(images[i].image, &info, NULL);
		opens_files |= info.opens_files;
		(void)search_path_add_one(&directories, length > 0 ? path : ".", length > 0 ? length : 1);
	}
	for (size_t i = 0; i < command->debug.directories.count; i++)
		(void)search_path_add_path(&directories, command->debug.directories.items[i]);
#ifdef SIGBUS
	shrinking_path = command->path;
	signal(SIGBUS, handle_bus_error);
#endif
	sandbox_restrict_reader(command->workers > 1, (const char *const *)directories.items,
				opens_files ? directories.count : 0);
	search_path_clear(&directories);
}

/* Run the job on the COUNT IMAGES, which are open.  Returns the exit status. */
static int run_job(struct addr2line_command *command, struct job_image *images, size_t count, int failed)
{
	switch (command->run) {
	case RUN_DUMP:
		return inspect_dump(images->image, images->path, command->out);
	case RUN_CHECK:
		return inspect_check(images->image, images->path, command->out);
	case RUN_MISSING:
		return print_missing_files(command, images->image);
	case RUN_FOLDED:
		return run_folded(command, images, count);
	default:
		return prepare_and_run_job(command, images, failed);
	}
}

int addr2line_run(struct addr2line_command *command, int failed)
{
	const size_t count = command->run == RUN_FOLDED && command->path_count > 1 ? command->path_count : 1;
	int status = 1;
	if (named_images_are_wanted(command))
		return named_images_run(command);
	/* If no look-up needs the frames around inlined calls, the library need not make such frames. */
	if ((command->run == RUN_RECORDS || command->run == RUN_COUNT) && !command->inlines &&
	    !prints_outermost(command))
		command->debug.flags |= ROSSYM_OPEN_NO_FRAMES;
	if (prints_details(command))
		command->debug.flags |= ROSSYM_OPEN_DETAILS;
	if (count > 1)
		command->origin = FROM_RVA; /* the offset in module+offset is an RVA */
	struct job_image *images = calloc(count, sizeof *images);
	bool good = images || diag_report_no_memory();
	for (size_t i = 0; good && i < count; i++) {
		images[i].path = count > 1 ? command->paths[i] : command->path;
		good = open_image_for_job(command, images[i].path, &images[i].image);
	}
	if (good) {
		warn_about_build(command);
		/* --diff must start another program, which the sandbox does not allow. */
		if (command->run != RUN_DIFF)
			drop_privileges(command, images, count);
		status = run_job(command, images, count, failed);
	}
	for (size_t i = 0; images && i < count; i++) {
		symbols_clear(&images[i].symbols);
		rossym_close(images[i].image);
	}
	free(images);
	return !good || (status == 1 && command->run != RUN_DIFF) ? failed : status;
}
