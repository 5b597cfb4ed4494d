// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/record.h"
#include "tool/demangle.h"
#include "tool/digits.h"
#include "answer/record-json.h"
#include "answer/record-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void record_open_array(struct record_style *style, struct out *out)
{
	style->json.indent = style->pretty;
	if (style->form == RECORD_JSON)
		json_open(&style->json, out, '[');
}

void record_close_array(struct record_style *style, struct out *out)
{
	if (style->form != RECORD_JSON)
		return;
	json_close(&style->json, out, ']');
	json_end(&style->json, out);
}

static inline bool print_one(struct record_style *style, struct out *out, uint64_t address,
			     struct record_subject subject)
{
	return style->form == RECORD_JSON ? record_json(style, out, address, subject)
					  : record_text(style, out, address, subject);
}

/* Whether each frame is nothing but the table's strings and a number, but for names that
   demangle_may_change() tells. */
static bool is_plain(const struct record_style *style)
{
	return style->form == RECORD_GNU && style->readable && !style->pretty && paths_are_plain(&style->paths) &&
	       !(style->demangle && demangle_may_change_all());
}

/* Whether FRAME is plain: both strings have 1 to 32 bytes, and there is a line. */
static inline bool frame_is_plain(const struct rossym_frame *frame)
{
	/* The length of an unknown string is 0, and 0 - 1 is a large number. */
	return ((frame->function_length - 1) | (frame->file_length - 1)) < ROSSYM_STRING_READABLE && frame->line;
}

/* Write a plain frame at P; returns where it ends. */
static inline char *put_plain(char *p, bool functions, const struct rossym_frame *frame)
{
	if (functions) {
		memcpy(p, frame->function, ROSSYM_STRING_READABLE);
		p += frame->function_length;
		*p++ = '\n';
	}
	memcpy(p, frame->file, ROSSYM_STRING_READABLE);
	p += frame->file_length;
	*p++ = ':';
	p = decimal_put(p, frame->line);
	*p++ = '\n';
	return p;
}

/* Print records of plain answers, as print_one() does, up to the first that is not plain or for which there is no room.
   Returns how many were printed.  This takes the decisions about the style once instead of for each record: with
   print_one() alone, a million addresses take 1.3 times as long. */
static size_t print_plain(struct out *out, bool functions, const struct rossym_frame *frames, size_t count)
{
	char *p = out_room(out);
	const char *full = out->buffer + OUT_SIZE;
	size_t i = 0;
	for (; i < count && p < full && frame_is_plain(&frames[i]); i++)
		p = put_plain(p, functions, &frames[i]);
	out_put(out, p);
	return i;
}

/* Returns how many of COUNT frames are plain, up to the first that is not. */
static uint32_t count_plain(const struct rossym_frame *frames, uint32_t count, bool demangle)
{
	uint32_t i = 0;
	while (i < count && frame_is_plain(&frames[i]) && !(demangle && demangle_may_change(*frames[i].function)))
		i++;
	return i;
}

/* Write the plain frames from FIRST up to END at P. */
static inline char *put_all_plain(struct out *out, char *p, bool functions, const struct rossym_frame *frames,
				  uint32_t first, uint32_t end)
{
	for (; first < end; first++)
		p = out_go_on(out, put_plain(p, functions, &frames[first]));
	return p;
}

/* COUNT records of ADDRESSES, one after the other.  ENDS: where their frames end; those of the first begin at FIRST. */
struct records {
	const uint64_t *addresses;
	const struct rossym_frame *frames;
	uint32_t first;
	const uint32_t *ends;
	size_t count;
};

/* Write plain records with addresses at P.  Nothing predicts how many frames a record has, so no branch depends on that.
   The loop writes the address of the record before each frame.  Then the frame overwrites the address, unless the frame
   is the first one of its record. */
static char *put_all_addressed(const struct record_style *style, struct out *out, char *p,
			       const struct records *records)
{
	/* room for the longest address; its newline takes the place of the NUL */
	enum { TEXT = sizeof "0x0123456789abcdef" };
	const size_t length = (size_t)style->digits + 3;
	const bool functions = style->functions;
	const uint32_t *const ends = records->ends, end = ends[records->count - 1];
	char texts[RECORDS_MOST][TEXT];
	for (size_t i = 0; i < records->count; i++)
		record_put_address(texts[i], records->addresses[i], style->digits);
	size_t begun = 0;
	for (uint32_t at = records->first, next = at; at < end; at++) {
		const bool begins = at == next;
		begun += begins;
		next = ends[begun - 1];
		memcpy(p, texts[begun - 1], TEXT);
		p += begins ? length : 0;
		p = out_go_on(out, put_plain(p, functions, &records->frames[at]));
	}
	return p;
}

