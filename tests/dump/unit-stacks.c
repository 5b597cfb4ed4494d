// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The functions of rossym-unwind.h: dumps that tests/lib makes, what is refused, and memory that runs out.
 *
 * The stacks themselves: tests/dump/cli-log-stacks.sh, tests/dump/unit-unwind*.c, and the example in tests/rules/rule-lib.sh.
 */
#include "config.h"
#include "rossym-unwind.h"
#include "tests/lib/failing.h"
#include "tests/lib/makedump.h"
#include "tests/lib/makeframes.h"
#include "tests/lib/makekernel.h"
#include "tests/lib/tap.h"

static struct rossym_error err;

static struct rossym_dump *open_bytes(const void *bytes, size_t size)
{
	const struct rossym_reader reader = { .memory = bytes, .size = size };
	struct rossym_dump *dump = NULL;
	return rossym_dump_open_reader(&reader, &dump, &err) < 0 ? NULL : dump;
}

/* ------------------------------------------------------------------------------------------------ a minidump */

static void minidump(void)
{
	const struct makedump m = makedump(MAKEDUMP_AMD64);
	struct rossym_dump_info info = { .size = sizeof info };
	struct rossym_dump_module module = { .size = sizeof module };
	struct rossym_dump_thread thread = { .size = sizeof thread };
	struct rossym_dump *dump = open_bytes(m.bytes, m.size);
	if (!ok(dump != NULL, "a minidump"))
		return;
	ok(rossym_dump_get_info(dump, &info, &err) == 0 && info.kind == ROSSYM_DUMP_MINIDUMP &&
		   info.machine == ROSSYM_MACHINE_X64 && info.module_count == 2 && info.thread_count == 2 &&
		   info.problem_count == 0 && info.first_problem.code == ROSSYM_OK,
	   "what it says");
	ok(info.has_exception && info.exception_code == 0xc0000005 && info.exception_thread == 0 &&
		   info.exception_address == 0x140001010,
	   "... about the exception");
	ok(rossym_dump_get_module(dump, 0, &module, &err) == 1 && strcmp(module.name, "app.exe") == 0 &&
		   module.base == 0x140000000 && module.length == 0x10000 && module.time_date_stamp == 0x5db90293 &&
		   module.version[0] == 1 && module.version[3] == 4 && module.has_guid && module.guid[0] == 0x10 &&
		   module.age == 7,
	   "a module");
	ok(rossym_dump_get_module(dump, 2, &module, &err) == 0, "no third module");
	ok(rossym_dump_get_thread(dump, 0, &thread, &err) == 1 && thread.id == 0x20 && thread.crashed &&
		   thread.has_frame && thread.frame.ip == 0x140001010 && thread.frame.exact &&
		   thread.frame.machine == ROSSYM_MACHINE_X64 && thread.frame.registers[ROSSYM_X64_SP] == 0x14 &&
		   thread.frame.how == ROSSYM_UNWOUND_CONTEXT,
	   "the thread that crashed");
	ok(rossym_dump_get_thread(dump, 1, &thread, &err) == 1 && thread.id == 0x21 && !thread.crashed && !*thread.name,
	   "another thread");
	ok(rossym_dump_get_thread(dump, 2, &thread, &err) == 0, "no third thread");
	rossym_dump_close(dump);
	rossym_dump_close(NULL);

	struct makedump named = makedump(MAKEDUMP_X86);
	makedump_names(&named);
	dump = open_bytes(named.bytes, named.size);
	ok(dump && rossym_dump_get_thread(dump, 0, &thread, &err) == 1 && strcmp(thread.name, "main_loop") == 0,
	   "a thread with a name");
	rossym_dump_close(dump);

	/* The exception is of a thread that is not listed: it comes last. */
	struct makedump other = makedump(MAKEDUMP_X86);
	makedump_put(&other, MAKEDUMP_THREADS + 4, 0x99, 4);
	dump = open_bytes(other.bytes, other.size);
	ok(dump && rossym_dump_get_info(dump, &info, &err) == 0 && info.thread_count == 3 &&
		   info.exception_thread == 2 && rossym_dump_get_thread(dump, 2, &thread, &err) == 1 &&
		   thread.id == 0x20 && thread.crashed && thread.frame.ip == 0x401010,
	   "a thread that is not listed");
	rossym_dump_close(dump);

	makedump_put(&other, MAKEDUMP_THREADS, 3, 4);
	dump = open_bytes(other.bytes, other.size);
	ok(dump && rossym_dump_get_info(dump, &info, &err) == 0 && info.problem_count == 1 &&
		   info.first_problem.code == ROSSYM_EDAMAGED && info.first_problem.offset == MAKEDUMP_THREADS,
	   "what is damaged");
	rossym_dump_close(dump);

	struct makedump unnamed = makedump(MAKEDUMP_AMD64);
	makedump_put(&unnamed, MAKEDUMP_NAMES, UINT32_MAX, 4);
	dump = open_bytes(unnamed.bytes, unnamed.size);
	for (uint32_t i = 0; i < 3; i++)
		ok(dump && rossym_dump_get_module(dump, 0, &module, &err) == 1 && !*module.name &&
			   rossym_dump_get_info(dump, &info, &err) == 0 && info.problem_count == 1 &&
			   info.first_problem.offset == MAKEDUMP_NAMES,
		   "a damaged name is counted once");
	rossym_dump_close(dump);

	struct makedump wrong = makedump(MAKEDUMP_AMD64);
	makedump_put(&wrong, MAKEDUMP_EXCEPTION + 32, 16, 4);
	dump = open_bytes(wrong.bytes, wrong.size);
	for (uint32_t i = 0; i < 2; i++)
		ok(dump && rossym_dump_get_thread(dump, i, &thread, &err) == 1 &&
			   rossym_dump_get_info(dump, &info, &err) == 0 && info.problem_count == 1 &&
			   info.first_problem.offset == MAKEDUMP_EXCEPTION,
		   "what is damaged is counted once");
	rossym_dump_close(dump);
}

