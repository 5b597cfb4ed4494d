// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/record.h"
#include "tool/decimal.h"
#include "tool/demangle.h"
#include "tool/record-json.h"
#include "tool/record-text.h"

#include <string.h>

enum { AT_ONCE = 64 };	/* records whose frames wait for memory together */

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

static inline bool print_one(struct record_style *style, struct out *out, uint64_t address, struct record_subject subject)
{
	return style->form == RECORD_JSON ? record_json(style, out, address, subject)
					  : record_text(style, out, address, subject);
}

/* Whether each frame is nothing but the table's strings and a number, if its name is not demangled. */
static bool is_plain(const struct record_style *style)
{
	return style->form == RECORD_GNU && style->readable && !style->pretty && paths_are_plain(&style->paths);
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

/* The same for records with frames: print one as print_one() does, if all its frames are plain.  False: nothing was printed, but
   FRAMES must begin again. */
static inline bool print_plain_frames(const struct record_style *style, struct out *out, uint64_t address,
				      struct rossym_frames *frames)
{
	enum { MOST = 2 * ROSSYM_STRING_READABLE + 16 };	/* bytes of a plain frame */
	struct rossym_frame frame;
	char *p = out_room(out), *end = p + OUT_ROOM - MOST;
	if (style->addresses)
		p = record_put_address(p, address, style->digits);
	while (rossym_frames_next(frames, &frame)) {
		if (p > end || !frame_is_plain(&frame) || (style->demangle && demangle_may_change(frame.function)))
			return false;
		p = put_plain(p, style->functions, &frame);
	}
	out_put(out, p);
	return true;
}

/* The block has been read, so that this cannot fail. */
static inline bool begin(struct rossym_image *image, const struct rossym_frame *answer, struct rossym_frames *frames)
{
	return rossym_frames_begin(image, answer, frames, NULL) == 0;
}

/* Print records with the frames that IMAGE knows.  First all frames are begun, which prefetches them, so that they wait for memory
   together. */
static bool print_with_frames(struct record_style *style, struct out *out, const uint64_t *addresses,
			      const struct rossym_frame *answers, size_t count, struct rossym_image *image)
{
	struct rossym_frames frames[AT_ONCE];
	const bool plain = is_plain(style);
	for (size_t i = 0; i < count; i++)
		if (frame_is_known(&answers[i]) && !begin(image, &answers[i], &frames[i]))
			return false;
	for (size_t i = 0; i < count; i++) {
		const bool known = frame_is_known(&answers[i]);
		if (known && plain && print_plain_frames(style, out, addresses[i], &frames[i]))
			continue;
		if (known && plain && !begin(image, &answers[i], &frames[i]))
			return false;
		if (!print_one(style, out, addresses[i], (struct record_subject){ known ? &answers[i] : NULL, known ? &frames[i] : NULL }))
			return false;
	}
	return true;
}

static bool print_without_frames(struct record_style *style, struct out *out, const uint64_t *addresses,
				 const struct rossym_frame *answers, size_t count)
{
	const bool plain = is_plain(style) && !style->addresses && !style->demangle;
	for (size_t i = 0; i < count; i++) {
		if (plain)
			i += print_plain(out, style->functions, answers + i, count - i);
		struct record_subject subject = { i < count && frame_is_known(&answers[i]) ? &answers[i] : NULL, NULL };
		if (i < count && !print_one(style, out, addresses[i], subject))
			return false;
	}
	return true;
}

bool records_print(struct record_style *style, struct out *out, const uint64_t *addresses,
		   const struct rossym_frame *answers, size_t count)
{
	struct rossym_image *image = style->form == RECORD_GNU || style->inlines ? style->inlines : style->block;
	if (!image)
		return print_without_frames(style, out, addresses, answers, count);
	for (size_t done = 0, step; done < count; done += step) {
		step = count - done < AT_ONCE ? count - done : AT_ONCE;
		if (!print_with_frames(style, out, addresses + done, answers + done, step, image))
			return false;
	}
	return true;
}

bool record_print_failure(struct record_style *style, struct out *out, const struct query *query)
{
	if (style->form != RECORD_JSON)
		return record_text(style, out, query->shown, (struct record_subject){ NULL, NULL });
	record_json_failure(style, out, query);
	return true;
}
