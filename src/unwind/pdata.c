// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "unwind/pdata.h"
#include "core/bytes.h"
#include "unwind/machine.h"

bool rs_pdata_read(const struct unwind_space *space, uint64_t address, struct pdata_entry *entry)
{
	uint8_t bytes[PDATA_ENTRY];
	if (!space->read(space->context, address, bytes, sizeof bytes))
		return false;
	*entry = (struct pdata_entry){ rs_le32(bytes), rs_le32(bytes + 4), rs_le32(bytes + 8) };
	return true;
}

enum unwind_result rs_pdata_directory(const struct unwind_space *space, uint64_t base, unsigned machine, uint32_t least,
				      uint32_t *rva, uint32_t *size)
{
	enum { EXCEPTIONS = 3 };
	struct unwind_directory directory;
	const enum unwind_result found = rs_unwind_directory(space, base, EXCEPTIONS, &directory);
	if (found != UNWIND_CALLER)
		return found;
	*rva = directory.rva;
	*size = directory.size;
	/* A function without an entry is a leaf, but only if the image has a table. */
	return directory.machine == machine && directory.wide && *rva && *size >= least ? UNWIND_CALLER
											: UNWIND_DAMAGED;
}

enum unwind_result rs_pdata_find(const struct unwind_space *space, uint64_t base, uint32_t rva,
				 struct pdata_entry *entry)
{
	uint32_t table, size;
	const enum unwind_result found = rs_pdata_directory(space, base, UNWIND_AMD64, PDATA_ENTRY, &table, &size);
	if (found != UNWIND_CALLER)
		return found;
	uint32_t low = 0, high = size / PDATA_ENTRY;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (!rs_pdata_read(space, base + table + (uint64_t)middle * PDATA_ENTRY, entry))
			return UNWIND_MEMORY;
		if (rva < entry->begin)
			high = middle;
		else if (rva >= entry->end)
			low = middle + 1;
		else
			return UNWIND_CALLER;
	}
	return UNWIND_NOWHERE;
}