struct counted {
	const uint8_t *bytes;
	uint32_t reads;
};

static int read_counted(void *context, uint64_t offset, void *bytes, size_t size, struct rossym_fault *fault)
{
	struct counted *counted = context;
	(void)fault;
	counted->reads++;
	memcpy(bytes, counted->bytes + offset, size);
	return 0;
}

/* The exception is of a thread that is not among the many that are listed: this is found out once, not for each. */
static void many_threads(void)
{
	enum { THREADS = 4096, LIST = 64, EXCEPTION = LIST + 4 + 48 * THREADS, SIZE = EXCEPTION + 168 };
	char text[100];
	snprintf(text, sizeof text, "'MDMP' wa793 w0 l2 l20 >20 l3 l%x l%x l6 la8 l%x >%x l%x", 4 + 48 * THREADS, LIST,
		 EXCEPTION, LIST, THREADS);
	const struct bytes *begin = bytetext_bytes(text);
	uint8_t *bytes = needed(calloc(1, SIZE));
	memcpy(bytes, begin->b, begin->n);
	bytes[EXCEPTION] = 1;
	struct counted counted = { bytes, 0 };
	const struct rossym_reader reader = { .size = SIZE, .read = read_counted, .context = &counted };
	struct rossym_dump_thread thread = { .size = sizeof thread };
	struct rossym_dump *dump;
	uint32_t count = 0, crashed = 0;
	if (!ok(rossym_dump_open_reader(&reader, &dump, &err) == 0, "many threads"))
		return;
	for (; rossym_dump_get_thread(dump, count, &thread, &err) == 1; count++)
		crashed += thread.crashed ? 1 : 0;
	ok(count == THREADS + 1 && crashed == 1 && thread.id == 1, "... and one more: %u, %u", count, crashed);
	ok(counted.reads < 8 * THREADS, "... each is read a few times: %u reads", counted.reads);
	rossym_dump_close(dump);
	free(bytes);
}

