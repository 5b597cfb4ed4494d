// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/record.h"
#include "answer/record-json.h"
#include "tool/digits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Returns the frames of record NUMBER; a count of 0 if nothing is known. */
static inline struct record_subject record_frames(const struct records *records, size_t number)
{
	const uint32_t first = records_first_frame(records, number), count = records->ends[number] - first;
	const struct rossym_frame *frames = records->frames + first;
	return (struct record_subject){ .frames = frames,
					.count = count > 1 || frame_is_known(frames) ? count : 0,
					.details = records->details ? records->details + first : NULL };
}

/* ------------------------------------------------------------------------------------------------ text */

/*
 * Text is written directly into the output's buffer, at P.  The put_ functions return the end of what they have
 * written; NULL: no memory.  There is always room for OUT_ROOM bytes at P: enough for all parts of a frame without its
 * strings, and for two strings of ROSSYM_STRING_READABLE bytes.  Longer strings go through put_long().
 */

static const struct display_name unknown = { "??", 2 };

/* Write TEXT of any length by out_bytes().  Returns the position for what follows. */
static char *put_long(struct out *out, char *p, const char *text, size_t length)
{
	out_commit(out, p);
	out_bytes(out, text, length);
	return out_room(out);
}

/* Write TEXT.  OVERREADABLE: ROSSYM_STRING_READABLE bytes of TEXT are readable, so a short TEXT is copied with this
   fixed length, for which compilers make a few move instructions.  With put_long() alone, a million addresses with -a
   take 1.3 times as long. */
static inline char *put_string(struct out *out, char *p, const char *text, size_t length, bool overreadable)
{
	if (!overreadable || length > ROSSYM_STRING_READABLE)
		return put_long(out, p, text, length);
	memcpy(p, text, ROSSYM_STRING_READABLE);
	return p + length;
}

static char *put_hex(char *p, uint64_t number, int digits)
{
	return hex_put(OUT_LITERAL(p, "0x"), number, digits);
}

/* Write SHOWN, which is TEXT, a string of the table; or its demangled or mapped form, of which no byte beyond the NUL
   may be read.  NULL: no memory. */
static inline char *put_shown(const struct record_style *style, struct out *out, char *p, struct display_name shown,
			      const char *text)
{
	return shown.text ? put_string(out, p, shown.text, shown.length, style->overreadable && shown.text == text)
			  : NULL;
}

static inline char *put_function(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	return put_shown(style, out, p, frame->function ? record_function(style, frame) : unknown, frame->function);
}

static inline char *put_file(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	return put_shown(style, out, p, frame->file ? record_file(style, frame) : unknown, frame->file);
}

/* Write the beginning of a frame in both styles: the function, with -f, and the file with a colon. */
static inline char *put_function_and_file(struct record_style *style, struct out *out, char *p,
					  const struct rossym_frame *frame)
{
	if (style->functions) {
		p = put_function(style, out, p, frame);
		if (!p)
			return NULL;
		p = style->pretty ? OUT_LITERAL(p, " at ") : OUT_LITERAL(p, "\n");
	}
	p = put_file(style, out, p, frame);
	if (!p)
		return NULL;
	*p++ = ':';
	return p;
}

/* Write a frame in GNU's style; FRAME is NULL if nothing is known. */
static inline char *put_gnu_frame(struct record_style *style, struct out *out, char *p,
				  const struct rossym_frame *frame)
{
	if (!frame) {
		if (style->functions)
			p = style->pretty ? OUT_LITERAL(p, "?? ") : OUT_LITERAL(p, "??\n");
		return OUT_LITERAL(p, "??:0\n");
	}
	p = put_function_and_file(style, out, p, frame);
	if (!p)
		return NULL;
	if (frame->line)
		p = decimal_put(p, frame->line);
	else
		*p++ = '?';
	*p++ = '\n';
	return p;
}

/* Write a frame in LLVM's style; FRAME is NULL if nothing is known. */
static char *put_llvm_frame(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame,
			    struct record_detail detail)
{
	static const struct rossym_frame nothing = { .function = NULL };
	if (!frame)
		frame = &nothing;
	p = put_function_and_file(style, out, p, frame);
	if (!p)
		return NULL;
	p = decimal_put(p, frame->line);
	*p++ = ':';
	p = decimal_put(p, detail.column);
	*p++ = '\n';
	return p;
}

static char *put_frame(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame,
		       struct record_detail detail)
{
	return style->form == RECORD_GNU ? put_gnu_frame(style, out, p, frame)
					 : put_llvm_frame(style, out, p, frame, detail);
}

/* Write all frames of SUBJECT, which has at least one. */
static char *put_frames(struct record_style *style, struct out *out, char *p, struct record_subject subject)
{
	p = put_frame(style, out, p, &subject.frames[0], record_detail(subject, 0));
	for (uint32_t i = 1; p && i < subject.count; i++) {
		p = out_advance(out, p);
		if (style->pretty)
			p = OUT_LITERAL(p, " (inlined by) ");
		p = put_frame(style, out, p, &subject.frames[i], record_detail(subject, i));
	}
	return p;
}

