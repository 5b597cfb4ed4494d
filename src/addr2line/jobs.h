/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.h - the jobs of rossym-addr2line: to print records, to count, to dump ...; its command line chooses one */
#ifndef ADDR2LINE_JOBS_H
#define ADDR2LINE_JOBS_H

#include "addr2line/command.h"

/* Open the image, and run the job.  Returns the exit status, which is FAILED after a message. */
int addr2line_run(struct addr2line_command *command, int failed);

/* records_run() and count_run() read the operands or standard input, and print answers from rules->image in the style
   command->style.  They return false after a message. */

/* Print a record (the lines of an answer) for each address, in the order of the addresses.  If command->workers is more
   than 1, that many threads answer lines of standard input. */
bool records_run(struct addr2line_command *command, const struct query_rules *rules);

/* Whether rossym was compiled with threads; if not, command->workers has no effect. */
extern const bool records_have_workers;

/* Count the functions, files or lines of the addresses, and print the counts. */
bool count_run(struct addr2line_command *command, const struct query_rules *rules);

/* An image that a job is about. */
struct job_image {
	const char *path;
	struct rossym_image *image;
	struct symbols symbols;
	/* How to convert addresses to RVAs.  RULES is for the innermost one of a stack, where the program was; CALLERS
	   is for the others, which can be return addresses.  With several images, both must treat numbers as RVAs. */
	struct query_rules rules, callers;
	struct rossym_image *inlines; /* IMAGE if all its frames are shown, else NULL; for record_style.inlines */
};

/* Read stacks, and print them folded.  If there are several IMAGES, each address must name the module that it is in. */
bool folded_run(struct addr2line_command *command, struct job_image *images, size_t count);

/* Print a line for each frame of each row, and for each function whose end the table has: address, size, function,
   file, line, depth, separated by tabs.  Returns the exit status: 0, or 1 after a message about the file PATH. */
int inspect_dump(struct rossym_image *image, const char *path, struct out *out);

/* Print the kind and size of the table, and a note for each kind of valid but unusual row.  Returns as
   inspect_dump(). */
int inspect_check(struct rossym_image *image, const char *path, struct out *out);

/* Whether lines of the input may name their image, because no option does. */
bool named_images_are_wanted(const struct addr2line_command *command);

/* Answer all operands, or all lines of standard input.  A line that names no image is about COMMAND->path.  Returns the
   exit status: 1 if an image could not be read. */
int named_images_run(struct addr2line_command *command);

#endif