/* ------------------------------------------------------------------------------------------------ a kernel dump */

/* A function `read` of an unwind space: it always fails, and returns a negative number. */
static int read_nothing(void *context, uint64_t address, void *bytes, size_t size)
{
	(void)context, (void)address, (void)bytes, (void)size;
	return -1;
}

static void kernel_dump(void)
{
	size_t size;
	uint8_t *bytes = makekernel_recursion(2, 5, &size), number[4];
	struct rossym_dump_info info = { .size = sizeof info };
	struct rossym_dump_module module = { .size = sizeof module };
	struct rossym_dump_thread thread = { .size = sizeof thread };
	struct rossym_unwind_space space = { .size = sizeof space };
	struct rossym_dump *dump = open_bytes(bytes, size);
	int callers = 0, proved = 0;
	if (!ok(dump != NULL, "a kernel dump"))
		return;
	ok(rossym_dump_get_info(dump, &info, &err) == 0 && info.kind == ROSSYM_DUMP_KERNEL &&
		   info.machine == ROSSYM_MACHINE_X86 && info.thread_count == 1 && info.module_count == 1 &&
		   info.bugcheck == 0xd1 && !info.has_exception,
	   "what it says");
	ok(rossym_dump_get_module(dump, 0, &module, &err) == 1 && strcmp(module.name, "nt") == 0 &&
		   module.base == MAKEKERNEL_BASE && !module.has_guid,
	   "its module");
	ok(rossym_dump_get_space(dump, &space, &err) == 0 &&
		   space.read(space.context, MAKEKERNEL_FUNCTION, number, 4) == 1 && number[0] == 0x55 &&
		   space.read(space.context, 0x1000, number, 4) == 0,
	   "its memory");
	ok(rossym_dump_get_thread(dump, 0, &thread, &err) == 1 && thread.crashed && thread.has_frame, "its thread");
	const struct rossym_unwind_space blind = {
		.size = sizeof blind, .context = space.context, .read = read_nothing, .module = space.module
	};
	struct rossym_unwind_frame frame = thread.frame;
	ok(rossym_unwind_step(&blind, &frame, &err) == 0 && frame.how == ROSSYM_UNWOUND_MEMORY,
	   "no caller if reading fails with a negative number");
	while (callers < 10 && rossym_unwind_step(&space, &thread.frame, &err) > 0) {
		callers++;
		proved += thread.frame.proved && thread.frame.ip == MAKEKERNEL_FUNCTION + 8 && !thread.frame.exact &&
			  strcmp(rossym_unwound_text((enum rossym_unwound)thread.frame.how), "unwound") != 0;
	}
	if (!ok(callers == 4 && thread.frame.how == ROSSYM_UNWOUND_END, "... and all callers to the end"))
		diag("%d callers, %d proved, then: %s", callers, proved,
		     rossym_unwound_text((enum rossym_unwound)thread.frame.how));
	rossym_dump_close(dump);
	free(bytes);
}

/* ------------------------------------------------------------------------------------------------ FrameData */

static const char pdb_name[] = "unit-stacks.pdb";

/* Write a PDB file for functions that have pushed nothing, with one bit of byte CHANGED another one. */
static bool write_pdb(size_t changed)
{
	struct makeframes pdb = makeframes();
	makeframes_data(&pdb, 0x1000, 0x40, 0, 0, 8, true, "$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + =");
	pdb.bytes[changed] ^= changed > 0;
	FILE *file = fopen(pdb_name, "wb");
	return file && fwrite(pdb.bytes, 1, sizeof pdb.bytes, file) == sizeof pdb.bytes && fclose(file) == 0;
}

