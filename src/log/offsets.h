/* SPDX-License-Identifier: GPL-2.0-or-later */
/* offsets.h - modules and offsets (RVAs) on the command line: EXE OFFSET..., MODULE:OFFSET... */
#ifndef LOG_OFFSETS_H
#define LOG_OFFSETS_H

#include "log/command.h"

/* Whether the operands are modules and offsets, and not logs: the first one is MODULE:OFFSET, or the second one is a
   number that names no file.  The operands of log2lines are never logs. */
bool offsets_are_operands(const struct log_command *command);

/* Print the answers for the operands.  Returns the exit status. */
int offsets_answer(struct log_command *command);

/* Free the resolvers.  offsets_answer() has not freed them, because -s prints their counts. */
void offsets_free_resolvers(struct log_command *command);

#endif
