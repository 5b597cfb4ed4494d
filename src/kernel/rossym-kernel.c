// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rossym-kernel.c - implements the functions of rossym-kernel.h with those of rossym-core.h
 *
 * A RosSymCreate function opens the table where it is, copies it, and checks the copy.  So a program that changes the
 * original during the call, or later, does no harm.
 */
#include "kernel/rossym-kernel.h"
#include "core/mem.h"
#include "rossym-core.h"

/* What a PROSSYM_INFO points to.  The copy of the table follows it in the same allocation. */
struct _ROSSYM_INFO {
	struct rossym_core core;
};

static ROSSYM_CALLBACKS callbacks;

VOID RosSymInit(PROSSYM_CALLBACKS Callbacks)
{
	callbacks = *Callbacks;
}

/* ------------------------------------------------------------------------------------------------ creating */

static BOOLEAN check_kept_table(struct rossym_core *core)
{
	struct rossym_fault fault;
	size_t size = rossym_core_scratch(core);
	void *scratch = callbacks.AllocMemProc(size);
	if (!scratch)
		return FALSE;
	int r = rossym_core_check(core, scratch, size, &fault);
	callbacks.FreeMemProc(scratch);
	return r == 0;
}

/* Copy the table of OPENED into a new *RET, and check the copy.  Returns FALSE after a failure, and for a table whose
   size does not fit into the ULONG that RosSymGetRawDataLength() returns. */
static BOOLEAN create_checked_copy(const struct rossym_core *opened, PROSSYM_INFO *ret)
{
	struct rossym_fault fault;
	size_t size;
	if (rossym_core_keep_size(opened, &size, &fault) < 0 || size > UINT32_MAX - sizeof(struct _ROSSYM_INFO))
		return FALSE;
	PROSSYM_INFO info = callbacks.AllocMemProc(sizeof *info + size);
	if (!info)
		return FALSE;
	info->core = *opened;
	if (rossym_core_keep(&info->core, info + 1, size, &fault) < 0 || !check_kept_table(&info->core)) {
		callbacks.FreeMemProc(info);
		return FALSE;
	}
	*ret = info;
	return TRUE;
}

BOOLEAN RosSymCreateFromMem(PVOID ImageStart, ULONG_PTR ImageSize, PROSSYM_INFO *RosSymInfo)
{
	const struct rossym_reader reader = { ImageStart, ImageSize, NULL, NULL };
	struct rossym_core core;
	struct rossym_fault fault;
	return rossym_core_open_loaded(&core, &reader, &fault) == 0 && create_checked_copy(&core, RosSymInfo);
}

BOOLEAN RosSymCreateFromRaw(PVOID RawData, ULONG_PTR DataSize, PROSSYM_INFO *RosSymInfo)
{
	const struct rossym_reader reader = { RawData, DataSize, NULL, NULL };
	struct rossym_core core;
	struct rossym_fault fault;
	return rossym_core_open_table(&core, &reader, 1, &fault) == 0 && create_checked_copy(&core, RosSymInfo);
}

/* ------------------------------------------------------------------------------------------------ files */

static int read_by_callbacks(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	/* No callback returns the size of the file, so report each failed read as a read past the end of the file. */
	fault->code = ROSSYM_FAULT_RANGE;
	return length > UINT32_MAX || !callbacks.SeekFileProc(context, (ULONG_PTR)offset) ||
	       !callbacks.ReadFileProc(context, buffer, (ULONG)length);
}

/* The size that the reader claims for a file of unknown size.  ReactOS's SeekFileProc uses only the lower 32 bits of a
   position, also on 64-bit kernels, so bytes beyond that cannot be read. */
#define OFFSET_MAX UINT32_MAX

/*
 * Find out whether the file ends where the header of the table's block could be.  The end of the file matters only
 * there: a file that ends before the header has no block, which is valid; one that ends inside the header has a damaged
 * block.  Everywhere else, a read past the end is a failure.  Returns the offset at which the file ends; OFFSET_MAX if
 * it does not end at that place; 0 if the header would be beyond OFFSET_MAX.
 */
static uint64_t find_end_of_file(const struct rossym_core *core, const struct rossym_reader *reader)
{
	/* Up to three bytes of padding come before the block.  The header of a block has 24 bytes. */
	enum { PADDING = 3, HEADER = 24 };
	uint8_t buffer[PADDING + HEADER];
	struct rossym_fault fault;
	const uint64_t end = core->table.strings_offset + core->table.strings.length;
	size_t wanted = sizeof buffer, length;
	if (end > OFFSET_MAX - sizeof buffer)
		return 0;
	if (wanted > core->section_end - end)
		wanted = (size_t)(core->section_end - end);
	for (length = wanted; length > 0; length--)
		if (read_by_callbacks(reader->context, end, buffer, length, &fault) == 0)
			break;
	return length == wanted ? OFFSET_MAX : end + length;
}

