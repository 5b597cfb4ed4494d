// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/memory/memory.h"
#include "core/bytes.h"
#include "lib/base/alloc.h"
#include "compat/bisect.h"

#include <stdlib.h>
#include <string.h>

const char rs_dump_past_end[] = "reaches past the end of the file";

bool rs_dump_read(const struct dump_input *input, uint64_t offset, void *bytes, size_t size)
{
	return rs_in_range(offset, size, input->size) && input->read(input->context, offset, bytes, size);
}

void rs_dump_report_problem(struct dump_problems *problems, const char *what, bool in_memory, uint64_t number,
			    const char *wrong)
{
	for (uint32_t i = 0; i < problems->count && i < DUMP_KNOWN_PROBLEMS_MAX; i++)
		if (problems->known[i].number == number && strcmp(problems->known[i].what, what) == 0 &&
		    strcmp(problems->known[i].wrong, wrong) == 0)
			return;
	if (problems->count < DUMP_KNOWN_PROBLEMS_MAX)
		problems->known[problems->count] = (struct dump_problem){ what, wrong, number };
	problems->count += problems->count < UINT32_MAX;
	if (problems->say)
		problems->say(problems->context, what, in_memory, number, wrong);
}

void rs_dump_add_problem(struct dump_problems *problems, const char *what, uint64_t offset, const char *wrong)
{
	rs_dump_report_problem(problems, what, false, offset, wrong);
}

uint32_t rs_dump_count_entries(const struct dump_input *input, struct dump_problems *problems,
			       const struct dump_list_claim *list)
{
	const uint64_t in_file = input->size > list->offset ? (input->size - list->offset) / list->size : 0;
	const struct {
		uint64_t most;
		const char *wrong;
	} limits[] = { { list->room, "says that it has more entries than it has room for" },
		       { in_file, rs_dump_past_end },
		       { list->most, "has more entries than are read" } };
	uint64_t count = list->count;
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		if (count <= limits[i].most)
			continue;
		rs_dump_add_problem(problems, list->what, list->at, limits[i].wrong);
		count = limits[i].most;
	}
	return (uint32_t)count;
}

/* ------------------------------------------------------------------------------------------------ pieces */

static int compare_pieces(const void *a, const void *b)
{
	const struct dump_piece *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Cut from each piece the bytes that pieces before it have, and remove pieces that are empty then. */
static void cut_overlaps(struct dump_pieces *all)
{
	uint64_t end = 0;
	size_t kept = 0;
	for (size_t i = 0; i < all->count; i++) {
		struct dump_piece piece = all->pieces[i];
		const uint64_t cut = piece.address < end ? end - piece.address : 0;
		if (piece.size <= cut)
			continue;
		piece.address += cut;
		piece.offset += cut;
		piece.size -= cut;
		end = piece.address + piece.size;
		all->pieces[kept++] = piece;
	}
	all->count = kept;
}

void rs_dump_pieces_add(struct dump_pieces *all, struct dump_piece piece)
{
	const uint64_t rest = all->file_size > piece.offset ? all->file_size - piece.offset : 0;
	if (piece.size > rest)
		piece.size = rest;
	if (piece.size > UINT64_MAX - piece.address)
		piece.size = UINT64_MAX - piece.address;
	if (piece.size)
		all->pieces[all->count++] = piece;
}

bool rs_dump_pieces_begin(struct dump_pieces *all, uint64_t file_size, size_t most)
{
	*all = (struct dump_pieces){ .file_size = file_size, .pieces = rs_alloc(most + 1, sizeof *all->pieces) };
	return all->pieces;
}

void rs_dump_pieces_sort_and_cut(struct dump_pieces *all)
{
	qsort(all->pieces, all->count, sizeof *all->pieces, compare_pieces);
	cut_overlaps(all);
}

void rs_dump_pieces_clear(struct dump_pieces *all)
{
	rs_free(all->pieces);
	*all = (struct dump_pieces){ .pieces = NULL };
}

uint64_t rs_dump_pieces_find(const struct dump_pieces *all, uint64_t address, uint64_t *offset, uint64_t *gap)
{
	size_t count; /* how many pieces begin at or below ADDRESS */
	BISECT(count, all->count, all->pieces[count].address <= address);
	const struct dump_piece *piece = count > 0 ? &all->pieces[count - 1] : NULL;
	if (!piece || address - piece->address >= piece->size) {
		*gap = count < all->count ? all->pieces[count].address - address : UINT64_MAX - address;
		return 0;
	}
	*offset = piece->offset + (address - piece->address);
	return piece->size - (address - piece->address);
}

/* ------------------------------------------------------------------------------------------------ a bitmap */

enum { PAGE = DUMP_PHYSICAL_PAGE };

enum { PART_BITS = 8 * DUMP_BITMAP_PART };

/* Returns how many bits of BYTE are set: adds neighbouring bits, then pairs of bits, then halves. */
static unsigned count_bits_of_byte(unsigned byte)
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
		count += count_bits_of_byte(physical->bytes[i]);
	return count + (bits % 8 ? count_bits_of_byte(physical->bytes[bits / 8] & ((1u << bits % 8) - 1)) : 0);
}

