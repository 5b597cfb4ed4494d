// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - rossym-embed: replaces the debug information of an image by a .rossym table
 *
 * Under the name rsym it has the command line of ReactOS's rsym.
 */
#include "config.h"
#include "embed/run.h"
#include "embed/store.h"
#include "tool/command/argv0.h"
#include "tool/command/response.h"
#include "tool/command/std-streams.h"
#include "tool/diag.h"

static int add_to_store(const struct embed_command *command)
{
	const struct store_request request = {
		.directory = command->store,
		.files = (const char *const *)command->stored,
		.file_count = command->stored_count,
		.pdbs = command->pdbs.items,
		.pdb_count = command->pdbs.count,
		.verbose = command->verbose,
		.out = command->out,
	};
	return store_add(&request);
}

int main(int argc, char **argv)
{
	static struct out out;
	struct embed_command command = { .out = &out };
	struct response *response = NULL;
	int status = 0;

	std_streams_open();
	argv0_shorten(argv);
	diag_start(argc > 0 ? argv[0] : "rossym-embed", &out);
	if (argv0_is(argv[0], "rsym")) {
		status = embed_command_parse_rsym(&command, argc, argv);
	} else {
		status = response_arguments(&argc, &argv, &response);
		if (status == 0)
			status = embed_command_parse(&command, argc, argv);
	}
	if (status < 0)
		status = command.store ? add_to_store(&command) : embed_run(&command);
	embed_command_clear(&command);
	status = diag_finish(status, 1);
	response_free(response);
	return status;
}
