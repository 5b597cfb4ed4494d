// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/triage.h"
#include "dump/dump-module.h"
#include "core/bytes.h"

#include <string.h>

enum { DRIVER_SIZE_MAX = 0x90, BLOCK_SIZE_MAX = 16 }; /* bytes of the largest entries of each list */

/* Sizes and offsets that differ between 32-bit and 64-bit systems. */
struct triage_layout {
	uint16_t size, blocks;		  /* bytes of the header; offset of its fields for the list of memory */
	uint16_t block_size, driver_size; /* bytes of an entry of each list */
	uint16_t entry;			  /* offset of the loader entry in the entry of a driver */
};

static const struct triage_layout layout_32 = { 0x68, 0x60, 12, 0x4c, 4 };
static const struct triage_layout layout_64 = { 0x80, 0x78, 16, 0x90, 8 };

/* Offsets of header fields that are the same for 32-bit and 64-bit systems. */
enum {
	VALID_OFFSET = 0x08,
	STACK_OFFSET = 0x28,
	STACK_SIZE = 0x2c,
	DRIVERS = 0x30,
	DRIVER_COUNT = 0x34,
	TOP_OF_STACK = 0x48,
};

static const char past_end[] = "reaches past the end of the file";

static const struct triage_layout *triage_layout_of(const struct triage *triage)
{
	return triage->wide ? &layout_64 : &layout_32;
}

static uint64_t read_pointer(const struct triage *triage, const uint8_t *bytes)
{
	return triage->wide ? rs_le64(bytes) : rs_le32(bytes);
}

/* Returns how many entries of the list WHAT can be read.  By the header, the list is at OFFSET and has COUNT entries of
   SIZE bytes each.  Entries past the end of the file, and those after the first MOST, are left out;
   a problem says so. */
static uint32_t count_entries(const struct triage *triage, const char *what, uint32_t offset, uint32_t count,
			      uint32_t size, uint32_t most)
{
	const uint64_t in_file = triage->input->size > offset ? (triage->input->size - offset) / size : 0;
	if (count > in_file) {
		rs_dump_add_problem(triage->problems, what, offset, past_end);
		count = (uint32_t)in_file;
	}
	if (count > most) {
		rs_dump_add_problem(triage->problems, what, offset, "has more entries than are read");
		count = most;
	}
	return count;
}

void rs_triage_open(struct triage *triage, const struct dump_input *input, struct dump_problems *problems, bool wide,
		    uint32_t at)
{
	static const char what[] = "the header of the triage dump";
	uint8_t header[0x80], valid[4];
	*triage = (struct triage){ .input = input, .problems = problems, .wide = wide };
	const struct triage_layout *layout = triage_layout_of(triage);
	if (!rs_dump_read(triage->input, at, header, layout->size)) {
		rs_dump_add_problem(triage->problems, what, at, past_end);
		return;
	}
	if (!rs_dump_read(triage->input, rs_le32(header + VALID_OFFSET), valid, sizeof valid) ||
	    memcmp(valid, "TRGD", 4) != 0)
		rs_dump_add_problem(triage->problems, what, at, "has no mark of a complete dump");
	triage->drivers = rs_le32(header + DRIVERS);
	triage->driver_count = count_entries(triage, "the list of drivers", triage->drivers,
					     rs_le32(header + DRIVER_COUNT), layout->driver_size, TRIAGE_DRIVERS);
	triage->blocks = rs_le32(header + layout->blocks);
	triage->block_count = count_entries(triage, "the list of memory", triage->blocks,
					    rs_le32(header + layout->blocks + 4), layout->block_size, TRIAGE_BLOCKS);
	triage->stack = (struct dump_piece){ read_pointer(triage, header + TOP_OF_STACK), rs_le32(header + STACK_SIZE),
					     rs_le32(header + STACK_OFFSET) };
}

/* Read the name at OFFSET: the number of its UTF-16 units, then the units.  After a problem, NAME stays as it is. */
static void read_name(const struct triage *triage, uint32_t offset, char *name)
{
	static const char what[] = "the name of a driver";
	uint8_t length[4], units[2 * DUMP_UNITS];
	const bool known_length = rs_dump_read(triage->input, offset, length, sizeof length);
	const uint32_t count = known_length ? rs_le32(length) : 0;
	if (count > DUMP_UNITS)
		rs_dump_add_problem(triage->problems, what, offset, "is too long");
	else if (!known_length || !rs_dump_read(triage->input, (uint64_t)offset + 4, units, (size_t)2 * count))
		rs_dump_add_problem(triage->problems, what, offset, past_end);
	else
		rs_dump_name(name, units, count);
}

bool rs_triage_read_module(const struct triage *triage, uint32_t i, bool whole, struct dump_module *module)
{
	const struct triage_layout *layout = triage_layout_of(triage);
	uint8_t bytes[DRIVER_SIZE_MAX];
	if (i >= triage->driver_count ||
	    !rs_dump_read(triage->input, triage->drivers + (uint64_t)i * layout->driver_size, bytes,
			  layout->driver_size))
		return false;
	rs_loader_entry_read_module(triage->wide, bytes + layout->entry, module);
	if (whole)
		read_name(triage, rs_le32(bytes), module->name);
	return true;
}

bool rs_triage_fill(const struct triage *triage, struct dump_pieces *pieces)
{
	const uint32_t size = triage_layout_of(triage)->block_size;
	uint8_t bytes[BLOCK_SIZE_MAX];
	if (!rs_dump_pieces_begin(pieces, triage->input->size, (size_t)triage->block_count + 1))
		return false;
	rs_dump_pieces_add(pieces, triage->stack);
	for (uint32_t i = 0; i < triage->block_count; i++) {
		if (!rs_dump_read(triage->input, triage->blocks + (uint64_t)i * size, bytes, size))
			break;
		const uint8_t *rest = bytes + size - 8; /* offset and size, after an address of 4 or 8 bytes */
		rs_dump_pieces_add(
			pieces, (struct dump_piece){ read_pointer(triage, bytes), rs_le32(rest + 4), rs_le32(rest) });
	}
	rs_dump_pieces_end(pieces);
	return true;
}
