/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log2lines.h - the command line of ReactOS's log2lines, which rossym-log obeys when it is called log2lines */
#ifndef LOG2LINES_H
#define LOG2LINES_H

#include "log/command.h"

/* Parse the command line.  Returns LOG_RUN or the exit status, like log_command_parse(). */
int log2lines_parse(struct log_command *command, int argc, char **argv);

#endif
