/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.h - reads the bytes of a dump, and reports problems with them; reads the memory that a dump has, by virtual
 * addresses: from a list of pieces, or through page tables
 *
 * The pages of physical memory that a kernel dump has are in the file one after another.  A list of runs (a run is a
 * number of consecutive pages), or a bitmap with a bit for each page of the system, tells which pages they are.  A
 * bitmap is read a part at a time; only the number of set bits before each part is kept.  So this needs little memory.
 *
 * When Windows takes a page from a process, the page's entry in the page tables is no longer valid, but "in transition"
 * until the page frame gets another use.  Until then the entry still names the frame, and the page is found there.
 */
#ifndef DUMP_MEMORY_MEMORY_H
#define DUMP_MEMORY_MEMORY_H

#include "core/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ------------------------------------------------------------------------------------------------ the file */

struct dump_input {
	/* Read SIZE bytes at OFFSET, which are within the file.  False: they cannot be read. */
	bool (*read)(void *context, uint64_t offset, void *bytes, size_t size);
	void *context;
	uint64_t size; /* of the file, in bytes */
};

/* Returns the little-endian number at BYTES, which has 64 bits if WIDE, else 32. */
static inline uint64_t rs_dump_parse_pointer(bool wide, const uint8_t *bytes)
{
	return wide ? rs_le64(bytes) : rs_le32(bytes);
}

/* Read SIZE bytes at OFFSET.  False: some of them are past the end of the file, or cannot be read. */
bool rs_dump_read(const struct dump_input *input, uint64_t offset, void *bytes, size_t size);

enum { DUMP_KNOWN_PROBLEMS_MAX = 64 };

struct dump_problem {
	const char *what, *wrong;
	uint64_t number;
};

/* Where problems of a dump are reported.  A problem is found again whenever its bytes are read again, but each of the
   first DUMP_KNOWN_PROBLEMS_MAX is reported and counted once.  Later ones are reported and counted each time. */
struct dump_problems {
	/* Report a problem in static strings: WHAT, such as "the header", and what is WRONG, such as "is too short".
	   WHAT is at offset NUMBER of the file or, if IN_MEMORY, at address NUMBER of the memory that was dumped.
	   say() may be NULL: problems are then only counted. */
	void (*say)(void *context, const char *what, bool in_memory, uint64_t number, const char *wrong);
	void *context;
	uint32_t count;					    /* how many problems there were */
	struct dump_problem known[DUMP_KNOWN_PROBLEMS_MAX]; /* the first problems */
};

/* The text for WRONG if WHAT does not end within the file. */
extern const char rs_dump_past_end[];

/* Report that WHAT is WRONG, as for say().  The second function does so for WHAT at OFFSET of the file. */
void rs_dump_report_problem(struct dump_problems *problems, const char *what, bool in_memory, uint64_t number,
			    const char *wrong);
void rs_dump_add_problem(struct dump_problems *problems, const char *what, uint64_t offset, const char *wrong);

/* A list of entries in the file, as a header describes it. */
struct dump_list_claim {
	const char *what;     /* what the list is called when a problem is reported, at offset AT */
	uint64_t at, offset;  /* `offset` is where the first entry is */
	uint64_t count, room; /* how many entries the header claims, and for how many there is room */
	uint32_t size, most;  /* bytes of an entry; the most entries that are read */
};

/* Returns how many entries of LIST can be read.  If not all can be read, reports a problem. */
uint32_t rs_dump_count_entries(const struct dump_input *input, struct dump_problems *problems,
			       const struct dump_list_claim *list);

struct dump_piece {
	uint64_t address, size, offset; /* the SIZE bytes at ADDRESS are at OFFSET of the file */
};

/* All zeros is an empty list. */
struct dump_pieces {
	struct dump_piece *pieces; /* sorted by address, without overlap */
	size_t count;
	uint64_t file_size; /* in bytes */
};

/* Begin a list of at most MOST pieces of a file of FILE_SIZE bytes.  False: no memory is left.  rs_dump_pieces_clear()
   frees the list in either case. */
bool rs_dump_pieces_begin(struct dump_pieces *all, uint64_t file_size, size_t most);
/* Add PIECE, cut at the end of the file and of the address space.  Of pieces that overlap, the one with the lower
   address keeps the bytes. */
void rs_dump_pieces_add(struct dump_pieces *all, struct dump_piece piece);
/* Sort the pieces for rs_dump_pieces_find(), after all have been added, and remove overlaps. */
void rs_dump_pieces_sort_and_cut(struct dump_pieces *all);
void rs_dump_pieces_clear(struct dump_pieces *all);

/* Find the bytes at ADDRESS: store their offset in the file, and return how many bytes their piece has from there on.
   If no piece has ADDRESS, return 0: the next piece, if there is one, begins at ADDRESS + *GAP. */
uint64_t rs_dump_pieces_find(const struct dump_pieces *all, uint64_t address, uint64_t *offset, uint64_t *gap);

