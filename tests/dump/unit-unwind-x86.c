// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Steps of rs_unwind_step() in an image that is made here: each operation of CFI programs and expressions, the ends of
 * functions, chains of ebp, scanning, and what is hostile.
 *
 * Environment: MUTATIONS (default 1000) is how many mutants there are; UNWIND_KEEP is a directory to which an image is written.
 */
#include "config.h"
#include "tests/lib/files.h"
#include "tests/lib/tap.h"
#include "tests/lib/world.h"

#include <stdio.h>
#include <stdlib.h>

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
static struct world make_world(const char *program, size_t size)
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
	memcpy(fde + 9, program, size);
	put_entry(&w, w.section_size + 4, fde, 9 + size);
	return w;
}

static enum unwind_result step(struct world *w, struct rossym_unwind_frame *frame, bool *proved)
{
	return world_step(w, UNWIND_I386, frame, proved);
}

static struct rossym_unwind_frame at(uint32_t ip, bool exact)
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

/* Read what is expected: "BYTES | NUMBERS".  Returns how many bytes there are. */
static size_t read_case(struct case_file *cases, uint8_t code[WORLD_CASE], uint32_t n[5])
{
	const char *rest = cases->expected;
	const size_t size = world_take_bytes(cases, &rest, code);
	world_take_numbers(rest, n, 5);
	return size;
}

/* esp is STACK + 0x40, ebp STACK + 0x80, ecx STACK + 0x90. */
static void programs(struct case_file *cases)
{
	uint8_t code[WORLD_CASE];
	uint32_t n[5];
	while (cases_next(cases, "programs")) {
		const size_t size = read_case(cases, code, n);
		struct world w = make_world((const char *)code, size);
		struct rossym_unwind_frame frame = at(base + F + n[0], true);
		bool proved = false;
		rs_put32(w.stack + n[1], RET);
		const bool good = step(&w, &frame, &proved) == UNWIND_CALLER && frame.ip == RET && !frame.exact &&
				  proved;
		if (!ok(good && frame.registers[ESP] == stack + n[1] + 4 && frame.registers[EBX] == n[2] &&
				frame.registers[EBP] == n[3] && frame.registers[ESI] == n[4],
			"%s", cases->input))
			diag("ip %llx esp %llx ebx %llx ebp %llx esi %llx proved %d", (unsigned long long)frame.ip,
			     (unsigned long long)frame.registers[ESP], (unsigned long long)frame.registers[EBX],
			     (unsigned long long)frame.registers[EBP], (unsigned long long)frame.registers[ESI],
			     proved);
	}
}

/* val_expression of esi; the number is on the stack at the end. */
static void expressions(struct case_file *cases)
{
	uint8_t code[WORLD_CASE];
	uint32_t n[5];
	while (cases_next(cases, "expressions")) {
		const size_t size = read_case(cases, code, n);
		char program[40] = { 0x41, 0x16, 6, (char)size };
		memcpy(program + 4, code, size);
		struct world w = make_world(program, 4 + size);
		struct rossym_unwind_frame frame = at(base + F + 0x50, true);
		bool proved;
		rs_put32(w.stack + 0x40, RET);
		if (!ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.registers[ESI] == n[0], "%s", cases->input))
			diag("esi %llx", (unsigned long long)frame.registers[ESI]);
	}
}

static void damaged(struct case_file *cases)
{
	uint8_t code[WORLD_CASE];
	uint32_t n[5];
	while (cases_next(cases, "damaged")) {
		const size_t size = read_case(cases, code, n);
		const char *result = strchr(cases->expected, '|') + 2;
		const enum unwind_result wanted = strcmp(result, "memory") == 0 ? UNWIND_MEMORY
						  : strcmp(result, "end") == 0	? UNWIND_END
										: UNWIND_DAMAGED;
		if (wanted == UNWIND_DAMAGED && strcmp(result, "damaged") != 0)
			cases_refuse(cases, result);
		struct world w = make_world((const char *)code, size);
		struct rossym_unwind_frame frame = at(base + F + 0x50, true);
		bool proved;
		rs_put32(w.stack + 0x40, RET);
		rs_put32(w.stack + 0x60, RET + 1);
		ok(step(&w, &frame, &proved) == wanted && frame.ip == base + F + 0x50, "%s", cases->input);
	}
}

