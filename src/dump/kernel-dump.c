// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/kernel-dump.h"
#include "core/bytes.h"
#include "lib/base/alloc.h"

#include <string.h>

static uint64_t read_pointer(bool wide, const uint8_t *bytes)
{
	return wide ? rs_le64(bytes) : rs_le32(bytes);
}

/* ------------------------------------------------------------------------------------------------ the list of modules */

/* Store in *NEXT the address of the list entry after the entry at ADDRESS, whose first field points to the next. */
static bool read_next_address(const struct dump_loaded *loaded, uint64_t address, uint64_t *next)
{
	uint8_t link[8] = { 0 };
	if (!rs_dump_memory_read_all(loaded->memory, address, link, loaded->wide ? 8 : 4))
		return false;
	*next = rs_le64(link);
	return true;
}

static bool is_already_listed(const struct dump_loaded *loaded, uint64_t entry)
{
	uint32_t i = 0;
	while (i < loaded->count && loaded->entries[i] != entry)
		i++;
	return i < loaded->count;
}

/* Follow the list whose head is at the virtual address HEAD of MEMORY, which must outlive LOADED.  WIDE: the system has
   64 bits.  A damaged list is cut where the damage is, and PROBLEMS say so.  False: no heap memory is left.
   close_loaded() frees LOADED in either case. */
static bool open_loaded(struct dump_loaded *loaded, const struct dump_memory *memory, bool wide, uint64_t head,
			struct dump_problems *problems)
{
	const char *wrong = NULL;
	uint64_t at = head, next;
	*loaded = (struct dump_loaded){ memory, wide, rs_alloc(DUMP_LOADED, sizeof *loaded->entries), 0 };
	if (!loaded->entries)
		return false;
	while (!wrong) {
		if (!read_next_address(loaded, at, &next))
			wrong = "is in memory that the dump does not have";
		else if (next == head)
			return true;
		else if (is_already_listed(loaded, next))
			wrong = "leads back to an entry before";
		else if (loaded->count == DUMP_LOADED)
			wrong = "has more entries than are read";
		else
			at = loaded->entries[loaded->count++] = next;
	}
	/* Drop the last entry if it cannot be read. */
	loaded->count -= loaded->count > 0 && !read_next_address(loaded, at, &next);
	rs_dump_add_problem_in_memory(problems, "the list of modules", at, wrong);
	return true;
}

static void close_loaded(struct dump_loaded *loaded)
{
	rs_free(loaded->entries);
	*loaded = (struct dump_loaded){ .entries = NULL };
}

/* Read the name of ENTRY: from its file name, or from the end of its path if FULL.  False: it is empty or too long, or
   cannot be read. */
static bool read_loaded_name(const struct dump_loaded *loaded, const uint8_t *entry, bool full, char *name)
{
	uint8_t units[2 * DUMP_UNITS];
	uint64_t address;
	const uint32_t length = rs_loader_entry_read_name(loaded->wide, entry, full, &address);
	if (length == 0 || length > sizeof units || !rs_dump_memory_read_all(loaded->memory, address, units, length))
		return false;
	rs_dump_name(name, units, length / 2);
	return name[0];
}

/* Read about module number I, as rs_dump_module(). */
static bool read_loaded_module(const struct dump_loaded *loaded, uint32_t i, bool whole, struct dump_module *module)
{
	uint8_t entry[LOADER_ENTRY_SIZE_MAX];
	if (i >= loaded->count ||
	    !rs_dump_memory_read_all(loaded->memory, loaded->entries[i], entry, rs_loader_entry_size(loaded->wide)))
		return false;
	rs_loader_entry_read_module(loaded->wide, entry, module);
	if (!whole)
		return true;
	rs_image_headers_read(loaded->memory, module);
	if (!read_loaded_name(loaded, entry, false, module->name) &&
	    !read_loaded_name(loaded, entry, true, module->name))
		module->name[0] = '\0';
	return true;
}

/* ------------------------------------------------------------------------------------------------ a triage dump */

enum { DRIVER_SIZE_MAX = 0x90, BLOCK_SIZE_MAX = 16 }; /* bytes of the largest entries of each list */

/* Sizes and offsets that differ between 32-bit and 64-bit systems. */
struct triage_layout {
	uint16_t size, blocks;		  /* bytes of the header; offset of its fields for the list of memory */
	uint16_t block_size, driver_size; /* bytes of an entry of each list */
	uint16_t entry;			  /* offset of the loader entry in the entry of a driver */
};

static const struct triage_layout triage_32 = { 0x68, 0x60, 12, 0x4c, 4 };
static const struct triage_layout triage_64 = { 0x80, 0x78, 16, 0x90, 8 };

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
	return triage->wide ? &triage_64 : &triage_32;
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

/* Read the header at offset AT.  Parts that cannot be used are left out, and PROBLEMS say so. */
static void open_triage(struct triage *triage, const struct dump_input *input, struct dump_problems *problems,
			bool wide, uint32_t at)
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
	triage->stack = (struct dump_piece){ read_pointer(triage->wide, header + TOP_OF_STACK),
					     rs_le32(header + STACK_SIZE), rs_le32(header + STACK_OFFSET) };
}

