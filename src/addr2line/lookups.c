// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lookups.c - a record for each address: of operands, lines, or raw numbers
 *
 * Input is read in blocks, as much as there is.  All of a block's answers are written before more input is waited for,
 * so that a process that sends a line and waits for the answer gets it.  With several workers, each block is a job of
 * its own, and the answers are written in the order of the blocks.
 *
 * What may need a message on standard error (a symbol, another module) is answered here, in its turn, and by one thread.
 */
#include "config.h"
#include "addr2line/request.h"
#include "tool/address.h"
#include "tool/batch.h"
#include "tool/crew.h"
#include "tool/diag.h"
#include "tool/lines.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where answers go. */
struct sink {
	struct record_style *style;
	struct out *out;
};

struct run {
	struct request *rq;
	struct out *out;
	struct sink sink;
	struct batch batch;
	uint64_t lookups;		/* so far, about */
};

static bool take_answers(void *taker, const uint64_t *shown, const struct rossym_frame *frames, size_t count)
{
	struct sink *sink = taker;
	return records_print(sink->style, sink->out, shown, frames, count);
}

static void batch_open(struct batch *batch, const struct query_rules *rules, unsigned flags, struct sink *sink)
{
	memset(batch, 0, offsetof(struct batch, shown));
	batch->rules = rules;
	batch->flags = flags;
	batch->take = take_answers;
	batch->taker = sink;
}

/* False, after a message, unless STATUS is good. */
static bool is_good(const struct run *run, enum batch_status status, const struct rossym_error *err)
{
	switch (status) {
	case BATCH_OK:
		return true;
	case BATCH_NO_MEMORY:
		diag_no_memory();
		break;
	case BATCH_ERROR:
		diag_image(run->rq->path, err);
		break;
	}
	return false;
}

/* To be called before LOOKUPS more.  False on an error that has been reported. */
static bool expect(struct run *run, uint64_t lookups)
{
	struct rossym_image *image = run->batch.rules->image;
	if (!prepare_if_it_pays(run->rq, image, run->lookups, lookups))
		return false;
	run->lookups += lookups;
	run->rq->style.readable = rossym_is_prepared(image);
	return true;
}

/* Answer one operand or line, all before it having been answered.  False on an error that has been reported. */
static bool answer(struct run *run, const char *text)
{
	struct query query;
	struct rossym_error err;
	if (!query_text(run->batch.rules, text, &query, &run->batch.seen))
		return false;
	if (query.kind != QUERY_ADDRESS) {
		if (record_print_failure(&run->rq->style, run->out, &query))
			return true;
		diag_no_memory();
		return false;
	}
	enum batch_status status = batch_add(&run->batch, &query, &err);
	if (status == BATCH_OK)
		status = batch_finish(&run->batch, &err);
	return is_good(run, status, &err);
}

static int answer_operands(struct run *run)
{
	struct request *rq = run->rq;
	int status = 0;
	record_open_array(&rq->style, run->out);
	for (int i = 0; i < rq->operand_count && !run->out->error && status == 0; i++)
		status = !expect(run, 1) || !answer(run, rq->operands[i]);
	record_close_array(&rq->style, run->out);
	return status;
}

/* ------------------------------------------------------------------------------------------------ one block */

void warn_too_long(void)
{
	diag_warning("a line is longer than %d bytes; it is taken for address 0", LINES_LONGEST);
}

/* Answer the lines from TEXT up to END.  False on an error that has been reported. */
static bool answer_block(struct run *run, char *text, char *end)
{
	struct rossym_error err;
	while (text < end && !run->out->error) {
		enum batch_status status = batch_lines(&run->batch, &text, end, &err);
		if (status == BATCH_OK)
			status = batch_finish(&run->batch, &err);
		if (!is_good(run, status, &err))
			return false;
		if (text == end)
			break;
		char *newline = memchr(text, '\n', (size_t)(end - text));
		bool too_long = newline - text > LINES_LONGEST;
		if (too_long)
			warn_too_long();
		*newline = '\0';
		if (!answer(run, too_long ? "" : text))
			return false;
		text = newline + 1;
	}
	return true;
}

/* About how many lines a block has: what most input looks like. */
static uint64_t guess_lines(const char *text, const char *end)
{
	enum { LINE_LENGTH = 11 };
	return (uint64_t)(end - text) / LINE_LENGTH + 1;
}

