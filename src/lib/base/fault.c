// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fault.c - the error for each fault of the core
 *
 * Each fault has a case of its own, with its message.  There is no default, so that compilers warn of a
 * fault without a case.
 */
#include "config.h"
#include "lib/base/error.h"

#include <errno.h>
#include <inttypes.h>

/* Store the error for a file that is not a PE image. */
static int not_pe(struct rossym_error *err, uint64_t at, const char *what)
{
	return rs_fail(err, ROSSYM_ENOTPE, at, "%s", what);
}

int rs_fail_fault(struct rossym_error *err, const struct rossym_fault *fault)
{
	const enum rossym_code damaged = ROSSYM_EDAMAGED;
	const uint64_t at = fault->offset, *n = fault->numbers;
	switch (fault->code) {
	case ROSSYM_FAULT_NONE:
	case ROSSYM_FAULT_SCRATCH: /* see after the switch */
		break;
	case ROSSYM_FAULT_READ:
		return n[0] == ENOMEM ? rs_fail_memory(err) : rs_fail_errno(err, (int)n[0], "cannot read");
	case ROSSYM_FAULT_SHORTER:
		return rs_fail(err, ROSSYM_ECHANGED, at, "the file became shorter while it was read");
	case ROSSYM_FAULT_CHANGED:
		return rs_fail(err, ROSSYM_ECHANGED, at, "the file was changed while it was read");
	case ROSSYM_FAULT_RANGE:
		return rs_fail(err, damaged, at, "0x%" PRIx64 " bytes are needed that the file does not have", n[0]);

	case ROSSYM_FAULT_NO_MZ:
		return not_pe(err, at, "no MZ header");
	case ROSSYM_FAULT_NE:
		return not_pe(err, at, "an NE image (16-bit Windows or OS/2)");
	case ROSSYM_FAULT_LE:
		return not_pe(err, at, "an LE or LX image (a VxD, DOS extender or OS/2)");
	case ROSSYM_FAULT_DOS:
		return not_pe(err, at, "a DOS program");
	case ROSSYM_FAULT_LFANEW:
		return not_pe(err, at, "e_lfanew points past the end of the file");
	case ROSSYM_FAULT_NO_PE:
		return not_pe(err, at, "no PE signature");
	case ROSSYM_FAULT_OPTIONAL_SHORT:
		return not_pe(err, at, "the optional header is too short for an image base");
	case ROSSYM_FAULT_OPTIONAL_CUT:
		return not_pe(err, at, "the optional header is cut off");
	case ROSSYM_FAULT_MACHINE:
		return not_pe(err, at, "unknown machine and unknown optional header");
	case ROSSYM_FAULT_SECTIONS_CUT:
		return not_pe(err, at, "the section table is cut off");
	case ROSSYM_FAULT_SECTIONS_MANY:
		return not_pe(err, at, "too many sections, and they overlap or are not sorted");
	case ROSSYM_FAULT_NO_TABLE:
		return rs_fail(err, ROSSYM_ENOSYMS, at, "no .rossym section");

	case ROSSYM_FAULT_TABLE_SHORT:
		return rs_fail(err, damaged, at, "the .rossym section of %" PRIu64 " bytes has no header", n[0]);
	case ROSSYM_FAULT_TABLE_PAST:
		return rs_fail(err, damaged, at, "the .rossym section lies past the end of the file");
	case ROSSYM_FAULT_SYMBOLS_OFFSET:
		return rs_fail(err, damaged, at, "SymbolsOffset 0x%" PRIx64 " is inside the header", n[0]);
	case ROSSYM_FAULT_SYMBOLS_LENGTH:
		return rs_fail(err, damaged, at, "SymbolsLength 0x%" PRIx64 " is not a multiple of 16", n[0]);
	case ROSSYM_FAULT_ROW_SIZE:
		return rs_fail(err, damaged, at, "0x%" PRIx64 " bytes are no sorted rows of 16, 24 or 20 bytes", n[0]);
	case ROSSYM_FAULT_STRINGS_OFFSET:
		return rs_fail(err, damaged, at,
			       "StringsOffset 0x%" PRIx64 " is before the end of the rows, 0x%" PRIx64, n[0], n[1]);
	case ROSSYM_FAULT_STRINGS_PAST:
		return rs_fail(err, damaged, at,
			       "the strings end at 0x%" PRIx64 ", past the section's 0x%" PRIx64 " bytes", n[0], n[1]);
	case ROSSYM_FAULT_STRINGS_CUT:
		return rs_fail(err, damaged, at,
			       "the file ends inside the .rossym section, which needs 0x%" PRIx64 " bytes more", n[0]);
	case ROSSYM_FAULT_ORDER:
		return rs_fail(err, damaged, at,
			       "row %" PRIu64 ", address 0x%" PRIx64 ", stands after 0x%" PRIx64
			       ": the rows are not sorted",
			       n[0], n[1], n[2]);
	case ROSSYM_FAULT_FUNCTION:
		return rs_fail(err, damaged, at,
			       "row %" PRIu64 " has its function at 0x%" PRIx64 " of 0x%" PRIx64 " bytes of strings",
			       n[0], n[1], n[2]);
	case ROSSYM_FAULT_FILE:
		return rs_fail(err, damaged, at,
			       "row %" PRIu64 " has its file at 0x%" PRIx64 " of 0x%" PRIx64 " bytes of strings", n[0],
			       n[1], n[2]);

	case ROSSYM_FAULT_BLOCK_SHORT:
		return rs_fail(err, damaged, at, "the extension block has no room for its header");
	case ROSSYM_FAULT_BLOCK_LENGTH:
		return rs_fail(err, damaged, at,
			       "the extension block's length, 0x%" PRIx64 ", is not between 24 and 0x%" PRIx64, n[0],
			       n[1]);
	case ROSSYM_FAULT_BLOCK_CRC:
		return rs_fail(err, damaged, at, "the extension block's checksum is wrong");
	case ROSSYM_FAULT_BLOCK_ROWS:
		return rs_fail(err, damaged, at, "the extension block belongs to another table, of %" PRIu64 " rows",
			       n[0]);
	case ROSSYM_FAULT_BLOCK_TABLE:
		return rs_fail(err, damaged, at, "the extension block belongs to another table");
	case ROSSYM_FAULT_CHUNK_PAST:
		return rs_fail(err, damaged, at, "a chunk of the extension block ends past the end of the block");
	case ROSSYM_FAULT_CHUNK_TWICE:
		return rs_fail(err, damaged, at, "the extension block has two chunks of one kind, 0x%" PRIx64, n[0]);
	case ROSSYM_FAULT_CHUNK_BOTH:
		return rs_fail(err, damaged, at,
			       "the extension block has frames both outside and inside the rows' own");
	case ROSSYM_FAULT_WIDTHS_CUT:
		return rs_fail(err, damaged, at,
			       "a chunk's length, 0x%" PRIx64 ", leaves no room for the widths of its columns", n[0]);
	case ROSSYM_FAULT_WIDTH:
		return rs_fail(err, damaged, at, "column %" PRIu64 " of a chunk is %" PRIu64 " bits wide", n[0], n[1]);
	case ROSSYM_FAULT_WIDTHS_ZERO:
		return rs_fail(err, damaged, at, "the columns of a chunk are 0 bits wide");
	case ROSSYM_FAULT_RECORDS:
		return rs_fail(err, damaged, at,
			       "a chunk's records, 0x%" PRIx64 " bytes, are not a multiple of %" PRIu64, n[0], n[1]);
	case ROSSYM_FAULT_STRING:
		return rs_fail(err, damaged, at,
			       "a string at 0x%" PRIx64 " of 0x%" PRIx64 " bytes of the table's strings", n[0], n[1]);
	case ROSSYM_FAULT_OWN_STRING:
		return rs_fail(err, damaged, at,
			       "a string at 0x%" PRIx64 " of 0x%" PRIx64 " bytes of the block's strings", n[0], n[1]);
	case ROSSYM_FAULT_STRINGS_END:
		return rs_fail(err, damaged, at, "the extension block's strings do not end");
	case ROSSYM_FAULT_FRAME_NEXT:
		return rs_fail(err, damaged, at, "frame %" PRIu64 " leads to frame %" PRIu64, n[0], n[1]);
	case ROSSYM_FAULT_FRAME_CHAIN:
		return rs_fail(err, damaged, at, "frame %" PRIu64 " begins a chain of more than %" PRIu64, n[0], n[1]);
	case ROSSYM_FAULT_RUN_ORDER:
		return rs_fail(err, damaged, at, "the runs of the extension block are not sorted: row %" PRIu64, n[0]);
	case ROSSYM_FAULT_RUN_ROW:
		return rs_fail(err, damaged, at, "a run begins with row %" PRIu64 " of %" PRIu64, n[0], n[1]);
	case ROSSYM_FAULT_RUN_FRAME:
		return rs_fail(err, damaged, at, "a run has frame %" PRIu64 " of %" PRIu64, n[0], n[1]);
	case ROSSYM_FAULT_FUNCTION_ORDER:
		return rs_fail(err, damaged, at, "the functions of the extension block are not sorted: 0x%" PRIx64,
			       n[0]);
	case ROSSYM_FAULT_FUNCTION_END:
		return rs_fail(err, damaged, at, "the function at 0x%" PRIx64 " ends beyond 32 bits", n[0]);
	case ROSSYM_FAULT_LONG_ORDER:
		return rs_fail(err, damaged, at, "the cut strings of the extension block are not sorted: 0x%" PRIx64,
			       n[0]);
	case ROSSYM_FAULT_LONG_OWN:
		return rs_fail(err, damaged, at, "a string of the extension block's own is called cut");

	case ROSSYM_FAULT_PACKED_CHUNK:
		return rs_fail(err, damaged, at, "the block of the packed table does not begin with its rows");
	case ROSSYM_FAULT_PACKED_SIZE:
		return rs_fail(err, damaged, at,
			       "the packed rows have 0x%" PRIx64 " bytes of groups and contexts, of 0x%" PRIx64
			       " bytes in all",
			       n[0], n[1]);
	case ROSSYM_FAULT_GROUP:
		if (n[1] == 0) /* its size is right */
			return rs_fail(err, damaged, at,
				       "a row of group %" PRIu64
				       " of the packed rows has no context, or does not exist",
				       n[0]);
		return rs_fail(err, damaged, at,
			       "group %" PRIu64 " of the packed rows needs 0x%" PRIx64 " bytes, and has 0x%" PRIx64,
			       n[0], n[1], n[2]);
	case ROSSYM_FAULT_CONTEXT:
		return rs_fail(err, damaged, at, "row or frame %" PRIu64 " has context %" PRIu64 " of %" PRIu64, n[0],
			       n[1], n[2]);
	case ROSSYM_FAULT_CONTEXT_FRAME:
		return rs_fail(err, damaged, at, "context %" PRIu64 " has frame %" PRIu64 ", which does not exist",
			       n[0], n[1]);
	case ROSSYM_FAULT_PHRASES:
		return rs_fail(err, damaged, at, "the packed strings have no room for %" PRIu64 " phrases", n[0]);
	case ROSSYM_FAULT_PHRASE:
		return rs_fail(err, damaged, at,
			       "phrase %" PRIu64 " of the packed strings does not exist, or is no piece of their text",
			       n[0]);
	case ROSSYM_FAULT_TEXT:
		return rs_fail(err, damaged, at,
			       "no packed string begins at 0x%" PRIx64 ", or it has a symbol that does not exist",
			       n[0]);
	}
	/* ROSSYM_FAULT_SCRATCH: the scratch memory was too small, although it had the size that rs_parts_scratch()
	   asked for.  So the file has changed since, or rs_parts_scratch() could not read it.  A later call can
	   succeed, as after ROSSYM_ENOMEM.  ROSSYM_FAULT_NONE does not occur. */
	return rs_fail_memory(err);
}

int rs_error_to_fault(const struct rossym_error *err, struct rossym_fault *fault)
{
	fault->code = err->code == ROSSYM_ECHANGED ? ROSSYM_FAULT_SHORTER : ROSSYM_FAULT_READ;
	fault->offset = err->offset;
	fault->numbers[0] = (uint64_t)(err->code == ROSSYM_ENOMEM ? ENOMEM : err->sys_errno);
	return -1;
}
