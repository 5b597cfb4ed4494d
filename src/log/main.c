// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - rossym-log: adds source lines to the code addresses of a debug log, or of a bugcheck typed from a photograph
 */
#include "config.h"
#include "log/archive/archives.h"
#include "log/command.h"
#include "log/dumps/dumps.h"
#include "log/find/fit.h"
#include "log/resolve/resolve.h"
#include "tool/command/start.h"
#include "tool/command/response.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/process/sandbox.h"

#include <string.h>

static int print_index(struct log_command *command)
{
	size_t count;
	modules_read_index(&command->resolver.modules);
	struct file **files = index_find(&command->resolver.modules.index, "", 0, &count);
	for (size_t i = 0; i < count; i++) {
		out_text(command->out, files[i]->label);
		out_char(command->out, '\n');
	}
	return 0;
}

static int print_builds(struct log_command *command)
{
	int status = 0;
	if (command->operand_count > 0)
		status = logs_print_fit(command);
	else
		fit_print_builds(command->out, &command->resolver.modules, command->settings.json);
	return command->resolver.modules.out_of_memory ? diag_memory_exit_status() : status;
}

/* Answer the operands, which are addresses, unless an option wants a log.  Returns the exit status. */
static int answer_offset_operands(struct log_command *command)
{
	const struct settings *settings = &command->settings;
	const char *option = settings->html	      ? "--output-style=html"
			     : settings->only_crashes ? "--crashes"
			     : settings->only_missing ? "--missing"
						      : NULL;
	if (!option)
		return offsets_answer(command);
	diag("%s wants a log, not addresses", option);
	return 1;
}

static int run_log_command(struct log_command *command)
{
	int status;
	if (command->list_builds)
		status = print_builds(command);
	else if (command->print_index)
		status = print_index(command);
	else if (offsets_are_operands(command))
		status = answer_offset_operands(command);
	else
		status = logs_filter(command);
	out_flush(command->out);
	if (command->settings.statistics)
		statistics_print(&command->resolver);
	if (command->out->copy_error) {
		diag("cannot write the copy: %s", strerror(command->out->copy_error));
		status = 1;
	}
	return modules_have_failed(&command->resolver.modules) || command->asker.reported_over_budget ? 1 : status;
}

#ifdef HAVE_FORK
/* Run in a worker process: do the kind of work for which SLOT, the worker's number in command.workers, is reserved. */
static void serve_in_slot(unsigned slot, struct channel *channel)
{
	if (slot < DUMP_SLOT)
		archive_serve_requests(channel);
	else if (slot < IMAGE_SLOT)
		dump_serve_request(channel);
	else
		image_serve_requests(channel);
}
#endif

/* Start the server that forks the workers, which read debug information, archives and dumps.  Then drop privileges, so
   that no server can be started any more, and execute the command.  Returns the exit status. */
static int run_sandboxed(struct log_command *command)
{
	const struct settings *settings = &command->settings;
	struct modules *modules = &command->resolver.modules;
	/* Answers may come from debug information.  A program that is called log2lines reads .rossym tables only. */
	if (!command->as_log2lines && !command->list_builds && !command->no_debug_info && logs_need_look_ups(command)) {
		modules->asker = &command->asker;
		image_asker_init(&command->asker, &command->workers);
		rs_decompressors_load(&command->decompressors);
	}
	modules->verbose = settings->verbose;
	modules->says_builds = settings->builds && (settings->verbose || settings->statistics);
	modules->index.workers = &command->workers;
	command->reads_dumps = !command->as_log2lines && !command->list_builds && !command->print_index &&
			       !offsets_are_operands(command);
	if (command->reads_dumps && !logs_read_input_signature(command))
		return diag_memory_exit_status();
#ifdef HAVE_FORK
	worker_table_start(&command->workers, serve_in_slot);
#endif
	sandbox_restrict_searcher(command->workers.socket);
	return run_log_command(command);
}

static void clear_command(struct log_command *command)
{
	offsets_free_resolvers(command);
	modules_clear(&command->resolver.modules);
#ifdef HAVE_FORK
	worker_table_stop(&command->workers);
#endif
	rs_decompressors_unload(&command->decompressors);
	strbuf_clear(&command->begun);
	paths_clear(&command->settings.paths);
	demangle_warn_if_gave_up();
}

int main(int argc, char **argv)
{
	static struct out out; /* static, because it is large; pages that are not used cost nothing */
	static struct log_command command;

	start_program(argc, argv, "rossym-log", &out);
	command.as_log2lines = argv0_is(argv[0], "log2lines");
	command.out = &out;
	command.workers.socket = -1;
	command.settings.wait = 100;
	command.settings.inlines = command.settings.builds = command.settings.calls = command.settings.missed =
		!command.as_log2lines;
	command.resolver.settings = &command.settings;
	int status = response_expand_arguments(&argc, &argv);
	if (status == 0 && !modules_init(&command.resolver.modules, !command.as_log2lines))
		status = diag_memory_exit_status();
	if (status == 0)
		status = command.as_log2lines ? log2lines_parse(&command, argc, argv)
					      : log_command_parse(&command, argc, argv);
	if (status == LOG_RUN)
		status = run_sandboxed(&command);
	clear_command(&command);
	return diag_finish_output(status, 1);
}
