/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * batch.h - collects addresses, looks up BATCH_SIZE of them together, and prints their records in order
 *
 * The look-ups of a batch overlap their cache misses: with batches of one address, a million addresses take 3 times as
 * long in a table that has been prepared.
 */
#ifndef ANSWER_BATCH_H
#define ANSWER_BATCH_H

#include "rossym.h"
#include "tool/out.h"
#include "answer/query.h"
#include "answer/record.h"

enum { BATCH_SIZE = RECORDS_MAX };

struct batch {
	const struct query_rules *rules;
	unsigned flags; /* ROSSYM_LOOKUP_... */
	struct record_style *style;
	struct out *out;
	struct query_seen seen;

	size_t count;		    /* how many addresses have been added and not looked up */
	uint64_t shown[BATCH_SIZE]; /* the added addresses, as they are printed */
	uint64_t rvas[BATCH_SIZE];
	/* Room for all frames of any one address, and for those of most batches. */
	struct rossym_frame frames[512 + ROSSYM_FRAMES_MAX];
	struct record_detail details[512 + ROSSYM_FRAMES_MAX]; /* of these frames, if style->details */
};

enum batch_status { BATCH_OK, BATCH_NO_MEMORY, BATCH_ERROR };

/* Initialise BATCH; there is nothing to close. */
void batch_open(struct batch *batch, const struct query_rules *rules, unsigned flags, struct record_style *style,
		struct out *out);

/* The next three functions add addresses, and look up and print the batch whenever it is full.  BATCH_ERROR: a look-up
   has failed, and *ERR has the reason. */

/* Add QUERY, whose kind is QUERY_ADDRESS. */
enum batch_status batch_add(struct batch *batch, const struct query *query, struct rossym_error *err);

/* Add the addresses that COUNT numbers of the input stand for. */
enum batch_status batch_numbers(struct batch *batch, const uint64_t *numbers, size_t count, struct rossym_error *err);

/* Add the addresses of the lines from *TEXT up to END.  Stops at a line that may need a message or is too long, and
   moves *TEXT to this line, or to END.  The lines must be as address_lines() needs them. */
enum batch_status batch_lines(struct batch *batch, char **text, char *end, struct rossym_error *err);

/* Add nothing, but pass the addresses of the lines from TEXT up to END, or of the first thousands of these lines, to
   rossym_prepare_addresses(), so that a table that is made on demand is made for all of them at once. */
enum batch_status batch_announce(const struct batch *batch, char *text, char *end, struct rossym_error *err);

/* Look up and print all addresses of the batch. */
enum batch_status batch_finish(struct batch *batch, struct rossym_error *err);

/* Returns whether STATUS is BATCH_OK; if it is not, prints a message. */
bool batch_is_good(const struct batch *batch, enum batch_status status, const struct rossym_error *err);

#endif