/* Returns how many bits PART of the bitmap has: the last part can have fewer than the others. */
static uint32_t count_bits_of_part(const struct dump_physical *physical, uint64_t part)
{
	const uint64_t rest = physical->bits - part * PART_BITS;
	return rest < PART_BITS ? (uint32_t)rest : PART_BITS;
}

/* Read PART of the bitmap into "bytes", unless it is there already.  False: the part cannot be read. */
static bool read_bitmap_part(struct dump_physical *physical, uint64_t part)
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

/* Read the bitmap of BITS bits, at most DUMP_BITMAP_BITS, which is at offset BITMAP of INPUT and within it.  The pages
   begin at offset FIRST.  *COUNT becomes how many bits are set, that is, pages in the file.  If a part cannot be read,
   the bitmap ends before it.  False: no heap memory is left. */
static bool read_bitmap(struct dump_physical *physical, const struct dump_input *input, uint64_t bitmap, uint64_t bits,
			uint64_t first, uint64_t *count)
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
		if (!read_bitmap_part(physical, part)) {
			physical->bits = part * PART_BITS;
			break;
		}
		*count += count_set_bits(physical, count_bits_of_part(physical, part));
	}
	return true;
}

/* Returns the offset in the file of the page with this NUMBER; UINT64_MAX: its bit is not set, or cannot be read. */
static uint64_t find_page_in_bitmap(struct dump_physical *physical, uint64_t number)
{
	const uint64_t part = number / PART_BITS;
	const uint32_t bit = (uint32_t)(number % PART_BITS);
	if (number >= physical->bits || !read_bitmap_part(physical, part) || !(physical->bytes[bit / 8] >> bit % 8 & 1))
		return UINT64_MAX;
	const uint64_t rank = physical->ranks[part] + count_set_bits(physical, bit);
	return rank < (UINT64_MAX - physical->first) / PAGE ? physical->first + rank * PAGE : UINT64_MAX;
}

/* ------------------------------------------------------------------------------------------------ runs or a bitmap */

/* Returns the offset in the file of the byte at the physical ADDRESS; UINT64_MAX: the dump does not have it. */
static uint64_t find_physical_byte(struct dump_physical *physical, uint64_t address)
{
	uint64_t offset, gap;
	if (!physical->ranks)
		return rs_dump_pieces_find(&physical->runs, address, &offset, &gap) ? offset : UINT64_MAX;
	offset = find_page_in_bitmap(physical, address / PAGE);
	return offset == UINT64_MAX ? offset : offset + address % PAGE;
}

/* --------------------------------------------------------------------------------------- the pages of a kernel dump */

/* The arguments of rs_kernel_pages_open(). */
struct opening {
	struct dump_physical *physical;
	const struct dump_input *input;
	struct dump_problems *problems;
	const struct kernel_pages_header *header;
};

