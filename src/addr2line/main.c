// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - rossym-addr2line: GNU addr2line for images with a .rossym table or other debug information
 */
#include "config.h"
#include "addr2line/jobs.h"
#include "addr2line/raddr2line.h"
#include "tool/command/start.h"
#include "tool/command/response.h"
#include "tool/demangle.h"
#include "tool/diag.h"

#include <string.h>

/* Whether any argument before "--" begins with --diff.  If so, every failure must have the exit status DIFF_TROUBLE,
   even if the command line cannot be parsed. */
static bool diff_is_requested(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strncmp(argv[i], "--diff", 6) == 0)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	static struct out out; /* static, because it is too big for the stack */
	struct addr2line_command command = { .path = "a.out",
					     .workers = 1,
					     .diff = { .ignored = DIFF_IGNORED, .timeout = 600 } };
	char **typed = argv;

	start_program(argc, argv, "rossym-addr2line", &out);
	if (argv0_is(argv[0], "raddr2line"))
		return diag_finish_output(run_raddr2line(argc, argv, &out), 1);

	/* The exit status of a failure is 1, as for GNU addr2line; but with --diff, where 1 means that there are
	   differences, it is DIFF_TROUBLE. */
	bool diff_seen = diff_is_requested(argc, argv);
	int status = response_expand_arguments(&argc, &argv);
	diff_seen = diff_seen || diff_is_requested(argc, argv);
	int failed = diff_seen ? DIFF_TROUBLE : 1;
	if (status == 0 && !fallback_open(&command.fallback, typed, argv))
		status = diag_memory_exit_status();
	if (status == 0)
		status = addr2line_command_parse(&command, &out, argc, argv);
	status = status == COMMAND_RUN ? addr2line_run(&command, failed) : status == 1 ? failed : status;
	demangle_warn_if_gave_up();
	status = diag_finish_output(status, failed);
	fallback_close(&command.fallback);
	addr2line_command_clear(&command);
	return status;
}
