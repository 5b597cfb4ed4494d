// SPDX-License-Identifier: GPL-2.0-or-later
/* error.c - stores and formats errors; has the table of the core's faults, with the error for each */
#include "config.h"
#include "lib/base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

int rs_fail(struct rossym_error *err, enum rossym_code code, uint64_t offset, const char *format, ...)
{
	if (err) {
		va_list args;
		err->code = code;
		err->sys_errno = 0;
		err->offset = offset;
		va_start(args, format);
		vsnprintf(err->what, sizeof err->what, format, args);
		va_end(args);
	}
	return -1;
}

int rs_fail_errno(struct rossym_error *err, int number, const char *what)
{
	rs_fail(err, ROSSYM_ESYS, 0, "%s", what);
	if (err)
		err->sys_errno = number;
	return -1;
}

int rs_fail_memory(struct rossym_error *err)
{
	return rs_fail(err, ROSSYM_ENOMEM, 0, "out of memory");
}

/* Whether messages for CODE print the offset.  Those for ROSSYM_ENOSYMS do not, because nothing is wrong at the offset:
   it is the place of a file name. */
static bool has_offset(enum rossym_code code)
{
	return code == ROSSYM_ENOTPE || code == ROSSYM_EDAMAGED || code == ROSSYM_ECHANGED || code == ROSSYM_EREFUSED;
}

/* Returns the C locale's text for NUMBER, if it is an errno that operations on files cause; else NULL. */
static const char *find_errno_text(int number)
{
	static const struct {
		int number;
		const char *text;
	} texts[] = {
		{ EACCES, "Permission denied" },
		{ EBADF, "Bad file descriptor" },
		{ EFBIG, "File too large" },
		{ EINVAL, "Invalid argument" },
		{ EIO, "Input/output error" },
		{ EISDIR, "Is a directory" },
		{ EMFILE, "Too many open files" },
		{ ENAMETOOLONG, "File name too long" },
		{ ENFILE, "Too many open files in system" },
		{ ENOENT, "No such file or directory" },
		{ ENOMEM, "Cannot allocate memory" },
		{ ENOTDIR, "Not a directory" },
		{ EPERM, "Operation not permitted" },
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i].number == number)
			return texts[i].text;
	return NULL;
}

int rossym_format_error(const struct rossym_error *err, const char *name, const char *reason, char *buffer, size_t size)
{
	char place[32] = "", number[32] = "";
	/* In an error ROSSYM_ECHANGED, offset 0 means that the place is unknown. */
	if (has_offset(err->code) && (err->offset || err->code != ROSSYM_ECHANGED))
		snprintf(place, sizeof place, "at 0x%" PRIx64 ": ", err->offset);
	if (err->code != ROSSYM_ESYS)
		reason = NULL;
	else if (!reason && !(reason = find_errno_text(err->sys_errno)))
		snprintf(number, sizeof number, ": errno %d", err->sys_errno);
	return snprintf(buffer, size, "%s%s%s%s%s%s%s", name ? name : "", name ? ": " : "", place, err->what,
			reason ? ": " : "", reason ? reason : "", number);
}

/* ------------------------------------------------------------------------------------------- structures with a size */

static size_t read_size_field(const void *structure)
{
	size_t size;
	memcpy(&size, structure, sizeof size);
	return size;
}

int rs_sized_check(const void *result, size_t smallest, struct rossym_error *err)
{
	size_t size = read_size_field(result);
	return size >= smallest ? 0
				: rs_fail(err, ROSSYM_EREFUSED, 0,
					  "a structure says that it has %zu bytes, less than %zu", size, smallest);
}

int rs_sized_copy_in(void *to, size_t known, size_t smallest, const void *given, struct rossym_error *err)
{
	size_t size = read_size_field(given);
	if (size == known) { /* the usual case, which must be fast: rossym_builder_add() gets here for each row */
		memcpy(to, given, known);
		return 0;
	}
	if (rs_sized_check(given, smallest, err) < 0)
		return -1;
	for (size_t i = known; i < size; i++)
		if (((const uint8_t *)given)[i] != 0)
			return rs_fail(err, ROSSYM_EREFUSED, 0,
				       "byte %zu of a structure belongs to no field of this version", i);
	memset(to, 0, known);
	memcpy(to, given, size < known ? size : known);
	return 0;
}

void rs_sized_fill(void *result, const void *from, size_t known)
{
	size_t size = read_size_field(result), fields = sizeof size;
	memset((uint8_t *)result + fields, 0, size - fields);
	memcpy((uint8_t *)result + fields, (const uint8_t *)from + fields, (size < known ? size : known) - fields);
}

/* ----------------------------------------------------------------------------------------------- faults of the core */

enum { NOT_PE = ROSSYM_ENOTPE, DAMAGED = ROSSYM_EDAMAGED };

/* For each fault, the error's code and text.  In the text, {} stands for the fault's next number in decimal, {x} for
   its next number in hexadecimal.  ROSSYM_FAULT_NONE, READ and SCRATCH have no text. */
