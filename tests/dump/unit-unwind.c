// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Steps of rs_unwind_step() in an image that is made here: each operation, epilogs, leaves, interrupts, and what is hostile.
 *
 * MUTATIONS (environment, default 1000) is how many mutants there are.
 */
#include "config.h"
#include "tests/lib/steps.h"
#include "tests/lib/tap.h"
#include "unwind/calls.h"
#include "unwind/machine.h"

enum { PDATA = 0x3000, XDATA = 0x3100, F = 0x1000, G = 0x1100, CALLER = 0x2000 };
static const uint64_t base = 0x140000000, stack = WORLD_STACK_AT;

/* RET is the return address; the words of the stack are 0x1000 + their offset. */
#define RET (base + CALLER + 5)

static void put_entry(struct world *w, unsigned at, uint32_t begin, uint32_t end, uint32_t info)
{
	rs_put32(w->image + at, begin);
	rs_put32(w->image + at + 4, end);
	rs_put32(w->image + at + 8, info);
}

/* An image with functions at F and CALLER, which calls F, and with a leaf at G.  F has the UNWIND_INFO of SIZE bytes. */
static struct world make_world(const void *info, size_t size)
{
	struct world w = { .base = base };
	world_headers(w.image, 0x8664, PDATA, 24);
	world_fill(&w, 8);
	put_entry(&w, PDATA, F, F + 0x100, XDATA);
	put_entry(&w, PDATA + 12, CALLER, CALLER + 0x10, XDATA + 0x200);
	w.image[XDATA + 0x200] = 1;
	memcpy(w.image + XDATA, info, size);
	memset(w.image + F, 0x90, 0x200);
	w.image[CALLER] = 0xe8;
	rs_put32(w.image + CALLER + 1, (uint32_t)(F - (CALLER + 5)));
	return w;
}

static struct rossym_unwind_frame at(uint64_t ip, bool exact)
{
	struct rossym_unwind_frame frame = { .ip = ip, .exact = exact };
	frame.registers[UNWIND_SP] = stack + 0x40;
	return frame;
}

