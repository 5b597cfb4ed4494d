// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * log2lines.c - parses the options of ReactOS's log2lines
 */
#include "config.h"
#include "log/command.h"
#include "tool/diag.h"
#include "tool/command/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/compat.h"

static const char help[] =
	"Usage: log2lines [options] [EXE OFFSET...]\n"
	" Copies a debug log from standard input to standard output and adds source lines to code addresses.\n"
	" This is rossym-log under its old name; \"rossym-log --help\" has more.\n"
	"  -c            console mode: obey `commands at kdb:>; see `h there\n"
	"  -d DIR        where the modules are: a directory, .iso, .zip, .7z or .cab\n"
	"                (default: $_ROSBE_ROSSOURCEDIR/output-i386)\n"
	"  -F            print the index of modules and exit\n"
	"  -h            this help\n"
	"  -l FILE       append a copy of the output to FILE (none: no copy)\n"
	"  -L FILE       the same, emptying FILE first\n"
	"  -m, -M        mark lines with \"* \" if translated, \"? \" if not\n"
	"  -r            raw: translate nothing\n"
	"  -s            statistics on standard error at the end\n"
	"  -S N[+M][,DIR]  source lines: N up to the place, M more; implies -U\n"
	"  -t, -T        show what the address before says: both, or only that\n"
	"  -u, -U        undo translations; undo and translate again\n"
	"  -v            verbose\n"
	"  -b -f -z PROG accepted and ignored\n";

/* Open PATH, the file of -l or -L, for a copy of what OUT prints; "none" means no copy.  If one of these options is
   repeated, the last one counts.  Returns LOG_RUN; or 1, after a message. */
static int open_copy(struct out *out, const char *path, int flags)
{
	if (out->copy)
		close(out->copy);
	out->copy = 0;
	if (strcmp(path, "none") == 0)
		return LOG_RUN;
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_BINARY | flags, 0666);
	if (fd < 0) {
		diag("%s: %s", path, strerror(errno));
		return 1;
	}
	out->copy = fd;
	return LOG_RUN;
}

/* Ignore an option that asks for something that this program always does: -b (the copy of -l is buffered), -f (no cache
   is read) or -z (archives are read). */
static int ignore_option(void *context, const char *argument)
{
	(void)context;
	(void)argument;
	return LOG_RUN;
}

static int take_help(void *context, const char *argument)
{
	const struct log_command *command = context;
	(void)argument;
	out_text(command->out, help);
	return 0;
}

static int open_appended_copy(void *context, const char *argument)
{
	const struct log_command *command = context;
	return open_copy(command->out, argument, O_APPEND);
}

static int open_new_copy(void *context, const char *argument)
{
	const struct log_command *command = context;
	return open_copy(command->out, argument, O_TRUNC);
}

static int refuse_pipe(void *context, const char *argument)
{
	(void)context;
	diag("-P would run a shell; type instead: %s | log2lines ...", argument);
	return 1;
}

static int take_source(void *context, const char *argument)
{
	struct log_command *command = context;
	command->settings.redo = true;
	if (log_command_parse_source(&command->settings, argument, &command->settings.source_root))
		return LOG_RUN;
	diag("-S: '%s' is not N[+M][,DIR]", argument);
	return 1;
}

static const struct option_row rows[] = {
	OPTION_ROW('b', "", NULL, NULL, OPTION_CALLS(ignore_option)),
	OPTION_ROW('f', "", NULL, NULL, OPTION_CALLS(ignore_option)),
	OPTION_ROW('z', "", "=", NULL, OPTION_CALLS(ignore_option)),
	OPTION_ROW('c', "", NULL, NULL, OPTION_SETS(struct log_command, settings.console)),
	OPTION_ROW('d', "", "=", NULL, OPTION_CALLS_FOR(struct log_command, resolver.modules, modules_take_directory)),
	OPTION_ROW('F', "", NULL, NULL, OPTION_SETS(struct log_command, print_index)),
	OPTION_ROW('h', "", NULL, NULL, OPTION_CALLS(take_help)),
	OPTION_ROW('l', "", "=", NULL, OPTION_CALLS(open_appended_copy)),
	OPTION_ROW('L', "", "=", NULL, OPTION_CALLS(open_new_copy)),
	OPTION_ROW('m', "", NULL, NULL, OPTION_SETS(struct log_command, settings.mark_answered)),
	OPTION_ROW('M', "", NULL, NULL, OPTION_SETS(struct log_command, settings.mark_unanswered)),
	OPTION_ROW('P', "", "=", NULL, OPTION_CALLS(refuse_pipe)),
	OPTION_ROW('r', "", NULL, NULL, OPTION_SETS(struct log_command, settings.raw)),
	OPTION_ROW('s', "", NULL, NULL, OPTION_SETS(struct log_command, settings.statistics)),
	OPTION_ROW('S', "", "=", NULL, OPTION_CALLS(take_source)),
	OPTION_ROW('t', "", NULL, NULL, OPTION_SETS(struct log_command, settings.both)),
	OPTION_ROW('T', "", NULL, NULL, OPTION_CHOOSES(struct log_command, settings.assume, ASSUME_RETURN)),
	OPTION_ROW('u', "", NULL, NULL, OPTION_SETS(struct log_command, settings.undo)),
	OPTION_ROW('U', "", NULL, NULL, OPTION_SETS(struct log_command, settings.redo)),
	OPTION_ROW('v', "", NULL, NULL, OPTION_SETS(struct log_command, settings.verbose)),
	OPTION_ROWS_END,
};

static int suggest_log2lines_help(void)
{
	diag_print_plain("Try '%s -h' for more information.", diag_program());
	return 1;
}

/* Set the source root and the directory of modules, if the options have not.  RosBE, ReactOS's build environment, names
   its source root, and the modules are in output-i386 there.  Without RosBE, the source root is the current directory,
   and there is no directory of modules.  Returns LOG_RUN; or 1, after a message. */
static int set_default_directories(struct log_command *command)
{
	struct settings *settings = &command->settings;
	struct modules *modules = &command->resolver.modules;
	const char *root = getenv("_ROSBE_ROSSOURCEDIR");
	if (!settings->source_root)
		settings->source_root = root && *root ? root : ".";
	if (!root || !*root || modules->index.places.count > 0 || modules->failed)
		return LOG_RUN;
	struct strbuf path = { .bytes = NULL };
	strbuf_addf(&path, "%s/output-i386", root);
	const int status = path.no_memory ? diag_memory_exit_status() : modules_take_directory(modules, path.bytes);
	strbuf_clear(&path);
	return status;
}

int log2lines_parse(struct log_command *command, int argc, char **argv)
{
	struct options options = { .argc = argc, .argv = argv, .rows = rows, .wrong = suggest_log2lines_help };
	int operands;
	command->settings.bare_marks = true;
	int status = options_parse(&options, command, &operands);
	command->operands = argv + operands;
	command->operand_count = argc - operands;
	if (command->settings.console)
		command->settings.statistics = false;
	return status == LOG_RUN ? set_default_directories(command) : status;
}