static const struct {
	int code;
	const char *text;
} faults[] = {
	[ROSSYM_FAULT_SHORTER] = { ROSSYM_ECHANGED, "the file became shorter while it was read" },
	[ROSSYM_FAULT_CHANGED] = { ROSSYM_ECHANGED, "the file was changed while it was read" },
	[ROSSYM_FAULT_RANGE] = { DAMAGED, "0x{x} bytes are needed that the file does not have" },

	[ROSSYM_FAULT_NO_MZ] = { NOT_PE, "no MZ header" },
	[ROSSYM_FAULT_NE] = { NOT_PE, "an NE image (16-bit Windows or OS/2)" },
	[ROSSYM_FAULT_LE] = { NOT_PE, "an LE or LX image (a VxD, DOS extender or OS/2)" },
	[ROSSYM_FAULT_DOS] = { NOT_PE, "a DOS program" },
	[ROSSYM_FAULT_LFANEW] = { NOT_PE, "e_lfanew points past the end of the file" },
	[ROSSYM_FAULT_NO_PE] = { NOT_PE, "no PE signature" },
	[ROSSYM_FAULT_OPTIONAL_SHORT] = { NOT_PE, "the optional header is too short for an image base" },
	[ROSSYM_FAULT_OPTIONAL_CUT] = { NOT_PE, "the optional header is cut off" },
	[ROSSYM_FAULT_MACHINE] = { NOT_PE, "unknown machine and unknown optional header" },
	[ROSSYM_FAULT_SECTIONS_CUT] = { NOT_PE, "the section table is cut off" },
	[ROSSYM_FAULT_SECTIONS_MANY] = { NOT_PE, "too many sections, and they overlap or are not sorted" },

	[ROSSYM_FAULT_NO_TABLE] = { ROSSYM_ENOSYMS, "no .rossym section" },

	[ROSSYM_FAULT_TABLE_SHORT] = { DAMAGED, "the .rossym section of {} bytes has no header" },
	[ROSSYM_FAULT_TABLE_PAST] = { DAMAGED, "the .rossym section lies past the end of the file" },
	[ROSSYM_FAULT_SYMBOLS_OFFSET] = { DAMAGED, "SymbolsOffset 0x{x} is inside the header" },
	[ROSSYM_FAULT_SYMBOLS_LENGTH] = { DAMAGED, "SymbolsLength 0x{x} is not a multiple of 16" },
	[ROSSYM_FAULT_ROW_SIZE] = { DAMAGED, "0x{x} bytes are no sorted rows of 16, 24 or 20 bytes" },
	[ROSSYM_FAULT_STRINGS_OFFSET] = { DAMAGED, "StringsOffset 0x{x} is before the end of the rows, 0x{x}" },
	[ROSSYM_FAULT_STRINGS_PAST] = { DAMAGED, "the strings end at 0x{x}, past the section's 0x{x} bytes" },
	[ROSSYM_FAULT_STRINGS_CUT] = { DAMAGED,
				       "the file ends inside the .rossym section, which needs 0x{x} bytes more" },
	[ROSSYM_FAULT_ORDER] = { DAMAGED, "row {}, address 0x{x}, stands after 0x{x}: the rows are not sorted" },
	[ROSSYM_FAULT_FUNCTION] = { DAMAGED, "row {} has its function at 0x{x} of 0x{x} bytes of strings" },
	[ROSSYM_FAULT_FILE] = { DAMAGED, "row {} has its file at 0x{x} of 0x{x} bytes of strings" },

	[ROSSYM_FAULT_BLOCK_SHORT] = { DAMAGED, "the extension block has no room for its header" },
	[ROSSYM_FAULT_BLOCK_LENGTH] = { DAMAGED, "the extension block's length, 0x{x}, is not between 24 and 0x{x}" },
	[ROSSYM_FAULT_BLOCK_CRC] = { DAMAGED, "the extension block's checksum is wrong" },
	[ROSSYM_FAULT_BLOCK_ROWS] = { DAMAGED, "the extension block belongs to another table, of {} rows" },
	[ROSSYM_FAULT_BLOCK_TABLE] = { DAMAGED, "the extension block belongs to another table" },
	[ROSSYM_FAULT_CHUNK_PAST] = { DAMAGED, "a chunk of the extension block ends past the end of the block" },
	[ROSSYM_FAULT_CHUNK_TWICE] = { DAMAGED, "the extension block has two chunks of one kind, 0x{x}" },
	[ROSSYM_FAULT_CHUNK_BOTH] = { DAMAGED, "the extension block has frames both outside and inside the rows' own" },
	[ROSSYM_FAULT_WIDTHS_CUT] = { DAMAGED,
				      "a chunk's length, 0x{x}, leaves no room for the widths of its columns" },
	[ROSSYM_FAULT_WIDTH] = { DAMAGED, "column {} of a chunk is {} bits wide" },
	[ROSSYM_FAULT_WIDTHS_ZERO] = { DAMAGED, "the columns of a chunk are 0 bits wide" },
	[ROSSYM_FAULT_RECORDS] = { DAMAGED, "a chunk's records, 0x{x} bytes, are not a multiple of {}" },
	[ROSSYM_FAULT_STRING] = { DAMAGED, "a string at 0x{x} of 0x{x} bytes of the table's strings" },
	[ROSSYM_FAULT_OWN_STRING] = { DAMAGED, "a string at 0x{x} of 0x{x} bytes of the block's strings" },
	[ROSSYM_FAULT_STRINGS_END] = { DAMAGED, "the extension block's strings do not end" },
	[ROSSYM_FAULT_FRAME_NEXT] = { DAMAGED, "frame {} leads to frame {}" },
	[ROSSYM_FAULT_FRAME_CHAIN] = { DAMAGED, "frame {} begins a chain of more than {}" },
	[ROSSYM_FAULT_RUN_ORDER] = { DAMAGED, "the runs of the extension block are not sorted: row {}" },
	[ROSSYM_FAULT_RUN_ROW] = { DAMAGED, "a run begins with row {} of {}" },
	[ROSSYM_FAULT_RUN_FRAME] = { DAMAGED, "a run has frame {} of {}" },
	[ROSSYM_FAULT_FUNCTION_ORDER] = { DAMAGED, "the functions of the extension block are not sorted: 0x{x}" },
	[ROSSYM_FAULT_FUNCTION_END] = { DAMAGED, "the function at 0x{x} ends beyond 32 bits" },
	[ROSSYM_FAULT_LONG_ORDER] = { DAMAGED, "the cut strings of the extension block are not sorted: 0x{x}" },
	[ROSSYM_FAULT_LONG_OWN] = { DAMAGED, "a string of the extension block's own is called cut" },

	[ROSSYM_FAULT_PACKED_CHUNK] = { DAMAGED, "the block of the packed table does not begin with its rows" },
	[ROSSYM_FAULT_PACKED_SIZE] = { DAMAGED,
				       "the packed rows have 0x{x} bytes of groups and contexts, of 0x{x} in all" },
	[ROSSYM_FAULT_GROUP] = { DAMAGED, "group {} of the packed rows needs 0x{x} bytes, and has 0x{x}" },
	[ROSSYM_FAULT_CONTEXT] = { DAMAGED, "row or frame {} has context {} of {}" },
	[ROSSYM_FAULT_CONTEXT_FRAME] = { DAMAGED, "context {} has frame {}, which does not exist" },
	[ROSSYM_FAULT_PHRASES] = { DAMAGED, "the packed strings have no room for {} phrases" },
	[ROSSYM_FAULT_PHRASE] = { DAMAGED,
				  "phrase {} of the packed strings does not exist, or is no piece of their text" },
	[ROSSYM_FAULT_NO_PACKED] = { DAMAGED, "the table is packed, which this build does not read" },
	[ROSSYM_FAULT_TEXT] = { DAMAGED, "no packed string begins at 0x{x}, or it has a symbol that does not exist" },
};

