/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - parses the command line of rossym-addr2line */
#ifndef ADDR2LINE_COMMAND_H
#define ADDR2LINE_COMMAND_H

#include "diff/diff.h"
#include "answer/fallback.h"
#include "tool/input.h"
#include "tool/out.h"
#include "answer/query.h"
#include "answer/record.h"
#include "answer/open-image.h"

#include <stdbool.h>
#include <stdint.h>

enum count_by { COUNT_FUNCTIONS, COUNT_FILES, COUNT_LINES };

struct addr2line_command {
	enum { RUN_RECORDS, RUN_COUNT, RUN_FOLDED, RUN_DIFF, RUN_DUMP, RUN_CHECK, RUN_MISSING } run;
	enum count_by count; /* RUN_COUNT: whether functions, files or lines are counted */
	const char *path;    /* the path of the image; if there are several, of the last one */
	const char **paths;  /* the paths of all images, in the order of -e */
	size_t path_count;   /* 0: there was no -e */
	const char *target;  /* the argument of -b, or the value of GNUTARGET; NULL: any target */
	enum query_origin origin;
	const char *section;   /* the argument of the last -j, or NULL; kept even if a later option changes `origin` */
	uint64_t load_address; /* the argument of --load-address or --adjust-vma */
	bool return_addresses, data, recorded_paths, decorated;
	unsigned lookup_flags; /* ROSSYM_LOOKUP_DATA if `data` is true; else 0 */
	unsigned number_size;  /* --raw: the bytes of a number, 4 or 8; 0: the input is text */
	unsigned workers;      /* the argument of -P */
	bool inlines;
	struct record_style style;
	struct diff_request diff;
	struct fallback fallback;
	bool no_debug_info; /* do not read the debug information of an image without a table */
	struct debug_sources debug;
	char **options_argv; /* the name of the program and its options; `operands` follow */
	char **operands;
	int operand_count;
	/* used only while the command line is parsed: */
	struct out *out;
	const struct options *options;
};

/* addr2line_command_parse() returns this instead of an exit status if the program must go on. */
enum { COMMAND_RUN = -1 };

/* Parse the command line into COMMAND, in which main() has stored defaults.  Returns COMMAND_RUN; or an exit status,
   after printing --help or --version to OUT, or a message about an error.  COMMAND points to strings of ARGV. */
int addr2line_command_parse(struct addr2line_command *command, struct out *out, int argc, char **argv);

/* Returns the input for input_visit_all(): operands or standard input, which VISITOR visits with DATA. */
struct input addr2line_command_make_input(const struct addr2line_command *command, const struct input_visitor *visitor,
					  void *data);

/* Free what parsing and running COMMAND has allocated, whatever addr2line_command_parse() returned. */
void addr2line_command_clear(struct addr2line_command *command);

#endif
