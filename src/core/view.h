/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view.h - the one way to the bytes of a file, and how a fault is stored
 *
 * Only rs_view() judges ranges, so no number in a file can make the core read elsewhere, whether it has been checked
 * or not.
 */
#ifndef RS_VIEW_H
#define RS_VIEW_H

#include "core/bytes.h"
#include "rossym-core.h"

enum {
	RS_WINDOW_SIZE = 512, /* bytes that the core reads at once: its largest buffer */
};

/* Store a fault.  Returns -1. */
static inline int rs_fault(struct rossym_fault *fault, enum rossym_fault_code code, uint64_t offset, uint64_t first,
			   uint64_t second, uint64_t third)
{
	fault->code = code;
	fault->offset = offset;
	fault->numbers[0] = first;
	fault->numbers[1] = second;
	fault->numbers[2] = third;
	return -1;
}

/* Store a fault without numbers.  Returns -1. */
static inline int rs_fault_at(struct rossym_fault *fault, enum rossym_fault_code code, uint64_t offset)
{
	return rs_fault(fault, code, offset, 0, 0, 0);
}

/* Returns LENGTH bytes at OFFSET of READER: a pointer into its memory if it has memory, else BUFFER after reading into
   it.  Returns NULL on a fault. */
static inline const uint8_t *rs_view(const struct rossym_reader *reader, uint64_t offset, size_t length, void *buffer,
				     struct rossym_fault *fault)
{
	if (!rs_in_range(offset, length, reader->size)) {
		rs_fault(fault, ROSSYM_FAULT_RANGE, offset, length, 0, 0);
		return NULL;
	}
	if (reader->memory)
		return (const uint8_t *)reader->memory + (size_t)offset;
	/* The fault to report if the caller's function fails without storing one of its own. */
	rs_fault_at(fault, ROSSYM_FAULT_READ, offset);
	return length == 0 || reader->read(reader->context, offset, buffer, length, fault) == 0 ? buffer : NULL;
}

#endif
