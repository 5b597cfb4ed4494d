/* SPDX-License-Identifier: GPL-2.0-or-later */
/* common.h - what all programs do with their options: --version, --path-map, errors */
#ifndef TOOL_COMMAND_COMMON_H
#define TOOL_COMMAND_COMMON_H

#include "tool/command/options.h"
#include "tool/paths.h"

/* Print the part of --version that is the same for all programs. */
void common_version(struct out *out, const char *program);

/* Print to standard error what PUT_USAGE prints; returns 1, an exit status. */
int common_usage_error(void (*put_usage)(struct out *out));

/* After a message about a wrong option: say that OPTION prints the help.  Returns 1, an exit status. */
int common_try(const char *option);

/* Obey --path-map.  Returns -1, or the exit status after a message. */
int common_path_map(struct paths *paths, const char *argument);

/* Obey each option: CONTEXT is the structure that the effects of the rows speak of.  Returns -1, and then *OPERANDS is the
   index of the first operand; or an exit status. */
int common_options(struct options *options, void *context, int *operands);

/* Obey --demangle.  ARGUMENT is the style, or NULL.  Returns -1, or the exit status after a message. */
int common_demangle(const char *argument);

#endif
