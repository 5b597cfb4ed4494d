// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * log2lines.c - the options of ReactOS's log2lines
 *
 * Functions that take an option return -1 if the program shall go on, else its exit status.
 */
#include "config.h"
#include "log/log2lines.h"
#include "tool/diag.h"
#include "tool/command/common.h"
#include "tool/command/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/open.h"

static const char letters[] = "bcd:fFhl:L:mMP:rsS:tTuUvz:";

static const struct option_row no_rows[] = { { 0, NULL, NULL, NULL } };

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

static bool take_count(char **text, unsigned *count)
{
	char *end;
	if (**text < '0' || **text > '9')
		return false;
	unsigned long value = strtoul(*text, &end, 10);
	*count = value > 1000 ? 1000 : (unsigned)value;
	*text = end;
	return true;
}

bool log2lines_source(struct settings *settings, char *text, const char **root)
{
	settings->source_after = 0;
	if (!take_count(&text, &settings->source_before))
		return false;
	if (*text == '+') {
		text++;
		if (!take_count(&text, &settings->source_after))
			return false;
	}
	if (*text == ',' && root) {
		*root = text + 1;
		text += strlen(text);
	}
	settings->source = true;
	return *text == '\0';
}

/* Open the file of -l or -L; the last of several counts. */
static int open_copy(struct out *out, const char *path, int flags)
{
	if (out->copy)
		close(out->copy);
	out->copy = 0;
	if (strcmp(path, "none") == 0)
		return -1;
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_BINARY | flags, 0666);
	if (fd < 0) {
		diag("%s: %s", path, strerror(errno));
		return 1;
	}
	out->copy = fd;
	return -1;
}

static int take_option(void *context, int option, char *argument)
{
	struct log2lines *log2lines = context;
	struct settings *settings = log2lines->settings;
	struct out *out = log2lines->out;
	switch (option) {
	case 'b':
	case 'f':
	case 'z':
		/* not needed: the copy is written with the output, there is no cache, archives are read directly */
		break;
	case 'c':
		settings->console = true;
		break;
	case 'd':
		if (!modules_add_directory(&log2lines->resolver->modules, argument))
			return diag_no_memory();
		break;
	case 'F':
		log2lines->print_index = true;
		break;
	case 'h':
		out_text(out, help);
		return 0;
	case 'l':
		return open_copy(out, argument, O_APPEND);
	case 'L':
		return open_copy(out, argument, O_TRUNC);
	case 'm':
		settings->mark_answered = true;
		break;
	case 'M':
		settings->mark_unanswered = true;
		break;
	case 'P':
		diag("-P would run a shell; type instead: %s | log2lines ...", argument);
		return 1;
	case 'r':
		settings->raw = true;
		break;
	case 's':
		settings->statistics = true;
		break;
	case 'S':
		if (!log2lines_source(settings, argument, &settings->source_root)) {
			diag("-S: '%s' is not N[+M][,DIR]", argument);
			return 1;
		}
		settings->redo = true;
		break;
	case 't':
		settings->both = true;
		break;
	case 'T':
		settings->assume = ASSUME_RETURN;
		break;
	case 'u':
		settings->undo = true;
		break;
	case 'U':
		settings->redo = true;
		break;
	case 'v':
		settings->verbose = true;
		break;
	default:
		return common_try("-h");
	}
	return -1;
}

/* Without -d, use the build directory of RosBE, ReactOS's build environment, if the environment names it. */
static int add_default_directory(struct log2lines *log2lines)
{
	struct settings *settings = log2lines->settings;
	struct modules *modules = &log2lines->resolver->modules;
	static const char output[] = "/output-i386";
	const char *root = getenv("_ROSBE_ROSSOURCEDIR");
	if (!settings->source_root)
		settings->source_root = root && *root ? root : ".";
	if (!root || !*root || modules->index.place_count > 0 || modules->failed)
		return -1;
	size_t length = strlen(root);
	log2lines->directory = malloc(length + sizeof output);
	if (!log2lines->directory)
		return diag_no_memory();
	memcpy(log2lines->directory, root, length);
	memcpy(log2lines->directory + length, output, sizeof output);
	return modules_add_directory(modules, log2lines->directory) ? -1 : diag_no_memory();
}

int log2lines_parse(struct log2lines *log2lines, int argc, char **argv)
{
	struct options options = {
		.argc = argc, .argv = argv, .letters = letters, .first = no_rows, .second = no_rows
	};
	log2lines->settings->bare_marks = true;
	int status = common_options(&options, take_option, log2lines, &log2lines->operands);
	if (log2lines->settings->console)
		log2lines->settings->statistics = false;
	return status < 0 ? add_default_directory(log2lines) : status;
}
