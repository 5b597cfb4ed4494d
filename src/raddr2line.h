/* SPDX-License-Identifier: GPL-2.0-or-later */
/* raddr2line.h - ReactOS's raddr2line, as the scripts that run it know it */
#ifndef RADDR2LINE_H
#define RADDR2LINE_H

#include "tool/out.h"

/* Whether PROGRAM, argv[0], is that tool's name. */
bool raddr2line_is_called(const char *program);

/* Run as raddr2line; returns the exit status. */
int raddr2line(int argc, char **argv, struct out *out);

#endif