/* Report a problem.  Returns true, which callers can return: the dump is open even if some or all pages are missing. */
static bool report_problem(const struct opening *o, const char *what, uint64_t offset, const char *why)
{
	rs_dump_add_problem(o->problems, what, offset, why);
	return true;
}

/* ------------------------------------------------------------------------------------------------ runs */

static const char what_runs[] = "the list of runs of physical memory";

/* Add the run of pages that the list entry at RUN describes by two numbers, of SIZE bytes each: its first page, and how
   many pages it has.  False: the run is impossible, or not whole in the file, so that the pages of the next run cannot
   be found either.  This problem is reported at OFFSET. */
static bool add_run(const struct opening *o, const uint8_t *run, uint32_t size, uint64_t offset)
{
	struct dump_physical *physical = o->physical;
	const uint64_t page = size == 8 ? rs_le64(run) : rs_le32(run), most = UINT64_MAX / PAGE;
	const uint64_t count = size == 8 ? rs_le64(run + 8) : rs_le32(run + 4);
	if (page > most || count > most - page || count * PAGE > UINT64_MAX - physical->next)
		return !report_problem(o, what_runs, offset, "has a run of more pages than there can be");
	rs_dump_pieces_add(&physical->runs, (struct dump_piece){ page * PAGE, count * PAGE, physical->next });
	physical->next += count * PAGE;
	return physical->next <= o->input->size ||
	       !report_problem(o, what_runs, offset, "has pages that are past the end of the file");
}

/* Open a full dump: the list of runs is in the header, and the pages follow the header. */
static bool open_full_dump(const struct opening *o)
{
	enum { BLOCK_32 = 0x64, BLOCK_64 = 0x88 };
	const struct kernel_pages_header *header = o->header;
	const uint32_t size = header->wide ? 8 : 4, before = 2 * size;
	const uint32_t most = (KERNEL_PAGES_BLOCK - before) / (2 * size);
	const uint64_t offset = header->wide ? BLOCK_64 : BLOCK_32;
	uint32_t count = rs_le32(header->block);
	if (count > most) {
		report_problem(o, what_runs, offset, "has more entries than there is room for");
		count = 0;
	}
	o->physical->next = header->end;
	if (!rs_dump_pieces_begin(&o->physical->runs, o->input->size, count))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!add_run(o, header->block + before + (size_t)i * 2 * size, size, offset))
			break;
	rs_dump_pieces_sort_and_cut(&o->physical->runs);
	return true;
}

/* Open a dump that WinDbg's .dump has made: the list of runs follows the header.  The list ends where the pages begin;
   or earlier, at a run that begins with page 0, or after as many pages as its head says. */
static bool open_windbg_dump(const struct opening *o)
{
	enum { HEAD = 0x30, FIRST = 0x18, PAGES = 0x28, MARK = 0x40, RUN = 16 };
	const uint64_t at = o->header->end;
	uint8_t head[HEAD], run[RUN];
	if (!rs_dump_read(o->input, at, head, sizeof head))
		return report_problem(o, what_runs, at, rs_dump_past_end);
	if (rs_le32(head) != MARK || memcmp(head + 4, "RDMPDUMP", 8) != 0)
		return report_problem(o, what_runs, at, "has no mark of such a list");
	const uint64_t first = rs_le64(head + FIRST), begin = at + HEAD;
	uint64_t left = o->header->type == KERNEL_DUMP_FULL_RUNS ? rs_le64(head + PAGES) : UINT64_MAX;
	if (first < begin || first > o->input->size)
		return report_problem(o, what_runs, at, "has no place where the pages can begin");
	uint64_t count = (first - begin) / RUN;
	if (count > KERNEL_DUMP_RUNS) {
		report_problem(o, what_runs, at, "has more entries than are read");
		count = KERNEL_DUMP_RUNS;
	}
	o->physical->next = first;
	if (!rs_dump_pieces_begin(&o->physical->runs, o->input->size, (size_t)count))
		return false;
	for (uint64_t i = 0; i < count && left > 0 && rs_dump_read(o->input, begin + i * RUN, run, RUN); i++) {
		if (rs_le64(run) == 0 || !add_run(o, run, 8, begin + i * RUN))
			break;
		left -= rs_le64(run + 8) < left ? rs_le64(run + 8) : left;
	}
	rs_dump_pieces_sort_and_cut(&o->physical->runs);
	return true;
}