/* The other section, with other encodings, and an image that is not where it was linked for. */
static void sections(void)
{
	static const uint8_t v4[] = { 4, 0, 4, 0, 1, 0x7c, 8, 0x0c, 4, 8, 0x88, 1 };
	static const uint8_t v3[] = { 3, 0, 1, 0x7c, 8, 0x0c, 4, 8, 0x88, 1 };
	const struct {
		const char *name;
		const uint8_t *cie;
		size_t size;
	} cases[] = { { "version 4", v4, sizeof v4 }, { "version 3", v3, sizeof v3 } };
	for (size_t i = 0; i < 2; i++) {
		uint8_t fde[8];
		struct world w = make_world("", 0);
		struct rossym_unwind_frame frame = at(base + F + 0x50, true);
		bool proved;
		w.section = ".debug_frame";
		w.section_size = 0;
		w.linked_at = 0x10000000;
		put_entry(&w, UINT32_MAX, cases[i].cie, cases[i].size);
		rs_put32(fde, 0x10000000 + F);
		rs_put32(fde + 4, 0x100);
		put_entry(&w, 0, fde, sizeof fde);
		rs_put32(w.stack + 0x44, RET);
		ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.ip == RET && proved,
		   ".debug_frame, %s, relocated", cases[i].name);
	}
}

/* Functions without an entry. */
static void instructions(struct case_file *cases)
{
	uint8_t code[WORLD_CASE];
	uint32_t n[5];
	while (cases_next(cases, "instructions")) {
		const size_t size = read_case(cases, code, n);
		struct world w = make_world("", 0);
		struct rossym_unwind_frame frame = at(base + F + 0x20 + n[0], true);
		bool proved;
		w.section = NULL;
		memcpy(w.image + F + 0x20, code, size);
		rs_put32(w.stack + n[1], RET);
		if (!ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.ip == RET && !proved &&
				frame.registers[ESP] == stack + n[2] && frame.registers[EBP] == n[3],
			"%s", cases->input))
			diag("ip %llx esp %llx ebp %llx", (unsigned long long)frame.ip,
			     (unsigned long long)frame.registers[ESP], (unsigned long long)frame.registers[EBP]);
	}
}

static struct world make_bare(void)
{
	struct world w = make_world("", 0);
	w.section = NULL;
	memcpy(w.image + F, "\x55\x89\xe5", 3);
	rs_put32(w.stack + 0x80, stack + 0xc0);
	rs_put32(w.stack + 0x84, RET);
	return w;
}

static void pointers(void)
{
	struct world w = make_bare();
	struct rossym_unwind_frame frame = at(base + F + 0x20, true);
	bool proved;
	ok(step(&w, &frame, &proved) == UNWIND_POINTER && frame.ip == RET && frame.registers[ESP] == stack + 0x88 &&
		   frame.registers[EBP] == stack + 0xc0 && !proved,
	   "a frame pointer");
	frame = at(base + F + 0x20, true);
	w.image[CALLER] = 0x90;
	ok(step(&w, &frame, &proved) == UNWIND_NOWHERE, "no call before its return address");
	w = make_bare();
	rs_put32(w.image + CALLER + 1, (uint32_t)(G - (CALLER + 5)));
	ok(step(&w, &frame, &proved) == UNWIND_NOWHERE, "a call of a function behind");
	w.image[G] = 0xe9;
	ok(step(&w, &frame, &proved) == UNWIND_POINTER, "a call of a jump");
	w = make_bare();
	frame = at(base + F + 0x20, true);
	rs_put32(w.stack + 0x80, stack + 0x70);
	ok(step(&w, &frame, &proved) == UNWIND_SCANNED, "a chain that goes back: the stack is scanned");
	frame = at(base + F + 0x20, true);
	rs_put32(w.stack + 0x80, 0);
	rs_put32(w.stack + 0x84, 0);
	ok(step(&w, &frame, &proved) == UNWIND_END, "the end of a chain");
	w = make_bare();
	rs_put32(w.stack + 0x8c, RET);
	ok(step(&w, &frame, &proved) == UNWIND_POINTER && frame.registers[ESP] == stack + 0x90, "an aligned stack");
	w = make_bare();
	frame = at(base + F + 0x20, true);
	rs_put32(w.stack + 0x80, stack + 0x88);
	rs_put32(w.stack + 0x8c, RET);
	ok(step(&w, &frame, &proved) == UNWIND_POINTER && frame.registers[ESP] == stack + 0x88, "... is no recursion");
	w = make_bare();
	frame = at(base + F + 0xf00, true);
	ok(step(&w, &frame, &proved) == UNWIND_POINTER && w.reads < 40, "a large function is read in large pieces");
}

