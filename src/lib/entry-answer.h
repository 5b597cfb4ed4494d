/* SPDX-License-Identifier: GPL-2.0-or-later */
/* entry-answer.h - from an entry of the index to the frame that callers get */
#ifndef RS_ENTRY_ANSWER_H
#define RS_ENTRY_ANSWER_H

#include "lib/image.h"
#include "lib/table/prefetch.h"

/* Fill FRAME from ENTRY, an answer of any kind that begins at address AT: its strings may be unknown, too long for the
   lengths in ENTRY, or cut. */
void rs_entry_answer_any(struct rossym_image *image, const struct rs_index *index, const struct rs_entry_answer *entry,
			 uint32_t at, struct rossym_frame *frame);

/* Fill FRAME from ENTRY, a plain answer (index.h) that begins at address AT.  Prefetches the strings. */
static inline void rs_entry_answer_plain(const char *strings, const struct rs_entry_answer *entry, uint32_t at,
					 struct rossym_frame *frame)
{
	frame->function = strings + entry->function;
	frame->file = strings + entry->file;
	rs_prefetch(frame->function);
	rs_prefetch(frame->file);
	frame->line = entry->line;
	frame->row_rva = at;
	frame->function_length = entry->function_length;
	frame->file_length = entry->file_length;
}

/* Whether ENTRY answers a look-up with FLAGS: it has a function, a file or a line, and it is about code unless FLAGS
   ask for data, too. */
static inline bool rs_entry_answer_is_answer(const struct rs_entry_answer *entry, unsigned flags)
{
	return (entry->function | entry->file | entry->line) && (!entry->data || (flags & ROSSYM_LOOKUP_DATA));
}

/* Fill FRAME from ENTRY, an answer that begins at address AT.  FRAME becomes all zeros if ENTRY does not answer a
   look-up with FLAGS. */
static inline void rs_entry_answer_frame(struct rossym_image *image, const struct rs_index *index,
					 const struct rs_entry_answer *entry, uint32_t at, unsigned flags,
					 struct rossym_frame *frame)
{
	if (entry->plain)
		rs_entry_answer_plain(index->strings, entry, at, frame);
	else if (rs_entry_answer_is_answer(entry, flags))
		rs_entry_answer_any(image, index, entry, at, frame);
	else
		*frame = (struct rossym_frame){ .function = NULL };
}

#endif
