/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunks.h - write chunks of the extension block, and the records in them, as core/parts.h and core/columns.h read them
 */
#ifndef RS_CHUNKS_H
#define RS_CHUNKS_H

#include "core/columns.h"
#include "rossym.h"

/* The records of a chunk: what is collected, and how it is packed. */
struct rs_records {
	uint32_t tag;
	unsigned columns;
	unsigned
		frame_columns; /* bit n: in column n, RS_BLOCK_NONE is stored as all bits set, which no other number is */
	uint32_t count;
	uint32_t *numbers; /* record by record; to be rs_free()d */
	struct rs_columns packed;
};

/* Make RECORDS with COUNT records of zeros.  Returns 0 or -1. */
int rs_records_open(struct rs_records *records, uint32_t tag, unsigned columns, unsigned frame_columns, uint32_t count,
		    struct rossym_error *err);

/* Find the narrowest widths for the RECORDS. */
void rs_records_fit(struct rs_records *records);

/* Write the records alone as rs_records_fit() has laid them out, to TO: zeros, count * packed.size of them. */
void rs_records_write(const struct rs_records *records, uint8_t *to);

/* The bytes of their chunk, or 0 if there are no records: then the chunk is not written.  The chunk LONG always is:
   readers that need only whole names look no further (longs.h). */
uint64_t rs_records_size(const struct rs_records *records);

/* Write their chunk at *TO, zeros, and move *TO to the next one. */
void rs_records_put(const struct rs_records *records, uint8_t **to);

/* The bytes of a chunk with so many bytes of PAYLOAD; 0 for none. */
uint64_t rs_chunk_size(uint64_t payload);

/* Begin a chunk at *TO, move *TO to the next chunk, and return where the payload goes.  Return NULL if PAYLOAD, its
   size, is 0: then the chunk is not written. */
uint8_t *rs_chunk_put(uint8_t **to, uint32_t tag, uint32_t payload);

#endif
