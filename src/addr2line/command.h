/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - the command line of rossym-addr2line: its option table, and what it asks for */
#ifndef ADDR2LINE_COMMAND_H
#define ADDR2LINE_COMMAND_H

#include "diff/diff.h"
#include "answer/fallback.h"
#include "tool/out.h"
#include "answer/query.h"
#include "answer/record.h"
#include "answer/supply.h"

#include <stdbool.h>
#include <stdint.h>

enum count_by { COUNT_FUNCTIONS, COUNT_FILES, COUNT_LINES };

struct addr2line_command {
	enum { RUN_RECORDS, RUN_COUNT, RUN_FOLDED, RUN_DIFF, RUN_DUMP, RUN_CHECK } run;
	enum count_by count; /* of RUN_COUNT */
	const char *path;    /* of the image */
	const char *target;  /* -b, or GNUTARGET; NULL: any */
	enum query_origin origin;
	const char *section; /* the last -j, whatever the origin; or NULL */
	uint64_t load_address;
	bool return_addresses;
	unsigned lookup_flags;
	unsigned number_size; /* of a raw number in bytes; 0: the input is text */
	unsigned workers;
	bool inlines;
	struct record_style style;
	struct diff_request diff;
	struct fallback fallback;
	bool no_debug_info;  /* only tables answer */
	const char **passed; /* the options for rossym-embed, on the heap */
	size_t passed_count;
	struct supply supply;
	char **operands;
	int operand_count;
	/* while the command line is parsed */
	struct out *out;
	const struct options *options;
};

/* The exit status for a command line that was obeyed or refused while it was parsed, such as --help; or COMMAND_RUN. */
enum { COMMAND_RUN = -1 };

/* Parse the command line into COMMAND, to which main() gave its defaults, and print to OUT what --help and
   --version print.  Returns COMMAND_RUN, or the exit status, after a message if it is not 0.  COMMAND borrows the
   strings of ARGV. */
int addr2line_command_parse(struct addr2line_command *command, struct out *out, int argc, char **argv);

#endif
