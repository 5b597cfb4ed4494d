/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/debuginfo/base/discard.c: which bytes of an image lose their content, and which never do. */
#include "config.h"
#include "compat/pages.h"
#include "debuginfo/base/discard.h"
#include "tests/lib/makepe.h"
#include "tests/lib/memory.h"
#include "tests/lib/tap.h"

/* The file has headers, .text, .stab, .debug_loc and a string table, in this order.  The two debug sections begin and
   end at the boundaries of pages, so the system can take back all of their bytes. */
enum { TEXT = 0x400, STAB = 0x20000, LOC = 0x60000, LOC_END = 0xa0000, SYMBOLS = LOC_END, SIZE = SYMBOLS + 32 };
enum { SIZE_OF_HEADERS = MAKEPE_OPT + 60, DEBUG = 0x42100040 };

static uint8_t *image, before[SIZE];

static void put(size_t at, uint32_t number)
{
	makepe_put(image + at, number, 4);
}

static void put_section(unsigned number, const char *name, uint32_t raw, uint32_t end, uint32_t characteristics)
{
	struct makepe_section section = { "", 0x100000 * (number + 1), end - raw, end - raw, characteristics };
	strcpy(section.name, name);
	makepe_put_section(image, number, &section, raw);
	put(MAKEPE_PE + 4, 0x14c | 3 << 16); /* i386, three sections */
}

/* Let the string table begin at AT.  COFF symbols come before it; there are none. */
static void put_symbols(uint32_t at)
{
	put(MAKEPE_PE + 12, at);
	put(at, 4 + sizeof ".debug_loc");
	memcpy(image + at + 4, ".debug_loc", sizeof ".debug_loc");
}

static void start(void)
{
	memset(image, 0xaa, SIZE);
	memset(image, 0, TEXT);
	makepe_put_start(image, false, 0, 0x500000);
	put(SIZE_OF_HEADERS, TEXT);
	put_section(0, ".text", TEXT, STAB, MAKEPE_CODE);
	put_section(1, ".stab", STAB, LOC, DEBUG);
	put_section(2, "/4", LOC, LOC_END, DEBUG);
	put_symbols(SYMBOLS);
}

static bool is_gone(size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i++)
		if (image[i] != 0)
			return false;
	return true;
}

/* Call rs_debuginfo_discard_sections().  STAB_GOES, LOC_GOES: whether .stab and .debug_loc must lose their content.  All other
   bytes must stay.  After DISCARD_ALL the file is as it was in the beginning. */
static void check(size_t units, bool stab_goes, bool loc_goes, const char *name)
{
	memcpy(before, image, SIZE);
	rs_debuginfo_discard_sections(image, SIZE, units);
	ok((stab_goes ? is_gone(STAB, LOC) : memcmp(image + STAB, before + STAB, LOC - STAB) == 0) &&
		   (loc_goes ? is_gone(LOC, LOC_END) : memcmp(image + LOC, before + LOC, LOC_END - LOC) == 0) &&
		   memcmp(image, before, STAB) == 0 && memcmp(image + LOC_END, before + LOC_END, SIZE - LOC_END) == 0,
	   "%s", name);
	if (units == DISCARD_ALL)
		start();
}

int main(void)
{
#if !defined(HAVE_SYS_MMAN_H) || !defined(MADV_DONTNEED)
	return skip_all("memory cannot be given back here");
#endif
	enum { PAGE = 1 << 16 }; /* the largest of all systems */
	uint8_t *memory = needed(malloc(SIZE + PAGE));
	image = memory + (PAGE - (uintptr_t)memory % PAGE);
	start();
	check(0, false, true, "what no reader looks at");
	check(DISCARD_ALL, true, false, "then the rest");
	memcpy(image + SYMBOLS + 4, ".debug_line", sizeof ".debug_line");
	check(0, false, false, "lines are read");
	check(DISCARD_ALL, true, true, "up to their time");
	memcpy(image + SYMBOLS + 4, ".debug_info", sizeof ".debug_info");
	memcpy(before, image, SIZE);
	rs_debuginfo_discard_sections(image, SIZE, 0x20000);
	ok(is_gone(LOC, LOC + 0x20000) && memcmp(image, before, LOC) == 0 &&
		   memcmp(image + LOC + 0x20000, before + LOC + 0x20000, SIZE - LOC - 0x20000) == 0,
	   "the first units");
	rs_debuginfo_discard_sections(image, SIZE, SIZE_MAX - 1);
	ok(is_gone(LOC, LOC_END) && memcmp(image + LOC_END, before + LOC_END, SIZE - LOC_END) == 0,
	   "at most all of them");
	start();
	check(DISCARD_ALL, true, true, "all at once");
	put_section(0, ".text", TEXT, STAB + 1, MAKEPE_CODE);
	check(DISCARD_ALL, false, true, "not what code has a byte of");
	put_section(0, ".rdata", LOC - 1, LOC, 0x40000040);
	check(DISCARD_ALL, false, true, "nor data");
	put_section(1, ".stab", STAB, LOC + 1, DEBUG);
	check(DISCARD_ALL, false, false, "nor another debug section");
	put_section(1, ".stab", STAB, LOC, MAKEPE_CODE);
	check(DISCARD_ALL, false, true, "nor code that has such a name");
	put_symbols(LOC_END - 0x1000);
	check(DISCARD_ALL, true, false, "nor symbols and names");
	put(SIZE_OF_HEADERS, STAB + 1);
	check(DISCARD_ALL, false, true, "nor headers");
	put(SIZE_OF_HEADERS, LOC + 1);
	check(DISCARD_ALL, false, false, "nor headers that are most of the file");
	put_section(2, "/4", LOC, SIZE + 1, DEBUG);
	check(DISCARD_ALL, true, false, "nor a section that the file has not whole");
	put(MAKEPE_PE + 4, 0x14c | 256 << 16);
	check(DISCARD_ALL, true, true, "of 256 sections, of which most are nothing");
	put(MAKEPE_PE + 4, 0x14c | 257 << 16);
	check(DISCARD_ALL, false, false, "of 257 none");
	image[MAKEPE_PE] = 'X';
	check(DISCARD_ALL, false, false, "nothing of what is no image");
	free(memory);
	return done_testing();
}
