// SPDX-License-Identifier: GPL-2.0-or-later
/* lookups.c - the public functions that look up addresses */
#include "config.h"
#include "lib/demand.h"
#include "core/lookup.h"
#include "lib/base/error.h"
#include "lib/entry-answer.h"

/* Remove wrong answers of the index: those for addresses of more than 32 bits; and those of rows in another section, if
   sections overlap or are not in order, so that the index ignores them. */
static void remove_wrong_answers(const struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
				 struct rossym_frame *frames)
{
	const bool overlapping = rs_image_needs_sections(image);
	for (size_t i = 0; i < count; i++) {
		struct rossym_fault fault; /* never set, because the sections are in memory */
		if (rvas[i] > UINT32_MAX ||
		    (overlapping && rs_core_may_answer(&image->core, rvas[i], flags, frames[i].row_rva, &fault) <= 0))
			frames[i] = (struct rossym_frame){ .function = NULL };
	}
}

/* Look up COUNT addresses, at most RS_INDEX_BATCH, in INDEX, and store their answers in FRAMES. */
static void lookup_in_index(struct rossym_image *image, const struct rs_index *index, const uint64_t *rvas,
			    size_t count, unsigned flags, struct rossym_frame *frames)
{
	uint32_t ranks[RS_INDEX_BATCH], rows[RS_INDEX_BATCH];
	uint64_t all = 0;
	rs_index_find(index, rvas, count, ranks, rows);
	for (size_t i = 0; i < count; i++) {
		all |= rvas[i];
		rs_entry_answer_frame(image, index, &index->entries[ranks[i]], rows[i], flags, &frames[i]);
	}
	if (all > UINT32_MAX || rs_image_needs_sections(image))
		remove_wrong_answers(image, rvas, count, flags, frames);
}

int rs_image_answer(struct rossym_image *image, const struct rs_index *index, uint64_t rva, unsigned flags,
		    struct rossym_frame *frame)
{
	struct rossym_frame answer;
	lookup_in_index(image, index, &rva, 1, flags, &answer);
	if (!answer.function && !answer.file && !answer.line)
		return 0;
	*frame = answer;
	return 1;
}

/* As rossym_lookup(), in the answers that a partial IMAGE has kept. */
static int lookup_kept(const struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame)
{
	const struct rs_kept_answer *kept = rs_kept_at(&image->kept, rva);
	struct rossym_fault fault; /* never set, because the sections are in memory */
	if (!kept || kept->frame_count == 0 ||
	    rs_core_may_answer(&image->core, rva, flags, kept->frame.row_rva, &fault) <= 0)
		return 0;
	*frame = kept->frame;
	return 1;
}

/* As rossym_lookup(), in the index if there is one, else in the rows of the file. */
static int lookup_in_any(struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame,
			 struct rossym_error *err)
{
	const struct rs_index *index = atomic_load_explicit(&image->index, memory_order_acquire);
	if (image->partial)
		return lookup_kept(image, rva, flags, frame);
	if (index)
		return rs_image_answer(image, index, rva, flags, frame);
	enum { FAR = 1024 }; /* rows; in tables that are not hostile, a look-up walks over fewer */
	struct rossym_core_answer answer;
	struct rossym_fault fault;
	int found = rs_core_lookup(&image->core, rva, flags, FAR, &answer, &fault);
	if (found == RS_LOOKUP_FAR)
		return (index = rs_image_index(image, err)) ? rs_image_answer(image, index, rva, flags, frame) : -1;
	if (found <= 0)
		return found < 0 ? rs_fail_fault(err, &fault) : 0;
	/* Both are offsets in the table's strings, because rows never refer to strings of the block. */
	const uint32_t at_function = (uint32_t)answer.function, at_file = (uint32_t)answer.file;
	const char *function = at_function ? rs_segments_string(&image->strings, at_function, err) : "";
	const char *file = at_file ? rs_segments_string(&image->strings, at_file, err) : "";
	if (!function || !file)
		return -1;
	rs_frame_set_function(frame, function);
	rs_frame_set_file(frame, file);
	frame->line = answer.line;
	frame->row_rva = answer.row_rva;
	if (image->whole)
		rs_frame_make_whole_if_cut(image, frame, at_function, at_file);
	return 1;
}

int rossym_lookup(struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame,
		  struct rossym_error *err)
{
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || rs_image_need(image, &rva, 1, err) < 0)
		return -1;
	return lookup_in_any(image, rva, flags, frame, err);
}

int rossym_lookup_many(struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
		       struct rossym_frame *frames, struct rossym_error *err)
{
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || rs_image_need(image, rvas, count, err) < 0)
		return -1;
	if (image->prepared) {
		const struct rs_index *index = atomic_load_explicit(&image->index, memory_order_relaxed);
		for (size_t done = 0, step; done < count; done += step) {
			step = count - done < RS_INDEX_BATCH ? count - done : RS_INDEX_BATCH;
			lookup_in_index(image, index, rvas + done, step, flags, frames + done);
		}
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		int found = lookup_in_any(image, rvas[i], flags, &frames[i], err);
		if (found < 0)
			return -1;
		if (found == 0)
			frames[i] = (struct rossym_frame){ .function = NULL };
	}
	return 0;
}
