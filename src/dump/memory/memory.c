// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/memory/memory.h"
#include "core/bytes.h"
#include "lib/base/alloc.h"

void rs_dump_memory_clear(struct dump_memory *memory)
{
	rs_dump_pieces_clear(&memory->pieces);
	if (memory->paging)
		rs_dump_physical_clear(&memory->paging->physical);
	rs_free(memory->paging);
	*memory = (struct dump_memory){ .paging = NULL };
}

/* Find the bytes at ADDRESS and store their *OFFSET in the file.  Returns how many bytes there are up to the end of
   their page; 0 if the dump lacks the page.  *GAP becomes the distance to the next page. */
static uint64_t find_page(struct dump_paging *paging, uint64_t address, uint64_t *offset, uint64_t *gap)
{
	const uint64_t rest = DUMP_PHYSICAL_PAGE - address % DUMP_PHYSICAL_PAGE;
	*offset = rs_dump_paging_find(paging, address);
	*gap = rest;
	return *offset == UINT64_MAX ? 0 : rest;
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
