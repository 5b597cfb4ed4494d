/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunks.h - writes the extension block of a table, which has what does not fit into rows: the header of the block, and
 * chunks of records, which core/parts.h and core/columns.h read; makes, opens and checks whole tables
 */
#ifndef RS_CHUNKS_H
#define RS_CHUNKS_H

#include "core/parts.h"
#include "rossym.h"

/* The records of a chunk that will be written. */
struct rs_records {
	uint32_t tag;	  /* of the chunk */
	unsigned columns; /* how many numbers a record has */
	/* bit n is set if column n has frame numbers: RS_BLOCK_NONE, no frame, is written as all bits set */
	unsigned frame_columns;
	uint32_t count;		  /* of records */
	uint32_t *numbers;	  /* the numbers of all records, record by record; to be rs_free()d */
	struct rs_columns packed; /* column widths and record size, which rs_records_choose_widths() stores */
};

/* Initialise RECORDS for the chunk TAG with COUNT records, whose numbers are all 0.  Returns 0; or -1: no memory. */
int rs_records_open(struct rs_records *records, uint32_t tag, unsigned columns, unsigned frame_columns, uint32_t count,
		    struct rossym_error *err);

/* Initialise RECORDS for the chunk TAG with the first COLUMNS numbers of each record of FROM; none of them may be a
   frame number.  Returns 0 or -1. */
int rs_records_copy(struct rs_records *records, const struct rs_columns *from, uint32_t tag, unsigned columns,
		    struct rossym_error *err);

/* Returns how many bits NUMBER takes, at most 32. */
static inline uint8_t rs_count_bits(uint64_t number)
{
	uint8_t bits = 0;
	while (bits < 32 && number >> bits)
		bits++;
	return bits;
}

/* Store in records->packed the narrowest width of each column that fits all numbers in the column. */
void rs_records_choose_widths(struct rs_records *records);

/* Write the packed numbers of RECORDS to TO, which must have room for count * packed.size bytes, all zeros. */
void rs_records_write(const struct rs_records *records, uint8_t *to);

/* Returns how many bytes the chunk of RECORDS takes.  A chunk without records is not written and takes 0 bytes.  The
   exception is the chunk LONG, the list of strings that are cut in the table and whole in the block.  It is the first
   chunk and is written even if it is empty: then readers need no other chunk to find that no string is cut. */
uint64_t rs_records_chunk_size(const struct rs_records *records);

/* Write the chunk of RECORDS at *TO, where all bytes must be zero, and move *TO to where the next chunk goes. */
void rs_records_write_chunk(const struct rs_records *records, uint8_t **to);

/* Returns how many bytes a chunk with PAYLOAD bytes of payload takes; 0 if PAYLOAD is 0: then no chunk is written. */
uint64_t rs_chunk_size(uint64_t payload);

/* Write the header of a chunk with PAYLOAD bytes of payload at *TO, and move *TO to where the next chunk goes.  Returns
   where the payload goes.  If PAYLOAD is 0, writes nothing and returns NULL. */
uint8_t *rs_chunk_write_header(uint8_t **to, uint32_t tag, uint32_t payload);

/* Write the header of BLOCK, which has SIZE bytes, begins with MAGIC and belongs to a table of ROWS rows.  The header
   has the checksums of BLOCK and of the TABLE_SIZE bytes at TABLE, so neither may change afterwards.  If TABLE is NULL,
   the checksums stay 0. */
void rs_block_write_header(uint8_t *block, const char *magic, uint32_t size, uint32_t rows, const uint8_t *table,
			   size_t table_size);

/* Returns SIZE zeros for a table, to be rs_free()d; or NULL: no memory, or the table has 4 GiB or more. */
uint8_t *rs_table_alloc(uint64_t size, struct rossym_error *err);

/* Write at BYTES the header of a table whose rows have ROWS_SIZE bytes, and whose strings have STRINGS_SIZE bytes and
   begin at the offset STRINGS. */
void rs_table_put_header(uint8_t *bytes, uint32_t rows_size, uint32_t strings, uint32_t strings_size);

/* A table that is being written, and pointers to the places of its parts.  `own` is the place of the strings that only
   the block has; NULL: there are none. */
struct rs_table_places {
	uint8_t *bytes, *rows, *strings, *own;
	size_t size, end;    /* bytes of the table; offset of the end of its strings, where padding and block begin */
	uint32_t block_size; /* bytes of the block; 0: there is none, as it would be empty */
};

/* Allocate a table for ROWS_SIZE bytes of rows and STRINGS_SIZE bytes of strings; places->bytes is to be rs_free()d.
   Writes its header and, for each of the COUNT LISTS, a chunk of its block with the narrowest columns.  LISTS[0] must
   be the list of cut strings.  The block also gets room for OWN_SIZE bytes of strings of its own.  Returns 0; or -1: no
   memory, or ROSSYM_EREFUSED if the table would have 4 GiB or more. */
int rs_table_make(struct rs_table_places *places, uint64_t rows_size, uint32_t strings_size, struct rs_records *lists,
		  unsigned count, uint32_t own_size, struct rossym_error *err);

/* Write the header of the block, if there is one, for a table of ROWS rows.  If SEALED, the header gets the checksums
   of all that has been written, so call this last; else they stay 0. */
void rs_table_write_block_header(const struct rs_table_places *places, uint32_t rows, bool sealed);

/* Open the table in the SIZE bytes at BYTES, and check the whole table and its block.  WIDE: its rows may have 20 or 24
   bytes, too.  Stores in *NAMES where the block lists other names of code, such as aliases; without a block, *NAMES is
   not changed.  Offsets in errors are PLACE + the offset in BYTES.  Returns 0 or -1. */
int rs_table_open_checked(struct rossym_core *core, struct rs_columns *names, const void *bytes, size_t size, bool wide,
			  uint64_t place, struct rossym_error *err);

#endif
