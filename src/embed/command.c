// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/command.h"
#include "search/path.h"
#include "tool/command/options.h"
#include "tool/demangle.h"
#include "tool/diag.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --------------------------------------------------------------------------------------------- what options do */

static int add_source_root(void *context, const char *argument)
{
	struct embed_command *command = context;
	return paths_add_root(&command->paths, argument) ? EMBED_RUN : diag_memory_exit_status();
}

static int set_entry_frame(void *context, const char *argument)
{
	struct embed_command *command = context;
	command->debuginfo.entry_outer = strcmp(argument, "outer") == 0;
	if (command->debuginfo.entry_outer || strcmp(argument, "inner") == 0)
		return EMBED_RUN;
	return !diag("--entry-frame: '%s' is neither inner nor outer", argument);
}

static int print_embed_help(void *context, const char *argument);

static int print_embed_version(void *context, const char *argument)
{
	const struct embed_command *command = context;
	struct out *out = command->out;
	(void)argument;
	common_print_version(out, "rossym-embed");
#if defined HAVE_ZLIB && defined HAVE_ZSTD
	out_text(out, "Compressed sections: zlib, zstd\n");
#elif defined HAVE_ZLIB
	out_text(out, "Compressed sections: zlib\n");
#elif defined HAVE_ZSTD
	out_text(out, "Compressed sections: zstd\n");
#else
	out_text(out, "Compressed sections: none\n");
#endif
	out_text(out, "Built in: DWARF 2 to 5, stabs, COFF symbols, PDB 7.00 of i386, x86-64 and ARM64\n");
	out_text(out, demangle_available ? "Demangler: libiberty\n" : "Demangler: none\n");
	return 0;
}

/* --------------------------------------------------------------------------------------------------- tables */

#include "options/rossym-embed.rows"

static void put_summary(struct out *out)
{
	static const char *const synopsis[] = { "INPUT OUTPUT", "INPUT -o OUTPUT", "--in-place FILE",
						"--store=DIR FILE..." };
	for (size_t i = 0; i < sizeof synopsis / sizeof *synopsis; i++) {
		out_text(out, i == 0 ? "Usage: " : "       ");
		out_text(out, diag_program());
		out_text(out, " [option(s)] ");
		out_text(out, synopsis[i]);
		out_text(out, "\n");
	}
	out_text(out, " Replace the debug information of a PE image by a .rossym table made of it.\n"
		      " The options are:\n");
}

static int print_embed_help(void *context, const char *argument)
{
	const struct embed_command *command = context;
	return common_print_help(command->out, put_summary, option_rows, argument);
}

/* If the option of ROW must not be used with --store, store the option's name for a message. */
static void note_excluded(void *context, const struct option_row *row)
{
	struct embed_command *command = context;
	static const char *const go_with_store[] = { "store", "debug-file", "verbose", "quiet" };
	for (size_t i = 0; i < sizeof go_with_store / sizeof *go_with_store; i++)
		if (strcmp(row->name, go_with_store[i]) == 0)
			return;
	command->table_option = row->name;
}

/* ------------------------------------------------------------------------------------------------- operands */

/* Store the operands of --store.  Returns EMBED_RUN, or the exit status after a message. */
static int store_files_to_add(struct embed_command *command, char **operands, int count)
{
	if (count == 0 && command->pdbs.count == 0) {
		diag("--store: no file to add");
		return common_suggest_help();
	}
	if (command->table_option)
		return !diag("--store and --%s exclude each other", command->table_option);
	command->stored = operands;
	command->stored_count = (size_t)count;
	return EMBED_RUN;
}

/* Check that there are WANTED operands, the last of which is the output unless an option has named the output
   (HAS_OUTPUT).  Returns false after a message about those that are missing, or the first that is too many. */
static bool check_operand_count(char **operands, int count, int wanted, bool has_output)
{
	if (count + 1 < wanted)
		return diag("INPUT and OUTPUT are missing");
	if (count < wanted)
		return diag("%s is missing", has_output ? "INPUT" : "OUTPUT");
	return count == wanted || diag("an operand too many: '%s'", operands[wanted]);
}

