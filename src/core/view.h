/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view.h - how the core reads bytes of a file, and how it stores a fault, which says what is wrong with the file
 *
 * Each read checks its range: in rs_view(), or with rs_in_range() where the bytes are in memory.  So no number in a
 * file can make the core read outside of the file, whether that number has been checked or not.
 */
#ifndef RS_VIEW_H
#define RS_VIEW_H

#include "core/bytes.h"
#include "rossym-core.h"

enum {
	RS_WINDOW_SIZE = 512, /* bytes that the core reads at once: its largest buffer */
};

/*@ predicate readable{L}(struct rossym_reader *r) =
      \valid_read(r) && (r->memory != \null ==> bytes((uint8_t *)r->memory, r->size));
    predicate apart{L}(uint8_t *p, integer count, struct rossym_reader *r) =
      r->memory != \null ==> \separated(p + (0 .. count - 1), (uint8_t *)r->memory + (0 .. r->size - 1)); */

/* Store a fault at OFFSET of the file, with the numbers that its message needs.  Returns -1. */
/*@ requires \valid(fault);
    assigns *fault;
    ensures \result == -1; */
static inline int rs_fault_store(struct rossym_fault *fault, enum rossym_fault_code code, uint64_t offset,
				 uint64_t first, uint64_t second, uint64_t third)
{
	fault->code = code;
	fault->offset = offset;
	fault->numbers[0] = first;
	fault->numbers[1] = second;
	fault->numbers[2] = third;
	return -1;
}

/* Store a fault without numbers.  Returns -1. */
/*@ requires \valid(fault);
    assigns *fault;
    ensures \result == -1; */
static inline int rs_fault_store_at(struct rossym_fault *fault, enum rossym_fault_code code, uint64_t offset)
{
	return rs_fault_store(fault, code, offset, 0, 0, 0);
}

/* Read LENGTH bytes by the caller's function, whose code the proofs cannot know: they assume this contract instead. */
/*@ requires readable(reader) && reader->memory == \null && offset + length <= reader->size;
    requires room(buffer, length) && \valid(fault);
    assigns *fault, buffer[0 .. length - 1]; */
static inline int rs_read_into(const struct rossym_reader *reader, uint64_t offset, size_t length, uint8_t *buffer,
			       struct rossym_fault *fault)
{
	return reader->read(reader->context, offset, buffer, length, fault);
}

/* Returns a pointer to LENGTH bytes at OFFSET of READER: into the reader's memory or, if it has no memory, to BUFFER,
   into which the bytes are read.  Returns NULL on a fault. */
/*@ requires readable(reader) && \valid(fault) && \separated(reader, fault);
    requires reader->memory == \null ==> room(buffer, length);
    assigns *fault, buffer[0 .. length - 1];
    ensures \result == \null || (bytes(\result, length) && offset + length <= reader->size);
    ensures \result == \null || \result == (reader->memory == \null ? buffer : (uint8_t *)reader->memory + offset); */
static inline const uint8_t *rs_view(const struct rossym_reader *reader, uint64_t offset, size_t length,
				     uint8_t *buffer, struct rossym_fault *fault)
{
	if (!rs_in_range(offset, length, reader->size)) {
		rs_fault_store(fault, ROSSYM_FAULT_RANGE, offset, length, 0, 0);
		return NULL;
	}
	if (reader->memory)
		return (const uint8_t *)reader->memory + (size_t)offset;
	/* This fault is reported if the caller's function fails without storing one of its own. */
	rs_fault_store_at(fault, ROSSYM_FAULT_READ, offset);
	return length == 0 || rs_read_into(reader, offset, length, buffer, fault) == 0 ? buffer : NULL;
}

#endif
