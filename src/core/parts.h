/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts.h - the parts of the extension block after a table: the frames of inlined calls, where functions end, and
 * the whole forms of strings that were cut
 *
 * struct rs_parts has the places of the parts.  Finding them costs a few reads.  rs_parts_verify() checks every number
 * in the parts.  Before that, reading a part is safe, but a number in it can have any value.
 *
 * The block refers to a string by a "reference": below parts->own_from it is an offset in the table's strings; from
 * there on, own_from plus an offset in the block's own strings.
 */
#ifndef RS_PARTS_H
#define RS_PARTS_H

#include "core/columns.h"
#include "core/table.h"

/*@ predicate parts_found{L}(struct rs_parts *p) =
      \valid_read(p) && readable(&p->reader) && readable(&p->strings.reader) && laid_out(&p->frames) && laid_out(&p->runs) &&
      laid_out(&p->functions) && laid_out(&p->longs); */

/* Whether FAULT is damage of the block, and not a failure to read it. */
/*@ requires \valid_read(fault);
    assigns \nothing; */
static inline bool rs_fault_is_of_block(const struct rossym_fault *fault)
{
	return fault->code >= ROSSYM_FAULT_BLOCK_SHORT && fault->code < ROSSYM_FAULT_PACKED_CHUNK;
}

/* Find the extension block of TABLE.  Store its place, its size, and its form (the version of the format).  The block
   must end at or before END.  Returns 1; 0 if there is none; or -1.  If the first eight bytes of the block are right,
   but the rest of its header is wrong, returns -1, but stores its place and its form. */
int rs_parts_find_block(struct rs_parts *parts, const struct rs_table *table, uint64_t end, struct rossym_fault *fault);

/* Store in *SIZE how many bytes TABLE has in the file, up to the end of its strings or of the block after them.  The
   block must end at or before END.  Returns 0 or -1. */
int rs_parts_find_content_size(const struct rs_table *table, uint64_t end, uint64_t *size, struct rossym_fault *fault);

/* Read the header of the chunk at offset AT of the block; AT is below the block's size.  All offsets count from the
   start of the block.  Returns 0 or -1. */
struct rs_chunk {
	uint32_t tag, length;
	uint32_t payload; /* where the chunk's content begins in the block */
	uint32_t next;	  /* where the next chunk begins */
};
int rs_parts_read_chunk_header(const struct rs_parts *parts, uint32_t at, struct rs_chunk *chunk,
			       struct rossym_fault *fault);

/* Store in RECORDS where the records of CHUNK are and how wide its COLUMNS columns are.  Returns 0 or -1. */
int rs_parts_lay_out_records(const struct rs_parts *parts, const struct rs_chunk *chunk, unsigned columns,
			     struct rs_columns *records, struct rossym_fault *fault);

/* Find all parts.  Stores in NAMES where the other names of code are, such as aliases; they have the columns of
   functions.  NAMES is not in PARTS, because no look-up of an address needs it.  Parts that the block lacks get the
   count 0.  Returns 0 or -1. */
int rs_parts_open(struct rs_parts *parts, struct rs_columns *names, struct rossym_fault *fault);

/* Returns how many bytes of scratch memory rs_parts_verify() needs for the block of TABLE.  PARTS is all 0 if there is
   no block. */
size_t rs_parts_scratch_size(const struct rs_parts *parts, const struct rs_table *table);

/* Check the block's checksums, open it and check every number in it.  SCRATCH has SIZE bytes, at least as many as
   rs_parts_scratch_size() returns.  Returns 0 or -1. */
int rs_parts_verify(struct rs_parts *parts, const struct rs_table *table, void *scratch, size_t size,
		    struct rossym_fault *fault);

/* ------------------------------------------------------------------------------------------------ answers */

/* Store in *FRAME the number of the first frame in the chain of row ROW; RS_BLOCK_NONE: none.  Returns 0 or -1. */
int rs_parts_find_chain(const struct rs_parts *parts, const struct rs_table *table, uint32_t row, uint32_t *frame,
			struct rossym_fault *fault);

struct rs_outer {
	uint32_t function, file; /* references */
	uint32_t line;
	uint32_t next; /* number of the next frame, or RS_BLOCK_NONE */
};
/* Store frame NUMBER, which must exist.  In a packed TABLE, a frame's function, file and next frame come from its
   context.  Returns 0 or -1. */
int rs_parts_read_frame(const struct rs_parts *parts, const struct rs_table *table, uint32_t number,
			struct rs_outer *frame, struct rossym_fault *fault);

struct rs_block_func {
	uint32_t rva, length;
	uint32_t name; /* a reference */
};
/* Store record NUMBER (must exist) of FUNCTIONS: parts->functions, or NAMES of rs_parts_open().  Returns 0 or -1. */
int rs_parts_read_function(const struct rs_columns *functions, uint32_t number, struct rs_block_func *function,
			   struct rossym_fault *fault);

/* Among the functions that begin at the highest address at or below RVA, find the shortest that contains RVA.  Store in
   *PLACES how many functions begin at that address.  Returns 1; 0 if none contains RVA; or -1. */
int rs_parts_find_function_at(const struct rs_parts *parts, uint64_t rva, struct rs_block_func *function,
			      uint32_t *places, struct rossym_fault *fault);

/* Find the whole form of the string at OFFSET of the table's strings.  Returns 1 and stores a reference to the whole
   form; 0 if the string was not cut; or -1. */
int rs_parts_find_whole_string(const struct rs_parts *parts, uint32_t offset, uint32_t *reference,
			       struct rossym_fault *fault);

#endif
