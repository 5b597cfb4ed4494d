// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Steps of rs_unwind_step() in an image that is made here: each operation, epilogs, leaves, interrupts, and what is hostile.
 *
 * MUTATIONS (environment, default 1000) is how many mutants there are.
 */
#include "config.h"
#include "tests/lib/tap.h"
#include "tests/lib/world.h"
#include "unwind/calls.h"
#include "unwind/machine.h"

#include <stdlib.h>

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
static struct world make_world(const uint8_t *info, size_t size)
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

static enum unwind_result step(struct world *w, struct rossym_unwind_frame *frame, bool *proved)
{
	return world_step(w, UNWIND_AMD64, frame, proved);
}

enum { RBX = 3, RBP = 5, RSI = 6 };

/* rsp is STACK + 0x40, rbp STACK + 0x80. */
static void steps(struct case_file *cases)
{
	uint8_t info[WORLD_CASE], code[WORLD_CASE];
	uint32_t n[5];
	while (cases_next(cases, "steps")) {
		const char *rest = cases->expected;
		const size_t info_size = world_take_bytes(cases, &rest, info);
		const size_t code_size = world_take_bytes(cases, &rest, code);
		world_take_numbers(rest, n, 5);
		struct world w = make_world(info, info_size);
		struct rossym_unwind_frame frame = { .ip = base + F + n[0], .exact = true };
		bool proved = false;
		frame.registers[UNWIND_SP] = stack + 0x40;
		frame.registers[RBX] = 3;
		frame.registers[RBP] = stack + 0x80;
		frame.registers[RSI] = 6;
		memcpy(w.image + F + n[0], code, code_size);
		world_put64(w.stack + n[1], RET);
		const bool good = step(&w, &frame, &proved) == UNWIND_CALLER && frame.ip == RET && !frame.exact;
		if (!ok(good && frame.registers[UNWIND_SP] == stack + n[1] + 8 && frame.registers[RBX] == n[2] &&
				frame.registers[RBP] == n[3] && frame.registers[RSI] == n[4] && proved,
			"%s", cases->input))
			diag("ip %llx rsp %llx rbx %llx rbp %llx rsi %llx proved %d", (unsigned long long)frame.ip,
			     (unsigned long long)frame.registers[UNWIND_SP], (unsigned long long)frame.registers[RBX],
			     (unsigned long long)frame.registers[RBP], (unsigned long long)frame.registers[RSI],
			     proved);
	}
}

static struct rossym_unwind_frame at(uint64_t ip, bool exact)
{
	struct rossym_unwind_frame frame = { .ip = ip, .exact = exact };
	frame.registers[UNWIND_SP] = stack + 0x40;
	return frame;
}