/* ebp says nothing if the function does not set it. */
static void pointers_of_others(void)
{
	struct world w = make_bare();
	struct rossym_unwind_frame frame = at(base + F + 0x20, true);
	bool proved;
	w.image[F] = 0x90;
	ok(step(&w, &frame, &proved) == UNWIND_SCANNED, "a function that does not set ebp: the stack is scanned");
	w = make_bare();
	frame = at(base + F + 0x20, true);
	memcpy(w.image + F + 0x10, "\xc3\x90", 2);
	ok(step(&w, &frame, &proved) == UNWIND_NOWHERE, "another function behind the one that is called");
	w = make_bare();
	memcpy(w.image + CALLER + 3, "\xff\xd0", 2);
	ok(step(&w, &frame, &proved) == UNWIND_POINTER, "a call through a register");
	frame = at(base + F + 0x20, true);
	w.image[F] = 0x90;
	w.image[F - 1] = 0xc3;
	ok(step(&w, &frame, &proved) == UNWIND_NOWHERE, "... of a function that does not set ebp");
	w.image[F] = 0x55;
	memcpy(w.image + F + 0x0f, "\xc3", 1);
	ok(step(&w, &frame, &proved) == UNWIND_NOWHERE, "... of the function behind one that does");
}

/* The dispatcher of exceptions has called F: its stack has a record at 0x100 and a context at 0x200. */
static void exceptions(void)
{
	struct world w = make_bare();
	struct rossym_unwind_frame frame = at(RET, false);
	bool proved;
	rs_put32(w.stack + 0x40, stack + 0x100);
	rs_put32(w.stack + 0x44, stack + 0x200);
	rs_put32(w.stack + 0x10c, base + G + 3);
	rs_put32(w.stack + 0x200, 0x1007f);
	rs_put32(w.stack + 0x200 + 0xb8, base + G + 3);
	rs_put32(w.stack + 0x200 + 0xc4, stack + 0x300);
	const struct world fresh = w;
	ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.exact && !proved && frame.ip == base + G + 3 &&
		   frame.registers[ESP] == stack + 0x300 && frame.registers[EBX] == 0x12a4,
	   "the place of an exception");
	static const uint32_t wrong[][2] = { { 0x10c, 0 }, { 0x200, 0x10001 }, { 0x2c4, 0x10000 }, { 0x44, 0x10020 } };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		w = fresh;
		frame = at(RET, false);
		rs_put32(w.stack + wrong[i][0], wrong[i][1]);
		ok(step(&w, &frame, &proved) != UNWIND_CALLER, "... is none if %x is %x", (unsigned)wrong[i][0],
		   (unsigned)wrong[i][1]);
	}
}

/* The code is known from G on, or not at all. */
static void unknown(void)
{
	struct world w = make_bare();
	struct rossym_unwind_frame frame = at(base + F + 0x20, true);
	bool proved;
	w.unknown = WORLD_IMAGE;
	ok(step(&w, &frame, &proved) == UNWIND_MEMORY, "a chain that leads nowhere");
	w.unknown = G;
	rs_put32(w.stack + 0x84, base + F + 0x40);
	rs_put32(w.stack + 0xc0, stack + 0xd0);
	rs_put32(w.stack + 0xc4, RET);
	ok(step(&w, &frame, &proved) == UNWIND_POINTER && frame.ip == base + F + 0x40,
	   "a chain that leads behind a call");
	frame = at(base + F + 0x20, true);
	rs_put32(w.stack + 0xc4, RET + 1);
	ok(step(&w, &frame, &proved) == UNWIND_MEMORY, "... not behind a call");
	w.unknown = WORLD_IMAGE;
	rs_put32(w.stack + 0xc0, 0);
	ok(step(&w, &frame, &proved) == UNWIND_POINTER, "a chain that leads to the end of the stack");
}

