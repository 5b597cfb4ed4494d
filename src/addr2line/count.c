// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "addr2line/count.h"
#include "answer/batch.h"
#include "tool/address.h"
#include "tool/digits.h"
#include "tool/ascii.h"
#include "tool/diag.h"
#include "answer/counter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counting {
	enum count_by by;
	struct record_style *style;
	struct batch batch; /* the number beside an address is how often to count it */
	struct counter counts;
};

/* ------------------------------------------------------------------------------------------------ answers */

/* The key for an address with a function but no file.  GNU addr2line prints "??:?" for it, and "??:0" for an address
   about which nothing is known. */
static const char no_file[] = "??";

static struct counter_key make_counter_key(const struct counting *counter, const struct rossym_frame *frame)
{
	switch (counter->by) {
	case COUNT_FUNCTIONS:
		return (struct counter_key){ frame->function, 0 };
	case COUNT_FILES:
		return (struct counter_key){ frame->file, 0 };
	case COUNT_LINES:
		break;
	}
	const char *file = frame->file ? frame->file : frame_is_known(frame) ? no_file : NULL;
	return (struct counter_key){ file, frame->line };
}

/* For the batch: count the answers. */
static bool count_records(void *data, const struct records *records)
{
	struct counting *counter = data;
	for (size_t i = 0; i < records->count; i++) {
		const struct rossym_frame *frame = &records->frames[records_first_frame(records, i)];
		if (!counter_add(&counter->counts, make_counter_key(counter, frame), records->addresses[i], NULL))
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------------------------------------ input */

/* The functions of the visitor return false after a message. */

static bool expect_count(void *data, uint64_t count)
{
	struct counting *counter = data;
	return batch_is_good(&counter->batch, batch_expect(&counter->batch, count));
}

static bool count_batch(void *data)
{
	struct counting *counter = data;
	return batch_is_good(&counter->batch, batch_finish(&counter->batch));
}

/* If the line TEXT is "COUNT ADDRESS" with a decimal count, as uniq -c prints it, store the count in *WEIGHT, and
   return the address.  Else store 1, and return TEXT. */
static char *parse_weight(char *text, uint64_t *weight)
{
	char *digits = skip_spaces(text), *end = digits;
	const uint64_t number = read_count(&end);
	*weight = 1;
	char *address = skip_spaces(end);
	if (end == digits || address == end || *address == '\0')
		return text;
	*weight = number;
	return address;
}

static bool count_text(void *data, char *text)
{
	struct counting *counter = data;
	struct batch *batch = &counter->batch;
	struct query query;
	uint64_t weight;
	char *address = parse_weight(text, &weight);
	return query_text(batch->rules, address, &query, &batch->seen) &&
	       batch_is_good(batch, batch_add(batch, weight, query.rva));
}

static bool visit_numbers(void *data, const uint64_t *numbers, size_t count)
{
	struct counting *counter = data;
	struct batch *batch = &counter->batch;
	uint64_t rvas[INPUT_NUMBERS];
	query_numbers(batch->rules, numbers, count, rvas, &batch->seen);
	for (size_t i = 0; i < count; i++)
		if (!batch_add(batch, 1, rvas[i]))
			return batch_is_good(batch, false);
	return true;
}

static bool visit_quick(void *data, char **text, char *end)
{
	uint64_t numbers[INPUT_NUMBERS];
	size_t count;
	while ((count = address_lines(text, end, numbers, INPUT_NUMBERS)) > 0)
		if (!visit_numbers(data, numbers, count))
			return false;
	return true;
}

static const struct input_visitor visitor = { .expect = expect_count,
					      .text = count_text,
					      .quick = visit_quick,
					      .numbers = visit_numbers,
					      .finish = count_batch };

/* ------------------------------------------------------------------------------------------------ output */

/* For counter_lines(): store the printed name of KEY in *RET.  False: no memory. */
static bool make_key_name(void *data, struct counter_key key, struct counter_name *ret)
{
	const struct counting *counter = data;
	struct rossym_frame frame = { .function = key.string, .file = key.string };
	struct display_name shown = { "??", 2 };
	if (key.string && key.string != no_file) {
		frame.function_length = frame.file_length = (uint32_t)strnlen(key.string, ROSSYM_LENGTH_MAX);
		shown = counter->by == COUNT_FUNCTIONS ? record_function(counter->style, &frame)
						       : record_file(counter->style, &frame);
	}
	*ret = (struct counter_name){ .text = shown.text,
				      .length = shown.length,
				      .made = key.string && shown.text != key.string };
	if (counter->by == COUNT_LINES) {
		char *end = ret->end;
		*end++ = ':';
		if (key.line)
			*decimal_put(end, key.line) = '\0';
		else
			*end = key.string ? '?' : '0';
	}
	return shown.text;
}

static void print_table(struct out *out, const struct counter_line *lines, size_t count, uint64_t total)
{
	char text[64];
	int width = snprintf(text, sizeof text, "%" PRIu64, total);
	for (size_t i = 0; i < count; i++) {
		double percent = total ? 100.0 * (double)lines[i].count / (double)total : 0;
		snprintf(text, sizeof text, "%*" PRIu64 " %6.2f%%  ", width, lines[i].count, percent);
		out_text(out, text);
		out_bytes(out, lines[i].name, lines[i].length);
		out_text(out, lines[i].end);
		out_char(out, '\n');
	}
}

static bool print_counts(struct counting *counter, struct out *out)
{
	struct counter_lines lines;
	if (!counter_lines(&counter->counts, COUNTER_BY_COUNT, make_key_name, counter, &lines, NULL))
		return diag_out_of_memory();
	print_table(out, lines.items, lines.count, lines.total);
	free(lines.items);
	return true;
}

bool count_run(struct input *input, const struct query_rules *rules, unsigned flags, struct record_style *style,
	       enum count_by by)
{
	struct counting counter = { .by = by, .style = style };
	batch_open(&counter.batch, rules, flags, style, count_records, &counter);
	input->visitor = &visitor;
	input->data = &counter;
	input->omit_too_long = true;
	bool good = input_run(input) && print_counts(&counter, input->out);
	if (good)
		query_hint(rules, &counter.batch.seen);
	counter_clear(&counter.counts);
	record_style_clear(style);
	return good;
}
