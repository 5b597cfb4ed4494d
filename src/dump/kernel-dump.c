// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/kernel-dump.h"
#include "core/bytes.h"
#include "lib/base/alloc.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ loader entries */

/* A loader entry (KLDR_DATA_TABLE_ENTRY) is an entry of the kernel's list of modules. */

enum { LOADER_ENTRY_SIZE_MAX = 0x88 };

/* Offsets of the fields of an entry; SIZE: all of them are in the first SIZE bytes of the entry. */
struct entry_layout {
	uint8_t size, base, image_size, full_name, name, checksum, stamp;
};

static const struct entry_layout entry_layouts[] = { { 0x48, 0x18, 0x20, 0x24, 0x2c, 0x40, 0x44 },
						     { 0x88, 0x30, 0x40, 0x48, 0x58, 0x78, 0x80 } };

/* Store in MODULE the base, size, checksum and DateStamp of ENTRY; all its other fields become zeros. */
static void parse_loader_entry(const struct kernel_dump *dump, const uint8_t *entry, struct dump_module *module)
{
	const struct entry_layout *layout = &entry_layouts[dump->wide];
	*module = (struct dump_module){ .base = rs_dump_parse_pointer(dump->wide, entry + layout->base),
					.size = rs_le32(entry + layout->image_size),
					.checksum = rs_le32(entry + layout->checksum),
					.stamp = rs_le32(entry + layout->stamp) };
}

/* ---------------------------------------------------------------------------------------------- the list of modules */

/* Store in *NEXT the address of the next list entry, to which the first field of the entry at ADDRESS points. */
static bool read_next_address(const struct kernel_dump *dump, uint64_t address, uint64_t *next)
{
	uint8_t link[8] = { 0 };
	if (!rs_dump_memory_read_all(dump->memory, address, link, dump->wide ? 8 : 4))
		return false;
	*next = rs_le64(link);
	return true;
}

static bool is_already_listed(const struct kernel_dump *dump, uint64_t entry)
{
	uint32_t i = 0;
	while (i < dump->module_count && dump->entries[i] != entry)
		i++;
	return i < dump->module_count;
}

/* Store in dump->entries the addresses of the entries of the list of modules; HEAD is the virtual address of its head.
   A damaged list is cut where the damage is, and a problem is reported.  False: no heap memory is left. */
static bool list_modules(struct kernel_dump *dump, uint64_t head)
{
	const char *wrong = NULL;
	uint64_t at = head, next;
	dump->entries = rs_alloc(DUMP_LOADED, sizeof *dump->entries);
	if (!dump->entries)
		return false;
	while (!wrong) {
		if (!read_next_address(dump, at, &next))
			wrong = "is in memory that the dump does not have";
		else if (next == head)
			return true;
		else if (is_already_listed(dump, next))
			wrong = "leads back to an entry before";
		else if (dump->module_count == DUMP_LOADED)
			wrong = "has more entries than are read";
		else
			at = dump->entries[dump->module_count++] = next;
	}
	/* Drop the last entry if it cannot be read. */
	dump->module_count -= dump->module_count > 0 && !read_next_address(dump, at, &next);
	rs_dump_report_problem(dump->problems, "the list of modules", true, at, wrong);
	return true;
}

/* Read the name of ENTRY from the UNICODE_STRING at its offset AT.  False: it is empty, too long or not readable. */
static bool read_module_name(const struct kernel_dump *dump, const uint8_t *entry, uint8_t at, char *name)
{
	uint8_t units[2 * DUMP_UNITS];
	const uint64_t address = rs_dump_parse_pointer(dump->wide, entry + at + (dump->wide ? 8 : 4));
	const uint32_t length = rs_le16(entry + at);
	if (length == 0 || length > sizeof units || !rs_dump_memory_read_all(dump->memory, address, units, length))
		return false;
	rs_dump_write_name(name, units, length / 2, true);
	return name[0];
}