/* eip is 0x401000, where the stack has 0x401005 and 0x401020. */
static void frame_data(void)
{
	struct makedump m = makedump(MAKEDUMP_X86);
	struct rossym_dump_thread thread = { .size = sizeof thread };
	struct rossym_unwind_space space = { .size = sizeof space };
	struct rossym_dump_module module = { .size = sizeof module };
	makedump_put(&m, MAKEDUMP_CONTEXTS + 0xb8, 0x401000, 4);
	makedump_put(&m, MAKEDUMP_CONTEXTS + 0xc4, 8, 4);
	makedump_put(&m, MAKEDUMP_NAMES, 0x401005, 4);
	makedump_put(&m, MAKEDUMP_NAMES + 4, 0x401020, 4);
	for (unsigned i = 0; i < 16; i++)
		m.bytes[MAKEDUMP_KEY + 4 + i] = (uint8_t)(i + 1);
	struct rossym_dump *dump = open_bytes(m.bytes, m.size);
	if (!ok(dump && rossym_dump_get_space(dump, &space, &err) == 0 &&
			rossym_dump_get_thread(dump, 0, &thread, &err) == 1,
		"a dump of x86"))
		return;
	struct rossym_unwind_frame frame = thread.frame;
	ok(rossym_unwind_step(&space, &frame, &err) == 0, "without the PDB file, no caller is known");
	ok(write_pdb(MAKEFRAMES_INFO + 12) && rossym_dump_set_pdb(dump, 0, pdb_name, &err) == 0, "another GUID");
	ok(rossym_unwind_step(&space, &frame, &err) == 0, "... is not used");
	ok(write_pdb(0) && rossym_dump_set_pdb(dump, 1, pdb_name, &err) == 0, "a module without a PDB file");
	ok(rossym_dump_set_pdb(dump, 2, pdb_name, &err) == -1 && err.code == ROSSYM_EREFUSED, "no such module");
	ok(rossym_dump_set_pdb(dump, 0, "/nowhere/x.pdb", &err) == -1 && err.code == ROSSYM_ESYS, "no file");
	ok(rossym_dump_get_module(dump, 1, &module, &err) == 1, "another module");
	char name[32];
	snprintf(name, sizeof name, "%s", module.name);
	ok(rossym_dump_set_pdb(dump, 0, pdb_name, &err) == 1, "the PDB file");
	ok(*name && strcmp(module.name, name) == 0, "... leaves the other module's name where it is");
	ok(rossym_unwind_step(&space, &frame, &err) == 1 && frame.ip == 0x401005 && frame.how == ROSSYM_UNWOUND_INFO &&
		   frame.registers[ROSSYM_X86_SP] == 12 && !frame.exact,
	   "a caller by FrameData");
	ok(frame.arguments == 8, "... with the bytes that were pushed for the call");
	ok(rossym_dump_set_pdb(dump, 0, NULL, &err) == 0, "no PDB file");
	frame = thread.frame;
	ok(rossym_unwind_step(&space, &frame, &err) == 0, "... and again no caller is known");
	ok(rossym_dump_set_pdb(dump, 0, pdb_name, &err) == 1, "it is open when the dump is closed");
	rossym_dump_close(dump);
	remove(pdb_name);
}

/* ------------------------------------------------------------------------------------------------ refused, no memory */

static int no_read(void *context, uint64_t address, void *bytes, size_t size)
{
	(void)context, (void)address, (void)bytes, (void)size;
	return 0;
}

static int no_module(void *context, uint64_t address, uint64_t *base, uint32_t *length)
{
	(void)context, (void)address, (void)base, (void)length;
	return 0;
}