static bool answer_raw(struct run *run, const unsigned char *bytes, size_t count)
{
	struct rossym_error err;
	uint64_t numbers[BATCH_SIZE];
	size_t size = run->rq->raw_bytes;
	for (size_t done = 0, step; done < count && !run->out->error; done += step) {
		step = count - done < BATCH_SIZE ? count - done : BATCH_SIZE;
		for (size_t i = 0; i < step; i++)
			numbers[i] = address_raw(bytes + (done + i) * size, size);
		if (!is_good(run, batch_numbers(&run->batch, numbers, step, &err), &err))
			return false;
	}
	return is_good(run, batch_finish(&run->batch, &err), &err);
}

/* ------------------------------------------------------------------------------------------------ workers */

struct pool {
	struct run *run;
	struct crew *crew;
	struct job **jobs;	/* slots, each used again when its job has been taken back */
	unsigned slots, next;
	bool failed;		/* and said so */
};

enum { MOST_PILE = 4 << 20 };	/* bytes of answers for a block, of ordinary names */

struct job {
	const struct pool *pool;
	const struct request *rq;
	const struct query_rules *rules;
	char *copy;			/* of the block */
	size_t copy_size;
	char *text, *end;		/* in the copy: what is left of it */
	struct record_style style;
	struct out out;
	struct out_pile pile;
	struct query_seen seen;
	enum batch_status status;
	struct rossym_error err;
};

static void do_job(void *data)
{
	struct job *job = data;
	struct sink sink = { &job->style, &job->out };
	struct batch batch;
	batch_open(&batch, job->rules, job->rq->lookup_flags, &sink);
	job->pile.used = 0;
	job->out.pile = &job->pile;
	job->out.error = 0;
	job->status = batch_lines(&batch, &job->text, job->end, &job->err);
	if (job->status == BATCH_OK)
		job->status = batch_finish(&batch, &job->err);
	out_flush(&job->out);
	job->seen = batch.seen;
}

/* Its pile is full.  It may write what it has when all before it has been written. */
static bool wait_turn(void *data)
{
	struct job *job = data;
	crew_wait_turn(job->pool->crew, job);
	return !job->pool->failed && !job->pool->run->out->error;
}

static void pool_close(struct pool *pool)
{
	crew_close(pool->crew);
	for (unsigned i = 0; pool->jobs && i < pool->slots; i++)
		if (pool->jobs[i]) {
			record_style_clear(&pool->jobs[i]->style);
			free(pool->jobs[i]->pile.bytes);
			free(pool->jobs[i]->copy);
			free(pool->jobs[i]);
		}
	free(pool->jobs);
	pool->jobs = NULL;
	pool->crew = NULL;
}

/* False: there is not enough memory, or no thread; it goes without. */
static bool pool_open(struct pool *pool, struct run *run)
{
	pool->run = run;
	pool->slots = run->rq->workers * 2;
	pool->jobs = calloc(pool->slots, sizeof *pool->jobs);
	for (unsigned i = 0; pool->jobs && i < pool->slots; i++) {
		struct job *job = pool->jobs[i] = calloc(1, sizeof *job);
		if (!job)
			goto fail;
		job->pool = pool;
		job->rq = run->rq;
		job->rules = run->batch.rules;
		record_style_fork(&job->style, &run->rq->style);
		job->pile = (struct out_pile){ .most = MOST_PILE, .wait = wait_turn, .waiter = job };
	}
	pool->crew = pool->jobs ? crew_open(run->rq->workers, pool->slots, do_job) : NULL;
	if (pool->crew)
		return true;
fail:
	pool_close(pool);
	return false;
}

/* Write the answers of the oldest job, and answer what it left. */
static void take_back(struct pool *pool)
{
	struct run *run = pool->run;
	out_flush(run->out);	/* the job may write its answers itself */
	struct job *job = crew_take(pool->crew);
	if (pool->failed || run->out->error)
		return;
	run->out->error = job->out.error;
	out_add_pile(run->out, &job->pile);
	run->batch.seen.number |= job->seen.number;
	run->batch.seen.inside |= job->seen.inside;
	pool->failed = !is_good(run, job->status, &job->err) ||
		       (job->text < job->end && !answer_block(run, job->text, job->end));
}

/* Somebody may be waiting for the answers, unless there is more input already and room for it. */
static void before_read(void *data)
{
	struct pool *pool = data;
	while (pool->crew && crew_unfinished(pool->crew) > 0 &&
	       (crew_unfinished(pool->crew) == pool->slots || !wait_is_ready(STDIN_FILENO)))
		take_back(pool);
}

static void take_all_back(struct pool *pool)
{
	while (pool->crew && crew_unfinished(pool->crew) > 0)
		take_back(pool);
}

