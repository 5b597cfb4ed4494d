// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/base/places.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

#include <string.h>

enum { PLACES_MAX = 1 << 28, COLUMN_BITS = 12, DIRECT_LINES = 1 << 18 };

int rs_places_add(struct rs_places *places, struct rs_place place, uint32_t *ret, struct rossym_error *err)
{
	if (!place.discriminator && !place.start_file && !place.start_line) {
		if (place.line < PLACES_FIRST && !place.column) {
			*ret = place.line;
			return 0;
		}
		if (place.line < DIRECT_LINES && place.column < 1u << COLUMN_BITS) {
			*ret = PLACES_DIRECT | place.line << COLUMN_BITS | place.column;
			return 0;
		}
	}
	if (places->count >= PLACES_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "more places in the source than can be kept");
	if (rs_array_intern(&places->items, &places->room, &places->count, &places->table, &place, sizeof place,
			    sizeof place, ret) < 0)
		return rs_fail_memory(err);
	*ret += PLACES_FIRST - 1;
	return 0;
}

struct rs_place rs_places_get(const struct rs_places *places, uint32_t line)
{
	const uint32_t direct = line - PLACES_DIRECT;
	if (places && line >= PLACES_DIRECT)
		return (struct rs_place){ .line = direct >> COLUMN_BITS, .column = direct & ((1u << COLUMN_BITS) - 1) };
	if (places && line >= PLACES_FIRST && line - PLACES_FIRST < places->count)
		return places->items[line - PLACES_FIRST];
	return (struct rs_place){ .line = line };
}

int rs_places_add_start(struct rs_places *places, uint32_t *line, uint32_t start, struct rossym_error *err)
{
	struct rs_place place = rs_places_get(places, *line);
	const struct rs_place function = rs_places_get(places, start);
	if (!start)
		return 0;
	place.start_file = function.start_file;
	place.start_line = function.start_line;
	return rs_places_add(places, place, line, err);
}

void rs_places_clear(struct rs_places *places)
{
	rs_free(places->items);
	rs_free(places->table.slots);
	memset(places, 0, sizeof *places);
}

/* ----------------------------------------------------------- from numbers of places to lines and details of a draft */

/* The state of rs_places_extract_details(). */
struct finishing {
	const struct rs_places *places;
	struct rs_draft *draft;
	struct rs_details *details;
	uint32_t *frames; /* for each number of a frame, its new number: equal frames become one */
};

/* If *LINE is the number of a place, replace it by the line of that place, and add the place to finishing->details.
   Returns 1 + the index of the place in details->places; 0 if *LINE is a line already. */
static uint32_t extract_place(struct finishing *finishing, uint32_t *line)
{
	struct rs_details *details = finishing->details;
	if (*line < PLACES_FIRST || (*line < PLACES_DIRECT && *line - PLACES_FIRST >= finishing->places->count))
		return 0;
	details->places[details->place_count] = rs_places_get(finishing->places, *line);
	*line = details->places[details->place_count++].line;
	return details->place_count;
}

/* Store the details of all frames, and replace the frames by new ones with lines instead of numbers of places.  Frames
   that are then equal become one.  Each frame comes after its caller, so the new number of the caller is known. */
static int extract_frame_details(struct finishing *finishing, struct rossym_error *err)
{
	struct rs_details *details = finishing->details;
	struct rs_frames old = finishing->draft->frames, lines = { .count = 0 };
	int ret = 0;
	for (uint32_t i = 0; i < old.count && ret == 0; i++) {
		struct rs_frame frame = old.items[i];
		details->frames[i] = (struct rs_detail_frame){ extract_place(finishing, &frame.line), frame.next };
		frame.next = frame.next ? finishing->frames[frame.next] : 0;
		ret = rs_frames_add(&lines, frame, &finishing->frames[i + 1], err);
	}
	details->frame_count = old.count;
	rs_frames_clear(&old);
	finishing->draft->frames = lines;
	return ret;
}

/* Store the details of all rows; replace numbers of places by lines.  Drops rows that then equal the row before. */
static void extract_row_details(struct finishing *finishing, uint32_t terminator)
{
	struct rs_details *details = finishing->details;
	struct rs_rows *rows = &finishing->draft->rows;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < rows->count; i++) {
		struct rs_new_row row = rows->items[i];
		const struct rs_new_row *last = kept > 0 ? &rows->items[kept - 1] : NULL;
		const uint32_t place = extract_place(finishing, &row.line);
		if (row.function != terminator)
			details->rows[details->row_count++] = (struct rs_detail_row){ row.rva, place, row.frame };
		row.frame = row.frame ? finishing->frames[row.frame] : 0;
		if (!last || last->function != row.function || last->file != row.file || last->line != row.line ||
		    last->frame != row.frame)
			rows->items[kept++] = row;
	}
	rows->count = kept;
}

/* Copy the path of start_file of each place into details->strings, and replace start_file by the copy's offset. */
static int copy_file_names(const struct finishing *finishing, struct rossym_error *err)
{
	const struct rs_string_table *strings = finishing->draft->strings;
	struct rs_details *details = finishing->details;
	uint32_t *offsets = rs_alloc((size_t)strings->count + 1, sizeof *offsets), length = 1;
	if (!offsets)
		return rs_fail_memory(err);
	for (uint32_t i = 0; i < details->place_count; i++) {
		const uint32_t file = details->places[i].start_file;
		if (file && !offsets[file]) {
			offsets[file] = length;
			length += rs_string_length(strings, file) + 1;
		}
	}
	details->strings = rs_alloc(length, 1);
	for (uint32_t i = 0; i < details->place_count && details->strings; i++) {
		const uint32_t file = details->places[i].start_file;
		if (file)
			memcpy(details->strings + offsets[file], rs_string(strings, file),
			       (size_t)rs_string_length(strings, file) + 1);
		details->places[i].start_file = offsets[file];
	}
	rs_free(offsets);
	return details->strings ? 0 : rs_fail_memory(err);
}

struct rs_details *rs_places_extract_details(const struct rs_places *places, struct rs_draft *draft,
					     uint32_t terminator, struct rossym_error *err)
{
	struct finishing finishing = { .places = places,
				       .draft = draft,
				       .details = rs_alloc(1, sizeof *finishing.details) };
	struct rs_details *details = finishing.details;
	bool good = false;
	if (!details)
		goto out;
	finishing.frames = rs_alloc((size_t)draft->frames.count + 1, sizeof *finishing.frames);
	/* Each row and each frame adds at most one place. */
	details->places = rs_alloc((size_t)draft->rows.count + draft->frames.count + 1, sizeof *details->places);
	details->rows = rs_alloc((size_t)draft->rows.count + 1, sizeof *details->rows);
	details->frames = rs_alloc((size_t)draft->frames.count + 1, sizeof *details->frames);
	if (!finishing.frames || !details->places || !details->rows || !details->frames ||
	    extract_frame_details(&finishing, err) < 0)
		goto out;
	extract_row_details(&finishing, terminator);
	good = copy_file_names(&finishing, err) == 0;
out:
	rs_free(finishing.frames);
	if (good)
		return details;
	rs_fail_memory(err);
	rs_details_free(details);
	return NULL;
}
