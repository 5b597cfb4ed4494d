/* SPDX-License-Identifier: GPL-2.0-or-later */
/* logs.h - the logs of the command line, or standard input, one after the other through the filter */
#ifndef LOG_LOGS_H
#define LOG_LOGS_H

#include "log/command.h"

/* Whether anything is looked up: -u alone does not. */
bool logs_look_up(const struct log_command *command);

/* Whether one of the logs can be an archive with dumps. */
bool logs_have_archive(const struct log_command *command);

/* Whether one of the logs is a dump. */
bool logs_have_dump(const struct log_command *command);

/* Whether images of a dump's modules are looked for.  -u shows a report without annotations, but its callers are those of
   a report with them, if the command line names images. */
bool logs_use_images(const struct log_command *command);

/* Print for each log which build its return addresses fit.  Returns the exit status, after messages. */
int logs_fit(struct log_command *command);

/* Filter all logs.  Returns the exit status, after messages. */
int logs_filter(struct log_command *command);

#endif
