/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * batch.h - look-ups in groups, as fast as the memory allows
 *
 * Addresses are collected, looked up together, and their answers handed on together, in the order in which they came.
 * There is no other way to an answer: one address is a batch of one.
 */
#ifndef TOOL_BATCH_H
#define TOOL_BATCH_H

#include "rossym.h"
#include "tool/query.h"

enum { BATCH_SIZE = 64 };

struct batch {
	const struct query_rules *rules;
	unsigned flags;			/* of the look-ups */
	struct query_seen seen;

	/* Takes COUNT answers.  False if there is no memory. */
	bool (*take)(void *taker, const uint64_t *shown, const struct rossym_frame *frames, size_t count);
	void *taker;

	size_t count;
	uint64_t shown[BATCH_SIZE], rvas[BATCH_SIZE];
	struct rossym_frame frames[BATCH_SIZE];
};

enum batch_status { BATCH_OK, BATCH_NO_MEMORY, BATCH_ERROR };

/* Add a query that is QUERY_ADDRESS.  BATCH_ERROR: *ERR says what is wrong with the image. */
enum batch_status batch_add(struct batch *batch, const struct query *query, struct rossym_error *err);

/* Add numbers that have been read, up to BATCH_SIZE of them. */
enum batch_status batch_numbers(struct batch *batch, const uint64_t *numbers, size_t count, struct rossym_error *err);

/* Add what the lines from *TEXT up to END ask for, as long as that can be done in silence: *TEXT is END then, or the first
   line that may need a message.  The lines are as address_lines() wants them. */
enum batch_status batch_lines(struct batch *batch, char **text, char *end, struct rossym_error *err);

/* Look up and hand on what has been added since. */
enum batch_status batch_finish(struct batch *batch, struct rossym_error *err);

#endif
