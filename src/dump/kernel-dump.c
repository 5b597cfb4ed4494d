// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/kernel-dump.h"
#include "core/bytes.h"

#include <string.h>

enum { HEADER_32 = 0x1000, HEADER_64 = 0x2000, DRIVER_MOST = 0x90, BLOCK_MOST = 16 };

#define UNSET UINT32_C(0x45474150) /* "PAGE" fills what has not been set */

/* Where the fields of the header are, of a pointer's size if nothing else is said. */
struct header_layout {
	uint16_t size, build, machine, processors, bugcheck, parameters, context, exception, exception_address, type,
		time;
};

static const struct header_layout header_32 = { HEADER_32, 0x0c,  0x20,	 0x24,	0x28, 0x2c,
						0x320,	   0x7d0, 0x7dc, 0xf88, 0xfc0 };
static const struct header_layout header_64 = { HEADER_64, 0x0c,  0x30,	 0x34,	0x38, 0x40,
						0x348,	   0xf00, 0xf10, 0xf98, 0xfa8 };

/* Where the fields of the header of a triage dump are: 32-bit offsets and sizes, and what they lead to. */
struct triage_layout {
	uint16_t size, blocks, block_size, driver_size;
	uint16_t entry; /* of a driver: its loader entry */
	uint16_t base, image_size, checksum, stamp;
};

static const struct triage_layout triage_32 = { 0x68, 0x60, 12, 0x4c, 4, 0x18, 0x20, 0x40, 0x44 };
static const struct triage_layout triage_64 = { 0x80, 0x78, 16, 0x90, 8, 0x30, 0x40, 0x78, 0x80 };

enum {
	VALID_OFFSET = 0x08,
	STACK_OFFSET = 0x28,
	STACK_SIZE = 0x2c,
	DRIVERS = 0x30,
	DRIVER_COUNT = 0x34,
	TOP_OF_STACK = 0x48,
};

static const char past_end[] = "reaches past the end of the file";

static const struct triage_layout *layout_of(const struct kernel_dump *dump)
{
	return dump->wide ? &triage_64 : &triage_32;
}

static uint64_t pointer_at(const struct kernel_dump *dump, const uint8_t *bytes)
{
	return dump->wide ? rs_le64(bytes) : rs_le32(bytes);
}

/* A field that is 0 if it has not been set. */
static uint32_t known(uint32_t value)
{
	return value == UNSET ? 0 : value;
}

bool kernel_dump_is(const uint8_t *bytes)
{
	return memcmp(bytes, "PAGEDUMP", 8) == 0 || memcmp(bytes, "PAGEDU64", 8) == 0;
}

/* ------------------------------------------------------------------------------------------------ headers */

/* How many of COUNT entries of SIZE bytes at OFFSET there are, at most MOST. */
static uint32_t count_entries(const struct kernel_dump *dump, const char *what, uint32_t offset, uint32_t count,
			      uint32_t size, uint32_t most)
{
	const uint64_t file = dump->input->size > offset ? (dump->input->size - offset) / size : 0;
	if (count > file) {
		dump_problem(dump->problems, what, offset, past_end);
		count = (uint32_t)file;
	}
	if (count > most) {
		dump_problem(dump->problems, what, offset, "has more entries than are read");
		count = most;
	}
	return count;
}

static void read_triage(struct kernel_dump *dump, uint32_t at)
{
	static const char what[] = "the header of the triage dump";
	uint8_t header[0x80], valid[4];
	const struct triage_layout *layout = layout_of(dump);
	if (!dump_read(dump->input, at, header, layout->size)) {
		dump_problem(dump->problems, what, at, past_end);
		return;
	}
	if (!dump_read(dump->input, rs_le32(header + VALID_OFFSET), valid, sizeof valid) ||
	    memcmp(valid, "TRGD", 4) != 0)
		dump_problem(dump->problems, what, at, "has no mark of a complete dump");
	dump->drivers = rs_le32(header + DRIVERS);
	dump->driver_count = count_entries(dump, "the list of drivers", dump->drivers, rs_le32(header + DRIVER_COUNT),
					   layout->driver_size, KERNEL_DUMP_DRIVERS);
	dump->blocks = rs_le32(header + layout->blocks);
	dump->block_count = count_entries(dump, "the list of memory", dump->blocks,
					  rs_le32(header + layout->blocks + 4), layout->block_size, KERNEL_DUMP_BLOCKS);
	dump->stack = (struct dump_piece){ pointer_at(dump, header + TOP_OF_STACK), rs_le32(header + STACK_SIZE),
					   rs_le32(header + STACK_OFFSET) };
}

