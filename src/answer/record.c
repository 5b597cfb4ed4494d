// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/record.h"
#include "answer/record-json.h"
#include "answer/record-lines.h"
#include "answer/record-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void record_open_array(struct record_style *style, struct out *out)
{
	style->json.out = out;
	style->json.indent = style->pretty;
	if (style->form == RECORD_JSON)
		json_open(&style->json, NULL, '[');
}

void record_close_array(struct record_style *style)
{
	if (style->form != RECORD_JSON)
		return;
	json_close(&style->json, ']');
	json_end(&style->json);
}

/* Returns the frames of record NUMBER; a count of 0 if nothing is known. */
static struct record_subject record_frames(const struct records *records, size_t number)
{
	const uint32_t first = records_first_frame(records, number), count = records->ends[number] - first;
	const struct rossym_frame *frames = records->frames + first;
	return (struct record_subject){ .frames = frames,
					.count = count > 1 || frame_is_known(frames) ? count : 0,
					.details = records->details ? records->details + first : NULL };
}

/* The address at which the outermost function of a record begins. */
struct record_start {
	uint64_t vma;
	bool known;
};

/* Find the starts of the outermost functions of all RECORDS, before the first record is printed, so that these look-ups
   overlap their cache misses.  With a look-up in each record, a million addresses take 1.3 times as long. */
static void find_function_starts(const struct record_style *style, const struct records *records,
				 struct record_start *starts)
{
	struct rossym_function function;
	for (size_t i = 0; i < records->count; i++) {
		const struct record_subject subject = record_frames(records, i);
		/* This cannot fail, because the block has been read. */
		starts[i].known = subject.count > 0 &&
				  rossym_function_at(style->outermost_from, subject.frames->row_rva, &function, NULL) ==
					  1;
		starts[i].vma = starts[i].known ? style->image_base + function.rva : 0;
	}
}

static bool print_json(struct record_style *style, struct out *out, const struct records *records)
{
	struct record_start starts[RECORDS_MAX] = { { 0, false } };
	bool good = true;
	if (style->outermost_from)
		find_function_starts(style, records, starts);
	for (size_t i = 0; good && i < records->count; i++) {
		struct record_subject subject = record_frames(records, i);
		if (starts[i].known)
			subject.start = &starts[i].vma;
		good = record_json(style, out, records->addresses[i], subject);
	}
	return good;
}

static bool print_text(struct record_style *style, struct out *out, const struct records *records)
{
	bool good = true;
	for (size_t i = record_lines(style, out, records, 0); good && i < records->count;
	     i = record_lines(style, out, records, i + 1))
		good = record_text(style, out, records->addresses[i], record_frames(records, i));
	return good;
}

bool records_want_frames(const struct record_style *style)
{
	return style->inlines || (style->form != RECORD_GNU && style->outermost_from);
}

bool records_print(struct record_style *style, struct out *out, const struct records *records)
{
	return style->form == RECORD_JSON ? print_json(style, out, records) : print_text(style, out, records);
}

bool record_print_failure(struct record_style *style, struct out *out, const struct query *query)
{
	if (style->form != RECORD_JSON)
		return record_text(style, out, query->shown, (struct record_subject){ .frames = NULL });
	record_json_failure(style, out, query);
	return true;
}

bool record_print_data(struct record_style *style, struct out *out, const struct query *query,
		       const struct rossym_function *function)
{
	struct rossym_frame frame = { .function = function ? function->name : NULL };
	struct display_name name = { style->form == RECORD_JSON ? "" : "??", 0 };
	const uint64_t start = function ? style->image_base + function->rva : 0;
	if (frame.function) {
		frame.function_length = (uint32_t)strlen(frame.function);
		name = record_function(style, &frame);
	}
	if (!name.text)
		return false;
	if (style->form == RECORD_JSON) {
		record_json_data(style, out, query, name.text, start, function ? function->length : 0);
		return true;
	}
	char numbers[64];
	snprintf(numbers, sizeof numbers, "\n%" PRIu64 " %" PRIu32 "\n\?\?:?\n\n", start,
		 function ? function->length : 0);
	out_text(out, name.text);
	out_text(out, numbers);
	return true;
}
