/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.h - the whole of --diff: ask the table and a reference about the same addresses, and show where they do
 * not agree
 */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include "rossym.h"
#include "diff/targets.h"
#include "tool/input.h"
#include "answer/query.h"
#include "answer/record.h"

/* Exit statuses, those of diff(1). */
enum { DIFF_SAME, DIFF_DIFFERENT, DIFF_TROUBLE };

/* What the options said. */
struct diff_request {
	const char *nostrip;   /* the image with debug information */
	const char *reference; /* command, or NULL */
	unsigned ignored;      /* classes, as DIFF_BIT()s */
	bool brief;
	/* What to compare: the addresses of the input, all code, the ends of all rows, or `spread` addresses. */
	enum { DIFF_GIVEN, DIFF_BYTES, DIFF_ROWS, DIFF_SPREAD } all;
	uint32_t spread;
	unsigned timeout; /* seconds */
};

extern const struct diff_request diff_defaults;

/* Take the argument of --diff-ignore: names of classes to ignore too; "none" stops ignoring all classes so far.
   Returns NULL, or the first name that is no class, with its length in *LENGTH. */
const char *diff_set_ignored(struct diff_request *request, const char *names, size_t *length);

/* Take the argument of --diff-all, which may be NULL.  False if it is neither "rows" nor a number. */
bool diff_set_all(struct diff_request *request, const char *argument);

/* Parse TEXT, a decimal number from LOWEST to 4294967295, into *NUMBER.  False if it is no such number. */
bool diff_set_number(uint32_t *number, const char *text, uint32_t lowest);

/* Whether any argument begins with --diff.  Then the exit status of every failure must be DIFF_TROUBLE, even if the
   command line cannot be parsed. */
bool diff_is_among(int argc, char **argv);

struct diff {
	const struct diff_request *request;
	const struct query_rules *rules; /* and with them the image and its path */
	unsigned lookup_flags;
	bool inlines;
	struct record_style *style;
	struct out *out;
	struct targets targets; /* all zeros at first */
	bool pdb;		/* diff_run() finds out: the symbols to compare with are in a PDB file */
};

/* Compare the addresses of INPUT (this sets its visitor), or those of request->all.  Returns the
   exit status, DIFF_TROUBLE after a message. */
int diff_run(struct diff *diff, struct input *input);

#endif
