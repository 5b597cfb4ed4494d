/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * console.h - commands to log2lines -c, typed behind a grave accent at the kernel debugger's prompt
 *
 * They come out of the log, like all of it from a stranger, so those that would open, write or run something are
 * refused.
 */
#ifndef LOG_CONSOLE_H
#define LOG_CONSOLE_H

#include <stddef.h>

struct filter;

/* Obey the command on LINE, if there is one. */
void console_line(struct filter *filter, const char *line, size_t length);

#endif
