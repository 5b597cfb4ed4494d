/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.h - what the command line of rossym-addr2line asks for, and who does it
 *
 * addr2line.c reads the command line; each kind of run is a file of its own.
 */
#ifndef ADDR2LINE_H
#define ADDR2LINE_H

#include "rossym.h"
#include "diff/diff.h"
#include "tool/fallback.h"
#include "tool/out.h"
#include "tool/query.h"
#include "tool/record.h"

#include <stdbool.h>

enum profile_kind { PROFILE_NONE, PROFILE_FUNCTIONS, PROFILE_FILES, PROFILE_LINES, PROFILE_FOLDED };

struct request {
	struct out *out;		/* standard output */
	enum { RUN_LOOKUPS, RUN_PROFILE, RUN_DIFF, RUN_DUMP, RUN_CHECK } what;
	const char *path;
	const char *target;
	const char *section;		/* the last -j, whatever the origin */
	enum query_origin origin;
	uint64_t load_address;
	bool return_addresses;
	unsigned lookup_flags;
	unsigned raw_bytes;		/* of a number in the input; 0: it is text */
	unsigned workers;
	enum profile_kind profile;
	bool inlines;
	struct diff_request diff;
	struct fallback fallback;
	struct record_style style;
	char **operands;
	int operand_count;
};

/* Each returns the exit status and has said what went wrong. */
int lookups_run(struct request *rq, const struct query_rules *rules);	/* lookups.c */
int profile_run(struct request *rq, const struct query_rules *rules);	/* profile.c */

/* The same, but returns an exit status of --diff. */
int comparison_run(struct request *rq, const struct query_rules *rules);	/* comparison.c */

/* What they have in common. */

/* The most workers that can be asked for. */
enum { MOST_WORKERS = 256 };

/* Read the whole table if LOOKUPS more than the DONE of this run make that worth it.  False if that found it damaged, and
   has said so. */
bool prepare_if_it_pays(const struct request *rq, struct rossym_image *image, uint64_t done, uint64_t lookups);

void give_hint(const struct query_rules *rules, const struct query_seen *seen);

/* Say that a line was too long to be read. */
void warn_too_long(void);

#endif
