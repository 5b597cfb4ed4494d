/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * src/debuginfo/merge.c: whether code ends with a call
 *
 * With the argument --list it prints what objdump can judge as well (tests/embed/cli-embed-ends.sh): machine, bytes, "call"
 * or "other".
 */
#include "config.h"

#include "debuginfo/steps.h"
#include "tests/lib/cases.h"
#include "tests/lib/tap.h"
#include "tests/lib/world.h"

enum { I386 = 0x14c, AMD64 = 0x8664, ARM64 = 0xaa64, ARM = 0x1c4 };
enum { BASE = 0x400000, IMAGE = 0x100000, CODE = 0x1000, CODE_END = 0x2000, BEGIN = 0x1100 };

static const struct {
	const char *section, *objdump; /* its name in the cases, and for objdump */
	uint16_t machine;
} machines[] = { { "i386", "i386", I386 }, { "amd64", "i386:x86-64", AMD64 }, { "arm64", "aarch64", ARM64 } };

enum { OFFSET = 1 }; /* of the code in the file */
static uint8_t file[OFFSET + CODE_END - CODE], *const text = file + OFFSET;
static const struct rs_source content = { .memory = file, .fd = -1, .size = sizeof file };
static struct code sections[2] = { { CODE, CODE_END, OFFSET }, { CODE_END, CODE_END + 0x100, 0 } };
static struct rs_pe pe;
static struct reading reading = { .pe = &pe, .source = &content, .code = sections, .code_count = 2 };

/* Put BYTES at RVA.  Returns the RVA after them. */
static uint32_t put(uint32_t rva, const char *bytes)
{
	unsigned byte;
	for (; sscanf(bytes, "%2x", &byte) == 1; bytes += 2)
		text[rva++ - CODE] = (uint8_t)byte;
	return rva;
}

static void start(uint16_t machine, uint64_t base)
{
	memset(file, 0x90, sizeof file);
	pe = (struct rs_pe){ .machine = machine, .image_base = base, .size_of_image = IMAGE };
}

/* Code that begins at BEGIN; after it the code in the image goes on.  With LIST, print it. */
static void kinds(bool list)
{
	static struct case_file cases;
	cases_open(&cases, "tests/debuginfo/unit-call.cases");
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		while (cases_next(&cases, machines[i].section)) {
			const char *name = strchr(cases.expected, ' ') + 1;
			const bool call = strncmp(cases.expected, "call ", 5) == 0;
			const bool like = strncmp(cases.expected, "like ", 5) == 0;
			if (list && (call || strncmp(cases.expected, "other ", 6) == 0))
				printf("%s %s %s\n", machines[i].objdump, cases.input, call ? "call" : "other");
			start(machines[i].machine, BASE);
			uint32_t end = put(BEGIN, cases.input);
			if (!list)
				ok(rs_code_ends_with_call(&reading, BEGIN, end) == (call || like), "%x: %s",
				   machines[i].machine, name);
		}
	cases_close(&cases);
}

static void places(void)
{
	uint32_t end;
	start(I386, BASE);
	end = put(BEGIN, "9090e8f0ffffff");
	ok(rs_code_ends_with_call(&reading, BEGIN + 2, end), "the call begins where the row does");
	ok(!rs_code_ends_with_call(&reading, BEGIN + 3, end), "it begins before the row");
	ok(!rs_code_ends_with_call(&reading, end, end), "no code");
	ok(!rs_code_ends_with_call(&reading, end + 1, end), "less than none");
	ok(!rs_code_ends_with_call(&reading, CODE - 1, end), "the row is in no section");

	put(CODE_END - 5, "e800ffffff");
	ok(!rs_code_ends_with_call(&reading, BEGIN, CODE_END), "the section ends there");
	put(CODE_END - 6, "e800ffffff");
	ok(rs_code_ends_with_call(&reading, BEGIN, CODE_END - 1), "it has one byte more");
	put(CODE_END - 3, "ff1490");
	ok(!rs_code_ends_with_call(&reading, BEGIN, CODE_END - 1), "a call that is cut by the end of the row");
	put(CODE, "ffd0");
	ok(rs_code_ends_with_call(&reading, CODE, CODE + 2), "it begins where the section does");
	ok(!rs_code_ends_with_call(&reading, CODE, CODE + 1), "half of it");
	ok(!rs_code_ends_with_call(&reading, CODE_END, CODE_END + 5), "a section without bytes");

	start(AMD64, UINT64_C(0x140000000));
	end = put(BEGIN, "ff14c500304000");
	ok(!rs_code_ends_with_call(&reading, BEGIN, end), "an absolute address in an image above 4 GiB");
	start(ARM64, BASE);
	end = put(BEGIN + 2, "04000094");
	ok(!rs_code_ends_with_call(&reading, BEGIN, end), "ARM64: not aligned");
	end = put(BEGIN, "04000094");
	ok(!rs_code_ends_with_call(&reading, BEGIN + 2, end), "ARM64: half of it");
	start(ARM, BASE);
	end = put(BEGIN, "00f004f8");
	ok(!rs_code_ends_with_call(&reading, BEGIN, end), "another machine");
}

/* Whether BYTES at RVA, in the code of the IMAGE, end with a call. */
static bool is_call(uint8_t *image, uint32_t rva, const char *bytes)
{
	const uint32_t end = put(rva, bytes);
	memcpy(image + CODE, text, CODE_END - CODE);
	return rs_code_ends_with_call(&reading, rva, end);
}

/* An image of ARM64EC: the header says x64, the ranges of the load configuration say what the code is. */
static void hybrid(void)
{
	static const uint32_t ranges[][2] = { { CODE + 1, 0x200 }, { CODE + 0x200 + 2, 0x100 } };
	static uint8_t image[WORLD_IMAGE];
	static struct rs_section all[] = {
		{ .rva = 0x2000, .size = 0x1000, .raw_size = 0x1000, .raw_offset = 0x2000 }
	};
	const struct rs_source source = { .memory = image, .size = sizeof image };
	start(AMD64, BASE);
	world_headers(image, AMD64, 0, 0);
	world_hybrid(image, BASE, 0x2800, ranges, 2);
	pe.headers = 0x200;
	pe.sections = all;
	pe.section_count = 1;
	reading.source = &source;
	sections[0].offset = CODE;
	ok(!is_call(image, BEGIN, "e8f0ffffff"), "ARM64EC: what would be a call of x64");
	ok(is_call(image, BEGIN, "04000094"), "ARM64EC: bl f");
	ok(is_call(image, BEGIN + 0x100, "e8f0ffffff"), "ARM64EC: a call in the part of x64");
	ok(!is_call(image, BEGIN + 0x100, "04000094"), "ARM64EC: bl f there");
	reading.source = &content;
	sections[0].offset = OFFSET;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		kinds(true);
		return fflush(stdout) != 0;
	}
	kinds(false);
	places();
	hybrid();
	return done_testing();
}
