// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "unwind/arm64-function.h"
#include "unwind/arm64-packed.h"
#include "unwind/pdata.h"

enum { ENTRY = 8 }; /* bytes of an entry of the exception directory */

/* Returns how many instructions the codes from FIRST to the next end code stand for. */
static unsigned count_instructions(const struct arm64_function *function, unsigned first)
{
	unsigned count = 0;
	for (unsigned i = first, size; i < function->size; i += size) {
		const uint8_t code = function->codes[i];
		size = rs_arm64_code_size(code);
		if (code == ARM64_END || code == ARM64_END_C || size == 0)
			break;
		count += rs_arm64_is_instruction(code);
	}
	return count;
}

/* Whether instruction OFFSET of the function is in the epilog that begins at instruction START.  If so, select the
   epilog's codes, which begin at INDEX, without those of instructions that have run.  The end code stands for the last
   instruction, which returns or jumps. */
static bool select_epilog_codes(struct arm64_function *function, uint32_t offset, uint32_t start, unsigned index)
{
	if (offset < start || offset - start > count_instructions(function, index))
		return false;
	function->first = index;
	function->skip = offset - start;
	return true;
}

/* Select the codes of the prolog, without those of its instructions from number OFFSET on, which have not run.  Returns
   whether OFFSET is in the prolog. */
static bool select_prolog_codes(struct arm64_function *function, uint32_t offset)
{
	const unsigned count = count_instructions(function, 0);
	function->first = 0;
	function->skip = offset < count ? count - offset : 0;
	return offset < count;
}

/* ------------------------------------------------------------------------------------------------ .xdata */

struct xdata {
	uint32_t length;  /* of the function, in instructions */
	bool single;	  /* the only epilog is at the end of the function, and has no scope */
	uint32_t epilogs; /* how many scopes, one for each epilog; if SINGLE, the index of the epilog's first code */
	uint32_t words;	  /* size of the codes, in units of 4 bytes */
	uint64_t scopes, codes; /* addresses of the scopes and of the codes */
};

static enum unwind_result read_xdata(const struct unwind_space *space, uint64_t address, struct xdata *xdata)
{
	uint32_t head, more;
	if (!unwind_word(space, address, &head))
		return UNWIND_MEMORY;
	if (head >> 18 & 3)
		return UNWIND_DAMAGED; /* an unknown version */
	*xdata = (struct xdata){
		.length = head & 0x3ffff, .single = head >> 21 & 1, .epilogs = head >> 22 & 31, .words = head >> 27
	};
	xdata->scopes = address + 4;
	if (xdata->epilogs == 0 && xdata->words == 0) {
		if (!unwind_word(space, address + 4, &more))
			return UNWIND_MEMORY;
		xdata->epilogs = more & 0xffff;
		xdata->words = more >> 16 & 0xff;
		xdata->scopes += 4;
	}
	xdata->codes = xdata->scopes + (xdata->single ? 0 : (uint64_t)4 * xdata->epilogs);
	return UNWIND_CALLER;
}

/* If instruction OFFSET is in an epilog, select the epilog's codes.  The scopes are sorted by where epilogs begin. */
static enum unwind_result select_epilog_of_scopes(const struct unwind_space *space, const struct xdata *xdata,
						  uint32_t offset, struct arm64_function *function)
{
	uint32_t low = 0, high = xdata->epilogs, scope;
	if (xdata->single) {
		const unsigned count = count_instructions(function, xdata->epilogs) + 1;
		if (count <= xdata->length)
			select_epilog_codes(function, offset, xdata->length - count, xdata->epilogs);
		return UNWIND_CALLER;
	}
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (!unwind_word(space, xdata->scopes + (uint64_t)4 * middle, &scope))
			return UNWIND_MEMORY;
		if ((scope & 0x3ffff) > offset)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == 0)
		return UNWIND_CALLER;
	if (!unwind_word(space, xdata->scopes + (uint64_t)4 * (low - 1), &scope))
		return UNWIND_MEMORY;
	select_epilog_codes(function, offset, scope & 0x3ffff, scope >> 22);
	return UNWIND_CALLER;
}

/* Select the codes at instruction OFFSET of a function whose .xdata record is at RVA INFO. */
static enum unwind_result select_unpacked_codes(const struct unwind_space *space, uint64_t base, uint32_t info,
						uint32_t offset, struct arm64_function *function)
{
	struct xdata xdata;
	const enum unwind_result result = read_xdata(space, base + info, &xdata);
	if (result != UNWIND_CALLER)
		return result;
	if (offset >= xdata.length)
		return UNWIND_NOWHERE;
	function->size = 4 * xdata.words;
	if (!space->read(space->context, xdata.codes, function->codes, function->size))
		return UNWIND_MEMORY;
	return select_prolog_codes(function, offset) ? UNWIND_CALLER
						     : select_epilog_of_scopes(space, &xdata, offset, function);
}

/* ------------------------------------------------------------------------------------------------ any function */

/* Select the codes at instruction OFFSET of a function whose entry is packed into WORD. */
static enum unwind_result select_packed_codes(uint32_t word, uint32_t offset, struct arm64_function *function)
{
	const uint32_t length = word >> 2 & 0x7ff;
	unsigned epilog;
	if (offset >= length)
		return UNWIND_NOWHERE;
	function->size = rs_arm64_unpack(word, function->codes, &epilog);
	if (function->size == 0)
		return UNWIND_DAMAGED;
	if (select_prolog_codes(function, offset) || epilog == 0)
		return UNWIND_CALLER;
	const unsigned count = count_instructions(function, epilog) + 1;
	if (count <= length)
		select_epilog_codes(function, offset, length - count, epilog);
	return UNWIND_CALLER;
}

enum unwind_result rs_arm64_find(const struct unwind_space *space, uint64_t base, uint32_t rva,
				 struct arm64_function *function)
{
	uint32_t table, size, begin;
	const enum unwind_result found = rs_pdata_directory(space, base, UNWIND_ARM64, ENTRY, &table, &size);
	if (found != UNWIND_CALLER)
		return found;
	uint32_t low = 0, high = size / ENTRY;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (!unwind_word(space, base + table + (uint64_t)middle * ENTRY, &begin))
			return UNWIND_MEMORY;
		if (rva < begin)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == 0)
		return UNWIND_NOWHERE;
	const uint64_t entry = base + table + (uint64_t)(low - 1) * ENTRY;
	uint32_t word;
	if (!unwind_word(space, entry, &function->begin) || !unwind_word(space, entry + 4, &word))
		return UNWIND_MEMORY;
	const uint32_t offset = (rva - function->begin) / ARM64_INSTRUCTION;
	return word & 3 ? select_packed_codes(word, offset, function)
			: select_unpacked_codes(space, base, word, offset, function);
}
