// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * range.c - the public functions that find the range of addresses with one answer, and the addresses of a source line
 *
 * A "stretch" is a range of addresses with the same entry of the index; if sections overlap, these addresses are also
 * in the same sections.  So all addresses of a stretch have one answer.  The range of an answer is one stretch, or
 * several that follow one another.
 */
#include "config.h"
#include "lib/image.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"

#include <string.h>

/* Returns the last address with RANK, which is the rank of LOW. */
static uint64_t find_last_address_of_rank(const struct rs_index *index, uint32_t rank, uint64_t low)
{
	uint64_t end = (uint64_t)UINT32_MAX + 1; /* no RVA is this high, so none from here on has RANK */
	uint32_t at;
	while (end - low > 1) {
		uint64_t middle = low + (end - low) / 2;
		if (rs_rank_find(&index->rank, middle, &at) == rank)
			low = middle;
		else
			end = middle;
	}
	return low;
}

/* Shorten RANGE so that no section begins or ends inside it.  RVA is in RANGE, and stays there. */
static void cut_at_sections(const struct rs_pe *pe, uint64_t rva, struct rossym_range *range)
{
	for (uint32_t i = 0; i < pe->section_count; i++) {
		const uint64_t edges[] = { pe->sections[i].rva, (uint64_t)pe->sections[i].rva + pe->sections[i].size };
		for (int k = 0; k < 2; k++) {
			if (edges[k] <= rva && edges[k] > range->first)
				range->first = edges[k];
			if (edges[k] > rva && edges[k] <= range->last)
				range->last = edges[k] - 1;
		}
	}
}

/* Returns the stretch that contains RVA.  Neighbouring stretches may have the same answer, too. */
static struct rossym_range find_stretch(const struct rossym_image *image, const struct rs_index *index, uint64_t rva)
{
	if (rva > UINT32_MAX)
		return (struct rossym_range){ (uint64_t)UINT32_MAX + 1, UINT64_MAX };
	uint32_t at = 0, rank = rs_rank_find(&index->rank, rva, &at);
	struct rossym_range range = { rank ? at : 0, find_last_address_of_rank(index, rank, rva) };
	if (rs_image_needs_sections(image))
		cut_at_sections(&image->core.pe, rva, &range);
	return range;
}

/* Whether the answers A and B are from the rows of one address, or both unknown. */
static bool is_same_answer(const struct rossym_frame *a, struct rossym_frame b)
{
	return rs_frame_is_known(a) == rs_frame_is_known(&b) && a->row_rva == b.row_rva;
}

int rossym_lookup_range(struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame,
			struct rossym_range *ret, struct rossym_error *err)
{
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || rs_image_ensure_all_rows(image, err) < 0)
		return -1;
	const struct rs_index *index = rs_image_get_index(image, err);
	if (!index)
		return -1;
	const struct rossym_frame answer = rs_image_look_up(image, index, rva, flags);
	struct rossym_range range = find_stretch(image, index, rva);
	while (range.first > 0 && is_same_answer(&answer, rs_image_look_up(image, index, range.first - 1, flags)))
		range.first = find_stretch(image, index, range.first - 1).first;
	while (range.last < UINT64_MAX &&
	       is_same_answer(&answer, rs_image_look_up(image, index, range.last + 1, flags)))
		range.last = find_stretch(image, index, range.last + 1).last;
	*ret = range;
	if (!rs_frame_is_known(&answer))
		return 0;
	*frame = answer;
	return 1;
}

/* ------------------------------------------------------------------------------------------------ code of a line */

struct line_search {
	struct rossym_image *image;
	const struct rs_index *index;
	unsigned flags;
	const char *file;
	size_t file_length;
	uint32_t line;
};

static bool is_separator(char c)
{
	return c == '/' || c == '\\';
}

/* Whether the path of FRAME equals SEARCH->file, or ends with it after a separator. */
static bool is_wanted_path(const struct line_search *search, const struct rossym_frame *frame)
{
	/* If the length is ROSSYM_LENGTH_MAX, the string may be longer.  No real path is so long. */
	if (frame->file_length == ROSSYM_LENGTH_MAX || frame->file_length < search->file_length)
		return false;
	const char *end = frame->file + (frame->file_length - search->file_length);
	for (size_t i = 0; i < search->file_length; i++)
		if (end[i] != search->file[i] && !(is_separator(end[i]) && is_separator(search->file[i])))
			return false;
	return end == frame->file || is_separator(end[-1]);
}

/* Whether FRAME, the answer from RVA on, continues PLACE: PLACE ends at RVA - 1, and function and file are equal. */
static bool continues_place(const struct rossym_place *place, uint64_t rva, const struct rossym_frame *frame)
{
	return place->range.last + 1 == rva && place->frame.function == frame->function &&
	       place->frame.file == frame->file;
}

/* Store in *RET all places with the file and line of SEARCH, to be rs_free()d, and their number in *COUNT. */
static int find_places(const struct line_search *search, struct rossym_place **ret, uint32_t *count,
		       struct rossym_error *err)
{
	struct rossym_place *places = NULL;
	uint32_t room = 0;
	*count = 0;
	for (uint64_t rva = 0, next; rva <= UINT32_MAX; rva = next) {
		const struct rossym_frame frame = rs_image_look_up(search->image, search->index, rva, search->flags);
		struct rossym_range stretch = find_stretch(search->image, search->index, rva);
		next = stretch.last + 1;
		if (frame.line != search->line || !frame.file || !is_wanted_path(search, &frame))
			continue;
		if (*count > 0 && continues_place(&places[*count - 1], rva, &frame)) {
			places[*count - 1].range.last = stretch.last;
		} else if (RS_ARRAY_ADD(places, room, *count, err,
					(struct rossym_place){ .range = stretch, .frame = frame }) < 0) {
			rs_free(places);
			return -1;
		}
	}
	*ret = places;
	return 0;
}

int rossym_find_line(struct rossym_image *image, const char *file, uint32_t line, unsigned flags,
		     struct rossym_place **ret, size_t *ret_count, struct rossym_error *err)
{
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || rs_check_name(file, err) < 0)
		return -1;
	if (!*file)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "the name of a file is empty");
	if (rs_image_ensure_all_rows(image, err) < 0)
		return -1;
	struct line_search search = {
		.image = image, .flags = flags, .file = file, .file_length = strlen(file), .line = line
	};
	uint32_t count;
	search.index = rs_image_get_index(image, err);
	if (!search.index || find_places(&search, ret, &count, err) < 0)
		return -1;
	*ret_count = count;
	return count > 0;
}