bool kernel_dump_open(struct kernel_dump *dump, const struct dump_input *input, struct dump_problems *problems)
{
	uint8_t bytes[HEADER_64];
	*dump = (struct kernel_dump){ .input = input, .problems = problems };
	if (!dump_read(input, 0, bytes, 8) || !kernel_dump_is(bytes)) {
		dump_problem(problems, "the header", 0, "is not that of a kernel dump");
		return false;
	}
	dump->wide = bytes[6] == '6';
	const struct header_layout *layout = dump->wide ? &header_64 : &header_32;
	if (!dump_read(input, 0, bytes, layout->size)) {
		dump_problem(problems, "the header", 0, past_end);
		return false;
	}
	const uint8_t *code = bytes + layout->exception;
	dump->type = rs_le32(bytes + layout->type);
	dump->build = known(rs_le32(bytes + layout->build));
	dump->machine = rs_le32(bytes + layout->machine);
	dump->processors = known(rs_le32(bytes + layout->processors));
	dump->bugcheck = rs_le32(bytes + layout->bugcheck);
	for (size_t i = 0; i < KERNEL_DUMP_PARAMETERS; i++)
		dump->parameters[i] = pointer_at(dump, bytes + layout->parameters + i * (dump->wide ? 8 : 4));
	dump->time = rs_le32(bytes + layout->time) == UNSET ? 0 : rs_le64(bytes + layout->time);
	dump->context = layout->context;
	dump->exception.code = known(rs_le32(code));
	dump->exception.address = pointer_at(dump, bytes + layout->exception_address);
	if (dump->type == KERNEL_DUMP_TRIAGE)
		read_triage(dump, layout->size);
	return true;
}

/* ------------------------------------------------------------------------------------------------ drivers, memory */

static bool read_driver(const struct kernel_dump *dump, uint32_t i, uint8_t bytes[DRIVER_MOST])
{
	const uint32_t size = layout_of(dump)->driver_size;
	return i < dump->driver_count && dump_read(dump->input, dump->drivers + (uint64_t)i * size, bytes, size);
}

/* Read the name at OFFSET: how many UTF-16 units it has, and these. */
static void read_name(const struct kernel_dump *dump, uint32_t offset, char *name)
{
	static const char what[] = "the name of a driver";
	uint8_t length[4], units[2 * DUMP_UNITS];
	const bool known_length = dump_read(dump->input, offset, length, sizeof length);
	const uint32_t count = known_length ? rs_le32(length) : 0;
	if (count > DUMP_UNITS)
		dump_problem(dump->problems, what, offset, "is too long");
	else if (!known_length || !dump_read(dump->input, (uint64_t)offset + 4, units, (size_t)2 * count))
		dump_problem(dump->problems, what, offset, past_end);
	else
		dump_name(name, units, count);
}

bool kernel_dump_module(const struct kernel_dump *dump, uint32_t i, struct dump_module *module)
{
	uint8_t bytes[DRIVER_MOST];
	const struct triage_layout *layout = layout_of(dump);
	const uint8_t *entry = bytes + layout->entry;
	if (!read_driver(dump, i, bytes))
		return false;
	*module = (struct dump_module){ .base = pointer_at(dump, entry + layout->base),
					.size = rs_le32(entry + layout->image_size),
					.checksum = rs_le32(entry + layout->checksum),
					.stamp = rs_le32(entry + layout->stamp) };
	read_name(dump, rs_le32(bytes), module->name);
	return true;
}

bool kernel_dump_range(const struct kernel_dump *dump, uint32_t i, uint64_t *base, uint32_t *size)
{
	uint8_t bytes[DRIVER_MOST];
	const struct triage_layout *layout = layout_of(dump);
	if (!read_driver(dump, i, bytes))
		return false;
	*base = pointer_at(dump, bytes + layout->entry + layout->base);
	*size = rs_le32(bytes + layout->entry + layout->image_size);
	return true;
}

bool kernel_dump_fill(const struct kernel_dump *dump, struct dump_memory *memory)
{
	const uint32_t size = layout_of(dump)->block_size;
	uint8_t bytes[BLOCK_MOST];
	if (!dump_memory_begin(memory, dump->input, (size_t)dump->block_count + 1))
		return false;
	dump_memory_add(memory, dump->stack);
	for (uint32_t i = 0; i < dump->block_count; i++) {
		if (!dump_read(dump->input, dump->blocks + (uint64_t)i * size, bytes, size))
			break;
		const uint8_t *rest = bytes + size - 8;
		dump_memory_add(memory,
				(struct dump_piece){ pointer_at(dump, bytes), rs_le32(rest + 4), rs_le32(rest) });
	}
	dump_memory_end(memory);
	return true;
}
