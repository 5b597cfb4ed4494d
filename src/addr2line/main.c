// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rossym-addr2line - what GNU addr2line does, for images that carry their symbols in a .rossym table
 *
 * Options are parsed (command.h), the image is opened, and the rules are made by which an address of the input
 * becomes one of the image (answer/query.h).  Then one of the jobs runs the input (tool/input.h): records, count,
 * folded, or diff.
 */
#include "config.h"
#include "addr2line/command.h"
#include "addr2line/count.h"
#include "addr2line/first.h"
#include "addr2line/folded.h"
#include "addr2line/raddr2line.h"
#include "addr2line/records.h"
#include "tool/command/argv0.h"
#include "answer/thread-pool.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "answer/inspect.h"
#include "answer/open.h"
#include "tool/command/response.h"
#include "tool/process/sandbox.h"
#include "tool/command/std-streams.h"

#include <stdlib.h>
#include <string.h>

/* Find the section that -j names.  False after a message. */
static bool find_section(const struct command *command, struct rossym_image *image, struct rossym_section *section)
{
	struct rossym_error err;
	int found = rossym_find_section(image, command->section, section, &err);
	if (found < 0)
		diag_image(command->path, &err);
	else if (found == 0)
		diag("%s: cannot find section %s", command->path, command->section);
	return found > 0;
}

/* Whether names of functions are printed. */
static bool shows_functions(const struct command *command)
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

/* Whether to print the function of the outermost frame, as LLVM does, which only the block knows. */
static bool shows_outermost(const struct command *command)
{
	return command->run == RUN_RECORDS && command->style.form != RECORD_GNU && shows_functions(command);
}

/* Names are printed whole.  Where the block is not read anyway, the library reads it for a name that was cut. */
static unsigned open_flags(const struct command *command)
{
	return shows_functions(command) && !command->inlines && !shows_outermost(command) ? ROSSYM_OPEN_WHOLE_STRINGS
											  : 0;
}

/* Read the block, if an option needs it.  Tables that are made on demand have one, and reading it would make all of
   them.  False after a message. */
static bool read_block(struct command *command, struct rossym_image *image)
{
	if (!command->inlines && !shows_outermost(command))
		return true;
	int found = command->supply.open ? 1 : open_block(image, command->path);
	command->style.inlines = found > 0 && command->inlines ? image : NULL;
	command->style.block = found > 0 && shows_outermost(command) ? image : NULL;
	return found >= 0;
}

/* Run the job that visits the input.  CALLERS are the rules for return addresses.  Returns the exit status. */
static int visit(struct command *command, struct out *out, const struct query_rules *rules,
		 const struct query_rules *callers)
{
	struct record_style *style = &command->style;
	const unsigned flags = command->lookup_flags;
	struct input input = { .out = out,
			       .operands = command->operands,
			       .operand_count = command->operand_count,
			       .number_size = command->number_size };
	bool good = true;
	switch (command->run) {
	case RUN_RECORDS:
		good = records_run(&input, callers, flags, style, command->workers);
		break;
	case RUN_COUNT:
		good = count_run(&input, callers, flags, style, command->count);
		break;
	case RUN_FOLDED:
		good = folded_run(&input, rules, callers, flags, style);
		break;
	case RUN_DIFF: {
		struct diff diff = { .request = &command->diff,
				     .rules = callers,
				     .lookup_flags = flags,
				     .inlines = command->inlines,
				     .style = style,
				     .out = out };
		return diff_run(&diff, &input);
	}
	case RUN_DUMP:
	case RUN_CHECK:
		break;
	}
	return !good;
}

/* Prepare what the jobs that read addresses need, and run one.  Returns the exit status, FAILED for what cannot
   be done. */
static int run_input(struct command *command, struct out *out, struct rossym_image *image, int failed)
{
	struct query_rules rules, callers;
	struct symbols symbols = { .sections.names = NULL };
	struct rossym_info info = { .size = sizeof info };
	struct rossym_section section;
	rossym_get_info(image, &info, NULL);
	command->style.digits = info.kind == ROSSYM_PE32PLUS ? 16 : 8;
	command->style.module = command->path;
	command->style.image_base = info.image_base;
	if (command->section && !find_section(command, image, &section))
		return failed;
	query_rules(&rules, image, command->path, &symbols, command->origin, command->load_address, &section);
	rules.has_commands = command->style.form != RECORD_GNU;
	if (!read_block(command, image))
		return failed;
	callers = rules;
	if (command->return_addresses)
		query_take_returns(&callers);
	int status = visit(command, out, &rules, &callers);
	symbols_clear(&symbols);
	diag_short_names(image, command->path);
	return status;
}

/* Warn about options that this build cannot obey. */
static void warn_of_lacks(struct command *command)
{
	if (command->workers > 1 && !thread_pool_available) {
		diag_warning("built without threads: -P %u is taken for -P 1", command->workers);
		command->workers = 1;
	}
	if (command->style.demangle && !demangle_available)
		diag_warning("built without a demangler: names are shown as they are");
}

/* Returns the exit status, FAILED for what cannot be done. */
static int run(struct command *command, struct out *out, int failed)
{
	struct rossym_image *image;
	/* these two are about a table */
	const bool explain = command->run == RUN_CHECK || command->run == RUN_DIFF;
	int status;
	command->supply.first = first_look_up;
	command->supply.context = command;
	/* Another addr2line can print records, and do nothing else that we do. */
	if (!open_image(command->path, command->target, explain,
			command->run == RUN_RECORDS ? &command->fallback : NULL, open_flags(command),
			explain || command->no_debug_info ? NULL : &command->supply, &image))
		return failed;
	warn_of_lacks(command);
	/* --diff starts another program. */
	if (command->run != RUN_DIFF)
		sandbox_reader(command->workers > 1);
	if (command->run == RUN_DUMP)
		status = inspect_dump(image, command->path, out);
	else if (command->run == RUN_CHECK)
		status = inspect_check(image, command->path, out);
	else
		status = run_input(command, out, image, failed);
	rossym_close(image);
	supply_close(&command->supply);
	return status == 1 && command->run != RUN_DIFF ? failed : status;
}

int main(int argc, char **argv)
{
	static struct out out; /* too big for a stack, and touched only as far as it is used */
	struct command command = { .path = "a.out", .workers = 1, .diff = diff_defaults };
	struct response *response = NULL;
	char **typed = argv;

	std_streams_open();
	argv0_shorten(argv);
	diag_start(argc > 0 ? argv[0] : "rossym-addr2line", &out);
	if (argv0_is(argv[0], "raddr2line"))
		return diag_finish(raddr2line(argc, argv, &out), 1);

	/* A failure is 1, as for GNU addr2line, unless 1 means "different". */
	bool diff_seen = diff_is_among(argc, argv);
	int status = response_arguments(&argc, &argv, &response);
	diff_seen = diff_seen || diff_is_among(argc, argv);
	int failed = diff_seen ? DIFF_TROUBLE : 1;
	if (status == 0 && !fallback_open(&command.fallback, typed, argv))
		status = diag_no_memory();
	if (status == 0)
		status = command_parse(&command, &out, argc, argv);
	status = status == COMMAND_RUN ? run(&command, &out, failed) : status == 1 ? failed : status;
	paths_clear(&command.style.paths);
	demangle_end();
	status = diag_finish(status, failed);
	fallback_close(&command.fallback);
	free(command.passed);
	response_free(response);
	return status;
}
