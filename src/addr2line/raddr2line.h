/* SPDX-License-Identifier: GPL-2.0-or-later */
/* raddr2line.h - replaces ReactOS's raddr2line, with the command line and the output that scripts expect */
#ifndef RADDR2LINE_H
#define RADDR2LINE_H

#include "tool/out.h"

/* The main() of raddr2line; returns the exit status. */
int run_raddr2line(int argc, char **argv, struct out *out);

#endif
