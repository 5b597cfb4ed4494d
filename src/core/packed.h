/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * packed.h - packed rows
 *
 * The rows of a packed table are in groups of 32.  A list has a record for each group, so that an address or the number
 * of a row leads to one group, whose rows are unpacked into the caller's buffer.  Function, file and frames, which many
 * rows have in common, are a context: a record of another list.
 *
 * An unpacked row has the form of a row of 16 bytes, with the number of its context in place of the function.
 */
#ifndef RS_PACKED_H
#define RS_PACKED_H

#include "core/columns.h"

/*@ predicate packed_widths{L}(struct rs_table *t) =
      (\forall integer i; 0 <= i < RS_WIDTHS_SIZE ==> t->packed.group_widths[i] <= 32) &&
      (\forall integer i; 0 <= i < RS_WIDTHS_SIZE ==> t->packed.context_widths[i] <= 32);
    predicate packable{L}(struct rs_table *t) = \valid_read(t) && readable(&t->reader) && packed_widths(t); */

/* Returns PACKED, a flag that says whether something is packed.  If the core is compiled with ROSSYM_NO_PACKED, for
   kernels without packed tables, returns false, so that the compiler drops the code for packed tables. */
/*@ assigns \nothing;
    ensures \result <==> packed; */
static inline bool rs_is_packed_flag_set(bool packed)
{
#ifdef ROSSYM_NO_PACKED
	(void)packed;
	return false;
#else
	return packed;
#endif
}

/*@ requires \valid_read(table);
    assigns \nothing;
    ensures \result <==> table->packed.groups != 0; */
static inline bool rs_is_packed(const struct rs_table *table)
{
	return rs_is_packed_flag_set(table->packed.groups != 0);
}

/* Returns the offset at which the block of TABLE begins, if there is one. */
/*@ requires \valid_read(table);
    assigns \nothing; */
static inline uint64_t rs_block_offset(const struct rs_table *table)
{
	const uint64_t strings_end = table->strings_offset + table->strings.length;
	return table->offset + rs_align(strings_end - table->offset, 4);
}

/* Find the packed rows in the block of TABLE, which has no plain rows, and store in TABLE where they are.  The block
   must end at or before END.  Returns 1; 0 if there is no block of a packed table; or -1. */
int rs_packed_open(struct rs_table *table, uint64_t end, struct rossym_fault *fault);

/* Store the address of the first row of group NUMBER, which must exist.  Returns 0 or -1. */
int rs_packed_read_address(const struct rs_table *table, uint32_t number, uint64_t *address,
			   struct rossym_fault *fault);

/* Unpack COUNT rows from row FIRST on, which are all in one group, to TO, 16 bytes each.  Returns 0 or -1. */
int rs_packed_unpack_rows(const struct rs_table *table, uint32_t first, uint32_t count, uint8_t *to,
			  struct rossym_fault *fault);

/* Returns the size in bytes of a record whose columns have these WIDTHS, each at most 32 bits. */
/*@ requires bytes(widths, RS_WIDTHS_SIZE);
    assigns \nothing;
    ensures \result == (widths[0] + widths[1] + widths[2] + widths[3] + 7) / 8; */
uint32_t rs_packed_record_size(const uint8_t widths[RS_WIDTHS_SIZE]);

/* Returns the offset at which the data of all groups begin in what the table's reader reads. */
uint64_t rs_packed_data_offset(const struct rs_table *table);

struct rs_context {
	uint32_t function, file; /* references to strings (parts.h) */
	uint32_t frame;		 /* the number of the first frame of the chain, or RS_BLOCK_NONE */
};
/* Store context NUMBER.  USER is the number of the row or frame that has it, for faults.  Returns 0, or -1:
   ROSSYM_FAULT_CONTEXT if there is no such context, or a fault of reading. */
int rs_packed_read_context(const struct rs_table *table, uint32_t number, uint32_t user, struct rs_context *context,
			   struct rossym_fault *fault);

/* Store in *FRAME the number of the first frame in the chain of row ROW; RS_BLOCK_NONE if it has none.  Returns 0 or
   -1. */
int rs_packed_find_chain(const struct rs_table *table, uint32_t row, uint32_t *frame, struct rossym_fault *fault);

#endif
