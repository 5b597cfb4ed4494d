// SPDX-License-Identifier: GPL-2.0-or-later
/* line-places.c - the public function that finds the addresses of a source line */
#include "config.h"
#include "lib/demand.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"

#include <string.h>

struct line_search {
	struct rossym_image *image;
	const struct rs_index *index;
	unsigned flags;
	const char *file;
	size_t file_length;
	uint32_t line;
	/* A cache of one path: most rows have the same file as the row before. */
	const char *last_path;
	bool last_fits;
};

static bool is_separator(char c)
{
	return c == '/' || c == '\\';
}

/* Whether the path of FRAME equals SEARCH->file, or ends with it after a separator. */
static bool is_wanted_path(const struct line_search *search, const struct rossym_frame *frame)
{
	/* If the length is ROSSYM_LENGTH_MAX, the string may be longer, so its end is not known.  No real
	   path is so long. */
	if (frame->file_length == ROSSYM_LENGTH_MAX || frame->file_length < search->file_length)
		return false;
	const char *end = frame->file + (frame->file_length - search->file_length);
	for (size_t i = 0; i < search->file_length; i++)
		if (end[i] != search->file[i] && !(is_separator(end[i]) && is_separator(search->file[i])))
			return false;
	return end == frame->file || is_separator(end[-1]);
}

static bool is_wanted_place(struct line_search *search, const struct rossym_frame *frame)
{
	if (frame->line != search->line || !frame->file)
		return false;
	if (frame->file != search->last_path) {
		search->last_path = frame->file;
		search->last_fits = is_wanted_path(search, frame);
	}
	return search->last_fits;
}

/* Whether PLACE ends right before RVA, and FRAME, the answer from RVA on, has the same function and file, so that both
   are one place. */
static bool continues_place(const struct rossym_place *place, uint64_t rva, const struct rossym_frame *frame)
{
	return place->range.last + 1 == rva && place->frame.function == frame->function &&
	       place->frame.file == frame->file;
}

/* Store all places in *RET, which the caller frees, and their number in *COUNT.  Returns 0 or -1. */
static int find_places(struct line_search *search, struct rossym_place **ret, uint32_t *count, struct rossym_error *err)
{
	struct rossym_place *places = NULL;
	uint32_t room = 0;
	*count = 0;
	for (uint64_t rva = 0, next; rva <= UINT32_MAX; rva = next) {
		struct rossym_frame frame;
		struct rossym_range stretch = rs_image_stretch(search->image, search->index, rva);
		next = stretch.last + 1;
		if (rs_image_answer(search->image, search->index, rva, search->flags, &frame) <= 0 ||
		    !is_wanted_place(search, &frame))
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
	if (rs_image_need_all(image, err) < 0)
		return -1;
	struct line_search search = {
		.image = image, .flags = flags, .file = file, .file_length = strlen(file), .line = line
	};
	uint32_t count;
	search.index = rs_image_index(image, err);
	if (!search.index || find_places(&search, ret, &count, err) < 0)
		return -1;
	*ret_count = count;
	return count > 0;
}
