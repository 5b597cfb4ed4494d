/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts.h - the parts of the extension block after a table: the frames around inlined calls, where functions end, and
 * the whole forms of strings that were cut
 *
 * struct rs_parts says where the parts are.  Finding them costs a few reads.  rs_parts_verify() judges every number in
 * them.  Before that a number can be anything, so reading is safe but means nothing.
 *
 * A string of the block is a "reference": an offset in the table's strings, or from parts->own_from on in the
 * block's own.
 */
#ifndef RS_PARTS_H
#define RS_PARTS_H

#include "core/columns.h"
#include "core/table.h"

/*@ predicate parts_found{L}(struct rs_parts *p) =
      \valid_read(p) && readable(&p->reader) && readable(&p->strings.reader) && laid_out(&p->frames) && laid_out(&p->runs) &&
      laid_out(&p->functions) && laid_out(&p->longs); */

/* Whether FAULT says that the block is damaged; otherwise it could not be read. */
static inline bool rs_parts_are_bad(const struct rossym_fault *fault)
{
	return fault->code >= ROSSYM_FAULT_BLOCK_SHORT && fault->code < ROSSYM_FAULT_PACKED_CHUNK;
}

/* Find the block of TABLE and store its size and form; it ends at or before END.  Returns 1, 0 if there is none, or
   -1.  If the magic is right and the rest of the header is not, the result is -1, and PARTS has the block's place
   and form. */
int rs_parts_find(struct rs_parts *parts, const struct rs_table *table, uint64_t end, struct rossym_fault *fault);

/* Read the header of the chunk at AT of the block, which is below its size.  All offsets count from the start of the
   block.  Returns 0 or -1. */
struct rs_chunk {
	uint32_t tag, length;
	uint32_t payload; /* where its content begins in the block */
	uint32_t next;	  /* where the next chunk begins */
};
int rs_parts_chunk(const struct rs_parts *parts, uint32_t at, struct rs_chunk *chunk, struct rossym_fault *fault);

/* Store in RECORDS where the records of CHUNK are and how wide its COLUMNS columns are.  Returns 0 or -1. */
int rs_parts_records(const struct rs_parts *parts, const struct rs_chunk *chunk, unsigned columns,
		     struct rs_columns *records, struct rossym_fault *fault);

/* Find all parts.  NAMES gets the other names of code, of which there may be none; their columns are those of
   functions.  Look-ups of addresses never need them, so PARTS does not have them.  Returns 0 or -1. */
int rs_parts_open(struct rs_parts *parts, struct rs_columns *names, struct rossym_fault *fault);

/* How many bytes of scratch memory rs_parts_verify() needs for the block of TABLE.  PARTS may be all 0: there is no
   block. */
size_t rs_parts_scratch(const struct rs_parts *parts, const struct rs_table *table);

/* Check the block's checksums, open it and check every number in it.  SCRATCH has SIZE bytes, as many as
   rs_parts_scratch() says or more.  Returns 0 or -1. */
int rs_parts_verify(struct rs_parts *parts, const struct rs_table *table, void *scratch, size_t size,
		    struct rossym_fault *fault);

/* ------------------------------------------------------------------------------------------------ answers */

/* Store the number of the first frame of row number ROW, or RS_BLOCK_NONE.  Not for a packed table: rs_packed_chain().
   Returns 0 or -1. */
int rs_parts_chain(const struct rs_parts *parts, uint32_t row, uint32_t *frame, struct rossym_fault *fault);

struct rs_outer {
	uint32_t function, file; /* references */
	uint32_t line;
	uint32_t next; /* the next frame, or RS_BLOCK_NONE */
};
/* Store frame NUMBER, which exists.  Returns 0 or -1. */
int rs_parts_frame(const struct rs_parts *parts, uint32_t number, struct rs_outer *frame, struct rossym_fault *fault);

/* Store frame NUMBER, which exists, of PARTS of TABLE, which is packed: there a frame has a context.  Returns 0 or -1. */
int rs_parts_packed_frame(const struct rs_parts *parts, const struct rs_table *table, uint32_t number,
			  struct rs_outer *frame, struct rossym_fault *fault);

struct rs_block_func {
	uint32_t rva, length;
	uint32_t name; /* a reference */
};
/* Store record NUMBER, which exists, of FUNCTIONS: those of PARTS, or other names.  Returns 0 or -1. */
int rs_parts_func(const struct rs_columns *functions, uint32_t number, struct rs_block_func *function,
		  struct rossym_fault *fault);

/* Find the function that contains RVA; of several that begin at the same address, the shortest that does.  *PLACES
   becomes the number of functions that begin there.  Returns 1, 0 if none contains RVA, or -1. */
int rs_parts_func_at(const struct rs_parts *parts, uint64_t rva, struct rs_block_func *function, uint32_t *places,
		     struct rossym_fault *fault);

/* Find the whole string for the one at OFFSET of the table, if that was cut.  Returns 1 and stores a reference, 0
   or -1. */
int rs_parts_whole(const struct rs_parts *parts, uint32_t offset, uint32_t *reference, struct rossym_fault *fault);

#endif
