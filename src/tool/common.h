/* SPDX-License-Identifier: GPL-2.0-or-later */
/* common.h - options that all programs have, and what they say when one is not right */
#ifndef TOOL_COMMON_H
#define TOOL_COMMON_H

#include "tool/options.h"
#include "tool/paths.h"

/* --version, but for what the program was built with. */
void common_version(struct out *out, const char *program);

/* Print to standard error what PUT_USAGE prints; returns 1, an exit status. */
int common_usage_error(void (*put_usage)(struct out *out));

/* Take --path-map.  Returns -1, or the exit status after a message. */
int common_path_map(struct paths *paths, const char *argument);

/* Take all options: TAKE gets each with its argument, and returns -1 to go on, else the exit status.  Returns -1, and then
   *OPERANDS is the index of the first operand; or the exit status. */
int common_options(struct options *options, int (*take)(void *context, int option, char *argument), void *context,
		   int *operands);

#endif
