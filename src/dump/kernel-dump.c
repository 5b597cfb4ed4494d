// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/kernel-dump.h"
#include "core/bytes.h"
#include "lib/base/alloc.h"

#include <string.h>

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

static uint64_t read_pointer(const struct kernel_dump *dump, const uint8_t *bytes)
{
	return dump->wide ? rs_le64(bytes) : rs_le32(bytes);
}

/* Returns VALUE, that of a header field; 0 if Windows has not set the field. */
static uint32_t zero_if_unset(uint32_t value)
{
	return value == UNSET ? 0 : value;
}

bool rs_kernel_dump_is(const uint8_t *bytes)
{
	return memcmp(bytes, "PAGEDUMP", 8) == 0 || memcmp(bytes, "PAGEDU64", 8) == 0;
}

/* ------------------------------------------------------------------------------------------------ the header */

/* Store the header's EXCEPTION_RECORD, whose bytes are at RECORD; without parameters if their number is impossible. */
static void parse_exception(struct kernel_dump *dump, const uint8_t *record)
{
	const struct record_layout *layout = dump->wide ? &record_64 : &record_32;
	const size_t size = dump->wide ? 8 : 4;
	const uint32_t count = zero_if_unset(rs_le32(record + layout->count));
	dump->exception.code = zero_if_unset(rs_le32(record));
	dump->exception.address = read_pointer(dump, record + layout->address);
	dump->exception.parameter_count = count <= KERNEL_DUMP_EXCEPTION ? count : 0;
	for (size_t i = 0; i < dump->exception.parameter_count; i++)
		dump->exception.parameters[i] = read_pointer(dump, record + layout->parameters + i * size);
}

static void parse_header(struct kernel_dump *dump, const struct header_layout *layout, const uint8_t *bytes)
{
	dump->type = rs_le32(bytes + layout->type);
	dump->build = zero_if_unset(rs_le32(bytes + layout->build));
	dump->machine = rs_le32(bytes + layout->machine);
	dump->processors = zero_if_unset(rs_le32(bytes + layout->processors));
	dump->bugcheck = rs_le32(bytes + layout->bugcheck);
	for (size_t i = 0; i < KERNEL_DUMP_PARAMETERS; i++)
		dump->parameters[i] = read_pointer(dump, bytes + layout->parameters + i * (dump->wide ? 8 : 4));
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
	const uint64_t head = read_pointer(dump, bytes + layout->modules);
	return rs_dump_memory_read_all(memory, head, link, sizeof link) &&
	       rs_dump_memory_read_all(memory, rs_le64(link), link, sizeof link) && rs_le64(link + POINTER) == head;
}

/* Find the pages of physical memory, and the list of modules in them. */
static bool open_pages(struct kernel_dump *dump, struct dump_memory *memory, const struct header_layout *layout,
		       const uint8_t *bytes)
{
	const struct kernel_pages_header header = { dump->wide, dump->type, layout->size, bytes + layout->memory };
	const uint64_t base = read_pointer(dump, bytes + layout->tables);
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
	return rs_dump_loaded_open(&dump->loaded, memory, dump->wide, read_pointer(dump, bytes + layout->modules),
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
		rs_triage_open(&dump->triage, input, problems, dump->wide, layout->size);
		return rs_triage_fill(&dump->triage, &memory->pieces);
	}
	return !has_pages(dump->type) || open_pages(dump, memory, layout, bytes);
}

void rs_kernel_dump_close(struct kernel_dump *dump)
{
	rs_dump_loaded_close(&dump->loaded);
}

/* ------------------------------------------------------------------------------------------------ modules */

uint32_t rs_kernel_dump_module_count(const struct kernel_dump *dump)
{
	return dump->type == KERNEL_DUMP_TRIAGE ? dump->triage.driver_count : dump->loaded.count;
}

bool rs_kernel_dump_read_module(const struct kernel_dump *dump, uint32_t i, bool whole, struct dump_module *module)
{
	return dump->type == KERNEL_DUMP_TRIAGE ? rs_triage_read_module(&dump->triage, i, whole, module)
						: rs_dump_loaded_read_module(&dump->loaded, i, whole, module);
}