/* What the result is where there is nothing to undo. */
static void places(void)
{
	static const uint8_t nothing[] = { 1, 0, 0, 0 };
	const struct world fresh = make_world(nothing, sizeof nothing);
	struct world w = fresh;
	struct rossym_unwind_frame frame = at(base + G, true);
	bool proved;
	world_put64(w.stack + 0x40, RET);
	ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.ip == RET && !proved, "a leaf function");
	frame = at(base + G + 4, false);
	ok(step(&w, &frame, &proved) == UNWIND_NOWHERE && frame.ip == base + G + 4, "a leaf has no callees");
	w.image[CALLER] = 0x90;
	frame = at(base + F, true);
	ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.ip == RET && frame.exact && !proved,
	   "a return address that is behind no call is the place of an exception");
	frame = at(base + G, true);
	ok(step(&w, &frame, &proved) == UNWIND_NOWHERE, "... not of a leaf");
	w.image[CALLER] = 0xe8;
	frame = at(0, true);
	ok(step(&w, &frame, &proved) == UNWIND_SCANNED && frame.ip == RET, "a call of NULL");
	frame = at(base + CALLER + 0x10, false);
	ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.ip == RET, "after a call that does not return");
	frame = at(0, true);
	w.image[CALLER] = 0xe9;
	ok(step(&w, &frame, &proved) == UNWIND_NOWHERE, "no call before the word");
	memcpy(w.image + CALLER + 3, "\xff\xd0", 2);
	ok(step(&w, &frame, &proved) == UNWIND_SCANNED && !proved, "a call through a register");
	frame = at(base + F, true);
	ok(step(&w, &frame, &proved) == UNWIND_CALLER && !proved, "... proves nothing");
	w = fresh;
	world_put64(w.stack + 0x40, 0);
	frame = at(base + F, true);
	ok(step(&w, &frame, &proved) == UNWIND_END, "no return address");
	frame.registers[UNWIND_SP] = stack + WORLD_STACK;
	ok(step(&w, &frame, &proved) == UNWIND_MEMORY, "no stack");
	w.image[64] = 0;
	ok(step(&w, &frame, &proved) == UNWIND_DAMAGED, "no image");
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
	struct world w = make_world((const uint8_t *)"\1\1\1\0\1\x30", 6), fresh;
	struct unwind_space space = world_space(&w);
	struct rossym_unwind_frame frame = at(base + F + 8, true);
	bool proved, good = true;
	space.machine = UNWIND_I386;
	world_hybrid(w.image, base, CONFIG, ranges, 4);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		good &= rs_unwind_machine_at(&space, base + places[i].rva) == places[i].machine;
	ok(good, "ranges of code");
	world_hybrid(w.image, 0x180000000, CONFIG, ranges, 4);
	ok(rs_unwind_machine_at(&space, base + F) == UNWIND_ARM64, "... at another base");
	ok(step(&w, &frame, &proved) == UNWIND_NOWHERE, "code for ARM64 is not unwound by the rules of x64");
	memcpy(w.image + F, "\xe8\0\0\0\0\xff\xd0\x90", 8);
	ok(!rs_unwind_is_after_call(&space, base + F + 5) && !rs_unwind_is_after_call(&space, base + F + 7),
	   "... where calls of x64 are none");
	memcpy(w.image + F, "\x40\0\0\x94\0\x01\x3f\xd6", 8);
	ok(rs_unwind_call_target(&space, base + F + 4) == base + G && rs_unwind_is_after_call(&space, base + F + 8) &&
		   !rs_unwind_is_after_call(&space, base + F + 6),
	   "... but those of ARM64 are");
	memcpy(w.image + G + 4, "\x10\0\0\x90\x10\x02\x40\xf9\0\x02\x1f\xd6", 12);
	ok(rs_unwind_is_jump(&space, base + G + 4) && !rs_unwind_is_jump(&space, base + F), "... and jumps");
	memcpy(w.image + G + 4, "\x10\0\0\x14", 4);
	ok(rs_unwind_is_jump(&space, base + G + 4), "... of both kinds");
	ok(rs_unwind_call_target(&space, base + CALLER + 5) == base + F, "a call of x64 in the same image");

	fresh = w;
	rs_put32(w.image + CONFIG, 207);
	ok(rs_unwind_machine_at(&space, base + F) == UNWIND_AMD64, "a load configuration that is too short");
	w = fresh;
	rs_put32(w.image + CONFIG + 204, 0x7fff);
	ok(rs_unwind_machine_at(&space, base + F) == UNWIND_AMD64, "metadata outside of the image");
	w = fresh;
	rs_put32(w.image + CONFIG + 0x144, 0x7ffffff0);
	ok(rs_unwind_machine_at(&space, base + F) == UNWIND_AMD64, "ranges outside of the image");
	w = fresh;
	rs_put32(w.image + DIRECTORY - 10 * 8 - 4, 10);
	ok(rs_unwind_machine_at(&space, base + F) == UNWIND_AMD64, "no load configuration");
	w = fresh;
	w.unknown = 64;
	ok(rs_unwind_machine_at(&space, base + F) == UNWIND_I386, "no headers");
	ok(rs_unwind_machine_at(&space, base - 1) == UNWIND_I386, "no module");

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
	ok(rs_unwind_machine_at(&space, base + F) == UNWIND_ARM64 &&
		   rs_unwind_machine_at(&space, base + G) == UNWIND_I386,
	   "ranges of an image for i386");
}