/* Read the data of module number I in the kernel's list, as rs_dump_read_module() does. */
static bool read_listed_module(const struct kernel_dump *dump, uint32_t i, bool whole, struct dump_module *module)
{
	const struct entry_layout *layout = &entry_layouts[dump->wide];
	uint8_t entry[LOADER_ENTRY_SIZE_MAX];
	if (!rs_dump_memory_read_all(dump->memory, dump->entries[i], entry, layout->size))
		return false;
	parse_loader_entry(dump, entry, module);
	if (!whole)
		return true;
	rs_dump_read_image_headers(dump->memory, module);
	if (!read_module_name(dump, entry, layout->name, module->name) &&
	    !read_module_name(dump, entry, layout->full_name, module->name))
		module->name[0] = '\0';
	return true;
}

/* ------------------------------------------------------------------------------------------------ a triage dump */

enum { TRIAGE_DRIVERS = 8192, TRIAGE_BLOCKS = 1 << 16 }; /* the most drivers and blocks of memory that are read */
enum { DRIVER_SIZE_MAX = 0x90, BLOCK_SIZE_MAX = 16 };	 /* bytes of the largest entries of each list */

/* Sizes and offsets that differ between 32-bit and 64-bit systems. */
struct triage_layout {
	uint16_t size, blocks;		  /* bytes of the header; where in it are offset and count of memory blocks */
	uint16_t block_size, driver_size; /* bytes of an entry of each list */
	uint16_t entry;			  /* offset of the loader entry in the entry of a driver */
};

static const struct triage_layout triage_layouts[] = { { 0x68, 0x60, 12, 0x4c, 4 }, { 0x80, 0x78, 16, 0x90, 8 } };

/* Offsets of header fields that are the same for 32-bit and 64-bit systems. */
enum {
	VALID_OFFSET = 0x08,
	STACK_OFFSET = 0x28,
	STACK_SIZE = 0x2c,
	DRIVERS = 0x30,
	DRIVER_COUNT = 0x34,
	TOP_OF_STACK = 0x48,
};

/* List in PIECES the stack, which HEADER describes, and all other memory of the dump.  False: no heap memory left. */
static bool list_triage_memory(const struct kernel_dump *dump, const uint8_t *header, struct dump_pieces *pieces)
{
	const struct triage_layout *layout = &triage_layouts[dump->wide];
	const uint32_t size = layout->block_size, offset = rs_le32(header + layout->blocks);
	const struct dump_list_claim claim = {
		"the list of memory", offset, offset,	    rs_le32(header + layout->blocks + 4),
		UINT64_MAX,	      size,   TRIAGE_BLOCKS
	};
	const uint32_t count = rs_dump_count_entries(dump->input, dump->problems, &claim);
	uint8_t bytes[BLOCK_SIZE_MAX];
	if (!rs_dump_pieces_begin(pieces, dump->input->size, (size_t)count + 1))
		return false;
	rs_dump_pieces_add(pieces, (struct dump_piece){ dump->triage_stack, rs_le32(header + STACK_SIZE),
							rs_le32(header + STACK_OFFSET) });
	for (uint32_t i = 0; i < count; i++) {
		if (!rs_dump_read(dump->input, offset + (uint64_t)i * size, bytes, size))
			break;
		const uint8_t *rest = bytes + size - 8; /* the block's offset and size, which follow its address */
		rs_dump_pieces_add(pieces, (struct dump_piece){ rs_dump_parse_pointer(dump->wide, bytes),
								rs_le32(rest + 4), rs_le32(rest) });
	}
	rs_dump_pieces_sort_and_cut(pieces);
	return true;
}

/* Read the header at offset AT of a triage dump, and list in PIECES all memory that the dump has.  Parts that cannot be
   used are left out, and problems are reported.  False: no heap memory is left. */
static bool open_triage_dump(struct kernel_dump *dump, uint32_t at, struct dump_pieces *pieces)
{
	static const char what[] = "the header of the triage dump";
	const struct triage_layout *layout = &triage_layouts[dump->wide];
	uint8_t header[0x80] = { 0 }, valid[4];
	if (!rs_dump_read(dump->input, at, header, layout->size)) {
		rs_dump_add_problem(dump->problems, what, at, rs_dump_past_end);
		return true;
	}
	if (!rs_dump_read(dump->input, rs_le32(header + VALID_OFFSET), valid, sizeof valid) ||
	    memcmp(valid, "TRGD", 4) != 0)
		rs_dump_add_problem(dump->problems, what, at, "has no mark of a complete dump");
	dump->drivers = rs_le32(header + DRIVERS);
	const struct dump_list_claim claim = {
		"the list of drivers", dump->drivers, dump->drivers, rs_le32(header + DRIVER_COUNT), UINT64_MAX,
		layout->driver_size,   TRIAGE_DRIVERS
	};
	dump->module_count = rs_dump_count_entries(dump->input, dump->problems, &claim);
	dump->triage_stack = rs_dump_parse_pointer(dump->wide, header + TOP_OF_STACK);
	return list_triage_memory(dump, header, pieces);
}

