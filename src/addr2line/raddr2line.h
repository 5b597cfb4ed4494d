/* SPDX-License-Identifier: GPL-2.0-or-later */
/* raddr2line.h - ReactOS's raddr2line, as the scripts that run it know it */
#ifndef RADDR2LINE_H
#define RADDR2LINE_H

#include "tool/out.h"

/* Run as raddr2line; returns the exit status. */
int raddr2line(int argc, char **argv, struct out *out);

#endif
