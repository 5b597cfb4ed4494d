// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * records.c - the main job of rossym-addr2line: prints a record for each address of the input, in their order
 *
 * Addresses are added to a batch.  A line that may need a message on standard error (a symbol, another module) is
 * answered by the main thread after the batch has been printed, so that output and messages are in the
 * order of the input.
 */
#include "config.h"
#include "addr2line/jobs.h"
#include "addr2line/workers.h"
#include "answer/batch.h"
#include "tool/diag.h"

struct record_job {
	struct batch batch;
	struct workers workers;
	struct out *out;
};

/* The functions of the visitor return false after a message. */

static bool print_batch(void *data)
{
	struct record_job *job = data;
	return batch_is_good(&job->batch, batch_finish(&job->batch));
}

static bool expect_count(void *data, uint64_t count)
{
	struct record_job *job = data;
	return batch_is_good(&job->batch, batch_expect(&job->batch, count));
}

/* Print the function around an address, for llvm-symbolizer's "DATA". */
static bool print_function_at(struct record_job *job, const struct query *query)
{
	const struct query_rules *rules = job->batch.rules;
	struct rossym_function function = { .name = NULL };
	struct rossym_error err;
	int found = query->rva == UINT64_MAX ? 0 : rossym_function_at(rules->image, query->rva, &function, &err);
	if (found < 0) {
		diag_image(rules->path, &err);
		return false;
	}
	return record_print_data(job->batch.style, job->out, query, found ? &function : NULL) || diag_out_of_memory();
}

static bool visit_text(void *data, char *text)
{
	struct record_job *job = data;
	struct batch *batch = &job->batch;
	struct query query;
	if (!print_batch(job) || !query_text(batch->rules, text, &query, &batch->seen))
		return false;
	if (query.kind == QUERY_DATA)
		return print_function_at(job, &query);
	if (query.kind != QUERY_ADDRESS)
		return record_print_failure(batch->style, job->out, &query) || diag_out_of_memory();
	bool good = batch_is_good(batch, batch_add(batch, query.shown, query.rva));
	if (query.is_symbol && batch->style->form == RECORD_JSON) {
		/* The record of a symbol has the symbol in place of the address. */
		batch->style->symbol = &query;
		good = good && print_batch(job);
		batch->style->symbol = NULL;
	}
	return good;
}

static bool visit_quick(void *data, char **text, char *end)
{
	struct batch *batch = &((struct record_job *)data)->batch;
	return batch_is_good(batch, (rossym_is_prepared(batch->rules->image) || batch_announce(batch, *text, end)) &&
					    batch_lines(batch, text, end));
}

static bool visit_numbers(void *data, const uint64_t *numbers, size_t count)
{
	struct record_job *job = data;
	return batch_is_good(&job->batch, batch_numbers(&job->batch, numbers, count));
}

static bool print_records(void *data, const struct records *records)
{
	struct record_job *job = data;
	return records_print(job->batch.style, job->out, records);
}

/* ------------------------------------------------------------------------------------------------ workers */

/* Give the lines from TEXT up to END to a worker, if the image has been prepared, because only then may several threads
   use it.  Else answer them here.  Returns whether to continue. */
static bool visit_chunk(void *data, char *text, char *end)
{
	struct record_job *job = data;
	struct workers *workers = &job->workers;
	if (rossym_is_prepared(job->batch.rules->image) && workers_give(workers, text, end))
		return !workers->failed;
	return workers_settle(workers) && input_lines(workers->input, text, end);
}

static bool settle_batch(void *data)
{
	struct record_job *job = data;
	return workers_settle(&job->workers);
}

static void before_read(void *data)
{
	struct record_job *job = data;
	workers_before_read(&job->workers);
}

static const struct input_visitor alone = { .expect = expect_count,
					    .text = visit_text,
					    .quick = visit_quick,
					    .numbers = visit_numbers,
					    .finish = print_batch },
				  with_workers = { .expect = expect_count,
						   .text = visit_text,
						   .quick = visit_quick,
						   .numbers = visit_numbers,
						   .finish = print_batch,
						   .chunk = visit_chunk,
						   .settle = settle_batch,
						   .before_read = before_read };

/* ------------------------------------------------------------------------------------------------ all */

bool records_run(struct addr2line_command *command, const struct query_rules *rules)
{
	/* Bytes of a chunk: so many that giving it to a thread costs little beside answering it. */
	enum { READ_SIZE_OF_MANY = 1 << 18 };
	struct record_style *style = &command->style;
	struct record_job job;
	struct input input = addr2line_command_input(command, &alone, &job);
	job.workers = (struct workers){ .count = 0 };
	job.out = input.out;
	batch_open(&job.batch, rules, command->lookup_flags, style, print_records, &job);
	if (command->workers > 1 && input.number_size == 0) {
		input.visitor = &with_workers;
		input.read_size = READ_SIZE_OF_MANY;
		workers_open(&job.workers, command->workers, &job.batch, &input);
	}
	if (input.operand_count > 0)
		record_open_array(style, input.out);
	bool good = input_run(&input);
	if (input.operand_count > 0)
		record_close_array(style);
	workers_close(&job.workers);
	if (good)
		query_hint(rules, &job.batch.seen);
	return good;
}