/* An image with the header of x64 and code for ARM64: the machine is that of the range, and so are calls. */
static void hybrid(void)
{
	static const struct {
		uint32_t rva;
		unsigned machine;
	} places[] = { { 0xfff, UNWIND_AMD64 },	    { F, UNWIND_ARM64 },      { F + 0xff, UNWIND_ARM64 },
		       { F + 0x100, UNWIND_AMD64 }, { G + 8, UNWIND_ARM64 },  { G + 0x10, UNWIND_AMD64 },
		       { CALLER, UNWIND_AMD64 },    { 0x3ff0, UNWIND_AMD64 }, { 0x2f00, UNWIND_AMD64 } };
	static const uint32_t ranges[][2] = {
		{ F + 1, 0x100 }, { G + 4, 0xc }, { CALLER + 2, 0x100 }, { 0x2f00 + 3, 0x10 }
	};
	enum { CONFIG = 0x3800, DIRECTORY = 64 + 24 + 112 + 10 * 8 };
	struct world w = make_world(BYTES("\1\1\1\0\1\x30")), fresh;
	struct unwind_space space = world_space(&w);
	struct rossym_unwind_frame frame = at(base + F + 8, true);
	bool proved, good = true;
	space.machine = UNWIND_I386;
	world_hybrid(w.image, base, CONFIG, ranges, 4);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		good &= rs_unwind_find_machine_at(&space, base + places[i].rva) == places[i].machine;
	ok(good, "ranges of code");
	world_hybrid(w.image, 0x180000000, CONFIG, ranges, 4);
	ok(rs_unwind_find_machine_at(&space, base + F) == UNWIND_ARM64, "... at another base");
	ok(world_step(&w, UNWIND_AMD64, &frame, &proved) == UNWIND_NOWHERE,
	   "code for ARM64 is not unwound by the rules of x64");
	memcpy(w.image + F, "\xe8\0\0\0\0\xff\xd0\x90", 8);
	ok(!rs_unwind_is_after_call(&space, base + F + 5) && !rs_unwind_is_after_call(&space, base + F + 7),
	   "... where calls of x64 are none");
	memcpy(w.image + F, "\x40\0\0\x94\0\x01\x3f\xd6", 8);
	ok(rs_unwind_find_call_target(&space, base + F + 4) == base + G &&
		   rs_unwind_is_after_call(&space, base + F + 8) && !rs_unwind_is_after_call(&space, base + F + 6),
	   "... but those of ARM64 are");
	memcpy(w.image + G + 4, "\x10\0\0\x90\x10\x02\x40\xf9\0\x02\x1f\xd6", 12);
	ok(rs_unwind_is_jump(&space, base + G + 4) && !rs_unwind_is_jump(&space, base + F), "... and jumps");
	memcpy(w.image + G + 4, "\x10\0\0\x14", 4);
	ok(rs_unwind_is_jump(&space, base + G + 4), "... of both kinds");
	ok(rs_unwind_find_call_target(&space, base + CALLER + 5) == base + F, "a call of x64 in the same image");

	fresh = w;
	rs_put32(w.image + CONFIG, 207);
	ok(rs_unwind_find_machine_at(&space, base + F) == UNWIND_AMD64, "a load configuration that is too short");
	w = fresh;
	rs_put32(w.image + CONFIG + 204, 0x7fff);
	ok(rs_unwind_find_machine_at(&space, base + F) == UNWIND_AMD64, "metadata outside of the image");
	w = fresh;
	rs_put32(w.image + CONFIG + 0x144, 0x7ffffff0);
	ok(rs_unwind_find_machine_at(&space, base + F) == UNWIND_AMD64, "ranges outside of the image");
	w = fresh;
	rs_put32(w.image + DIRECTORY - 10 * 8 - 4, 10);
	ok(rs_unwind_find_machine_at(&space, base + F) == UNWIND_AMD64, "no load configuration");
	w = fresh;
	w.unknown = 64;
	ok(rs_unwind_find_machine_at(&space, base + F) == UNWIND_I386, "no headers");
	ok(rs_unwind_find_machine_at(&space, base - 1) == UNWIND_I386, "no module");

	/* The same for i386, where kind 1 is ARM64: an image of Windows 10 for ARM64. */
	w = (struct world){ .base = base };
	world_headers(w.image, 0x14c, 0, 0);
	rs_put16(w.image + 64 + 24, 0x10b);
	rs_put32(w.image + 64 + 24 + 28, 0x400000);
	rs_put32(w.image + 64 + 24 + 92, 16);
	rs_put32(w.image + 64 + 24 + 96 + 80, CONFIG);
	rs_put32(w.image + CONFIG, 128);
	rs_put32(w.image + CONFIG + 124, 0x400000 + CONFIG + 128);
	rs_put32(w.image + CONFIG + 132, CONFIG + 140);
	rs_put32(w.image + CONFIG + 136, 1);
	rs_put32(w.image + CONFIG + 140, F + 1);
	rs_put32(w.image + CONFIG + 144, 0x100);
	ok(rs_unwind_find_machine_at(&space, base + F) == UNWIND_ARM64 &&
		   rs_unwind_find_machine_at(&space, base + G) == UNWIND_I386,
	   "ranges of an image for i386");
}

/* A walk over random information ends after few reads. */
static const char *try_mutant(unsigned long seed)
{
	static const uint8_t nothing[] = { 1, 0, 0, 0 };
	(void)seed;
	struct world w = make_world(nothing, sizeof nothing);
	for (int n = 0; n < 40; n++)
		w.image[XDATA + random_below(0x60)] = (uint8_t)random_below(256);
	w.image[XDATA] = (uint8_t)(1 + random_below(2) + 8 * (random_below(8)));
	for (unsigned i = 0; i < WORLD_STACK; i += 8)
		makepe_put(w.stack + i, base + F + random_below(0x100), 8);
	for (int n = 0; n < 20; n++)
		w.image[F + random_below(0x100)] = (uint8_t)random_below(256);
	const unsigned frames = world_walk(&w, UNWIND_AMD64, at(base + F + random_below(0x100), true), 1000);
	return w.reads <= 2000ul * (frames + 1) ? NULL : "too many reads or frames";
}

int main(void)
{
	static struct steps steps = { .machine = UNWIND_AMD64, .base = base, .make = make_world, .at = at };
	steps_open(&steps, "tests/dump/unit-unwind.cases");
	steps_run(&steps, "steps");
	steps_run(&steps, "places");
	hybrid();
	steps_run(&steps, "interrupts and parts");
	steps_run(&steps, "damaged");
	cases_close(&steps.cases);
	mutants_try("mutants", 1, try_mutant);
	return done_testing();
}