/* Store the operands, and refuse contradictory options.  Returns EMBED_RUN, or the exit status after a message. */
static int store_operands(struct embed_command *command, char **operands, int count)
{
	if (command->store)
		return store_files_to_add(command, operands, count);
	bool needs_input = !command->table_only || !command->dump;
	bool has_output = command->in_place || command->output;
	if (command->in_place && (command->output || command->table_only))
		return !diag("--in-place and %s exclude each other", command->table_only ? "--table-only" : "-o");
	if (!check_operand_count(operands, count, needs_input + !has_output, has_output))
		return common_suggest_help();
	command->input = needs_input ? operands[0] : NULL;
	if (!command->output)
		command->output = operands[count - 1];
	if (command->keep_debug && command->debuglink)
		return !diag("--debuglink and --keep-debug exclude each other");
	if (command->table_only && (command->keep_debug || command->debuglink))
		return !diag("--table-only and %s exclude each other",
			     command->keep_debug ? "--keep-debug" : "--debuglink");
	if (command->wanted && !command->table_only)
		return !diag("--for needs --table-only");
	if (command->wanted && command->dump)
		return !diag("--for and --from-dump exclude each other");
	const char *not_unpacked = command->packed	 ? "--packed"
				   : command->dump	 ? "--from-dump"
				   : command->wanted	 ? "--for"
				   : command->pdbs.count ? "--debug-file"
							 : NULL;
	if (command->unpacked && not_unpacked)
		return !diag("--unpacked and %s exclude each other", not_unpacked);
	if (command->debuglink && rs_paths_name_same_file(command->debuglink, command->output))
		return !diag("--debuglink: %s is the output", command->debuglink);
	if (strcmp(command->output, "-") != 0)
		return EMBED_RUN;
	/* If an error followed, a part of the image would already be in standard output. */
	if (!command->table_only)
		return !diag("an image cannot be written to standard output; a file of this name is ./-");
	if (isatty(STDOUT_FILENO))
		return !diag("a table is not written to a terminal");
	command->to_stdout = true;
	command->output = "standard output";
	return EMBED_RUN;
}

/* Append the directories of _NT_SYMBOL_PATH to debug_directories, and then all debug_directories to dwo_directories.
   Returns EMBED_RUN, or the exit status after a message. */
static int add_all_debug_directories(struct embed_command *command)
{
	int status = search_path_add_symbols(&command->debug_directories, getenv("_NT_SYMBOL_PATH"))
			     ? EMBED_RUN
			     : diag_memory_exit_status();
	for (size_t i = 0; status == EMBED_RUN && i < command->debug_directories.count; i++)
		status = search_path_add_path(&command->dwo_directories, command->debug_directories.items[i]);
	return status;
}

int embed_command_parse(struct embed_command *command, int argc, char **argv)
{
	struct options options = {
		.argc = argc, .argv = argv, .rows = option_rows, .wrong = common_suggest_help, .note = note_excluded
	};
	int operands, status = options_parse(&options, command, &operands);
	if (status == EMBED_RUN)
		status = store_operands(command, argv + operands, argc - operands);
	return status == EMBED_RUN ? add_all_debug_directories(command) : status;
}

int embed_command_parse_rsym(struct embed_command *command, int argc, char **argv)
{
	int at = 1;
	command->as_rsym = command->allow_empty = command->allow_partial = true;
	for (; at < argc && strcmp(argv[at], "-s") == 0; at += 2)
		if (at + 1 < argc && !paths_add_root(&command->paths, argv[at + 1]))
			return diag_memory_exit_status();
	if (argc - at != 2 || argv[at][0] == '-')
		return !diag_print_plain("Usage: rsym [-s <sources>] <input> <output>");
	command->input = argv[at];
	command->output = argv[at + 1];
	return EMBED_RUN;
}

const char *embed_get_debug_file(const struct embed_command *command)
{
	return command->pdbs.count ? command->pdbs.items[command->pdbs.count - 1] : NULL;
}

void embed_command_clear(struct embed_command *command)
{
	paths_clear(&command->paths);
	search_path_clear(&command->dwo_directories);
	search_path_clear(&command->debug_directories);
	search_path_clear(&command->pdbs);
}
