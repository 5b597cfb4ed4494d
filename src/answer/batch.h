/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * batch.h - collects addresses, looks up BATCH_SIZE of them together, and passes on their answers in order
 *
 * Cache misses in a batch overlap: in a prepared image, a million addresses take 3 times as long in batches of one.
 */
#ifndef ANSWER_BATCH_H
#define ANSWER_BATCH_H

#include "rossym.h"
#include "answer/query.h"
#include "answer/record.h"

enum { BATCH_SIZE = RECORDS_MAX };

struct batch;

/* A function that gets RECORDS, the answers for some addresses of BATCH.  Returns false if there is no memory. */
typedef bool batch_take(struct batch *batch, const struct records *records);

struct batch {
	const struct query_rules *rules;
	unsigned flags; /* ROSSYM_LOOKUP_... */
	struct record_style *style;
	batch_take *take;
	void *data; /* for take() */
	struct query_seen seen;
	uint64_t lookups;	 /* how many look-ups have been announced to batch_visit_prepare() */
	struct rossym_error err; /* after a failure: the reason; its code is ROSSYM_OK if there is no memory */

	size_t count;		    /* how many addresses have been added and not looked up */
	uint64_t shown[BATCH_SIZE]; /* the added addresses, as they are printed */
	uint64_t rvas[BATCH_SIZE];
	/* Room for the frames of any single address, and for all frames of most batches. */
	struct rossym_frame frames[512 + ROSSYM_FRAMES_MAX];
	struct rossym_symbol details[512 + ROSSYM_FRAMES_MAX]; /* of `frames`, if style->details */
};

/* Initialise BATCH, which passes its answers to TAKE, which uses DATA.  BATCH need not be closed. */
void batch_initialize(struct batch *batch, const struct query_rules *rules, unsigned flags, struct record_style *style,
		      batch_take *take, void *data);

/* The functions from here to batch_look_up() return false after storing batch->err.  Functions that add addresses look
   up all addresses of the batch whenever it is full. */

/* Add the address RVA, which is printed as SHOWN. */
bool batch_add(struct batch *batch, uint64_t shown, uint64_t rva);

/* Add the addresses of the lines from *TEXT up to END, but stop before a line that is too long or may need a message.
   *TEXT becomes that line, or END.  The lines must be as address_parse_lines() requires. */
bool batch_add_lines(struct batch *batch, char **text, char *end);

/* Pass the addresses of the lines from TEXT up to END, or of the first 4,096 of them, to rossym_prepare_addresses(), so
   that a table that is made on demand is made for all of them at once.  Adds no addresses to BATCH. */
bool batch_prepare_lines(struct batch *batch, char *text, char *end);

/* Look up all addresses of the batch, and pass on their answers. */
bool batch_look_up(struct batch *batch);

/* If GOOD is false, print batch->err.  Returns GOOD. */
bool batch_print_if_failed(const struct batch *batch, bool good);

/* Functions of struct input_visitor.  DATA begins with a struct batch.  They return false after an error message. */

/* Look up all addresses of the batch, and prepare for about COUNT more look-ups. */
bool batch_visit_prepare(void *data, uint64_t count);
/* Add the RVAs that the COUNT NUMBERS mean by batch->rules. */
bool batch_add_numbers(void *data, const uint64_t *numbers, size_t count);
/* Look up all addresses of the batch. */
bool batch_visit_finish(void *data);

#endif