/* Read the name at OFFSET: the number of its UTF-16 units, then the units.  After a problem, NAME stays as it is. */
static void read_driver_name(const struct triage *triage, uint32_t offset, char *name)
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

/* Read about driver number I, as rs_dump_module(). */
static bool read_driver(const struct triage *triage, uint32_t i, bool whole, struct dump_module *module)
{
	const struct triage_layout *layout = triage_layout_of(triage);
	uint8_t bytes[DRIVER_SIZE_MAX];
	if (i >= triage->driver_count ||
	    !rs_dump_read(triage->input, triage->drivers + (uint64_t)i * layout->driver_size, bytes,
			  layout->driver_size))
		return false;
	rs_loader_entry_read_module(triage->wide, bytes + layout->entry, module);
	if (whole)
		read_driver_name(triage, rs_le32(bytes), module->name);
	return true;
}

/* List in PIECES all memory that the dump has.  False: no heap memory is left.  rs_dump_pieces_clear() frees
   PIECES in either case. */
static bool list_triage_memory(const struct triage *triage, struct dump_pieces *pieces)
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
		rs_dump_pieces_add(pieces, (struct dump_piece){ read_pointer(triage->wide, bytes), rs_le32(rest + 4),
								rs_le32(rest) });
	}
	rs_dump_pieces_end(pieces);
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

static const struct header_layout header_32 = { HEADER_32, 0x0c, 0x10,	0x18,  0x20,  0x24, 0x28,
						0x2c,	   0x64, 0x320, 0x7d0, 0xf88, 0xfc0 };
static const struct header_layout header_64 = { HEADER_64, 0x0c, 0x10,	0x20,  0x30,  0x34, 0x38,
						0x40,	   0x88, 0x348, 0xf00, 0xf98, 0xfa8 };

/* Offsets of the fields of an EXCEPTION_RECORD. */
struct record_layout {
	uint8_t address, count, parameters;
};

static const struct record_layout record_32 = { 0x0c, 0x10, 0x14 };
static const struct record_layout record_64 = { 0x10, 0x18, 0x20 };

/* Returns VALUE, that of a header field; 0 if Windows has not set the field. */
static uint32_t zero_if_unset(uint32_t value)
{
	return value == UNSET ? 0 : value;
}

bool rs_kernel_dump_is(const uint8_t *bytes)
{
	return memcmp(bytes, "PAGEDUMP", 8) == 0 || memcmp(bytes, "PAGEDU64", 8) == 0;
}

/* Store the header's EXCEPTION_RECORD, whose bytes are at RECORD; without parameters if their number is impossible. */
static void parse_exception(struct kernel_dump *dump, const uint8_t *record)
{
	const struct record_layout *layout = dump->wide ? &record_64 : &record_32;
	const size_t size = dump->wide ? 8 : 4;
	const uint32_t count = zero_if_unset(rs_le32(record + layout->count));
	dump->exception.code = zero_if_unset(rs_le32(record));
	dump->exception.address = read_pointer(dump->wide, record + layout->address);
	dump->exception.parameter_count = count <= KERNEL_DUMP_EXCEPTION ? count : 0;
	for (size_t i = 0; i < dump->exception.parameter_count; i++)
		dump->exception.parameters[i] = read_pointer(dump->wide, record + layout->parameters + i * size);
}

static void parse_header(struct kernel_dump *dump, const struct header_layout *layout, const uint8_t *bytes)
{
	dump->type = rs_le32(bytes + layout->type);
	dump->build = zero_if_unset(rs_le32(bytes + layout->build));
	dump->machine = rs_le32(bytes + layout->machine);
	dump->processors = zero_if_unset(rs_le32(bytes + layout->processors));
	dump->bugcheck = rs_le32(bytes + layout->bugcheck);
	for (size_t i = 0; i < KERNEL_DUMP_PARAMETERS; i++)
		dump->parameters[i] = read_pointer(dump->wide, bytes + layout->parameters + i * (dump->wide ? 8 : 4));
	dump->time = rs_le32(bytes + layout->time) == UNSET ? 0 : rs_le64(bytes + layout->time);
	dump->context = layout->context;
	parse_exception(dump, bytes + layout->exception);
}

/* ------------------------------------------------------------------------------------------------ memory */

/* Store in *KIND which kind of page tables the dumped system used; BYTES is the header, and BASE its CR3.  False:
   rossym cannot read the page tables of this processor. */
