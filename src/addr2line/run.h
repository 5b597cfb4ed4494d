/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - answer from one image: do what the command line asks for */
#ifndef ADDR2LINE_RUN_H
#define ADDR2LINE_RUN_H

#include "addr2line/command.h"

/* Returns the exit status, after a message if it is not 0: FAILED for what cannot be done. */
int addr2line_run(struct addr2line_command *command, int failed);

#endif