/* Print plain records with frames, with addresses, and with names to be demangled: as many of ALL as are plain.  Returns
   how many. */
static size_t print_plain_frames(const struct record_style *style, struct out *out, const struct records *all)
{
	struct records plain = *all;
	const uint32_t end = all->first + count_plain(all->frames + all->first, all->ends[all->count - 1] - all->first,
						      style->demangle && style->functions);
	char *p = out_room(out);
	plain.count = 0;
	while (plain.count < all->count && all->ends[plain.count] <= end)
		plain.count++;
	if (style->addresses && plain.count > 0)
		p = put_all_addressed(style, out, p, &plain);
	else if (plain.count > 0)
		p = put_all_plain(out, p, style->functions, plain.frames, plain.first, plain.ends[plain.count - 1]);
	out_put(out, p);
	return plain.count;
}

/* Where the outermost function of a record begins. */
struct start {
	uint64_t vma;
	bool known;
};

/* The frames of record NUMBER; no frame if nothing is known. */
static inline struct record_subject subject_of(const struct rossym_frame *frames, const uint32_t *ends, size_t number)
{
	const uint32_t first = number > 0 ? ends[number - 1] : 0, count = ends[number] - first;
	const bool known = count > 1 || frame_is_known(&frames[first]);
	return (struct record_subject){ frames + first, known ? count : 0, NULL };
}

/* Find where the outermost functions of COUNT records begin.  The caller does so before it prints the first record:
   then these look-ups wait for memory together.  With a look-up in each record, a million addresses take 1.1 times
   as long. */
static void find_starts(const struct record_style *style, const struct rossym_frame *frames, const uint32_t *ends,
			size_t count, struct start *starts)
{
	struct rossym_function function;
	for (size_t i = 0; i < count; i++) {
		const struct record_subject subject = subject_of(frames, ends, i);
		/* The block has been read, so that this cannot fail. */
		starts[i].known = subject.count > 0 &&
				  rossym_function_at(style->block, subject.frames->row_rva, &function, NULL) == 1;
		starts[i].vma = starts[i].known ? style->image_base + function.rva : 0;
	}
}

bool records_want_frames(const struct record_style *style)
{
	return style->inlines || (style->form != RECORD_GNU && style->block);
}

bool records_print_frames(struct record_style *style, struct out *out, const uint64_t *addresses,
			  const struct rossym_frame *frames, const uint32_t *ends, size_t count)
{
	const bool plain = is_plain(style);
	struct start starts[RECORDS_MOST] = { { 0, false } };
	if (style->form == RECORD_JSON && style->block)
		find_starts(style, frames, ends, count, starts);
	for (size_t i = 0; i < count; i++) {
		const struct records left = { addresses + i, frames, i > 0 ? ends[i - 1] : 0, ends + i, count - i };
		if (plain)
			i += print_plain_frames(style, out, &left);
		if (i == count)
			break;
		struct record_subject subject = subject_of(frames, ends, i);
		if (starts[i].known)
			subject.start = &starts[i].vma;
		if (!print_one(style, out, addresses[i], subject))
			return false;
	}
	return true;
}

bool records_print(struct record_style *style, struct out *out, const uint64_t *addresses,
		   const struct rossym_frame *answers, size_t count)
{
	const bool plain = is_plain(style) && !style->addresses && !style->demangle;
	for (size_t i = 0; i < count; i++) {
		if (plain)
			i += print_plain(out, style->functions, answers + i, count - i);
		if (i < count && !print_one(style, out, addresses[i],
					    (struct record_subject){ &answers[i], frame_is_known(&answers[i]), NULL }))
			return false;
	}
	return true;
}

bool record_print_failure(struct record_style *style, struct out *out, const struct query *query)
{
	if (style->form != RECORD_JSON)
		return record_text(style, out, query->shown, (struct record_subject){ NULL, 0, NULL });
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
