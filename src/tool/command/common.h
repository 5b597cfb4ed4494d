/* SPDX-License-Identifier: GPL-2.0-or-later */
/* common.h - options that all programs have: --version, --help, --path-map, --demangle, --quiet; and errors in options */
#ifndef TOOL_COMMAND_COMMON_H
#define TOOL_COMMAND_COMMON_H

#include "tool/command/options.h"
#include "tool/paths.h"

/* Print what all programs print for --version, with the name PROGRAM. */
void common_version(struct out *out, const char *program);

/* Print the output of PUT_USAGE to standard error.  Returns 1, an exit status. */
int common_usage_error(void (*put_usage)(struct out *out));

/* Print that OPTION prints the help; for use after a message about a wrong option.  Returns 1, an exit status. */
int common_suggest_help(const char *option);

/* Apply --path-map.  Returns -1 to continue; or an exit status, after a message. */
int common_path_map(struct paths *paths, const char *argument);

/* Parse the command line, and apply each option to CONTEXT: the structure whose members the rows name (struct
   option_effect).  Returns -1, and the index of the first operand in *OPERANDS; or an exit status. */
int common_options(struct options *options, void *context, int *operands);

/* The effect of --quiet. */
int common_quiet(void *context, const char *argument);

/* Print the output of PUT_SUMMARY and the help of ROWS: the common ones, or all if ARGUMENT is "all".  Returns 0; or 1, after a message, if ARGUMENT is
   another word. */
int common_help(struct out *out, void (*put_summary)(struct out *out), const struct option_row *rows,
		const char *argument);

/* Apply --demangle.  ARGUMENT: the style, or NULL.  Returns -1 to continue; or an exit status, after a message. */
int common_demangle(const char *argument);

#endif
