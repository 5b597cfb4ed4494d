// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/details.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"

void rs_details_begin_walk(const struct rs_details *details, uint64_t rva, struct rs_detail_walk *walk)
{
	*walk = (struct rs_detail_walk){ .details = details };
	if (!details || rva > UINT32_MAX)
		return;
	const uint32_t after = rs_array_first(details->rows, details->row_count, sizeof *details->rows,
					      offsetof(struct rs_detail_row, rva), rva + 1);
	if (after == 0)
		return;
	walk->frame = (struct rs_detail_frame){ details->rows[after - 1].place, details->rows[after - 1].frame };
}

const struct rs_place *rs_details_next_place(struct rs_detail_walk *walk)
{
	const struct rs_detail_frame frame = walk->frame;
	walk->frame = frame.next ? walk->details->frames[frame.next - 1] : (struct rs_detail_frame){ .place = 0 };
	return frame.place ? &walk->details->places[frame.place - 1] : NULL;
}

void rs_details_free(struct rs_details *details)
{
	if (!details)
		return;
	rs_free(details->places);
	rs_free(details->rows);
	rs_free(details->frames);
	rs_free(details->strings);
	rs_free(details);
}
