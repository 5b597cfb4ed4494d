/* SPDX-License-Identifier: GPL-2.0-or-later */
/* offsets.h - modules and offsets (RVAs) on the command line: EXE OFFSET..., MODULE:OFFSET... */
#ifndef LOG_OFFSETS_H
#define LOG_OFFSETS_H

#include "log/command.h"

/* Whether the operands are modules and offsets, and not logs: the first one has both, or the second is a number and no
   file. log2lines has no logs as operands. */
bool offsets_are_operands(const struct log_command *command);

/* Print the answers for the operands.  Returns the exit status. */
int offsets_answer(struct log_command *command);

#endif