/* ------------------------------------------------------------------------------------------------ physical memory */

enum {
	DUMP_PHYSICAL_PAGE = 4096,
	DUMP_BITMAP_PART = 4096, /* bytes of a bitmap that are read at once */
};

#define DUMP_BITMAP_BITS (UINT64_C(1) << 32) /* the most bits that are read: those of 16 TiB of memory */

/* All zeros: the dump has no pages. */
struct dump_physical {
	const struct dump_input *input;
	struct dump_pieces runs;
	uint64_t next; /* offset in the file of the first page of the run that is added next */
	/* Without runs: the bitmap's offset, how many bits it has, and the offset of the first page. */
	uint64_t bitmap, bits, first;
	uint64_t *ranks; /* for each part of the bitmap, how many bits are set before it; NULL: there are runs */
	uint64_t part;	 /* number of the part that is in "bytes"; UINT64_MAX: none is */
	uint8_t bytes[DUMP_BITMAP_PART];
};

enum kernel_dump_type {
	KERNEL_DUMP_FULL = 1,
	KERNEL_DUMP_SUMMARY,
	KERNEL_DUMP_HEADER,
	KERNEL_DUMP_TRIAGE,
	KERNEL_DUMP_FULL_BITMAP,
	KERNEL_DUMP_KERNEL_BITMAP,
	KERNEL_DUMP_AUTOMATIC,
	KERNEL_DUMP_KERNEL_RUNS, /* this one and the next two are written by WinDbg's .dump */
	KERNEL_DUMP_KERNEL_AND_USER_RUNS,
	KERNEL_DUMP_FULL_RUNS,
};

enum { KERNEL_DUMP_RUNS = 1 << 20 }; /* the most runs of pages that are read */

/* The fields of a dump's header that describe its pages. */
struct kernel_pages_header {
	bool wide;	      /* of a 64-bit system */
	uint32_t type;	      /* enum kernel_dump_type */
	uint32_t end;	      /* size of the header: the offset of what follows it */
	const uint8_t *block; /* PHYSICAL_MEMORY_DESCRIPTOR in the header: KERNEL_PAGES_BLOCK bytes */
};

enum { KERNEL_PAGES_BLOCK = 700 };

/* Find the pages of INPUT.  If the dump is damaged, PHYSICAL gets only some pages or none, and PROBLEMS say why.  A
   dump of a type without pages gets none.  False: no heap memory is left. */
bool rs_kernel_pages_open(struct dump_physical *physical, const struct dump_input *input,
			  struct dump_problems *problems, const struct kernel_pages_header *header);

/* ------------------------------------------------------------------------------------------------ virtual memory */

enum dump_paging_kind {
	DUMP_PAGING_X86,   /* two levels, entries of 32 bits */
	DUMP_PAGING_PAE,   /* x86: three levels */
	DUMP_PAGING_X64,   /* four levels */
	DUMP_PAGING_X64_5, /* five levels */
};

enum { DUMP_PAGES_KNOWN = 256 }; /* slots of a cache of translations */

struct dump_paging {
	struct dump_physical physical;
	enum dump_paging_kind kind;
	uint64_t root; /* the physical address of the first table */
	/* A cache of translations, indexed by the number of the virtual page. */
	struct {
		uint64_t page;	 /* number of the virtual page, plus 1; 0: the slot is empty */
		uint64_t offset; /* where the page is in the file; UINT64_MAX: the dump lacks the page */
	} known[DUMP_PAGES_KNOWN];
};

/* Use the page tables to which BASE, a value of CR3 with flags, points.  The caller fills paging->physical. */
void rs_dump_paging_begin(struct dump_paging *paging, enum dump_paging_kind kind, uint64_t base);

/* The addresses of a module. */
struct dump_range {
	uint64_t base;
	uint32_t size;
};

/* All zeros: the dump has no memory. */
struct dump_memory {
	const struct dump_input *input;
	struct dump_pieces pieces;
	struct dump_paging *paging; /* NULL: "pieces" has the memory */
};

void rs_dump_memory_clear(struct dump_memory *memory);

/* Read up to SIZE bytes at the virtual ADDRESS, and return how many were read.  Returns 0 if the dump lacks the memory
   at ADDRESS; *GAP becomes how many bytes it lacks there.  If the file cannot be read, the result and *GAP are 0. */
size_t rs_dump_memory_read(const struct dump_memory *memory, uint64_t address, void *bytes, size_t size, uint64_t *gap);

/* Read SIZE bytes at the virtual ADDRESS.  False: some of them cannot be read. */
bool rs_dump_memory_read_all(const struct dump_memory *memory, uint64_t address, void *bytes, size_t size);

/* Read SIZE bytes at RVA of the IMAGE in MEMORY.  False: some of them are not in IMAGE, or cannot be read. */
bool rs_dump_read_mapped(const struct dump_memory *memory, const struct dump_range *image, uint64_t rva, void *bytes,
			 size_t size);

#endif
