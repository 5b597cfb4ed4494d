/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/debuginfo/base/discard.c: which bytes of an image lose their content, and which never do. */
#include "config.h"
#include "compat/pages.h"
#include "debuginfo/base/discard.h"
#include "tests/lib/tap.h"

#include <stdlib.h>
#include <string.h>

/* The file has headers, .text, .stab, .debug_loc and a string table, in this order.  The two debug sections begin and
   end at the boundaries of pages, so the system can take back all of their bytes. */
enum {
	PE = 64,
	OPTIONAL = PE + 24,
	HEADERS = OPTIONAL + 224,
	SECTION = 40,
	TEXT = 0x400,
	TEXT_END = 0x20000,
	STAB = TEXT_END,
	LOC = 0x60000,
	LOC_END = 0xa0000,
	SYMBOLS = LOC_END,
	SIZE = SYMBOLS + 32,
	CODE = 0x60000020,
	DEBUG = 0x42100040,
};

static uint8_t *image, before[SIZE];

static void put(size_t at, uint32_t number)
{
	for (size_t i = 0; i < 4; i++)
		image[at + i] = (uint8_t)(number >> 8 * i);
}

static void put_section(unsigned number, const char *name, uint32_t raw, uint32_t end, uint32_t characteristics)
{
	const size_t at = HEADERS + number * SECTION;
	memset(image + at, 0, SECTION);
	memcpy(image + at, name, strlen(name));
	put(at + 8, end - raw);
	put(at + 12, 0x100000 * (number + 1));
	put(at + 16, end - raw);
	put(at + 20, raw);
	put(at + 36, characteristics);
}

/* Let the string table begin at AT.  COFF symbols come before it; there are none. */
static void put_symbols(uint32_t at)
{
	put(PE + 12, at);
	put(at, 4 + sizeof ".debug_loc");
	memcpy(image + at + 4, ".debug_loc", sizeof ".debug_loc");
}

static void start(void)
{
	memset(image, 0xaa, SIZE);
	memset(image, 0, TEXT);
	memcpy(image, "MZ", 2);
	put(60, PE);
	memcpy(image + PE, "PE", 2);
	put(PE + 4, 0x14c | 3 << 16); /* i386, three sections */
	put(PE + 20, 224);
	put(OPTIONAL, 0x10b);
	put(OPTIONAL + 56, 0x500000); /* SizeOfImage */
	put(OPTIONAL + 60, TEXT);     /* SizeOfHeaders */
	put_section(0, ".text", TEXT, TEXT_END, CODE);
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
   bytes must stay. */
static void check(size_t size, size_t units, bool stab_goes, bool loc_goes, const char *name)
{
	memcpy(before, image, SIZE);
	rs_debuginfo_discard_sections(image, size, units);
	ok((stab_goes ? is_gone(STAB, LOC) : memcmp(image + STAB, before + STAB, LOC - STAB) == 0) &&
		   (loc_goes ? is_gone(LOC, LOC_END) : memcmp(image + LOC, before + LOC, LOC_END - LOC) == 0) &&
		   memcmp(image, before, STAB) == 0 && memcmp(image + LOC_END, before + LOC_END, SIZE - LOC_END) == 0,
	   "%s", name);
}

int main(void)
{
#if !defined(HAVE_SYS_MMAN_H) || !defined(MADV_DONTNEED)
	return skip_all("memory cannot be given back here");
#endif
	enum { PAGE = 1 << 16 }; /* the largest of all systems */
	uint8_t *memory = malloc(SIZE + PAGE);
	if (!memory)
		abort();
	image = memory + (PAGE - (uintptr_t)memory % PAGE);
	start();
	check(SIZE, 0, false, true, "what no reader looks at");
	check(SIZE, DISCARD_ALL, true, false, "then the rest");
	start();
	memcpy(image + SYMBOLS + 4, ".debug_line", sizeof ".debug_line");
	check(SIZE, 0, false, false, "lines are read");
	check(SIZE, DISCARD_ALL, true, true, "up to their time");
	start();
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
	check(SIZE, DISCARD_ALL, true, true, "all at once");
	start();
	put_section(0, ".text", TEXT, STAB + 1, CODE);
	check(SIZE, DISCARD_ALL, false, true, "not what code has a byte of");
	start();
	put_section(0, ".rdata", LOC - 1, LOC, 0x40000040);
	check(SIZE, DISCARD_ALL, false, true, "nor data");
	start();
	put_section(1, ".stab", STAB, LOC + 1, DEBUG);
	check(SIZE, DISCARD_ALL, false, false, "nor another debug section");
	start();
	put_section(1, ".stab", STAB, LOC, CODE);
	check(SIZE, DISCARD_ALL, false, true, "nor code that has such a name");
	start();
	put_symbols(LOC_END - 0x1000);
	check(SIZE, DISCARD_ALL, true, false, "nor symbols and names");
	start();
	put(OPTIONAL + 60, STAB + 1);
	check(SIZE, DISCARD_ALL, false, true, "nor headers");
	start();
	put(OPTIONAL + 60, LOC + 1);
	check(SIZE, DISCARD_ALL, false, false, "nor headers that are most of the file");
	start();
	put_section(2, "/4", LOC, SIZE + 1, DEBUG);
	check(SIZE, DISCARD_ALL, true, false, "nor a section that the file has not whole");
	start();
	put(PE + 4, 0x14c | 256 << 16);
	check(SIZE, DISCARD_ALL, true, true, "of 256 sections, of which most are nothing");
	start();
	put(PE + 4, 0x14c | 257 << 16);
	check(SIZE, DISCARD_ALL, false, false, "of 257 none");
	start();
	image[PE] = 'X';
	check(SIZE, DISCARD_ALL, false, false, "nothing of what is no image");
	free(memory);
	return done_testing();
}
