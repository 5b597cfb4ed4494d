/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - opens the image, and runs the job that the command line chooses */
#ifndef ADDR2LINE_RUN_H
#define ADDR2LINE_RUN_H

#include "addr2line/command.h"

/* Open the image, and run the job.  Returns the exit status, which is FAILED after a message. */
int addr2line_run(struct addr2line_command *command, int failed);

#endif
