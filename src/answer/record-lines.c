// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/record-lines.h"
#include "tool/digits.h"

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
static inline char *put_frame(char *p, bool functions, const struct rossym_frame *frame)
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

/* Write the records from FROM up to TO at P, with their addresses; returns their end.  A branch on whether a frame is
   the first of its record would often be predicted wrongly.  So the loop writes the address of the record before each
   frame; the frame then overwrites it, unless it is the first of its record. */
static char *put_addressed_records(const struct record_style *style, struct out *out, char *p,
				   const struct records *records, size_t from, size_t to)
{
	/* The length of the longest address and a newline; sizeof counts a NUL in place of the newline. */
	enum { TEXT = sizeof "0x0123456789abcdef" };
	const size_t length = (size_t)style->digits + 3;
	const bool functions = style->functions;
	const uint32_t *const ends = records->ends, end = ends[to - 1];
	char texts[RECORDS_MAX][TEXT];
	for (size_t i = from; i < to; i++)
		*hex_put(OUT_LITERAL(texts[i], "0x"), records->addresses[i], style->digits) = '\n';
	size_t next = from; /* the record that begins next */
	for (uint32_t at = records_first_frame(records, from), begin = at; at < end; at++) {
		const bool begins = at == begin;
		next += begins;
		begin = ends[next - 1];
		memcpy(p, texts[next - 1], TEXT);
		p += begins ? length : 0;
		p = out_advance(out, put_frame(p, functions, &records->frames[at]));
	}
	return p;
}

/* Print records of one frame each, without addresses, from FROM on.  Returns the number of the first
   that is not printed. */
static size_t print_single_frames(const struct record_style *style, struct out *out, const struct records *records,
				  size_t from)
{
	const bool functions = style->functions, demangle = style_demangles(style) && functions;
	const struct rossym_frame *frame = &records->frames[records_first_frame(records, from)];
	char *p = out_room(out);
	for (; from < records->count && frame_is_plain(frame, demangle); from++, frame++)
		p = out_advance(out, put_frame(p, functions, frame));
	out_put(out, p);
	return from;
}

/* Print records of any number of frames, with or without addresses, from FROM on.  Returns the number of the first
   that is not printed, because it has a frame that is not plain. */
static size_t print_many_frames(const struct record_style *style, struct out *out, const struct records *records,
				size_t from)
{
	const bool functions = style->functions, demangle = style_demangles(style) && functions;
	const struct rossym_frame *const frames = records->frames;
	const uint32_t first = records_first_frame(records, from), last = records->ends[records->count - 1];
	uint32_t end = first;
	while (end < last && frame_is_plain(&frames[end], demangle))
		end++;
	size_t to = from;
	while (to < records->count && records->ends[to] <= end)
		to++;
	if (to == from)
		return from;
	char *p = out_room(out);
	if (style->addresses)
		p = put_addressed_records(style, out, p, records, from, to);
	else
		for (uint32_t i = first; i < records->ends[to - 1]; i++)
			p = out_advance(out, put_frame(p, functions, &frames[i]));
	out_put(out, p);
	return to;
}

size_t record_lines(const struct record_style *style, struct out *out, const struct records *records, size_t from)
{
	if (from >= records->count || !prints_plain_strings(style))
		return from;
	const uint32_t frames = records->ends[records->count - 1] - records_first_frame(records, from);
	return frames == records->count - from && !style->addresses ? print_single_frames(style, out, records, from)
								    : print_many_frames(style, out, records, from);
}
