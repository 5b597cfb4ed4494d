/* SPDX-License-Identifier: GPL-2.0-or-later */
/* logs.h - filter the logs of the command line one after the other, or standard input */
#ifndef LOG_LOGS_H
#define LOG_LOGS_H

#include "log/command.h"

/* Whether addresses are looked up: not if COMMAND only removes annotations (-u without an option that adds some). */
bool logs_need_look_ups(const struct log_command *command);

/* If standard input is one of the logs, and neither a regular file nor a terminal, read its first bytes into
   command->begun, to see whether it is a dump.  False: no memory. */
bool logs_read_input_signature(struct log_command *command);

/* Print for each log which build its return addresses fit.  Returns the exit status, after messages if not 0. */
int logs_print_fit(struct log_command *command);

/* Filter all logs.  Returns the exit status, after messages if that is not 0. */
int logs_filter(struct log_command *command);

#endif
