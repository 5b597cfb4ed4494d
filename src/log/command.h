/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - the command lines of rossym-log and log2lines: options, and what is done with operands */
#ifndef LOG_COMMAND_H
#define LOG_COMMAND_H

#include "debuginfo/base/decompress.h"
#include "log/find/asked-image.h"
#include "log/scan/settings.h"
#include "log/resolve/resolve.h"
#include "tool/out.h"
#include "tool/process/worker.h"

#include <stdbool.h>

struct log_command {
	struct out *out; /* standard output */
	struct settings settings;
	struct resolver resolver; /* looks up addresses; has the modules that options name */
	bool as_log2lines;	  /* the program was called as log2lines */
	bool no_debug_info;
	bool list_builds;
	bool print_index;  /* log2lines -F: print the index of modules */
	bool needs_url;	   /* --hyperlinks=always is given */
	const char *forms; /* the argument of --forms, or NULL */
	char **operands;
	int operand_count;

	struct image_asker asker;
	struct rs_decompressors decompressors; /* loaded before the workers start, which need them */
	struct worker_table workers;	       /* the processes that read archives, dumps, images */
	bool reads_dumps;		       /* a log may be a dump, or an archive with dumps */
	bool names_logs;     /* the output names the logs: there are several, or one is in an archive */
	struct strbuf begun; /* the first bytes of standard input, which were read to see whether it is a dump */
};

/* Returned in place of an exit status: parsing has succeeded, so execute the command. */
enum { LOG_RUN = -1 };

/* Parse the command line.  Returns LOG_RUN, or the exit status, after a message if it is not 0.  The strings of ARGV
   must outlive COMMAND. */
int log_command_parse(struct log_command *command, int argc, char **argv);

/* Parse the command line of a rossym-log that is called log2lines: it has the options of ReactOS's log2lines.  Returns
   the same as log_command_parse(). */
int log2lines_parse(struct log_command *command, int argc, char **argv);

/* Read TEXT, the argument "N[+M][,DIR]" of -S: store N and M in SETTINGS and DIR, if there is one, in *ROOT.  If ROOT
   is NULL, ",DIR" is not allowed.  Returns false if TEXT has another form; a part of it may have been stored then. */
bool log_command_parse_source(struct settings *settings, const char *text, const char **root);

/* ------------------------------------------------------------------------------------------------ offsets.c */

/* Whether the operands are modules and offsets, and not logs: the first one is MODULE:OFFSET, or the second one is a
   number that names no file.  The operands of log2lines are never logs. */
bool offsets_are_operands(const struct log_command *command);

/* Print the answers for the operands.  Returns the exit status. */
int offsets_answer(struct log_command *command);

/* Free the resolvers that offsets_answer() has added.  It does not free them, because -s prints their counts. */
void offsets_free_resolvers(struct log_command *command);

/* ------------------------------------------------------------------------------------------------ logs.c */

/* Whether addresses are looked up: not if COMMAND only removes annotations (-u without an option that adds some). */
bool logs_need_look_ups(const struct log_command *command);

/* If standard input is one of the logs, and neither a regular file nor a terminal, read its first bytes into
   command->begun, to see whether it is a dump.  Returns false if there is no memory. */
bool logs_read_input_signature(struct log_command *command);

/* Print for each log which build its return addresses fit.  Returns the exit status, after messages if not 0. */
int logs_print_fit(struct log_command *command);

/* Print all logs with annotations, or what is asked for instead.  Returns the exit status, after messages if not 0. */
int logs_filter(struct log_command *command);

#endif
