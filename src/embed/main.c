// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - rossym-embed: replaces the debug information of an image by a .rossym table
 *
 * Under the name rsym it has the command line of ReactOS's rsym.
 */
#include "config.h"
#include "embed/command.h"
#include "tool/command/start.h"
#include "tool/command/response.h"
#include "tool/diag.h"

int main(int argc, char **argv)
{
	static struct out out;
	struct embed_command command = { .out = &out };
	int status = 0;

	start_program(argc, argv, "rossym-embed", &out);
	if (argv0_is(argv[0], "rsym")) {
		status = embed_command_parse_rsym(&command, argc, argv);
	} else {
		status = response_expand_arguments(&argc, &argv);
		if (status == 0)
			status = embed_command_parse(&command, argc, argv);
	}
	if (status < 0)
		status = command.store ? store_add_files(&command) : embed_run(&command);
	embed_command_clear(&command);
	return diag_finish_output(status, 1);
}