/* Give a copy of the block away.  False: there is no memory for it. */
static bool give_block(struct pool *pool, const char *text, const char *end)
{
	if (crew_unfinished(pool->crew) == pool->slots)
		take_back(pool);
	struct job *job = pool->jobs[pool->next];
	size_t length = (size_t)(end - text);
	if (length > job->copy_size) {
		char *copy = realloc(job->copy, length + LINES_SLACK);
		if (!copy)
			return false;
		job->copy = copy;
		job->copy_size = length;
	}
	memcpy(job->copy, text, length);
	memset(job->copy + length, 0, LINES_SLACK);
	job->text = job->copy;
	job->end = job->copy + length;
	pool->next = (pool->next + 1) % pool->slots;
	crew_give(pool->crew, job);
	return true;
}

/* ------------------------------------------------------------------------------------------------ all input */

/* Answer a block of lines, now or, if there are workers, later; workers begin when it pays.  False on an error that has
   been reported. */
static bool take_block(struct run *run, struct pool *pool, char *text, char *end)
{
	if (!expect(run, guess_lines(text, end)))
		return false;
	if (run->rq->workers > 1 && !pool->crew && rossym_is_prepared(run->batch.rules->image) && !pool_open(pool, run))
		run->rq->workers = 1;
	if (pool->crew && give_block(pool, text, end))
		return !pool->failed;
	take_all_back(pool);
	return !pool->failed && answer_block(run, text, end);
}

static int answer_lines(struct run *run)
{
	enum { READ_SIZE_OF_MANY = 1 << 18 };	/* so much that handing it over costs little */
	struct pool pool = { .run = run };
	struct lines lines;
	char *text, *end;
	int status = 0;
	bool more = true;
	lines_open(&lines, run->out);
	if (run->rq->workers > 1) {
		lines.read_size = READ_SIZE_OF_MANY;
		lines.before_read = before_read;
		lines.waiter = &pool;
	}
	while (more && status == 0 && !run->out->error) {
		switch (lines_block(&lines, &text, &end)) {
		case LINES_LINE:
			status = !take_block(run, &pool, text, end);
			break;
		case LINES_TOO_LONG:
			take_all_back(&pool);
			if (pool.failed)
				break;
			warn_too_long();
			status = !answer(run, "");
			break;
		case LINES_NO_MEMORY:
			take_all_back(&pool);
			status = diag_no_memory();
			break;
		case LINES_ERROR: {
			int number = errno;
			take_all_back(&pool);
			diag("cannot read standard input: %s", strerror(number));
			status = 1;
			break;
		}
		case LINES_END:
			more = false;
			break;
		}
		if (pool.failed)
			status = 1;
	}
	if (status == 0)
		take_all_back(&pool);
	else
		pool.failed = true;	/* nothing more is to be written */
	take_all_back(&pool);
	status = status || pool.failed;
	pool_close(&pool);
	lines_close(&lines);
	return status;
}

static int answer_numbers(struct run *run)
{
	struct lines lines;
	char *bytes, *end;
	int status = 0;
	size_t size = run->rq->raw_bytes;
	bool more = true;
	lines_open(&lines, run->out);
	while (more && status == 0 && !run->out->error) {
		size_t count, left;
		switch (lines_bytes(&lines, size, &bytes, &end)) {
		case LINES_LINE:
			count = (size_t)(end - bytes) / size;
			left = (size_t)(end - bytes) % size;
			status = !expect(run, count) || !answer_raw(run, (const unsigned char *)bytes, count);
			if (left > 0 && status == 0)
				diag_warning("the input ends within a number of %zu bytes", size);
			break;
		case LINES_NO_MEMORY:
			status = diag_no_memory();
			break;
		case LINES_TOO_LONG:
		case LINES_ERROR:
			diag("cannot read standard input: %s", strerror(errno));
			status = 1;
			break;
		case LINES_END:
			more = false;
			break;
		}
	}
	lines_close(&lines);
	return status;
}

int lookups_run(struct request *rq, const struct query_rules *rules)
{
	struct run run = { .rq = rq, .out = rq->out, .sink = { &rq->style, rq->out } };
	batch_open(&run.batch, rules, rq->lookup_flags, &run.sink);
	int status = rq->operand_count > 0 ? answer_operands(&run)
		   : rq->raw_bytes > 0 ? answer_numbers(&run) : answer_lines(&run);
	if (status == 0)
		give_hint(rules, &run.batch.seen);
	record_style_clear(&rq->style);
	return status;
}