/* ------------------------------------------------------------------------------------------------ a bitmap */

struct bitmap {
	uint64_t first, count, bits; /* offset of the first page; number of pages in the file; number of bits */
	uint32_t before;	     /* bytes of the head, before the bits */
};

/* Parse the HEAD that comes before a bitmap.  In a dump of a 32-bit system, the head can have 32-bit fields.  Such a
   head is recognised by the number of bits, which it has twice. */
static struct bitmap parse_bitmap_head(const uint8_t *head, bool wide)
{
	const bool narrow = !wide && rs_le32(head + 0x0c) != 0 && rs_le32(head + 0x10) == rs_le32(head + 0x18);
	if (narrow)
		return (struct bitmap){ rs_le32(head + 0x0c), rs_le32(head + 0x14), rs_le32(head + 0x10), 0x20 };
	return (struct bitmap){ rs_le64(head + 0x20), rs_le64(head + 0x28), rs_le64(head + 0x30), 0x38 };
}

/* Open a dump that has a bitmap instead of a list of runs: the bitmap follows the header. */
static bool open_bitmap_dump(const struct opening *o)
{
	static const char what[] = "the bitmap of physical memory";
	enum { HEAD = 0x38 };
	const uint64_t at = o->header->end;
	uint8_t head[HEAD];
	uint64_t count;
	if (!rs_dump_read(o->input, at, head, sizeof head))
		return report_problem(o, what, at, rs_dump_past_end);
	if ((memcmp(head, "SDMP", 4) != 0 && memcmp(head, "FDMP", 4) != 0) || memcmp(head + 4, "DUMP", 4) != 0)
		return report_problem(o, what, at, "has no mark of a bitmap");
	struct bitmap bitmap = parse_bitmap_head(head, o->header->wide);
	const uint64_t begin = at + bitmap.before, room = (o->input->size - begin) * 8;
	if (bitmap.bits > room) {
		report_problem(o, what, at, rs_dump_past_end);
		bitmap.bits = room;
	}
	if (bitmap.bits > DUMP_BITMAP_BITS) {
		report_problem(o, what, at, "has more entries than are read");
		bitmap.bits = DUMP_BITMAP_BITS;
	}
	if (!read_bitmap(o->physical, o->input, begin, bitmap.bits, bitmap.first, &count))
		return false;
	if (count != bitmap.count)
		report_problem(o, what, at, "has another number of pages than it says");
	if (bitmap.first < begin + (bitmap.bits + 7) / 8)
		report_problem(o, what, at, "has pages that begin in it");
	else if (bitmap.first > o->input->size || count > (o->input->size - bitmap.first) / DUMP_PHYSICAL_PAGE)
		report_problem(o, what, at, "has pages that are past the end of the file");
	return true;
}

bool rs_kernel_pages_open(struct dump_physical *physical, const struct dump_input *input,
			  struct dump_problems *problems, const struct kernel_pages_header *header)
{
	const struct opening o = { physical, input, problems, header };
	*physical = (struct dump_physical){ .input = input };
	switch (header->type) {
	case KERNEL_DUMP_FULL:
		return open_full_dump(&o);
	case KERNEL_DUMP_SUMMARY:
	case KERNEL_DUMP_FULL_BITMAP:
	case KERNEL_DUMP_KERNEL_BITMAP:
	case KERNEL_DUMP_AUTOMATIC:
		return open_bitmap_dump(&o);
	case KERNEL_DUMP_KERNEL_RUNS:
	case KERNEL_DUMP_KERNEL_AND_USER_RUNS:
	case KERNEL_DUMP_FULL_RUNS:
		return open_windbg_dump(&o);
	default:
		return true;
	}
}