static void machine_frame(bool error_code)
{
	static const uint8_t info[] = { 1, 1, 2, 0, 1, 0x02, 0, 0x0a };
	struct world w = make_world(info, sizeof info);
	struct rossym_unwind_frame frame = at(base + F + 0x50, true);
	bool proved;
	w.image[XDATA + 7] = error_code ? 0x1a : 0x0a;
	world_put64(w.stack + 0x48 + (error_code ? 8 : 0), base + G + 7);
	world_put64(w.stack + 0x60 + (error_code ? 8 : 0), stack + 0x10);
	ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.exact && frame.ip == base + G + 7 && !proved &&
		   frame.registers[UNWIND_SP] == stack + 0x10,
	   "an interrupt %s error code", error_code ? "with" : "without");
}

static void chains(void)
{
	/* F's part has a push; its parent, the entry at CALLER, an allocation. */
	uint8_t info[20] = { 1 | 4 << 3, 1, 1, 0, 1, 0x30 };
	rs_put32(info + 8, CALLER);
	rs_put32(info + 12, CALLER + 0x10);
	rs_put32(info + 16, XDATA + 0x200);
	struct world w = make_world(info, sizeof info);
	struct rossym_unwind_frame frame = at(base + F + 0x50, true);
	bool proved;
	memcpy(w.image + XDATA + 0x200, "\1\1\1\0\1\2", 6);
	rs_put32(w.image + CALLER + 1, (uint32_t)-5);
	world_put64(w.stack + 0x50, RET);
	ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.registers[UNWIND_SP] == stack + 0x58 && proved,
	   "a part and its parent; a call of the parent proves");
	rs_put32(w.image + XDATA + 16, XDATA);
	frame = at(base + F + 0x50, true);
	w.reads = 0;
	ok(step(&w, &frame, &proved) == UNWIND_DAMAGED && w.reads < 1000, "parts in a circle");
	rs_put32(w.image + PDATA + 8, PDATA | 1);
	ok(step(&w, &frame, &proved) == UNWIND_DAMAGED, "an entry that refers to itself");
	rs_put32(w.image + PDATA + 8, 0x10000000);
	ok(step(&w, &frame, &proved) == UNWIND_MEMORY, "information outside of the image");
}

/* F is a part of the function at CALLER: its entry refers to the other one, whose prolog has run. */
static void references(void)
{
	static const uint8_t nothing[] = { 1, 0, 0, 0 };
	struct world w = make_world(nothing, sizeof nothing);
	struct rossym_unwind_frame frame = at(base + F, true);
	bool proved;
	memcpy(w.image + XDATA + 0x200, "\1\5\2\0\5\x32\1\x30", 8);
	rs_put32(w.image + PDATA + 8, (PDATA + 12) | 1);
	rs_put32(w.image + CALLER + 1, (uint32_t)-5);
	world_put64(w.stack + 0x68, RET);
	ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.ip == RET && frame.registers[RBX] == 0x1060 && proved,
	   "the first instruction of a part");
	frame = at(base + CALLER + 1, true);
	world_put64(w.stack + 0x48, RET);
	ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.ip == RET && frame.registers[RBX] == 0x1040,
	   "... the prolog of the whole");
}

static void damaged(struct case_file *cases)
{
	uint8_t info[WORLD_CASE];
	while (cases_next(cases, "damaged")) {
		const char *rest = cases->expected;
		struct world w = make_world(info, world_take_bytes(cases, &rest, info));
		struct rossym_unwind_frame frame = at(base + F + 0x50, true);
		bool proved;
		frame.registers[RBP] = stack + 0x20;
		ok(step(&w, &frame, &proved) == UNWIND_DAMAGED && frame.ip == base + F + 0x50, "%s", cases->input);
	}
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
		world_put64(w.stack + i, base + F + random_below(0x100));
	for (int n = 0; n < 20; n++)
		w.image[F + random_below(0x100)] = (uint8_t)random_below(256);
	const unsigned frames = world_walk(&w, UNWIND_AMD64, at(base + F + random_below(0x100), true), 1000);
	return w.reads <= 2000ul * (frames + 1) ? NULL : "too many reads or frames";
}

int main(void)
{
	struct case_file cases;
	cases_open(&cases, "tests/dump/unit-unwind.cases");
	steps(&cases);
	places();
	hybrid();
	machine_frame(false);
	machine_frame(true);
	chains();
	references();
	damaged(&cases);
	mutants_try("mutants", 1, try_mutant);
	cases_close(&cases);
	return done_testing();
}
