// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "unwind/pdata.h"
#include "core/bytes.h"

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
	/* Offsets from "PE\0\0".  The signature and the file header have 24 bytes, then come 112 of the optional
	   header, and then its directories of 8 bytes each, of which the exception directory is the fourth. */
	enum {
		DOS = 64,
		AT_PE = 60,
		HEADERS = 24 + 112 + 4 * 8,
		MAGIC = 24,
		DIRECTORIES = 24 + 108,
		EXCEPTIONS = 24 + 112 + 24
	};
	enum { PE32_PLUS = 0x20b };
	uint8_t dos[DOS], headers[HEADERS];
	if (!space->read(space->context, base, dos, sizeof dos) ||
	    !space->read(space->context, base + rs_le32(dos + AT_PE), headers, sizeof headers))
		return UNWIND_MEMORY;
	if (rs_le16(dos) != 0x5a4d || rs_le32(headers) != 0x4550 || rs_le16(headers + 4) != machine ||
	    rs_le16(headers + MAGIC) != PE32_PLUS || rs_le32(headers + DIRECTORIES) < 4)
		return UNWIND_DAMAGED;
	*rva = rs_le32(headers + EXCEPTIONS);
	*size = rs_le32(headers + EXCEPTIONS + 4);
	/* A function without an entry is a leaf, but only if the image has a table. */
	return *rva && *size >= least ? UNWIND_CALLER : UNWIND_DAMAGED;
}

enum unwind_result rs_pdata_find(const struct unwind_space *space, uint64_t base, uint32_t rva,
				 struct pdata_entry *entry)
{
	uint32_t table, size;
	const enum unwind_result found = rs_pdata_directory(space, base, PDATA_AMD64, PDATA_ENTRY, &table, &size);
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