/* Read the data of driver number I, as rs_dump_read_module() does. */
static bool read_driver(const struct kernel_dump *dump, uint32_t i, bool whole, struct dump_module *module)
{
	const struct triage_layout *layout = &triage_layouts[dump->wide];
	uint8_t bytes[DRIVER_SIZE_MAX];
	if (!rs_dump_read(dump->input, dump->drivers + (uint64_t)i * layout->driver_size, bytes, layout->driver_size))
		return false;
	parse_loader_entry(dump, bytes + layout->entry, module);
	if (whole)
		rs_dump_read_name(dump->input, dump->problems, "the name of a driver", rs_le32(bytes), 2, true,
				  module->name);
	return true;
}

/* ------------------------------------------------------------------------------------------------ the header */

enum { HEADER_32 = 0x1000, HEADER_64 = 0x2000, MACHINE_X86 = 0x14c, MACHINE_X64 = 0x8664, MACHINE_ARM64 = 0xaa64 };

#define UNSET UINT32_C(0x45474150) /* "PAGE": Windows fills the header with this before it sets fields */

/* Offsets of the header's fields; SIZE is the size of the header. */
struct header_layout {
	uint16_t size, build, tables, modules, machine, processors, bugcheck, parameters, memory, context, exception,
		type, time;
};

static const struct header_layout header_layouts[] = {
	{ HEADER_32, 0x0c, 0x10, 0x18, 0x20, 0x24, 0x28, 0x2c, 0x64, 0x320, 0x7d0, 0xf88, 0xfc0 },
	{ HEADER_64, 0x0c, 0x10, 0x20, 0x30, 0x34, 0x38, 0x40, 0x88, 0x348, 0xf00, 0xf98, 0xfa8 },
};

/* Returns VALUE, which is the value of a header field; but 0 if Windows has not set the field. */
static uint32_t replace_unset_by_zero(uint32_t value)
{
	return value == UNSET ? 0 : value;
}

static void parse_kernel_dump_header(struct kernel_dump *dump, const struct header_layout *layout, const uint8_t *bytes)
{
	dump->type = rs_le32(bytes + layout->type);
	dump->build = replace_unset_by_zero(rs_le32(bytes + layout->build));
	dump->machine = rs_le32(bytes + layout->machine);
	dump->processors = replace_unset_by_zero(rs_le32(bytes + layout->processors));
	dump->bugcheck = rs_le32(bytes + layout->bugcheck);
	for (size_t i = 0; i < KERNEL_DUMP_PARAMETERS; i++)
		dump->parameters[i] = rs_dump_parse_pointer(dump->wide,
							    bytes + layout->parameters + i * (dump->wide ? 8 : 4));
	dump->time = rs_le32(bytes + layout->time) == UNSET ? 0 : rs_le64(bytes + layout->time);
	dump->context = layout->context;
	(void)rs_dump_parse_exception(&dump->exception, dump->wide, bytes + layout->exception);
	dump->exception.code = replace_unset_by_zero(dump->exception.code);
}

/* ------------------------------------------------------------------------------------------------ memory */

/* Store in *KIND which kind of page tables the dumped system used; BYTES is the header, and BASE the CR3 in it.  False:
   rossym cannot read the page tables of this processor. */
static bool find_paging_kind(const struct kernel_dump *dump, const uint8_t *bytes, uint64_t base,
			     enum dump_paging_kind *kind)
{
	enum { PAE_ENABLED = 0x5c, IN_PAGE = 0xfe0 };
	if (dump->machine == MACHINE_X64 && dump->wide) {
		*kind = DUMP_PAGING_X64;
		return true;
	}
	/* If the field is neither 0 nor 1, BASE decides: only with PAE can the first table begin within a page. */
	const bool pae = bytes[PAE_ENABLED] <= 1 ? bytes[PAE_ENABLED] : (base & IN_PAGE) != 0;
	*kind = pae ? DUMP_PAGING_PAE : DUMP_PAGING_X86;
	return dump->machine == MACHINE_X86 && !dump->wide;
}