/* Print the record of ADDRESS, without the fast path.  False: no memory. */
static bool print_record_text(struct record_style *style, struct out *out, uint64_t address,
			      struct record_subject subject)
{
	struct rossym_frame joined;
	char *p = out_room(out);
	if (style->addresses) {
		p = put_hex(p, address, style->form == RECORD_GNU ? style->digits : hex_digit_count(address));
		p = style->pretty ? OUT_LITERAL(p, ": ") : OUT_LITERAL(p, "\n");
	}
	if (style->inlines && subject.count > 0)
		p = put_frames(style, out, p, subject);
	else
		p = put_frame(style, out, p, record_join_frames(subject, &joined), record_detail(subject, 0));
	if (!p)
		return false;
	if (style->form != RECORD_GNU)
		*p++ = '\n';
	out_commit(out, p);
	return true;
}

/* ------------------------------------------------------------------------------------------------ plain frames */

/*
 * The fast path of printing text, for records in GNU addr2line's style whose frames are plain.  A frame is plain if it
 * has a function, a file and a line, and both strings are short and printed as the table has them.  The reference path
 * is print_record_text() for each record.  With the reference path, a million addresses take 1.9 times as long with -f,
 * 1.4 times with -f -i, 1.3 times with -a -f -i.  tests/tool/unit-record.c checks that both print the same.
 */

/* Whether STYLE prints the strings of the table as they are, except names for which demangle_may_change() is true. */
static bool prints_plain_strings(const struct record_style *style)
{
	return style->form == RECORD_GNU && style->overreadable && !style->pretty && paths_are_plain(&style->paths) &&
	       !(style_demangles(style) && demangle_may_change_all());
}

/* Whether FRAME is plain: both strings have 1 to ROSSYM_STRING_READABLE bytes, there is a line, and the name need not
   be demangled. */
static inline bool frame_is_plain(const struct rossym_frame *frame, bool demangle)
{
	/* An unknown string has the length 0, and 0 - 1 wraps to a large number.  ROSSYM_STRING_READABLE is a power of
	   two, so one comparison of the OR tests both. */
	return ((frame->function_length - 1) | (frame->file_length - 1)) < ROSSYM_STRING_READABLE && frame->line &&
	       !(demangle && demangle_may_change(*frame->function));
}

/* Write a plain frame at P; returns its end.  Copies of a fixed length are only a few instructions; the bytes after the
   string's end are overwritten next. */
static inline char *put_plain_frame(char *p, bool functions, const struct rossym_frame *frame)
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

/* Whether the frames from AT up to END are plain. */
static inline bool are_plain(const struct rossym_frame *frames, uint32_t at, uint32_t end, bool demangle)
{
	while (at < end && frame_is_plain(&frames[at], demangle))
		at++;
	return at == end;
}

/* Print the records from number FROM on, up to the first with a frame that is not plain.  Returns the number of that
   record; records->count if all were printed. */
static size_t print_plain_records(const struct record_style *style, struct out *out, const struct records *records,
				  size_t from)
{
	const bool functions = style->functions, demangle = style_demangles(style) && functions;
	const bool addresses = style->addresses;
	uint32_t at = records_first_frame(records, from);
	char *p = out_room(out);
	for (; from < records->count && are_plain(records->frames, at, records->ends[from], demangle); from++) {
		if (addresses) {
			p = put_hex(p, records->addresses[from], style->digits);
			*p++ = '\n';
		}
		for (; at < records->ends[from]; at++)
			p = out_advance(out, put_plain_frame(p, functions, &records->frames[at]));
	}
	out_commit(out, p);
	return from;
}

static bool print_text(struct record_style *style, struct out *out, const struct records *records)
{
	const bool plain = prints_plain_strings(style);
	for (size_t i = 0;; i++) {
		if (plain && i < records->count)
			i = print_plain_records(style, out, records, i);
		if (i >= records->count)
			return true;
		if (!print_record_text(style, out, records->addresses[i], record_frames(records, i)))
			return false;
	}
}

/* ------------------------------------------------------------------------------------------------ JSON */

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
		good = record_print_json(style, out, records->addresses[i], subject);
	}
	return good;
}

/* ------------------------------------------------------------------------------------------------ all */

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
		return print_record_text(style, out, query->shown, (struct record_subject){ .frames = NULL });
	record_print_json_failure(style, out, query);
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
		record_print_json_data(style, out, query, name.text, start, function ? function->length : 0);
		return true;
	}
	char numbers[64];
	snprintf(numbers, sizeof numbers, "\n%" PRIu64 " %" PRIu32 "\n\?\?:?\n\n", start,
		 function ? function->length : 0);
	out_text(out, name.text);
	out_text(out, numbers);
	return true;
}
