// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/memory/physical.h"
#include "lib/base/alloc.h"

enum { PART_BITS = 8 * DUMP_BITMAP_PART, PAGE = DUMP_PHYSICAL_PAGE };

/* ------------------------------------------------------------------------------------------------ runs */

bool rs_dump_physical_begin(struct dump_physical *physical, const struct dump_input *input, uint64_t first, size_t most)
{
	*physical = (struct dump_physical){ .input = input, .next = first };
	return rs_dump_pieces_begin(&physical->runs, input->size, most);
}

bool rs_dump_physical_add(struct dump_physical *physical, uint64_t page, uint64_t count)
{
	const uint64_t most = UINT64_MAX / PAGE;
	if (page > most || count > most - page || count * PAGE > UINT64_MAX - physical->next)
		return false;
	rs_dump_pieces_add(&physical->runs, (struct dump_piece){ page * PAGE, count * PAGE, physical->next });
	physical->next += count * PAGE;
	return true;
}

void rs_dump_physical_end(struct dump_physical *physical)
{
	rs_dump_pieces_end(&physical->runs);
}

/* ------------------------------------------------------------------------------------------------ a bitmap */

static unsigned count_bits(unsigned byte)
{
	byte -= byte >> 1 & 0x55;
	byte = (byte & 0x33) + (byte >> 2 & 0x33);
	return (byte + (byte >> 4)) & 0xf;
}

/* Returns how many of the first BITS bits of the part in "bytes" are set. */
static uint32_t count_set_bits(const struct dump_physical *physical, uint32_t bits)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < bits / 8; i++)
		count += count_bits(physical->bytes[i]);
	return count + (bits % 8 ? count_bits(physical->bytes[bits / 8] & ((1u << bits % 8) - 1)) : 0);
}

/* Returns how many bits PART has: the last one can have fewer than the others. */
static uint32_t count_bits_of_part(const struct dump_physical *physical, uint64_t part)
{
	const uint64_t rest = physical->bits - part * PART_BITS;
	return rest < PART_BITS ? (uint32_t)rest : PART_BITS;
}

/* Read PART into "bytes", if it is not there yet.  False: it cannot be read. */
static bool read_part(struct dump_physical *physical, uint64_t part)
{
	if (part == physical->part)
		return true;
	physical->part = UINT64_MAX;
	if (!rs_dump_read(physical->input, physical->bitmap + part * DUMP_BITMAP_PART, physical->bytes,
			  (count_bits_of_part(physical, part) + 7) / 8))
		return false;
	physical->part = part;
	return true;
}

bool rs_dump_physical_map(struct dump_physical *physical, const struct dump_input *input, uint64_t bitmap,
			  uint64_t bits, uint64_t first, uint64_t *count)
{
	const uint64_t parts = (bits + PART_BITS - 1) / PART_BITS;
	*physical = (struct dump_physical){
		.input = input, .bitmap = bitmap, .bits = bits, .first = first, .part = UINT64_MAX
	};
	*count = 0;
	physical->ranks = rs_alloc((size_t)parts + 1, sizeof *physical->ranks);
	if (!physical->ranks)
		return false;
	for (uint64_t part = 0; part < parts; part++) {
		physical->ranks[part] = *count;
		if (!read_part(physical, part)) {
			physical->bits = part * PART_BITS;
			break;
		}
		*count += count_set_bits(physical, count_bits_of_part(physical, part));
	}
	return true;
}

/* Returns the offset in the file of the page with this NUMBER; UINT64_MAX: its bit is not set, or cannot be read. */
static uint64_t find_page(struct dump_physical *physical, uint64_t number)
{
	const uint64_t part = number / PART_BITS;
	const uint32_t bit = (uint32_t)(number % PART_BITS);
	if (number >= physical->bits || !read_part(physical, part) || !(physical->bytes[bit / 8] >> bit % 8 & 1))
		return UINT64_MAX;
	const uint64_t rank = physical->ranks[part] + count_set_bits(physical, bit);
	return rank < (UINT64_MAX - physical->first) / PAGE ? physical->first + rank * PAGE : UINT64_MAX;
}

/* ------------------------------------------------------------------------------------------------ both */

void rs_dump_physical_clear(struct dump_physical *physical)
{
	rs_dump_pieces_clear(&physical->runs);
	rs_free(physical->ranks);
	*physical = (struct dump_physical){ .ranks = NULL };
}

uint64_t rs_dump_physical_offset(struct dump_physical *physical, uint64_t address)
{
	uint64_t offset, gap;
	if (!physical->ranks)
		return rs_dump_pieces_find(&physical->runs, address, &offset, &gap) ? offset : UINT64_MAX;
	offset = find_page(physical, address / PAGE);
	return offset == UINT64_MAX ? offset : offset + address % PAGE;
}