/* Whether the head of the list of modules can be read from MEMORY, and the list's first entry points back to the head.
   If not, MEMORY is probably read with a wrong number of levels of page tables. */
static bool can_find_module_list(const struct kernel_dump *dump, const struct dump_memory *memory,
				 const struct header_layout *layout, const uint8_t *bytes)
{
	enum { POINTER = 8 };
	uint8_t link[2 * POINTER];
	const uint64_t head = rs_dump_parse_pointer(dump->wide, bytes + layout->modules);
	return rs_dump_memory_read_all(memory, head, link, sizeof link) &&
	       rs_dump_memory_read_all(memory, rs_le64(link), link, sizeof link) && rs_le64(link + POINTER) == head;
}

/* Find the pages of physical memory, and list the modules that they have.  False: no heap memory is left. */
static bool open_pages_and_modules(struct kernel_dump *dump, struct dump_memory *memory,
				   const struct header_layout *layout, const uint8_t *bytes)
{
	const struct kernel_pages_header header = { dump->wide, dump->type, layout->size, bytes + layout->memory };
	const uint64_t base = rs_dump_parse_pointer(dump->wide, bytes + layout->tables);
	enum dump_paging_kind kind;
	memory->paging = rs_alloc(1, sizeof *memory->paging);
	if (!memory->paging)
		return false;
	if (!find_paging_kind(dump, bytes, base, &kind)) {
		rs_dump_add_problem(dump->problems, "the header", 0,
				    dump->machine == MACHINE_ARM64
					    ? "is of an ARM64 system, whose page tables are not read"
					    : "is of a processor whose page tables are not read");
		return true;
	}
	if (!rs_kernel_pages_open(&memory->paging->physical, dump->input, dump->problems, &header))
		return false;
	rs_dump_paging_begin(memory->paging, kind, base);
	/* No field says whether page tables have four or five levels.  So try four, then five: with a wrong number,
	   other bytes are found at the address of the list of modules, and these are unlikely to be a list. */
	if (kind == DUMP_PAGING_X64 && !can_find_module_list(dump, memory, layout, bytes)) {
		rs_dump_paging_begin(memory->paging, DUMP_PAGING_X64_5, base);
		if (!can_find_module_list(dump, memory, layout, bytes))
			rs_dump_paging_begin(memory->paging, kind, base);
	}
	return list_modules(dump, rs_dump_parse_pointer(dump->wide, bytes + layout->modules));
}

bool rs_kernel_dump_open(struct kernel_dump *dump, const struct dump_input *input, bool wide,
			 struct dump_memory *memory, struct dump_problems *problems)
{
	uint8_t bytes[HEADER_64];
	*dump = (struct kernel_dump){ .input = input, .problems = problems, .memory = memory, .wide = wide };
	*memory = (struct dump_memory){ .input = input };
	const struct header_layout *layout = &header_layouts[wide];
	if (!rs_dump_read(input, 0, bytes, layout->size)) {
		rs_dump_add_problem(problems, "the header", 0, rs_dump_past_end);
		return false;
	}
	parse_kernel_dump_header(dump, layout, bytes);
	if (dump->type == KERNEL_DUMP_TRIAGE)
		return open_triage_dump(dump, layout->size, &memory->pieces);
	if (dump->type < KERNEL_DUMP_FULL || dump->type > KERNEL_DUMP_FULL_RUNS || dump->type == KERNEL_DUMP_HEADER)
		return true; /* it has no pages, or is of an unknown type */
	return open_pages_and_modules(dump, memory, layout, bytes);
}

bool rs_kernel_dump_read_module(const struct kernel_dump *dump, uint32_t i, bool whole, struct dump_module *module)
{
	return i < dump->module_count &&
	       (dump->type == KERNEL_DUMP_TRIAGE ? read_driver(dump, i, whole, module)
						 : read_listed_module(dump, i, whole, module));
}
