// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "unwind/machine.h"
#include "core/bytes.h"

/* A data directory of an image, and other fields of the image's headers. */
struct unwind_directory {
	uint32_t rva, size; /* of the directory; 0, 0: there is no such directory */
	unsigned machine;   /* the machine that the headers name */
	bool wide;	    /* PE32+ */
	uint64_t linked_at; /* the image base in the headers */
};

/* Find directory NUMBER of the image at BASE.  Returns UNWIND_CALLER on success; UNWIND_MEMORY if the headers cannot be
   read; or UNWIND_DAMAGED if they are not those of an image. */
static enum unwind_result find_directory(const struct unwind_space *space, uint64_t base, unsigned number,
					 struct unwind_directory *directory)
{
	/* Offsets from "PE\0\0".  The signature and the file header have 24 bytes; the optional header follows.  The
	   number of directories is in the 4 bytes before the first directory. */
	enum {
		DOS = 64,
		AT_PE = 60,
		HEADERS = 24 + 32,
		MACHINE = 4,
		MAGIC = 24,
		BASE_64 = 24 + 24,
		BASE_32 = 24 + 28,
		DIRECTORIES_64 = 24 + 112,
		DIRECTORIES_32 = 24 + 96,
		DIRECTORY = 8
	};
	enum { PE32 = 0x10b, PE32_PLUS = 0x20b };
	uint8_t dos[DOS], headers[HEADERS], bytes[DIRECTORY];
	if (!unwind_read(space, base, dos, sizeof dos))
		return UNWIND_MEMORY;
	const uint64_t pe = base + rs_le32(dos + AT_PE);
	if (!unwind_read(space, pe, headers, sizeof headers))
		return UNWIND_MEMORY;
	const unsigned magic = rs_le16(headers + MAGIC);
	if (rs_le16(dos) != 0x5a4d || rs_le32(headers) != 0x4550 || (magic != PE32 && magic != PE32_PLUS))
		return UNWIND_DAMAGED;
	const bool wide = magic == PE32_PLUS;
	*directory = (struct unwind_directory){ .machine = rs_le16(headers + MACHINE), .wide = wide };
	directory->linked_at = wide ? rs_le64(headers + BASE_64) : rs_le32(headers + BASE_32);
	const uint64_t first = pe + (wide ? DIRECTORIES_64 : DIRECTORIES_32);
	if (!unwind_read(space, first - 4, bytes, 4))
		return UNWIND_MEMORY;
	if (number >= rs_le32(bytes))
		return UNWIND_CALLER;
	if (!unwind_read(space, first + (uint64_t)number * DIRECTORY, bytes, sizeof bytes))
		return UNWIND_MEMORY;
	directory->rva = rs_le32(bytes);
	directory->size = rs_le32(bytes + 4);
	return UNWIND_CALLER;
}

enum unwind_result rs_unwind_search_table(const struct unwind_space *space, const struct unwind_table *table,
					  uint32_t key, uint64_t *entry)
{
	uint32_t low = 0, high = table->count, word;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (!unwind_read_word(space, table->address + (uint64_t)middle * table->size, &word))
			return UNWIND_MEMORY;
		if ((word & table->mask) > key)
			high = middle;
		else
			low = middle + 1;
	}
	*entry = table->address + (uint64_t)(low - 1) * table->size;
	return low > 0 ? UNWIND_CALLER : UNWIND_NOWHERE;
}

/* Find the list of code ranges (CHPE) of the image at BASE, which has SIZE bytes and the load configuration CONFIG.
   Store the list's address in *RANGES and its length in *COUNT.  False: there is no such list, or it cannot be read. */
static bool find_code_ranges(const struct unwind_space *space, uint64_t base, uint32_t size,
			     const struct unwind_directory *config, uint64_t *ranges, uint32_t *count)
{
	/* METADATA_64 and METADATA_32 are offsets in the load configuration, at which the address of the metadata is.
	   RANGES and COUNT are offsets in the metadata. */
	enum { METADATA_64 = 200, METADATA_32 = 124, METADATA = 12, RANGES = 4, COUNT = 8 };
	const unsigned place = config->wide ? METADATA_64 : METADATA_32;
	uint8_t bytes[METADATA] = { 0 };
	const size_t width = config->wide ? 8 : 4;
	if (config->rva == 0 || !unwind_read(space, base + config->rva, bytes, 4) || rs_le32(bytes) < place + width ||
	    !unwind_read(space, base + config->rva + place, bytes, width))
		return false;
	/* The loader relocates the address; in a file, the address still assumes the image base of the headers. */
	uint64_t at = config->wide ? rs_le64(bytes) : rs_le32(bytes);
	if (at - base >= size)
		at += base - config->linked_at;
	if (at - base >= size || !unwind_read(space, at, bytes, METADATA))
		return false;
	*ranges = base + rs_le32(bytes + RANGES);
	*count = rs_le32(bytes + COUNT);
	return true;
}

unsigned rs_unwind_find_machine_at(const struct unwind_space *space, uint64_t address)
{
	/* Indexed by config.wide, then by a range's kind.  In PE32+, kind 0 is plain ARM64, and kind 1 is ARM64EC. */
	static const uint16_t machines[][3] = { { UNWIND_I386, UNWIND_ARM64 },
						{ UNWIND_ARM64, UNWIND_ARM64, UNWIND_AMD64 } };
	enum { LOAD_CONFIGURATION = 10, RANGE = 8 };
	uint64_t base, ranges, range;
	uint32_t size, count, begin;
	struct unwind_directory config;
	if (space->module(space->context, address, &base, &size) <= 0 ||
	    find_directory(space, base, LOAD_CONFIGURATION, &config) != UNWIND_CALLER)
		return space->machine;
	if (!find_code_ranges(space, base, size, &config, &ranges, &count))
		return config.machine;
	const uint32_t rva = (uint32_t)(address - base), kinds = config.wide ? 3 : 1;
	const struct unwind_table table = { ranges, count, RANGE, ~kinds };
	if (rs_unwind_search_table(space, &table, rva, &range) != UNWIND_CALLER ||
	    !unwind_read_word(space, range, &begin) || !unwind_read_word(space, range + 4, &size) ||
	    rva - (begin & ~kinds) >= size || (begin & kinds) > 2)
		return config.machine;
	return machines[config.wide][begin & kinds];
}

enum unwind_result rs_unwind_find_pdata_entry(const struct unwind_space *space, uint64_t base, unsigned machine,
					      uint32_t size, uint32_t rva, uint64_t *entry)
{
	enum { EXCEPTIONS = 3 };
	struct unwind_directory directory;
	const enum unwind_result found = find_directory(space, base, EXCEPTIONS, &directory);
	if (found != UNWIND_CALLER)
		return found;
	/* Only if the image has a table does a missing entry mean that the function is a leaf, which saves nothing. */
	if (directory.machine != machine || !directory.wide || !directory.rva || directory.size < size)
		return UNWIND_DAMAGED;
	const struct unwind_table table = { base + directory.rva, directory.size / size, size, UINT32_MAX };
	return rs_unwind_search_table(space, &table, rva, entry);
}
