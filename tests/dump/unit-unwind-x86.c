// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Steps of rs_unwind_step() in an image that is made here: each operation of CFI programs and expressions, the ends of
 * functions, chains of ebp, scanning, and what is hostile.
 *
 * Environment: MUTATIONS (default 1000) is how many mutants there are; UNWIND_KEEP is a directory to which an image is written.
 */
#include "config.h"
#include "tests/lib/files.h"
#include "tests/lib/steps.h"
#include "tests/lib/tap.h"

enum { EH = 0x3000, F = 0x1000, G = 0x1100, CALLER = 0x2000 };
enum { ECX = 1, EBX = 3, ESP, EBP, ESI, EDI };
static const uint32_t base = 0x400000, stack = WORLD_STACK_AT;

/* RET is the return address of a call of F; the words of the stack are 0x1000 + their offset. */
#define RET (base + CALLER + 5)

/* Append SIZE BYTES, padded with zeros to a multiple of 4, as an entry with the reference ID. */
static void put_entry(struct world *w, uint32_t id, const uint8_t *bytes, size_t size)
{
	uint8_t *at = w->image + EH + w->section_size;
	const size_t all = (size + 3) & ~(size_t)3;
	rs_put32(at, (uint32_t)(all + 4));
	rs_put32(at + 4, id);
	memset(at + 8, 0, all);
	memcpy(at + 8, bytes, size);
	w->section_size += (uint32_t)(all + 8);
}

/* The CIE of GCC: version 1, "zR", 1, -4, return address 8, pcrel sdata4; CFA esp + 4, eip at CFA - 4. */
static const uint8_t cie[] = { 1, 'z', 'R', 0, 1, 0x7c, 8, 1, 0x1b, 0x0c, 4, 4, 0x88, 1 };

/* An image with a function at F, which has the PROGRAM, and CALLER, which calls F. */
static struct world make_world(const void *program, size_t size)
{
	struct world w = { .base = base, .section = ".eh_frame", .section_rva = EH, .linked_at = base };
	uint8_t fde[64] = { 0 };
	memset(w.image + F, 0x90, 0x200);
	memset(w.image + CALLER, 0x90, 0x200);
	w.image[CALLER] = 0xe8;
	rs_put32(w.image + CALLER + 1, (uint32_t)(F - (CALLER + 5)));
	world_fill(&w, 4);
	put_entry(&w, 0, cie, sizeof cie);
	rs_put32(fde, F - (EH + w.section_size + 8));
	rs_put32(fde + 4, 0x100);
	size = size < sizeof fde - 9 ? size : sizeof fde - 9;
	memcpy(fde + 9, program, size);
	put_entry(&w, w.section_size + 4, fde, 9 + size);
	return w;
}

static struct rossym_unwind_frame at(uint64_t ip, bool exact)
{
	return (struct rossym_unwind_frame){ .ip = ip,
					     .registers = { [ECX] = stack + 0x90,
							    [EBX] = 3,
							    [ESP] = stack + 0x40,
							    [EBP] = stack + 0x80,
							    [ESI] = 6,
							    [EDI] = 7 },
					     .exact = exact };
}

/* A program of CFI that gives esi the value of the SIZE bytes of an EXPRESSION. */
static struct world make_expression(const uint8_t *expression, size_t size)
{
	uint8_t program[64] = { 0x41, 0x16, ESI, (uint8_t)size };
	memcpy(program + 4, expression, size < sizeof program - 4 ? size : sizeof program - 4);
	return make_world(program, 4 + size);
}

/* Statements of these cases alone:
 *
 *	expression BYTES	a world with an expression for esi
 *	bare			a world without CFI, in which F sets ebp and has been called
 *	no_section		no CFI
 *	debug_frame		CFI in that section, without entries, of an image that is linked elsewhere; "entry ID BYTES" adds one
 *	data LOCALS SAVED PARAMS PROGRAM	FrameData of F
 */
static bool statement(struct world *w, const char *verb, const char *rest)
{
	int n = 0;
	if (strcmp(verb, "expression") == 0) {
		const struct bytes *bytes = bytetext_bytes(rest);
		*w = make_expression(bytes->b, bytes->n);
	} else if (strcmp(verb, "bare") == 0) {
		*w = make_world("", 0);
		w->section = NULL;
		memcpy(w->image + F, "\x55\x89\xe5", 3);
		rs_put32(w->stack + 0x80, stack + 0xc0);
		rs_put32(w->stack + 0x84, RET);
	} else if (strcmp(verb, "no_section") == 0) {
		w->section = NULL;
	} else if (strcmp(verb, "debug_frame") == 0) {
		w->section = ".debug_frame";
		w->section_size = 0;
		w->linked_at = 0x10000000;
	} else if (strcmp(verb, "entry") == 0) {
		char *items;
		const uint32_t id = (uint32_t)strtoul(rest, &items, 16);
		const struct bytes *bytes = bytetext_bytes(items);
		put_entry(w, id, bytes->b, bytes->n);
	} else if (strcmp(verb, "data") == 0) {
		w->data.function = F;
		sscanf(rest, "%x %x %x %n", &w->data.locals, &w->data.saved, &w->data.params, &n);
		snprintf(w->data.program, sizeof w->data.program, "%.500s", rest + n);
	} else {
		return false;
	}
	return true;
}

/* A walk over random information ends after few reads. */
static const char *try_mutant(unsigned long seed)
{
	(void)seed;
	struct world w = make_world(BYTES("\x41\x0e\x20\x83\x02\x86\x03\x0a\x41\x10\x06\x02\x75\x7c"));
	for (unsigned n = random_below(12); n > 0; n--)
		w.image[EH + random_below(0x80)] = (uint8_t)random_below(256);
	if (random_below(2))
		w.section_size += random_below(0x1100);
	for (uint32_t i = 0; i < WORLD_STACK; i += 4)
		rs_put32(w.stack + i, random_below(2) ? RET : stack + random_below(WORLD_STACK / 4) * 4);
	const unsigned frames = world_walk(&w, UNWIND_I386, at(base + F + random_below(0x100), true), 50);
	return w.reads <= 20000ul * (frames + 1) ? NULL : "too many reads or frames";
}

/* The image as a file: all of it are its headers.  A call leads to F. */
static void keep(void)
{
	struct world w = make_world(BYTES("\x41\x0e\x20"));
	makepe_put_start(w.image, false, 0, WORLD_IMAGE);
	rs_put32(w.image + MAKEPE_OPT + 60, WORLD_IMAGE);
	w.image[F] = 0xe8; /* of F itself */
	rs_put32(w.image + F + 1, (uint32_t)-5);
	files_keep("UNWIND_KEEP", "x86", w.image, WORLD_IMAGE);
}

int main(void)
{
	static const char *const sections[] = { "programs",	"expressions", "damaged",    "sections",
						"instructions", "pointers",    "exceptions", "no places of exceptions",
						"unknown",	"scanning",    "frame data", "no frame data",
						"order" };
	static struct steps steps = {
		.machine = UNWIND_I386, .base = base, .make = make_world, .at = at, .more = statement
	};
	steps_open(&steps, "tests/dump/unit-unwind-x86.cases");
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		steps_run(&steps, sections[i]);
	cases_close(&steps.cases);
	mutants_try("mutants", 1, try_mutant);
	keep();
	return done_testing();
}
