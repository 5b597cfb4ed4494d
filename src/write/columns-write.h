/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns-write.h - write records of numbers as core/columns.h reads them
 */
#ifndef RS_COLUMNS_WRITE_H
#define RS_COLUMNS_WRITE_H

#include "core/columns.h"

/* Find the narrowest widths for COUNT records of COLUMNS numbers each, record by record in NUMBERS.  In the columns
   whose bit is set in FRAMES, RS_BLOCK_NONE is stored as all bits set, which no other number there may be. */
void rs_columns_fit(struct rs_columns *records, const uint32_t *numbers, uint32_t count, unsigned columns,
		    unsigned frames);

/* Write the records as rs_columns_fit() has laid them out, to BYTES: zeros, records->count * records->size of them. */
void rs_columns_write(const struct rs_columns *records, const uint32_t *numbers, unsigned columns, uint8_t *bytes);

#endif
