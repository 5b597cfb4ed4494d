// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Steps of rs_unwind_step() in an image that is made here: what compilers do not write, places outside of functions, and what is
 * hostile.  Codes and packed entries that compilers write: tests/witness/witness-arm64.sh.
 *
 * Environment: MUTATIONS (default 1000) is how many mutants there are; UNWIND_KEEP is a directory to which an image is written.
 */
#include "config.h"
#include "tests/lib/files.h"
#include "tests/lib/steps.h"
#include "tests/lib/tap.h"

enum { PDATA = 0x3000, XDATA = 0x3100, F = 0x1000, G = 0x1200, CALLER = 0x2000 };
enum { FP = UNWIND_ARM64_FP, LR, SP };
static const uint64_t base = 0x140000000, stack = WORLD_STACK_AT;

/* RET is where a call of F returns to; the words of the stack are 0x1000 + their offset. */
#define RET (base + CALLER + 4)

static uint32_t call(uint32_t from, uint32_t to)
{
	return 0x94000000 | ((to - from) / 4 & 0x3ffffff);
}

/* F has 0x100 bytes, and .xdata with the codes of SIZE bytes, a multiple of 4; CALLER calls it. */
static struct world make_world(const void *codes, size_t size)
{
	struct world w = { .base = base };
	world_headers(w.image, 0xaa64, PDATA, 16);
	world_fill(&w, 8);
	rs_put32(w.image + PDATA, F);
	rs_put32(w.image + PDATA + 4, XDATA);
	rs_put32(w.image + PDATA + 8, CALLER);
	rs_put32(w.image + PDATA + 12, 1 | 4 << 2 | 3 << 21 | 1 << 23); /* stp x29, lr, [sp, #-16]!; mov x29, sp */
	rs_put32(w.image + XDATA, 0x40 | (uint32_t)size / 4 << 27);
	memcpy(w.image + XDATA + 4, codes, size);
	rs_put32(w.image + CALLER, call(CALLER, F));
	return w;
}

static struct rossym_unwind_frame at(uint64_t ip, bool exact)
{
	struct rossym_unwind_frame frame = { .ip = ip, .exact = exact };
	for (unsigned i = 0; i < FP; i++)
		frame.registers[i] = i;
	frame.registers[FP] = stack + 0x80;
	frame.registers[LR] = RET;
	frame.registers[SP] = stack + 0x40;
	return frame;
}

/* Where in F which codes are undone.  F has alloc_s of 16 and 32 bytes as its prolog, and epilogs that free 64 and 32. */
static void places_in_function(void)
{
	static const uint32_t scopes[] = { 0x20 / 4 | 3u << 22, 0x40 / 4 | 1u << 22 };
	static const struct {
		uint32_t offset, sp;
	} want[] = { { 0, 0x40 },    { 4, 0x50 },    { 8, 0x70 },    { 0x1c, 0x70 }, { 0x20, 0x80 }, { 0x24, 0x40 },
		     { 0x28, 0x70 }, { 0x3c, 0x70 }, { 0x40, 0x50 }, { 0x44, 0x40 }, { 0x48, 0x70 } };
	for (int extended = 0; extended < 2; extended++) {
		struct world w = make_world(BYTES("\xe4\xe4\xe4\xe4"));
		uint8_t *at_scopes = w.image + XDATA + (extended ? 8 : 4);
		rs_put32(w.image + XDATA, 0x40 | (extended ? 0 : 2u << 22 | 2u << 27));
		rs_put32(w.image + XDATA + 4, 2u | 2u << 16); /* of an extended header */
		rs_put32(at_scopes, scopes[0]);
		rs_put32(at_scopes + 4, scopes[1]);
		memcpy(at_scopes + 8, "\x02\x01\xe4\x04\xe4\xe4\xe4\xe4", 8);
		bool good = true, proved;
		for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
			struct rossym_unwind_frame frame = at(base + F + want[i].offset, true);
			const enum unwind_result result = world_step(&w, UNWIND_ARM64, &frame, &proved);
			if (result == UNWIND_CALLER && frame.registers[SP] == stack + want[i].sp)
				continue;
			good = false;
			diag("offset %x: result %d, sp %llx", (unsigned)want[i].offset, (int)result,
			     (unsigned long long)frame.registers[SP]);
		}
		ok(good, "prolog and epilogs, %s header", extended ? "extended" : "short");
	}
}

/* A walk over random data ends after few reads. */
static const char *try_mutant(unsigned long seed)
{
	(void)seed;
	struct world w = make_world(BYTES("\x81\xe4\xe3\xe3"));
	for (int n = 0; n < 60; n++)
		w.image[XDATA + random_below(0x60)] = (uint8_t)random_below(256);
	w.image[XDATA + 2] &= 0xf3;
	if (random_below(4) == 0)
		rs_put32(w.image + PDATA + 4, (uint32_t)random_below(0x7fffffff) | 1);
	for (unsigned i = 0; i < WORLD_STACK; i += 8)
		makepe_put(w.stack + i, random_below(2) ? RET : stack + random_below(WORLD_STACK), 8);
	for (unsigned i = F; i < F + 0x100; i += 4)
		rs_put32(w.image + i, call(i, random_below(2) ? F : CALLER));
	const unsigned frames = world_walk(&w, UNWIND_ARM64, at(base + F + random_below(0x100), true), 1000);
	return w.reads <= 2000ul * (frames + 1) && frames <= WORLD_STACK / 8 + 2 ? NULL : "too many reads or frames";
}

/* The image as a file: all of it are its headers.  It is that of the dumps of tests/lib/makedump.h. */
static void keep(void)
{
	struct world w = make_world(BYTES("\xe6\xcc\x03\x81\xe4\xe3\xe3\xe3")); /* pushes x29 and lr, x19 to x22 */
	rs_put32(w.image + 64 + 8, 0x5db90293);
	rs_put32(w.image + 64 + 24 + 56, 0x10000);
	rs_put32(w.image + 64 + 24 + 60, WORLD_IMAGE);
	files_keep("UNWIND_KEEP", "arm64", w.image, WORLD_IMAGE);
}

int main(void)
{
	static struct steps steps = { .machine = UNWIND_ARM64, .base = base, .make = make_world, .at = at };
	steps_open(&steps, "tests/dump/unit-unwind-arm64.cases");
	steps_run(&steps, "codes");
	steps_run(&steps, "refused");
	steps_run(&steps, "places");
	cases_close(&steps.cases);
	places_in_function();
	mutants_try("mutants", 1, try_mutant);
	keep();
	return done_testing();
}