static void refused(void)
{
	const struct makedump m = makedump(MAKEDUMP_ARM64);
	struct rossym_dump_info info = { .size = 8 };
	struct rossym_dump_module module = { .size = 8 };
	struct rossym_dump_thread thread = { .size = 8 };
	struct rossym_unwind_space space = { .size = 8 };
	struct rossym_unwind_frame frame = { .size = sizeof frame, .machine = ROSSYM_MACHINE_X64 };
	const struct rossym_reader nothing = { .size = 10 };
	struct rossym_dump *dump = open_bytes(m.bytes, m.size), *other;
	ok(dump != NULL, "a dump of ARM64");
	ok(rossym_dump_get_info(dump, &info, &err) == -1 && err.code == ROSSYM_EREFUSED, "a small info");
	ok(rossym_dump_get_module(dump, 0, &module, &err) == -1 && err.code == ROSSYM_EREFUSED, "a small module");
	ok(rossym_dump_get_thread(dump, 0, &thread, &err) == -1 && err.code == ROSSYM_EREFUSED, "a small thread");
	ok(rossym_dump_get_space(dump, &space, &err) == -1 && err.code == ROSSYM_EREFUSED, "a small space");
	ok(rossym_dump_set_image(dump, 2, NULL, &err) == -1 && err.code == ROSSYM_EREFUSED, "no such module");
	ok(rossym_dump_set_image(dump, 1, NULL, &err) == 0, "no image");
	ok(rossym_dump_open(NULL, &other, &err) == -1 && err.code == ROSSYM_EREFUSED, "no path");
	ok(rossym_dump_open("/nowhere/x.dmp", &other, &err) == -1 && err.code == ROSSYM_ESYS, "no file");
	ok(rossym_dump_open_reader(&nothing, &other, &err) == -1 && err.code == ROSSYM_EREFUSED, "no function");
	ok(!open_bytes("PAGEDUMP", 8) && err.code == ROSSYM_ENOTPE, "a short dump");
	rossym_dump_close(dump);
	ok(rossym_unwind_step(&space, &frame, &err) == -1 && err.code == ROSSYM_EREFUSED, "a step in a small space");
	space = (struct rossym_unwind_space){ .size = sizeof space };
	ok(rossym_unwind_step(&space, &frame, &err) == -1 && err.code == ROSSYM_EREFUSED, "... without functions");
	space.read = no_read;
	space.module = no_module;
	frame.machine = 0x1c0;
	ok(rossym_unwind_step(&space, &frame, &err) == -1 && err.code == ROSSYM_EREFUSED, "... on another machine");
	for (unsigned i = 0; i < 3; i++) {
		static const uint32_t machines[] = { ROSSYM_MACHINE_X86, ROSSYM_MACHINE_X64, ROSSYM_MACHINE_ARM64 };
		frame.machine = machines[i];
		frame.exact = 1;
		frame.ip = 0x1000;
		ok(rossym_unwind_step(&space, &frame, NULL) == 0 && frame.ip == 0x1000 &&
			   frame.how >= ROSSYM_UNWOUND_END,
		   "machine 0x%x: nothing is known", (unsigned)machines[i]);
	}
}

static void no_memory(void)
{
	const struct makedump m = makedump(MAKEDUMP_X86);
	size_t size;
	uint8_t *kernel = makekernel_recursion(6, 3, &size);
	const char *wrong = NULL;
	for (int kind = 0; kind < 2; kind++) {
		struct sweep sweep = { 0 };
		while (sweep_next(&sweep)) {
			err = (struct rossym_error){ .code = ROSSYM_OK };
			struct rossym_dump *dump = kind ? open_bytes(kernel, size) : open_bytes(m.bytes, m.size);
			sweep_stop(&sweep);
			if (sweep.failed && (dump || err.code != ROSSYM_ENOMEM))
				wrong = "it was not said";
			rossym_dump_close(dump);
		}
		if (sweep.leaks)
			wrong = "memory was lost";
		ok(!wrong && sweep.at > 2, "%s without memory: %s", kind ? "a kernel dump" : "a minidump",
		   wrong ? wrong : "said");
	}
	free(kernel);
}

int main(void)
{
	minidump();
	many_threads();
	kernel_dump();
	frame_data();
	refused();
	no_memory();
	ok(live == 0, "all memory is free");
	return done_testing();
}