/* ------------------------------------------------------------------------------------------------ page tables */

enum { LEVELS = 5 };

enum {
	ENTRY_VALID = 1 << 0,
	ENTRY_LARGE = 1 << 7,
	ENTRY_PROTOTYPE = 1 << 10,
	ENTRY_TRANSITION = 1 << 11,
};

#define FRAME UINT64_C(0x000ffffffffff000) /* mask of the physical address in an entry of 64 bits */

/* A level of page tables. */
struct paging_level {
	uint8_t shift, bits; /* the index into the table is BITS bits of the address, from bit SHIFT on */
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

/* Whether the processor accepts ADDRESS.  An address of x64 must be canonical: its upper bits are all equal.  An
   address of x86 has at most 32 bits. */
static bool is_possible_address(enum dump_paging_kind kind, uint64_t address)
{
	const unsigned bits = kind == DUMP_PAGING_X64_5 ? 56 : 47;
	const uint64_t upper = address >> bits;
	if (kind == DUMP_PAGING_X64 || kind == DUMP_PAGING_X64_5)
		return upper == 0 || upper == UINT64_MAX >> bits;
	return address <= UINT32_MAX;
}

static bool read_page_table_entry(struct dump_paging *paging, uint64_t address, uint8_t size, uint64_t *entry)
{
	uint8_t bytes[8];
	const uint64_t offset = find_physical_byte(&paging->physical, address);
	if (offset == UINT64_MAX || !rs_dump_read(paging->physical.input, offset, bytes, size))
		return false;
	*entry = size == 4 ? rs_le32(bytes) : rs_le64(bytes);
	return true;
}

/* Returns the physical address of the byte at the virtual ADDRESS; UINT64_MAX: page tables map it to none. */
static uint64_t translate_address(struct dump_paging *paging, uint64_t address)
{
	const struct paging_scheme *scheme = &schemes[paging->kind];
	uint64_t table = paging->root;
	for (uint8_t i = 0; i < scheme->count; i++) {
		const struct paging_level *level = &scheme->levels[i];
		const uint64_t index = address >> level->shift & ((UINT64_C(1) << level->bits) - 1);
		const uint64_t within = address & ((UINT64_C(1) << level->shift) - 1);
		uint64_t entry;
		if (!read_page_table_entry(paging, table + index * scheme->entry, scheme->entry, &entry))
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

/* Find the bytes at the virtual ADDRESS, and store their *OFFSET in the file.  Returns how many bytes there are up to
   the end of their page; 0 if the dump lacks the page.  *GAP becomes the distance to the next page. */
static uint64_t find_virtual_page(struct dump_paging *paging, uint64_t address, uint64_t *offset, uint64_t *gap)
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
								 : find_physical_byte(&paging->physical, physical);
	}
	*offset = paging->known[i].offset + within;
	return paging->known[i].offset == UINT64_MAX ? 0 : *gap;
}

/* ------------------------------------------------------------------------------------------------ memory */

void rs_dump_memory_clear(struct dump_memory *memory)
{
	rs_dump_pieces_clear(&memory->pieces);
	if (memory->paging) {
		rs_dump_pieces_clear(&memory->paging->physical.runs);
		rs_free(memory->paging->physical.ranks);
	}
	rs_free(memory->paging);
	*memory = (struct dump_memory){ .paging = NULL };
}

size_t rs_dump_memory_read(const struct dump_memory *memory, uint64_t address, void *bytes, size_t size, uint64_t *gap)
{
	uint64_t offset;
	const uint64_t room = memory->paging ? find_virtual_page(memory->paging, address, &offset, gap)
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

bool rs_dump_read_mapped(const struct dump_memory *memory, const struct dump_range *image, uint64_t rva, void *bytes,
			 size_t size)
{
	return rs_in_range(rva, size, image->size) && image->base <= UINT64_MAX - rva &&
	       rs_dump_memory_read_all(memory, image->base + rva, bytes, size);
}