BOOLEAN RosSymCreateFromFile(PVOID FileContext, PROSSYM_INFO *RosSymInfo)
{
	struct rossym_reader reader = { NULL, OFFSET_MAX, read_by_callbacks, FileContext };
	struct rossym_core core;
	struct rossym_fault fault;
	if (rossym_core_open(&core, &reader, &fault) < 0)
		return FALSE;
	reader.size = find_end_of_file(&core, &reader);
	if (reader.size < OFFSET_MAX && rossym_core_open(&core, &reader, &fault) < 0)
		return FALSE;
	return create_checked_copy(&core, RosSymInfo);
}

/* ------------------------------------------------------------------------------------------------ using */

VOID RosSymDelete(PROSSYM_INFO RosSymInfo)
{
	if (RosSymInfo)
		callbacks.FreeMemProc(RosSymInfo);
}

ULONG RosSymGetRawDataLength(PROSSYM_INFO RosSymInfo)
{
	return (ULONG)RosSymInfo->core.table.reader.size;
}

VOID RosSymGetRawData(PROSSYM_INFO RosSymInfo, PVOID RawData)
{
	const struct rossym_reader *content = &RosSymInfo->core.table.reader;
	memcpy(RawData, content->memory, (size_t)content->size);
}

/* Where a look-up stores its result.  A NULL pointer: that part of the result is not stored. */
struct lookup_result {
	ULONG *line;
	char *file, *function;
	ULONG file_size, function_size;
};

static void clear_lookup_result(const struct lookup_result *result)
{
	if (result->line)
		*result->line = 0;
	if (result->file && result->file_size > 0)
		result->file[0] = '\0';
	if (result->function && result->function_size > 0)
		result->function[0] = '\0';
}

/* Copy the string NAME to the SIZE bytes at TO.  BRIEF is a string as it is in the table, perhaps cut, and WHOLE is its
   whole form.  If NAME equals WHOLE and does not fit, copy BRIEF instead: a writer of tables can cut a string where
   that makes sense, but a copy can only drop its end. */
static void store_name(const struct rossym_core *core, uint64_t name, uint64_t whole, uint64_t brief, char *to,
		       ULONG size)
{
	struct rossym_fault fault; /* never read: all strings are in memory, so reading them cannot fail */
	if (to && size > 0 && rossym_core_string(core, name, to, size, &fault) > 0 && name == whole)
		rossym_core_string(core, brief, to, size, &fault);
}

/* Store FRAME, a frame of the address that ANSWER is for, in RESULT.  ROW is the frame that comes from the table's row:
   only its strings have short forms, which ANSWER has. */
static void store_frame(const struct rossym_core *core, const struct rossym_core_answer *answer,
			const struct rossym_core_frame *row, const struct rossym_core_frame *frame,
			const struct lookup_result *result)
{
	if (result->line)
		*result->line = frame->line;
	store_name(core, frame->file, row->file, answer->file, result->file, result->file_size);
	store_name(core, frame->function, row->function, answer->function, result->function, result->function_size);
}

enum { NAME_SIZE = 256 }; /* bytes of each buffer that RosSymGetAddressInformation() gets for a name */

static RS_COLD BOOLEAN look_up_any_row(const struct rossym_core *core, ULONG_PTR RelativeAddress, ULONG *LineNumber,
				       char *FileName, char *FunctionName)
{
	const struct lookup_result result = { LineNumber, FileName, FunctionName, NAME_SIZE, NAME_SIZE };
	struct rossym_core_answer answer;
	struct rossym_core_frame frame;
	struct rossym_fault fault;
	clear_lookup_result(&result);
	if (rossym_core_lookup(core, RelativeAddress, 0, &answer, &fault) <= 0 ||
	    rossym_core_row_frame(core, &answer, &frame, &fault) < 0)
		return FALSE;
	store_frame(core, &answer, &frame, &frame, &result);
	return TRUE;
}

BOOLEAN RS_HOT RosSymGetAddressInformation(PROSSYM_INFO RosSymInfo, ULONG_PTR RelativeAddress, ULONG *LineNumber,
					   char *FileName, char *FunctionName)
{
	uint32_t line;
	if (LineNumber && FileName && FunctionName &&
	    rossym_core_quick(&RosSymInfo->core, RelativeAddress, &line, FileName, FunctionName, NAME_SIZE)) {
		*LineNumber = line;
		return TRUE;
	}
	return look_up_any_row(&RosSymInfo->core, RelativeAddress, LineNumber, FileName, FunctionName);
}

BOOLEAN RosSymGetFrame(PROSSYM_INFO RosSymInfo, ULONG_PTR RelativeAddress, ULONG Number, ULONG *LineNumber,
		       char *FileName, ULONG FileNameSize, char *FunctionName, ULONG FunctionNameSize)
{
	const struct lookup_result result = { LineNumber, FileName, FunctionName, FileNameSize, FunctionNameSize };
	const struct rossym_core *core = &RosSymInfo->core;
	struct rossym_core_answer answer;
	struct rossym_core_frame row, frame;
	struct rossym_fault fault;
	clear_lookup_result(&result);
	if (rossym_core_lookup(core, RelativeAddress, 0, &answer, &fault) <= 0 ||
	    rossym_core_row_frame(core, &answer, &row, &fault) < 0 ||
	    rossym_core_frame(core, &answer, Number, &frame, &fault) <= 0)
		return FALSE;
	store_frame(core, &answer, &row, &frame, &result);
	return TRUE;
}
