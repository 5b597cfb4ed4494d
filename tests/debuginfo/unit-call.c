/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * src/debuginfo/call.c
 *
 * With the argument --list it prints what objdump can judge as well (tests/embed/cli-embed-ends.sh): machine, bytes, "call"
 * or "other".
 */
#include "config.h"

#include "debuginfo/call.h"
#include "tests/lib/tap.h"
#include "tests/lib/world.h"

enum { I386 = 0x14c, AMD64 = 0x8664, ARM64 = 0xaa64, ARM = 0x1c4 };
enum { BASE = 0x400000, IMAGE = 0x100000, CODE = 0x1000, CODE_END = 0x2000, BEGIN = 0x1100 };

/* LOST: a call that leads nowhere in this image, so it does not count as one.  LIKE: two other instructions whose bytes
   together look like a call. */
enum kind { CALL, OTHER, LOST, LIKE };

/* Code that begins at BEGIN; after it the code in the image goes on. */
static const struct {
	uint16_t machine;
	const char *bytes; /* hexadecimal */
	enum kind kind;
	const char *name;
} codes[] = {
	{ I386, "e810000000", CALL, "call f" },
	{ I386, "e8f0ffffff", CALL, "call backwards" },
	{ I386, "90e810000000", CALL, "nop; call f" },
	{ I386, "e800001000", LOST, "call outside of the code" },
	{ I386, "e8000000ff", LOST, "call below the image" },
	{ I386, "e910000000", OTHER, "jmp f" },
	{ I386, "e81000000090", OTHER, "call f; nop" },
	{ I386, "b8e8100000", OTHER, "mov $0x10e8,%eax" },
	{ I386, "c3", OTHER, "ret" },
	{ I386, "c20400", OTHER, "ret $4" },
	{ I386, "0f0b", OTHER, "ud2" },
	{ I386, "cc", OTHER, "int3" },

	{ I386, "ffd0", CALL, "call *%eax" },
	{ I386, "ffd7", CALL, "call *%edi" },
	{ I386, "ff10", CALL, "call *(%eax)" },
	{ I386, "ff17", CALL, "call *(%edi)" },
	{ I386, "ff1424", CALL, "call *(%esp)" },
	{ I386, "ff14b0", CALL, "call *(%eax,%esi,4)" },
	{ I386, "ff5008", CALL, "call *8(%eax)" },
	{ I386, "ff55f8", CALL, "call *-8(%ebp)" },
	{ I386, "ff542404", CALL, "call *4(%esp)" },
	{ I386, "ff1500304000", CALL, "call *0x403000" },
	{ I386, "ff150003fe7f", LOST, "call *0x7ffe0300" },
	{ I386, "ff1500100000", LOST, "call *0x1000" },
	{ I386, "ff9000010000", CALL, "call *0x100(%eax)" },
	{ I386, "ff95f8feffff", CALL, "call *-0x108(%ebp)" },
	{ I386, "ff9000304000", CALL, "call *0x403000(%eax)" },
	{ I386, "ff9000000010", LOST, "call *0x10000000(%eax)" },
	{ I386, "ff148500304000", CALL, "call *0x403000(,%eax,4)" },
	{ I386, "ff148510000000", LOST, "call *0x10(,%eax,4)" },
	{ I386, "ff942400010000", CALL, "call *0x100(%esp)" },
	{ I386, "ff9485f8feffff", CALL, "call *-0x108(%ebp,%eax,4)" },
	{ I386, "64ff1500304000", CALL, "call *%fs:0x403000" },
	{ I386, "64ff15c0000000", CALL, "call *%fs:0xc0" },
	{ I386, "90ff15c0000000", LOST, "nop; call *0xc0" },
	{ I386, "2eff1500304000", CALL, "call *%cs:0x403000" },
	{ I386, "3effd0", CALL, "notrack call *%eax" },

	{ I386, "ffe0", OTHER, "jmp *%eax" },
	{ I386, "ff2500304000", OTHER, "jmp *0x403000" },
	{ I386, "ff30", OTHER, "push (%eax)" },
	{ I386, "ff7508", OTHER, "push 8(%ebp)" },
	{ I386, "ff00", OTHER, "incl (%eax)" },
	{ I386, "fec0", OTHER, "inc %al" },
	{ I386, "89c2", OTHER, "mov %eax,%edx" },
	{ I386, "ff90fcff0300", CALL, "call *0x3fffc(%eax)" },
	{ I386, "83c8ff905dc20400", OTHER, "or $-1,%eax; nop; pop %ebp; ret $4" },
	{ I386, "83c8ff905b5e5dc3", OTHER, "or $-1,%eax; nop; three pops; ret" },
	{ I386, "83c8ff1500304000", LIKE, "or $-1,%eax; adc $0x403000,%eax" },

	{ AMD64, "e810000000", CALL, "call f" },
	{ AMD64, "48e810000000", CALL, "rex.W call f" },
	{ AMD64, "67e810000000", CALL, "addr32 call f" },
	{ AMD64, "e800001000", LOST, "call outside of the code" },
	{ AMD64, "ffd0", CALL, "call *%rax" },
	{ AMD64, "41ffd4", CALL, "call *%r12" },
	{ AMD64, "41ff1424", CALL, "call *(%r12)" },
	{ AMD64, "41ff5500", CALL, "call *0(%r13)" },
	{ AMD64, "ff1500300000", CALL, "call *0x3000(%rip)" },
	{ AMD64, "48ff1500300000", CALL, "rex.W call *0x3000(%rip)" },
	{ AMD64, "ff1500f0ffff", CALL, "call *-0x1000(%rip)" },
	{ AMD64, "ff1500001000", LOST, "call past the end of the image" },
	{ AMD64, "ff1500e0ffff", LOST, "call below the image" },
	{ AMD64, "ff14c500304000", CALL, "call *0x403000(,%rax,8)" },
	{ AMD64, "42ff14c500304000", CALL, "call *0x403000(,%r8,8)" },
	{ AMD64, "ff14c500000080", LOST, "call *-0x80000000(,%rax,8)" },
	{ AMD64, "ff942400010000", CALL, "call *0x100(%rsp)" },
	{ AMD64, "ff9000010000", CALL, "call *0x100(%rax)" },
	{ AMD64, "ff94c800300000", CALL, "call *0x3000(%rax,%rcx,8)" },
	{ AMD64, "ff94c800300f00", CALL, "call *0xf3000(%rax,%rcx,8), in the image if %rax is its base" },
	{ AMD64, "65ff142530000000", CALL, "call *%gs:0x30" },
	{ AMD64, "90ff142530000000", LOST, "nop; call *0x30" },
	{ AMD64, "ff9000000010", LOST, "call *0x10000000(%rax)" },
	{ AMD64, "48ff2500300000", OTHER, "rex.W jmp *0x3000(%rip)" },
	{ AMD64, "ff3500300000", OTHER, "push 0x3000(%rip)" },
	{ AMD64, "ff1d00300000", OTHER, "lcall *0x3000(%rip)" },

	{ ARM64, "04000094", CALL, "bl f" },
	{ ARM64, "f0ffff97", CALL, "bl backwards" },
	{ ARM64, "00000096", LOST, "bl below the image" },
	{ ARM64, "00000095", LOST, "bl outside of the code" },
	{ ARM64, "04000014", OTHER, "b f" },
	{ ARM64, "00003fd6", CALL, "blr x0" },
	{ ARM64, "c0033fd6", CALL, "blr x30" },
	{ ARM64, "00001fd6", OTHER, "br x0" },
	{ ARM64, "c0035fd6", OTHER, "ret" },
	{ ARM64, "1f0a3fd7", CALL, "blraa x16, sp" },
	{ ARM64, "010e3fd7", CALL, "blrab x16, x1" },
	{ ARM64, "1f0a3fd6", CALL, "blraaz x16" },
	{ ARM64, "1f0e3fd6", CALL, "blrabz x16" },
	{ ARM64, "1f0a1fd6", OTHER, "braaz x16" },
	{ ARM64, "1f2003d504000094", CALL, "nop; bl f" },
	{ ARM64, "040000941f2003d5", OTHER, "bl f; nop" },
};

