/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * longs.h - which strings of a table were cut: the list in the extension block, read without the rest of the block
 *
 * The short form of a cut string can be any text of any length, so only this list tells that it was cut.  Reading and
 * checking the whole block would make a single look-up ten times as expensive.  So only the list is read: with one
 * or two small reads if it is the block's first chunk, as in the blocks that we write.
 *
 * The list is not checked.  It only decides for which strings the block is read, and then the block is checked.
 */
#ifndef RS_LONGS_H
#define RS_LONGS_H

#include "core/parts.h"
#include "rossym.h"

struct rs_longs {
	struct rs_columns list; /* the records of the chunk LONG */
	uint8_t *own;		/* the bytes of the records, to be rs_free()d */
	bool unclear;		/* the block looks damaged: every string may have been cut */
};

/* Read the list of cut strings from the block of TABLE; the block ends at or before END.  Without a block the list is
   empty.  Returns 0 or -1. */
int rs_longs_read(struct rs_longs *longs, const struct rs_table *table, uint64_t end, struct rossym_error *err);
void rs_longs_clear(struct rs_longs *longs);

/* Whether any string may have been cut. */
static inline bool rs_longs_any(const struct rs_longs *longs)
{
	return longs->list.count > 0 || longs->unclear;
}

/* Whether the string at OFFSET of the table's strings may have been cut.  False for offset 0, the unknown string. */
bool rs_longs_may_have(const struct rs_longs *longs, uint32_t offset);

#endif