static void scanning(void)
{
	struct world w = make_world("", 0);
	struct rossym_unwind_frame frame = at(base + F + 0x20, true);
	bool proved;
	w.section = NULL;
	rs_put32(w.stack + 0x5c, base + CALLER + 0x12); /* behind a call through a pointer, which may be old */
	memcpy(w.image + CALLER + 0x10, "\xff\xd0", 2);
	rs_put32(w.stack + 0x60, RET);
	ok(step(&w, &frame, &proved) == UNWIND_SCANNED && frame.ip == RET && frame.registers[ESP] == stack + 0x64 &&
		   !proved,
	   "a word behind a direct call");
	frame = at(0, true);
	rs_put32(w.stack + 0x40, base + CALLER + 0x12);
	ok(step(&w, &frame, &proved) == UNWIND_SCANNED && frame.ip == base + CALLER + 0x12, "a call of NULL");
	frame = at(0, true);
	rs_put32(w.stack + 0x40, base + CALLER + 0x13);
	rs_put32(w.stack + 0x44, RET);
	ok(step(&w, &frame, &proved) == UNWIND_NOWHERE, "... where only the first word counts");
	frame = at(0x77777777, false);
	ok(step(&w, &frame, &proved) == UNWIND_NOWHERE, "a caller in no module");
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

/* FrameData: "PROGRAM | NUMBERS".  In F, esp is STACK + 0x40, ebp STACK + 0x80. */
static void frame_data(struct case_file *cases)
{
	uint32_t n
		[6]; /* bytes of locals, of saved registers and of arguments; where the return address is; ebx and ebp */
	while (cases_next(cases, "frame data")) {
		char *numbers = strstr(cases->expected, " | ");
		if (!numbers)
			cases_refuse(cases, "no |");
		*numbers = '\0';
		world_take_numbers(numbers + 3, n, 6);
		struct world w = make_world(BYTES(""));
		struct rossym_unwind_frame frame = at(base + F + 0x50, true);
		bool proved = false;
		w.section = NULL;
		snprintf(w.data.program, sizeof w.data.program, "%.500s", cases->expected);
		w.data.function = F;
		w.data.locals = n[0];
		w.data.saved = n[1];
		w.data.params = 24;
		frame.arguments = n[2];
		rs_put32(w.stack + n[3], RET);
		if (!ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.ip == RET && !frame.exact && proved &&
				frame.registers[ESP] == stack + n[3] + 4 && frame.registers[EBX] == n[4] &&
				frame.registers[EBP] == n[5] && frame.arguments == 24,
			"FrameData: %s", cases->input))
			diag("ip %llx esp %llx ebx %llx ebp %llx proved %d", (unsigned long long)frame.ip,
			     (unsigned long long)frame.registers[ESP], (unsigned long long)frame.registers[EBX],
			     (unsigned long long)frame.registers[EBP], proved);
	}
}

/* Programs that are of no use: the step goes on without them. */
static void no_frame_data(struct case_file *cases)
{
	for (unsigned i = 0; cases_next(cases, "no frame data"); i++) {
		struct world w = make_world(BYTES(""));
		struct rossym_unwind_frame frame = at(base + F + 0x50, true);
		bool proved = false;
		w.section = NULL;
		snprintf(w.data.program, sizeof w.data.program, "%.500s", cases->input);
		w.data.function = F;
		rs_put32(w.stack + 0x40, i % 2 ? RET : RET + 1);
		w.image[CALLER] = 0x90; /* there is no call */
		ok(step(&w, &frame, &proved) == UNWIND_NOWHERE && !proved && frame.ip == base + F + 0x50,
		   "FrameData: %s", cases->input);
	}
}

/* CFI comes before it, and what instructions tell. */
static void order(void)
{
	struct world w = make_world(BYTES("\x41\x0e\x20"));
	struct rossym_unwind_frame frame = at(base + F + 0x50, true);
	bool proved;
	strcpy(w.data.program, "$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + =");
	w.data.function = F;
	w.data.params = 4;
	rs_put32(w.stack + 0x5c, RET);
	rs_put32(w.stack + 0x40, RET);
	ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.registers[ESP] == stack + 0x60 && frame.arguments == 0,
	   "CFI comes before FrameData");
	w.section = NULL;
	w.data.locals = 0x10;
	w.image[F + 0x50] = 0xc3;
	frame = at(base + F + 0x50, true);
	ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.registers[ESP] == stack + 0x44,
	   "the end of a function comes before FrameData");
	w.data.locals = 0x1c;
	frame = at(base + F + 0x51, false);
	ok(step(&w, &frame, &proved) == UNWIND_CALLER && frame.registers[ESP] == stack + 0x60 && frame.arguments == 4,
	   "FrameData comes before ebp and scanning");
}

/* The image as a file: all of it are its headers.  A call leads to F. */
static void keep(void)
{
	enum { HEADERS = 64 + 24 };
	struct world w = make_world(BYTES("\x41\x0e\x20"));
	memcpy(w.image, "MZ", 2);
	w.image[60] = 64;
	memcpy(w.image + 64, "PE\0\0\x4c\x01", 6);
	rs_put16(w.image + HEADERS, 0x10b);
	rs_put32(w.image + HEADERS + 56, WORLD_IMAGE);
	rs_put32(w.image + HEADERS + 60, WORLD_IMAGE);
	w.image[F] = 0xe8; /* of F itself */
	rs_put32(w.image + F + 1, (uint32_t)-5);
	files_keep("UNWIND_KEEP", "x86", w.image, WORLD_IMAGE);
}

int main(void)
{
	struct case_file cases;
	cases_open(&cases, "tests/dump/unit-unwind-x86.cases");
	programs(&cases);
	expressions(&cases);
	damaged(&cases);
	sections();
	instructions(&cases);
	pointers();
	pointers_of_others();
	exceptions();
	unknown();
	scanning();
	frame_data(&cases);
	no_frame_data(&cases);
	order();
	mutants_try("mutants", 1, try_mutant);
	keep();
	cases_close(&cases);
	return done_testing();
}