enum { CODES = sizeof codes / sizeof *codes };

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

static void kinds(void)
{
	for (int i = 0; i < CODES; i++) {
		start(codes[i].machine, BASE);
		uint32_t end = put(BEGIN, codes[i].bytes);
		bool call = codes[i].kind == CALL || codes[i].kind == LIKE;
		ok(rs_call_ends_at(&reading, BEGIN, end) == call, "%x: %s", codes[i].machine, codes[i].name);
	}
}

static void places(void)
{
	uint32_t end;
	start(I386, BASE);
	end = put(BEGIN, "9090e8f0ffffff");
	ok(rs_call_ends_at(&reading, BEGIN + 2, end), "the call begins where the row does");
	ok(!rs_call_ends_at(&reading, BEGIN + 3, end), "it begins before the row");
	ok(!rs_call_ends_at(&reading, end, end), "no code");
	ok(!rs_call_ends_at(&reading, end + 1, end), "less than none");
	ok(!rs_call_ends_at(&reading, CODE - 1, end), "the row is in no section");

	put(CODE_END - 5, "e800ffffff");
	ok(!rs_call_ends_at(&reading, BEGIN, CODE_END), "the section ends there");
	put(CODE_END - 6, "e800ffffff");
	ok(rs_call_ends_at(&reading, BEGIN, CODE_END - 1), "it has one byte more");
	put(CODE_END - 3, "ff1490");
	ok(!rs_call_ends_at(&reading, BEGIN, CODE_END - 1), "a call that is cut by the end of the row");
	put(CODE, "ffd0");
	ok(rs_call_ends_at(&reading, CODE, CODE + 2), "it begins where the section does");
	ok(!rs_call_ends_at(&reading, CODE, CODE + 1), "half of it");
	ok(!rs_call_ends_at(&reading, CODE_END, CODE_END + 5), "a section without bytes");

	start(AMD64, UINT64_C(0x140000000));
	end = put(BEGIN, "ff14c500304000");
	ok(!rs_call_ends_at(&reading, BEGIN, end), "an absolute address in an image above 4 GiB");
	start(ARM64, BASE);
	end = put(BEGIN + 2, "04000094");
	ok(!rs_call_ends_at(&reading, BEGIN, end), "ARM64: not aligned");
	end = put(BEGIN, "04000094");
	ok(!rs_call_ends_at(&reading, BEGIN + 2, end), "ARM64: half of it");
	start(ARM, BASE);
	end = put(BEGIN, "00f004f8");
	ok(!rs_call_ends_at(&reading, BEGIN, end), "another machine");
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
	uint32_t end;
	start(AMD64, BASE);
	world_headers(image, AMD64, 0, 0);
	world_hybrid(image, BASE, 0x2800, ranges, 2);
	pe.headers = 0x200;
	pe.sections = all;
	pe.section_count = 1;
	reading.source = &source;
	sections[0].offset = CODE;
	end = put(BEGIN, "e8f0ffffff");
	memcpy(image + CODE, text, CODE_END - CODE);
	ok(!rs_call_ends_at(&reading, BEGIN, end), "ARM64EC: what would be a call of x64");
	end = put(BEGIN, "04000094");
	memcpy(image + CODE, text, CODE_END - CODE);
	ok(rs_call_ends_at(&reading, BEGIN, end), "ARM64EC: bl f");
	end = put(BEGIN + 0x100, "e8f0ffffff");
	memcpy(image + CODE, text, CODE_END - CODE);
	ok(rs_call_ends_at(&reading, BEGIN + 0x100, end), "ARM64EC: a call in the part of x64");
	end = put(BEGIN + 0x100, "04000094");
	memcpy(image + CODE, text, CODE_END - CODE);
	ok(!rs_call_ends_at(&reading, BEGIN + 0x100, end), "ARM64EC: bl f there");
	reading.source = &content;
	sections[0].offset = OFFSET;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		for (int i = 0; i < CODES; i++)
			if (codes[i].kind == CALL || codes[i].kind == OTHER)
				printf("%s %s %s\n",
				       codes[i].machine == I386	   ? "i386"
				       : codes[i].machine == AMD64 ? "i386:x86-64"
								   : "aarch64",
				       codes[i].bytes, codes[i].kind == CALL ? "call" : "other");
		return fflush(stdout) != 0;
	}
	kinds();
	places();
	hybrid();
	return done_testing();
}