/* Write TEXT to BUFFER, of SIZE bytes, with the next of NUMBERS in place of each {} and {x}. */
static void fill_in_numbers(const char *text, const uint64_t *numbers, char *buffer, size_t size)
{
	for (size_t at = 0; *text && at + 1 < size;) {
		if (*text != '{') {
			buffer[at++] = *text++;
			buffer[at] = 0;
			continue;
		}
		at += (size_t)snprintf(buffer + at, size - at, text[1] == 'x' ? "%" PRIx64 : "%" PRIu64, *numbers++);
		text = strchr(text, '}') + 1;
	}
}

int rs_fail_fault(struct rossym_error *err, const struct rossym_fault *fault)
{
	const uint64_t *n = fault->numbers;
	if (fault->code == ROSSYM_FAULT_READ && n[0] != ENOMEM)
		return rs_fail_errno(err, (int)n[0], "cannot read");
	/* ROSSYM_FAULT_SCRATCH has no text and becomes ROSSYM_ENOMEM, because a later call can succeed.  It means that
	   the scratch memory was too small, although rs_parts_scratch_size() computed the size: the file has changed
	   since then, or could not be read then. */
	const size_t code = fault->code;
	const char *text = code < sizeof faults / sizeof *faults ? faults[code].text : NULL;
	if (!text)
		return rs_fail_memory(err);
	if (code == ROSSYM_FAULT_GROUP && n[1] == 0) /* n[1]: how many bytes the group needs; 0: its size is right */
		text = "a row of group {} of the packed rows has no context, or does not exist";
	char what[sizeof err->what];
	fill_in_numbers(text, n, what, sizeof what);
	return rs_fail(err, (enum rossym_code)faults[code].code, fault->offset, "%s", what);
}

int rossym_fault_error(const struct rossym_fault *fault, struct rossym_error *err)
{
	return rs_fail_fault(err, fault);
}
