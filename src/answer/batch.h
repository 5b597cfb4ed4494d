/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * batch.h - look-ups in groups, as fast as the memory allows
 *
 * Addresses are collected, looked up together, and their records printed together, in the order in which they came.
 * One address alone is a batch of one.  The look-ups of a group wait for memory together: with groups of one, a million
 * addresses take 3 times as long in a table that has been prepared.
 */
#ifndef ANSWER_BATCH_H
#define ANSWER_BATCH_H

#include "rossym.h"
#include "tool/out.h"
#include "answer/query.h"
#include "answer/record.h"

enum { BATCH_SIZE = RECORDS_MOST };

struct batch {
	const struct query_rules *rules;
	unsigned flags; /* of the look-ups */
	struct record_style *style;
	struct out *out;
	struct query_seen seen;

	size_t count; /* so many wait to be looked up */
	uint64_t shown[BATCH_SIZE], rvas[BATCH_SIZE];
	/* so the frames of any address fit, and those of most groups */
	struct rossym_frame frames[512 + ROSSYM_FRAMES_MAX];
};

enum batch_status { BATCH_OK, BATCH_NO_MEMORY, BATCH_ERROR };

/* Open a batch in the caller's memory; there is nothing to close. */
void batch_open(struct batch *batch, const struct query_rules *rules, unsigned flags, struct record_style *style,
		struct out *out);

/* Add a query that is QUERY_ADDRESS.  BATCH_ERROR: *ERR says what is wrong with the image. */
enum batch_status batch_add(struct batch *batch, const struct query *query, struct rossym_error *err);

/* Add COUNT numbers. */
enum batch_status batch_numbers(struct batch *batch, const uint64_t *numbers, size_t count, struct rossym_error *err);

/* Tell the image which addresses the first lines from TEXT up to END ask for: a table on demand is made for all
   of them. */
enum batch_status batch_announce(const struct batch *batch, char *text, char *end, struct rossym_error *err);

/* Add what the lines from *TEXT up to END ask for.  Stop at a line that may need a message, and at one that is too
   long: *TEXT is this line, or END.  The lines must be as address_lines() needs them, which takes most of them. */
enum batch_status batch_lines(struct batch *batch, char **text, char *end, struct rossym_error *err);

/* Look up and print everything that was added. */
enum batch_status batch_finish(struct batch *batch, struct rossym_error *err);

/* Whether STATUS is BATCH_OK; if not, print what went wrong. */
bool batch_is_good(const struct batch *batch, enum batch_status status, const struct rossym_error *err);

#endif
