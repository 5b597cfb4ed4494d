// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/memory/memory.h"
#include "core/bytes.h"
#include "lib/base/alloc.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ page tables */

enum { PAGE = DUMP_PHYSICAL_PAGE, LEVELS = 5 };

enum {
	ENTRY_VALID = 1 << 0,
	ENTRY_LARGE = 1 << 7,
	ENTRY_PROTOTYPE = 1 << 10,
	ENTRY_TRANSITION = 1 << 11,
};

#define FRAME UINT64_C(0x000ffffffffff000) /* mask of the physical address in an entry of 64 bits */

/* A level of page tables. */
struct paging_level {
	uint8_t shift, bits; /* the index in the table is BITS bits of the address, from bit SHIFT on */
	bool large;	     /* an entry can map a large page, instead of pointing to a table of the next level */
};

/* How the processor translates addresses. */
struct paging_scheme {
	uint8_t entry, count; /* bytes of an entry; number of levels */
	uint64_t root;	      /* mask of the bits of CR3 that are the address of the first table */
	struct paging_level levels[LEVELS];
};

static const struct paging_scheme schemes[] = {
	[DUMP_PAGING_X86] = { 4, 2, 0xfffff000, { { 22, 10, true }, { 12, 10, false } } },
	[DUMP_PAGING_PAE] = { 8, 3, 0xffffffe0, { { 30, 2, false }, { 21, 9, true }, { 12, 9, false } } },
	[DUMP_PAGING_X64] = { 8, 4, FRAME, { { 39, 9, false }, { 30, 9, true }, { 21, 9, true }, { 12, 9, false } } },
	[DUMP_PAGING_X64_5] = { 8,
				5,
				FRAME,
				{ { 48, 9, false },
				  { 39, 9, false },
				  { 30, 9, true },
				  { 21, 9, true },
				  { 12, 9, false } } },
};

void rs_dump_paging_begin(struct dump_paging *paging, enum dump_paging_kind kind, uint64_t base)
{
	paging->kind = kind;
	paging->root = base & schemes[kind].root;
	memset(paging->known, 0, sizeof paging->known);
}

/* Whether ADDRESS is possible: on x64 it must be canonical (its upper bits are all equal), on x86 have 32 bits. */
static bool is_possible_address(enum dump_paging_kind kind, uint64_t address)
{
	const unsigned bits = kind == DUMP_PAGING_X64_5 ? 56 : 47;
	const uint64_t upper = address >> bits;
	if (kind == DUMP_PAGING_X64 || kind == DUMP_PAGING_X64_5)
		return upper == 0 || upper == UINT64_MAX >> bits;
	return address <= UINT32_MAX;
}

static bool read_entry(struct dump_paging *paging, uint64_t address, uint8_t size, uint64_t *entry)
{
	uint8_t bytes[8];
	const uint64_t offset = rs_dump_physical_offset(&paging->physical, address);
	if (offset == UINT64_MAX || !rs_dump_read(paging->physical.input, offset, bytes, size))
		return false;
	*entry = size == 4 ? rs_le32(bytes) : rs_le64(bytes);
	return true;
}

/* Returns the physical address of the byte at the virtual ADDRESS; UINT64_MAX: it is in no page frame. */
static uint64_t translate_address(struct dump_paging *paging, uint64_t address)
{
	const struct paging_scheme *scheme = &schemes[paging->kind];
	uint64_t table = paging->root;
	for (uint8_t i = 0; i < scheme->count; i++) {
		const struct paging_level *level = &scheme->levels[i];
		const uint64_t index = address >> level->shift & ((UINT64_C(1) << level->bits) - 1);
		const uint64_t within = address & ((UINT64_C(1) << level->shift) - 1);
		uint64_t entry;
		if (!read_entry(paging, table + index * scheme->entry, scheme->entry, &entry))
			return UINT64_MAX;
		const bool valid = entry & ENTRY_VALID;
		if (!valid && (entry & (ENTRY_PROTOTYPE | ENTRY_TRANSITION)) != ENTRY_TRANSITION)
			return UINT64_MAX;
		/* On x86 without PAE, bits 13 to 20 of the entry of a large page are bits 32 to 39 of its address. */
		if (valid && level->large && entry & ENTRY_LARGE)
			return scheme->entry == 4 ? ((entry & 0xffc00000) | (entry & 0x1fe000) << 19) + within
						  : (entry & FRAME & ~((UINT64_C(1) << level->shift) - 1)) + within;
		table = entry & FRAME;
	}
	return table + address % PAGE;
}

/* Find the bytes at ADDRESS and store their *OFFSET in the file.  Returns how many bytes there are up to the end of
   their page; 0 if the dump lacks the page.  *GAP becomes the distance to the next page. */
static uint64_t find_page(struct dump_paging *paging, uint64_t address, uint64_t *offset, uint64_t *gap)
{
	const uint64_t page = address / PAGE, within = address % PAGE;
	const size_t i = (size_t)(page % DUMP_PAGES_KNOWN);
	*gap = PAGE - within;
	if (!is_possible_address(paging->kind, address))
		return 0;
	if (paging->known[i].page != page + 1) {
		const uint64_t physical = translate_address(paging, address - within);
		paging->known[i].page = page + 1;
		paging->known[i].offset = physical == UINT64_MAX ? physical
								 : rs_dump_physical_offset(&paging->physical, physical);
	}
	*offset = paging->known[i].offset + within;
	return paging->known[i].offset == UINT64_MAX ? 0 : *gap;
}

/* ------------------------------------------------------------------------------------------------ memory */

void rs_dump_memory_clear(struct dump_memory *memory)
{
	rs_dump_pieces_clear(&memory->pieces);
	if (memory->paging)
		rs_dump_physical_clear(&memory->paging->physical);
	rs_free(memory->paging);
	*memory = (struct dump_memory){ .paging = NULL };
}

size_t rs_dump_memory_read(const struct dump_memory *memory, uint64_t address, void *bytes, size_t size, uint64_t *gap)
{
	uint64_t offset;
	const uint64_t room = memory->paging ? find_page(memory->paging, address, &offset, gap)
					     : rs_dump_pieces_find(&memory->pieces, address, &offset, gap);
	if (room == 0)
		return 0;
	const size_t n = room < size ? (size_t)room : size;
	*gap = 0;
	return rs_dump_read(memory->input, offset, bytes, n) ? n : 0;
}

bool rs_dump_memory_read_all(const struct dump_memory *memory, uint64_t address, void *bytes, size_t size)
{
	uint64_t gap;
	for (char *to = bytes; size > 0;) {
		const size_t n = rs_dump_memory_read(memory, address, to, size, &gap);
		if (n == 0)
			return false;
		to += n;
		address += n;
		size -= n;
	}
	return true;
}

bool rs_image_read(const struct dump_memory *memory, const struct dump_range *image, uint64_t rva, void *bytes,
		   size_t size)
{
	return rs_in_range(rva, size, image->size) && image->base <= UINT64_MAX - rva &&
	       rs_dump_memory_read_all(memory, image->base + rva, bytes, size);
}
