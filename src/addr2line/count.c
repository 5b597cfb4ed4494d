// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * count.c - --count: counts the addresses of the input by function, file or line
 *
 * While addresses are counted, the key is the pointer to the string that the library returns, so no strings are copied
 * or compared.  Names are demangled and paths mapped after the last address; then keys with the same
 * name become one line.
 */
#include "config.h"
#include "addr2line/jobs.h"
#include "answer/batch.h"
#include "tool/address.h"
#include "tool/ascii.h"
#include "tool/diag.h"
#include "tool/counter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A key of `counts`: the function or file, or NULL if it is unknown; and with COUNT_LINES the line.  Both members have
   the same size, so that there is no padding, whose bytes would be part of the key. */
struct count_key {
	const char *string;
	uintptr_t line;
};

struct counting {
	struct batch batch; /* addresses to look up together; the first member, for batch_visit_...() */
	enum count_by by;
	struct record_style *style;
	uint64_t weights[BATCH_SIZE]; /* how much each address of the batch adds to a count */
	struct counter counts;
};

/* ------------------------------------------------------------------------------------------------ answers */

/* With COUNT_LINES, the `string` in the key of an address that has a function but no file.  GNU addr2line prints
   "??:?" for such an address, and "??:0" for an address about which nothing is known. */
static const char no_file[] = "??";

static struct count_key make_count_key(const struct counting *counter, const struct rossym_frame *frame)
{
	if (counter->by != COUNT_LINES)
		return (struct count_key){ counter->by == COUNT_FILES ? frame->file : frame->function, 0 };
	const char *file = frame->file ? frame->file : frame_is_known(frame) ? no_file : NULL;
	return (struct count_key){ file, frame->line };
}

/* The batch calls this with its answers: add the weight of each address to the count of its key.  False: no memory. */
static bool count_records(struct batch *batch, const struct records *records)
{
	struct counting *counter = batch->data;
	uint64_t *weight = counter->weights + (records->addresses - batch->shown);
	for (size_t i = 0; i < records->count; i++, weight++) {
		const struct rossym_frame *frame = &records->frames[records_get_first_frame(records, i)];
		const struct count_key key = make_count_key(counter, frame);
		if (!counter_add(&counter->counts, &key, sizeof key, *weight, NULL))
			return false;
		*weight = 1;
	}
	return true;
}

/* ------------------------------------------------------------------------------------------------ input */

/* The visitor's functions.  They return false after a message. */

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

static bool add_weighted_address(void *data, char *text)
{
	struct counting *counter = data;
	struct batch *batch = &counter->batch;
	struct query query;
	uint64_t weight;
	char *address = parse_weight(text, &weight);
	if (!query_parse_text(batch->rules, address, &query, &batch->seen))
		return false;
	counter->weights[batch->count] = weight;
	return batch_print_if_failed(batch, batch_add(batch, query.shown, query.rva));
}

static bool count_number_lines(void *data, char **text, char *end)
{
	uint64_t numbers[INPUT_NUMBERS];
	size_t count;
	while ((count = address_parse_lines(text, end, numbers, INPUT_NUMBERS)) > 0)
		if (!batch_add_numbers(data, numbers, count))
			return false;
	return true;
}

static const struct input_visitor visitor = { .expect = batch_visit_prepare,
					      .text = add_weighted_address,
					      .quick = count_number_lines,
					      .numbers = batch_add_numbers,
					      .finish = batch_visit_finish };

/* ------------------------------------------------------------------------------------------------ output */

/* Append the printed name of KEY to TEXT.  False: no memory. */
static bool add_key_name(const struct counting *counter, struct count_key key, struct strbuf *text)
{
	struct rossym_frame frame = { .function = key.string, .file = key.string };
	struct display_name shown = { "??", 2 };
	if (key.string && key.string != no_file) {
		frame.function_length = frame.file_length = (uint32_t)strnlen(key.string, ROSSYM_LENGTH_MAX);
		shown = counter->by == COUNT_FUNCTIONS ? record_get_function(counter->style, &frame)
						       : record_get_file(counter->style, &frame);
	}
	if (!shown.text || !strbuf_add_bytes(text, shown.text, shown.length))
		return false;
	if (counter->by == COUNT_LINES && key.line)
		strbuf_addf(text, ":%u", (unsigned)key.line);
	else if (counter->by == COUNT_LINES)
		strbuf_add(text, key.string ? ":?" : ":0");
	return !text->no_memory;
}

/* Count in NAMES the printed names of all keys.  False: no memory. */
static bool count_names(const struct counting *counter, struct counter *names)
{
	struct strbuf text = { .length = 0 };
	bool good = true;
	for (size_t i = 0; good && i < counter->counts.used; i++) {
		const struct counter_line line = counter_get_line(&counter->counts, i);
		struct count_key key;
		memcpy(&key, line.key, sizeof key);
		text.length = 0;
		good = add_key_name(counter, key, &text) &&
		       counter_add_name(names, text.bytes, text.length, key.string, line.count, NULL);
	}
	strbuf_clear(&text);
	return good;
}

static void print_table(struct out *out, const struct counter_line *lines, size_t count)
{
	char text[64];
	uint64_t total = 0;
	for (size_t i = 0; i < count; i++)
		add_saturating(&total, lines[i].count);
	int width = snprintf(text, sizeof text, "%" PRIu64, total);
	for (size_t i = 0; i < count; i++) {
		double percent = total ? 100.0 * (double)lines[i].count / (double)total : 0;
		snprintf(text, sizeof text, "%*" PRIu64 " %6.2f%%  ", width, lines[i].count, percent);
		out_text(out, text);
		out_bytes(out, lines[i].key, lines[i].length);
		out_char(out, '\n');
	}
}

static bool print_counts(const struct counting *counter, struct out *out)
{
	struct counter names = { .used = 0 };
	struct counter_line *lines = count_names(counter, &names) ? counter_get_sorted_lines(&names, COUNTER_BY_COUNT)
								  : NULL;
	if (lines)
		print_table(out, lines, names.used);
	free(lines);
	counter_clear(&names);
	return lines || diag_report_no_memory();
}

bool count_run(struct addr2line_command *command, const struct query_rules *rules)
{
	struct counting counter = { .by = command->count, .style = &command->style };
	struct input input = addr2line_command_make_input(command, &visitor, &counter);
	input.omit_too_long = true;
	for (size_t i = 0; i < BATCH_SIZE; i++)
		counter.weights[i] = 1;
	batch_initialize(&counter.batch, rules, command->lookup_flags, counter.style, count_records, &counter);
	bool good = input_visit_all(&input) && print_counts(&counter, input.out);
	if (good)
		query_print_hint(rules, &counter.batch.seen);
	counter_clear(&counter.counts);
	return good;
}