static bool find_paging_kind(const struct kernel_dump *dump, const uint8_t *bytes, uint64_t base,
			     enum dump_paging_kind *kind)
{
	enum { PAE_ENABLED = 0x5c, IN_PAGE = 0xfe0 };
	if (dump->machine == MACHINE_X64 && dump->wide) {
		*kind = DUMP_PAGING_X64;
		return true;
	}
	/* If the field is unset, BASE may tell: only with PAE can the first table begin in the middle of a page. */
	const bool pae = bytes[PAE_ENABLED] <= 1 ? bytes[PAE_ENABLED] : (base & IN_PAGE) != 0;
	*kind = pae ? DUMP_PAGING_PAE : DUMP_PAGING_X86;
	return dump->machine == MACHINE_X86 && !dump->wide;
}

/* Whether the list of modules is found in MEMORY, and its first entry points back to the head of the list.  That tells
   whether MEMORY is read with the right number of levels of page tables. */
static bool finds_module_list(const struct kernel_dump *dump, const struct dump_memory *memory,
			      const struct header_layout *layout, const uint8_t *bytes)
{
	enum { POINTER = 8 };
	uint8_t link[2 * POINTER];
	const uint64_t head = read_pointer(dump->wide, bytes + layout->modules);
	return rs_dump_memory_read_all(memory, head, link, sizeof link) &&
	       rs_dump_memory_read_all(memory, rs_le64(link), link, sizeof link) && rs_le64(link + POINTER) == head;
}

/* Find the pages of physical memory, and the list of modules in them. */
static bool open_pages(struct kernel_dump *dump, struct dump_memory *memory, const struct header_layout *layout,
		       const uint8_t *bytes)
{
	const struct kernel_pages_header header = { dump->wide, dump->type, layout->size, bytes + layout->memory };
	const uint64_t base = read_pointer(dump->wide, bytes + layout->tables);
	enum dump_paging_kind kind;
	memory->paging = rs_alloc(1, sizeof *memory->paging);
	if (!memory->paging || !rs_kernel_pages_open(&memory->paging->physical, dump->input, dump->problems, &header))
		return false;
	if (!find_paging_kind(dump, bytes, base, &kind)) {
		rs_dump_add_problem(dump->problems, "the header", 0,
				    dump->machine == MACHINE_ARM64
					    ? "is of an ARM64 system, whose page tables are not read"
					    : "is of a processor whose page tables are not read");
		rs_dump_physical_clear(&memory->paging->physical);
		return true;
	}
	rs_dump_paging_begin(memory->paging, kind, base);
	/* No field tells whether page tables have four levels or five.  With the wrong number, other bytes are found at
	   the address of the list of modules, and these are unlikely to be a list. */
	if (kind == DUMP_PAGING_X64 && !finds_module_list(dump, memory, layout, bytes)) {
		rs_dump_paging_begin(memory->paging, DUMP_PAGING_X64_5, base);
		if (!finds_module_list(dump, memory, layout, bytes))
			rs_dump_paging_begin(memory->paging, kind, base);
	}
	return open_loaded(&dump->loaded, memory, dump->wide, read_pointer(dump->wide, bytes + layout->modules),
			   dump->problems);
}

static bool has_pages(uint32_t type)
{
	return type >= KERNEL_DUMP_FULL && type <= KERNEL_DUMP_FULL_RUNS && type != KERNEL_DUMP_HEADER &&
	       type != KERNEL_DUMP_TRIAGE;
}

bool rs_kernel_dump_open(struct kernel_dump *dump, const struct dump_input *input, struct dump_memory *memory,
			 struct dump_problems *problems)
{
	uint8_t bytes[HEADER_64];
	*dump = (struct kernel_dump){ .input = input, .problems = problems };
	*memory = (struct dump_memory){ .input = input };
	if (!rs_dump_read(input, 0, bytes, 8) || !rs_kernel_dump_is(bytes)) {
		rs_dump_add_problem(problems, "the header", 0, "is not that of a kernel dump");
		return false;
	}
	dump->wide = bytes[6] == '6';
	const struct header_layout *layout = dump->wide ? &header_64 : &header_32;
	if (!rs_dump_read(input, 0, bytes, layout->size)) {
		rs_dump_add_problem(problems, "the header", 0, "reaches past the end of the file");
		return false;
	}
	parse_header(dump, layout, bytes);
	if (dump->type == KERNEL_DUMP_TRIAGE) {
		open_triage(&dump->triage, input, problems, dump->wide, layout->size);
		return list_triage_memory(&dump->triage, &memory->pieces);
	}
	return !has_pages(dump->type) || open_pages(dump, memory, layout, bytes);
}

void rs_kernel_dump_close(struct kernel_dump *dump)
{
	close_loaded(&dump->loaded);
}

/* ------------------------------------------------------------------------------------------------ modules */

uint32_t rs_kernel_dump_module_count(const struct kernel_dump *dump)
{
	return dump->type == KERNEL_DUMP_TRIAGE ? dump->triage.driver_count : dump->loaded.count;
}

bool rs_kernel_dump_read_module(const struct kernel_dump *dump, uint32_t i, bool whole, struct dump_module *module)
{
	return dump->type == KERNEL_DUMP_TRIAGE ? read_driver(&dump->triage, i, whole, module)
						: read_loaded_module(&dump->loaded, i, whole, module);
}
