// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/command/common.h"
#include "tool/demangle.h"
#include "tool/diag.h"

#include <string.h>

void common_version(struct out *out, const char *program)
{
	out_text(out, program);
	out_text(out, " (" PACKAGE_NAME ") " PACKAGE_VERSION "\n"
		      "Copyright (C) 2026 the rossym authors.\n"
		      "This program is free software; you may redistribute it under the terms of\n"
		      "the GNU General Public License version 2 or (at your option) any later version.\n"
		      "This program has absolutely no warranty.\n");
}

int common_usage_error(void (*put_usage)(struct out *out))
{
	/* PUT_USAGE writes to a struct out.  TEXT is used only as a buffer, which diag_text() prints. */
	static struct out text;
	put_usage(&text);
	diag_text(text.buffer, text.used);
	return 1;
}

int common_suggest_help(const char *option)
{
	diag_plain("Try '%s %s' for more information.", diag_program(), option);
	return 1;
}

int common_path_map(struct paths *paths, const char *argument)
{
	switch (paths_add_map(paths, argument)) {
	case PATHS_OK:
		return -1;
	case PATHS_BAD_MAP:
		diag("--path-map: '%s' is not OLD=NEW", argument);
		return 1;
	case PATHS_NO_MEMORY:
		break;
	}
	return diag_no_memory();
}

int common_demangle(const char *argument)
{
	if (!argument || demangle_set_style(argument))
		return -1;
	diag("unknown demangling style `%s'", argument);
	return 1;
}

int common_quiet(void *context, const char *argument)
{
	(void)context;
	(void)argument;
	diag_be_quiet();
	return -1;
}

int common_help(struct out *out, void (*put_summary)(struct out *out), const struct option_row *rows,
		const char *argument)
{
	if (argument && strcmp(argument, "all") != 0) {
		diag("--help: '%s' is not all", argument);
		return 1;
	}
	put_summary(out);
	out_text(out, "  @<file>                Read options from <file>\n");
	options_help(out, rows, argument, OPTION_TABLES);
	return 0;
}

/* Apply EFFECT to the structure CONTEXT.  Returns -1, or an exit status. */
static int apply_effect(const struct option_effect *effect, void *context, const char *argument)
{
	char *member = (char *)context + effect->offset;
	switch (effect->kind) {
	case OPTION_IS_SET:
	case OPTION_IS_CLEARED:
		*(bool *)member = effect->kind == OPTION_IS_SET;
		break;
	case OPTION_IS_TEXT:
		*(const char **)member = argument;
		break;
	case OPTION_IS_VALUE:
		memcpy(member, &effect->value, sizeof effect->value);
		break;
	case OPTION_IS_CALL:
		return effect->call(context, argument);
	case OPTION_IS_NONE:
		break;
	}
	return -1;
}

int common_options(struct options *options, void *context, int *operands)
{
	int status = -1, option;
	char *argument;
	*operands = 1;
	if (!options_open(options))
		status = diag_no_memory();
	while (status < 0 && (option = options_next(options, &argument, operands)) != -1) {
		if (option != '?' && options->note)
			options->note(context, options->row);
		status = option == '?' ? options->wrong() : apply_effect(&options->row->effect, context, argument);
	}
	options_close(options);
	return status;
}
