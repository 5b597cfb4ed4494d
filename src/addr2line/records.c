// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * records.c - see records.h
 *
 * Addresses are added to a batch.  A line that may need a message on standard error (a symbol, another module) is
 * answered by the main thread after the batch has been printed, so that output and messages are in the
 * order of the input.
 */
#include "config.h"
#include "addr2line/records.h"
#include "addr2line/workers.h"
#include "answer/batch.h"

struct record_job {
	struct batch batch;
	struct workers workers;
	uint64_t lookups; /* the sum of all COUNTs of expect_count(): look-ups that are done or still to come */
};

/* Print the answers of the batch.  Returns false after a message, as all functions of the visitor do. */
static bool print_batch(void *data)
{
	struct record_job *records = data;
	struct rossym_error err;
	return batch_is_good(&records->batch, batch_finish(&records->batch, &err), &err);
}

static bool expect_count(void *data, uint64_t count)
{
	struct record_job *records = data;
	struct batch *batch = &records->batch;
	struct rossym_error err;
	records->lookups += count;
	/* If preparing fails, the answers so far must be printed before the message. */
	if (!print_batch(records))
		return false;
	int prepared = rossym_prepare_for(batch->rules->image, records->lookups, &err);
	batch->style->overreadable = prepared > 0;
	return batch_is_good(batch, prepared < 0 ? BATCH_ERROR : BATCH_OK, &err);
}

/* Print the function around an address, for llvm-symbolizer's "DATA". */
static bool print_function_at(struct batch *batch, const struct query *query)
{
	struct rossym_function function = { .name = NULL };
	struct rossym_error err;
	int found = query->rva == UINT64_MAX ? 0 : rossym_function_at(batch->rules->image, query->rva, &function, &err);
	if (found < 0)
		return batch_is_good(batch, BATCH_ERROR, &err);
	return batch_is_good(batch,
			     record_print_data(batch->style, batch->out, query, found ? &function : NULL)
				     ? BATCH_OK
				     : BATCH_NO_MEMORY,
			     NULL);
}

/* Print the JSON record of a symbol, which has the symbol in place of the address. */
static bool print_symbol(struct record_job *records, const struct query *query)
{
	struct batch *batch = &records->batch;
	struct rossym_error err;
	batch->style->symbol = query;
	bool good = batch_is_good(batch, batch_add(batch, query, &err), &err) && print_batch(records);
	batch->style->symbol = NULL;
	return good;
}

static bool visit_text(void *data, char *text)
{
	struct record_job *records = data;
	struct batch *batch = &records->batch;
	struct query query;
	struct rossym_error err;
	if (!print_batch(records) || !query_text(batch->rules, text, &query, &batch->seen))
		return false;
	if (query.kind == QUERY_DATA)
		return print_function_at(batch, &query);
	if (query.kind == QUERY_ADDRESS && query.is_symbol && batch->style->form == RECORD_JSON)
		return print_symbol(records, &query);
	if (query.kind == QUERY_ADDRESS)
		return batch_is_good(batch, batch_add(batch, &query, &err), &err);
	return batch_is_good(batch, record_print_failure(batch->style, batch->out, &query) ? BATCH_OK : BATCH_NO_MEMORY,
			     NULL);
}

static bool visit_quick(void *data, char **text, char *end)
{
	struct record_job *records = data;
	struct rossym_error err;
	if (!rossym_is_prepared(records->batch.rules->image) &&
	    !batch_is_good(&records->batch, batch_announce(&records->batch, *text, end, &err), &err))
		return false;
	return batch_is_good(&records->batch, batch_lines(&records->batch, text, end, &err), &err);
}

static bool visit_numbers(void *data, const uint64_t *numbers, size_t count)
{
	struct record_job *records = data;
	struct rossym_error err;
	return batch_is_good(&records->batch, batch_numbers(&records->batch, numbers, count, &err), &err);
}

/* ------------------------------------------------------------------------------------------------ workers */

/* Give the lines from TEXT up to END to a worker, if the image has been prepared, because only then may several threads
   use it.  Else answer them here.  Returns whether to continue. */
static bool visit_chunk(void *data, char *text, char *end)
{
	struct record_job *records = data;
	struct workers *workers = &records->workers;
	if (rossym_is_prepared(records->batch.rules->image) && workers_give(workers, text, end))
		return !workers->failed;
	return workers_settle(workers) && input_lines(workers->input, text, end);
}

static bool settle_batch(void *data)
{
	struct record_job *records = data;
	return workers_settle(&records->workers);
}

static void before_read(void *data)
{
	struct record_job *records = data;
	workers_before_read(&records->workers);
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

bool records_run(struct input *input, const struct query_rules *rules, unsigned flags, struct record_style *style,
		 unsigned workers)
{
	/* Bytes of a chunk: so many that giving it to a thread costs little beside answering it. */
	enum { READ_SIZE_OF_MANY = 1 << 18 };
	struct record_job records;
	records.lookups = 0;
	records.workers = (struct workers){ .count = 0 };
	batch_open(&records.batch, rules, flags, style, input->out);
	input->data = &records;
	input->visitor = &alone;
	if (workers > 1 && input->number_size == 0) {
		input->visitor = &with_workers;
		input->read_size = READ_SIZE_OF_MANY;
		workers_open(&records.workers, workers, &records.batch, input);
	}
	if (input->operand_count > 0)
		record_open_array(style, input->out);
	bool good = input_run(input);
	if (input->operand_count > 0)
		record_close_array(style);
	workers_close(&records.workers);
	if (good)
		query_hint(rules, &records.batch.seen);
	record_style_clear(style);
	return good;
}
