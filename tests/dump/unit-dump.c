// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reports of minidumps: for each processor, damaged, and mutated.
 *
 * MUTATIONS (environment, default 1000) is how many mutants there are.
 */
#include "config.h"
#include "core/bytes.h"
#include "tests/lib/tap.h"
#include "dump/address-space.h"
#include "dump/minidump.h"
#include "tests/fuzz/fuzz.h"
#include "tests/lib/dumped.h"
#include "tests/lib/makedump.h"
#include "tests/lib/makeframes.h"
#include "tests/lib/makekernel.h"
#include "tests/lib/world.h"

/* The report of the last dump, and what is wrong with that. */
static struct strbuf report;
static struct report_problems problems;

static bool make_report(const uint8_t *bytes, size_t size)
{
	strbuf_clear(&report);
	strbuf_clear(&problems.text);
	problems = (struct report_problems){ .count = 0 };
	return dumped_report(bytes, size, &report, &problems);
}

static void report_of(const uint8_t *bytes, size_t size)
{
	ok(make_report(bytes, size), "a report");
}

static void report_of_kernel(struct makekernel *k)
{
	makekernel_end(k);
	uint8_t *bytes = makekernel_file(k);
	report_of(bytes, (size_t)k->size);
	free(bytes);
	makekernel_free(k);
}

static void has(const char *what)
{
	const char *line = what + strspn(what, "\n ");
	if (!ok(report.bytes && strstr(report.bytes, what), "... says %.*s", (int)strcspn(line, "\n"), line))
		diag("the report is:\n%s", report.bytes ? report.bytes : "");
}

/* Whether PROBLEM is wrong with the dump; NULL is nothing. */
static void has_problem(const char *problem)
{
	const char *said = problems.text.bytes ? problems.text.bytes : "";
	if (!ok(problem ? strstr(said, problem) != NULL : !*said, "... and what is wrong"))
		diag("%s", said);
}

static void processors(void)
{
	static const struct {
		unsigned machine;
		const char *parts[4];
	} cases[] = {
		{ MAKEDUMP_X86,
		  { "\nSystem: Windows 10.0.19045, x86, 4 processors\n",
		    "\n00400000 00410000   app.exe   DateStamp 5db90293, version 1.2.3.4, "
		    "PDB {13121110-1514-1716-1819-1A1B1C1D1E1F} 7\n",
		    "\nExceptionAddress: 00401010\nWritten to: 0x1234\n",
		    "    eip = 0x00401010  esp = 0x0000000b  ebp = 0x00000007\n    eax = 0x00000006  ebx = "
		    "0x00000003" } },
		{ MAKEDUMP_AMD64,
		  { ", x86-64, 4 processors\n", "\n0000000140000000  0000000140010000    app.exe   DateStamp 5db90293",
		    "\nExceptionAddress: 0000000140001010\n",
		    "    rip = 0x0000000140001010  rsp = 0x0000000000000014  rbp = 0x0000000000000015\n" } },
		{ MAKEDUMP_ARM64,
		  { ", ARM64, 4 processors\n",
		    "\n0000000140100000  0000000140110000    a_b?.dll   (deferred)   DateStamp 5db90294",
		    "\nException: EXCEPTION_ACCESS_VIOLATION (0xc0000005)\n",
		    "     pc = 0x0000000140001010   sp = 0x0000000000000021   fp = 0x000000000000001f\n" } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct makedump m = makedump(cases[i].machine);
		ok(make_report(m.bytes, m.size) && problems.count == 0, "machine %u", cases[i].machine);
		for (size_t k = 0; k < 4; k++)
			has(cases[i].parts[k]);
		has("Minidump of 2000-02-29 00:00:00 UTC\n");
		has("\nThread 0 (crashed), id 0x20\n 0  app.exe + 0x1010\n");
		has("\nThread 1, id 0x21\n 0  0x77777777 in no module\n");
	}
}

/* The offset that TEXT says, such as "threads+4". */
static uint32_t place(const struct case_file *cases, const char *text)
{
	static const struct {
		const char *name;
		uint32_t at;
	} places[] = {
		{ "directory", MAKEDUMP_DIRECTORY }, { "system", MAKEDUMP_SYSTEM },
		{ "threads", MAKEDUMP_THREADS },     { "modules", MAKEDUMP_MODULES },
		{ "memory", MAKEDUMP_MEMORY },	     { "exception", MAKEDUMP_EXCEPTION },
		{ "names", MAKEDUMP_NAMES },	     { "contexts", MAKEDUMP_CONTEXTS },
		{ "texts", MAKEDUMP_TEXTS },	     { "thread_names", MAKEDUMP_THREAD_NAMES },
		{ "unloaded", MAKEDUMP_UNLOADED },
	};
	const size_t n = strcspn(text, "+");
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strlen(places[i].name) == n && memcmp(places[i].name, text, n) == 0)
			return places[i].at + (uint32_t)(text[n] ? strtoul(text + n + 1, NULL, 16) : 0);
	if (text[strspn(text, "0123456789abcdef")])
		cases_refuse(cases, text);
	return cases_hex(text);
}

/* A number of the dump is changed; then it says this, and there is this problem.  NAMED: it has names of threads. */
static void changes(const char *section, bool named)
{
	struct case_file cases;
	cases_open(&cases, "tests/dump/unit-dump.cases");
	while (cases_next(&cases, section)) {
		char where[32] = "", number[16] = "";
		const char *problem = cases_rest(&cases, cases.expected, " | ");
		sscanf(cases.input, "%31s %15s", where, number);
		const uint32_t offset = place(&cases, where), value = cases_hex(number);
		const char *part = strcmp(cases.expected, "-") == 0 ? NULL : cases.expected;
		struct makedump m = makedump(MAKEDUMP_AMD64);
		if (named)
			makedump_names(&m);
		makedump_put(&m, offset, value, 4);
		const bool good = make_report(m.bytes, m.size);
		ok(good == (part != NULL), "0x%x at 0x%x", (unsigned)value, (unsigned)offset);
		if (part)
			has(part);
		has_problem(strcmp(problem, "-") == 0 ? NULL : problem);
	}
	cases_close(&cases);
}

/* The thread that crashed is not listed, and its exception has no context: then it has no frame, and no other thread's. */
static void unlisted(void)
{
	struct makedump m = makedump(MAKEDUMP_AMD64);
	makedump_put(&m, MAKEDUMP_THREADS + 4, 0x99, 4);
	makedump_put(&m, MAKEDUMP_EXCEPTION + 160, 0, 4);
	ok(make_report(m.bytes, m.size), "a thread that is not listed");
	has("\nThread (crashed), id 0x20, which is not listed\n\nThread 0, id 0x99\n");
}

/* A minidump that has only a list, stream KIND, of COUNT entries of zeros; *SIZE: of the file.  free() it. */
static uint8_t *make_list(unsigned kind, unsigned count, unsigned entry, size_t *size)
{
	const unsigned length = 4 + entry * count;
	*size = 64 + length;
	char text[100];
	snprintf(text, sizeof text, "'MDMP' wa793 w0 l1 l20 >20 l%x l%x l40 >40 l%x", kind, length, count);
	const struct bytes *begin = bytetext_bytes(text);
	uint8_t *bytes = needed(calloc(1, *size));
	memcpy(bytes, begin->b, begin->n);
	return bytes;
}

/* What more than is read is left out, and that is said. */
static void limits(void)
{
	size_t size;
	uint8_t *bytes = make_list(3, MINIDUMP_THREADS + 1, 48, &size);
	ok(make_report(bytes, size), "many threads");
	has("\nThread 4095, ");
	ok(!strstr(report.bytes, "Thread 4096"), "no more than are read");
	ok(strstr(problems.text.bytes, "the list of threads at offset 0x40: has more entries than are read\n"),
	   "... which is said");
	free(bytes);
}

/* How often LINE begins a line of the report. */
static unsigned count_lines(const char *line)
{
	unsigned count = 0;
	for (const char *at = report.bytes; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		count += strncmp(at, line, strlen(line)) == 0;
	return count;
}

static void modules_limit(void)
{
	enum { MODULES = 8193 };
	size_t size;
	uint8_t *bytes = make_list(4, MODULES, 108, &size);
	report_of(bytes, size);
	ok(strstr(problems.text.bytes, "the list of modules at offset 0x40: has more entries than are read\n") &&
		   count_lines("0000000000000000  0000000000000000") == 8192,
	   "8192 modules of a minidump");
	free(bytes);

	struct makekernel k;
	makekernel_begin(&k, (struct makekernel_options){ .wide = true, .type = 5 });
	for (uint32_t i = 0; i < MODULES; i++)
		makekernel_module(&k, UINT64_C(0xfffff80010000000) + i * UINT64_C(0x10000), 0x1000, i, "m.sys");
	report_of_kernel(&k);
	ok(strstr(problems.text.bytes, ": has more entries than are read\n") && count_lines("fffff800") == 8192,
	   "8192 modules of a kernel dump");
}

/* Which module is at an address, where modules overlap; and the unwinder asks for that only so often. */
static void modules_at(void)
{
	static const struct {
		uint64_t address;
		uint32_t module;
	} cases[] = {
		{ UINT64_C(0x13fffffff), 2 }, { UINT64_C(0x140000000), 0 }, { UINT64_C(0x14000ffff), 0 },
		{ UINT64_C(0x140010000), 1 }, { UINT64_C(0x140017fff), 1 }, { UINT64_C(0x140018000), 2 },
	};
	struct makedump m = makedump(MAKEDUMP_AMD64);
	makedump_put(&m, MAKEDUMP_MODULES + 4 + 108, UINT64_C(0x140008000), 8);
	struct dumped dumped = { m.bytes, m.size, 0 };
	const struct dump_input input = { dumped_read, &dumped, m.size };
	struct dump_problems damage = { .count = 0 };
	struct dump_contents dump;
	struct dump_space space = { .reads = 0 };
	uint64_t base = 0;
	uint32_t size = 0;
	if (!ok(rs_dump_contents_open(&dump, &input, &damage) && rs_dump_space_open(&space, &dump, NULL),
		"two modules that overlap"))
		return;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ok(rs_dump_space_find_module(&space, cases[i].address) == cases[i].module, "... at 0x%llx",
		   (unsigned long long)cases[i].address);
	const struct unwind_space unwind = rs_dump_space_for_unwinder(&space);
	space.reads = DUMP_READS - 1;
	ok(unwind.module(&space, cases[3].address, &base, &size) && base == UINT64_C(0x140008000) && size == 0x10000,
	   "the unwinder is told the whole module");
	ok(!unwind.module(&space, cases[3].address, &base, &size), "... until it has asked too often");
	rs_dump_space_close(&space);
	rs_dump_contents_close(&dump);
}

static void frames_limit(void)
{
	size_t size;
	uint8_t *bytes = makekernel_recursion(1, 1500, &size);
	report_of(bytes, size);
	has("\n1023  nt + 0x1008\n    frame pointer\n    further callers are not known: there are more "
	    "frames than are shown\n");
	free(bytes);
}

/* Each of many threads has three callers that are scanned: the code calls itself. */
static void words_limit(void)
{
	static const char text[] =
		"'MDMP' wa793 w0 l4 l20 >20 l4 l70 l800 l5 l24 l870 l3 l30004 l894 l7 l38 l100 "
		">200 3*l401005 >600 l10003 >6b8 l401000 >6c4 l10000 >700 e8 fb ff ff ff f b >740 l2 'a' "
		">800 l1 l400000 >80c l10000 >818 l740 "
		">870 l2 q401000 l7 l700 q10000 l400 l200 >894 l1000";
	enum { AT_CONTEXT = 0x600, AT_THREADS = 0x894, SIZE = AT_THREADS + 4 + 48 * MINIDUMP_THREADS };
	const struct bytes *begin = bytetext_bytes(text);
	uint8_t *bytes = needed(calloc(1, SIZE));
	if (begin->n != AT_THREADS + 4 || MINIDUMP_THREADS != 0x1000)
		abort();
	memcpy(bytes, begin->b, begin->n);
	for (uint32_t i = 0; i < MINIDUMP_THREADS; i++) {
		rs_put32(bytes + AT_THREADS + 4 + 48 * i + 40, 0xcc);
		rs_put32(bytes + AT_THREADS + 4 + 48 * i + 44, AT_CONTEXT);
	}
	report_of(bytes, SIZE);
	const unsigned scanned = count_lines("    scanned"),
		       ended = count_lines("    further callers are not known: no more words of stacks are scanned");
	/* 160 + 3 * 40 words for each thread. */
	ok(scanned / 3 == (1 << 20) / 280 + 1 && ended == MINIDUMP_THREADS - (1 << 20) / 280 - 1,
	   "a million words of stacks are scanned: %u callers, %u threads without", scanned, ended);
	free(bytes);
}

/* Change or cut M in a few places. */
static void mutate(struct makedump *m)
{
	static const uint32_t numbers[] = {
		0, 1, 4, 12, 48, 108, 0x7fffffff, UINT32_MAX, UINT32_MAX - 3, MAKEDUMP_SIZE, MAKEDUMP_SIZE - 1
	};
	if (random_one_in(4))
		m->size = random_below(MAKEDUMP_SIZE + 1);
	for (uint32_t n = 1 + random_below(6); n > 0; n--) {
		/* Most of the bytes that matter are at the beginning. */
		const size_t at = random_below(random_one_in(2) ? MAKEDUMP_DIRECTORY + 12 * MAKEDUMP_STREAMS
								: MAKEDUMP_SIZE - 4);
		if (random_one_in(2))
			makedump_put(m, at & ~(size_t)3, numbers[random_below(sizeof numbers / sizeof *numbers)], 4);
		else
			m->bytes[at] = (uint8_t)random_below(256);
	}
}

/* Images that say anything. */
static bool find_image(void *context, uint32_t number, const struct dump_module *module, uint64_t *base)
{
	(void)context, (void)number;
	*base = random_below(2) ? module->base : random_below(UINT32_MAX);
	return random_below(4);
}

static bool find_section(void *context, uint32_t number, const char *name, uint32_t *rva, uint32_t *size)
{
	(void)context, (void)number, (void)name;
	*rva = random_below(0x10000);
	*size = random_below(2) ? random_below(0x10000) : random_below(UINT32_MAX);
	return random_below(2);
}

static bool read_image(void *context, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	uint8_t *at = bytes;
	(void)context, (void)number;
	if (rva == 0) {
		memset(bytes, 0, size);
		world_headers(at, 0x8664, 0x2000, 0x1000);
		return true;
	}
	/* Small numbers, calls, and entries of few bytes. */
	for (size_t i = 0; i < size; i++)
		at[i] = (uint8_t)(random_below(3) ? random_below(32) : random_below(256));
	for (size_t i = 0; i + 16 < size; i += 16)
		rs_put32(at + i, random_below(16));
	return random_below(16);
}

static struct makeframes frames;

/* FrameData for all of the module: of a function that may need no more, and of one that does not. */
static void make_frames(void)
{
	static const char *const programs[] = { "$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + =",
						"$T0 $ebp 4 + = $eip $T0 ^ = $esp $T0 4 + = $ebp $T0 4 - ^ =",
						"$eip $esp ^ = $esp $esp 4 + =", "$T0 0 = $eip $T0 ^ = + 3 @" };
	frames = makeframes();
	for (uint32_t i = 0; i < 8; i++)
		makeframes_data(&frames, 0x1000 * i, 0x1000, 4 * random_below(4), 0, 0, true,
				programs[random_below(4)]);
	for (int n = (int)random_below(3); n > 0; n--)
		frames.bytes[MAKEFRAMES_DIRECTORY + random_below(MAKEFRAMES_SIZE - MAKEFRAMES_DIRECTORY)] ^=
			(uint8_t)(1 << random_below(8));
}

static bool read_image_or_pdb(void *context, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	if (number < DUMP_IMAGES)
		return read_image(context, number, rva, bytes, size);
	dumped_copy(frames.bytes, MAKEFRAMES_SIZE, rva, bytes, size);
	return true;
}

static const char *try_images(unsigned long seed)
{
	static size_t size = MAKEFRAMES_SIZE;
	static const struct dump_image_source images = { find_image, find_section, read_image_or_pdb, dumped_find_pdb,
							 &size };
	dumped_images = &images;
	struct makedump m = makedump(seed % 2 ? MAKEDUMP_X86 : MAKEDUMP_AMD64);
	const uint32_t base = seed % 2 ? 0x400000 : 0x40000000;
	make_frames();
	/* The stack is where the names are: return addresses, pointers to itself. */
	for (uint32_t i = 0; i < 0x100; i += 4)
		makedump_put(&m, MAKEDUMP_NAMES + i,
			     random_below(2) ? base + random_below(0x10000) : 8 + random_below(0x100), 4);
	const char *wrong = dumped_wrong(m.bytes, m.size);
	dumped_images = NULL;
	return wrong;
}

static const char *try_mutant(unsigned long seed)
{
	static const unsigned machines[] = { MAKEDUMP_X86, MAKEDUMP_AMD64, MAKEDUMP_ARM64 };
	struct makedump m = makedump(machines[seed % 3]);
	if (random_below(2))
		makedump_names(&m);
	mutate(&m);
	uint8_t *exact = exact_copy(m.bytes, m.size);
	const char *wrong = dumped_wrong(exact, m.size);
	free(exact);
	return wrong;
}

/* Triage dumps whose lists are anywhere in them. */
static const char *try_triage(unsigned long seed)
{
	(void)seed;
	enum { HEADER = 0x2000, MOST = 0x3000 };
	static const uint32_t machines[] = { 0x14c, 0x8664, 0xaa64, 7 };
	const bool wide = random_below(2);
	const size_t size = (wide ? HEADER : HEADER / 2) + random_below(MOST - HEADER);
	uint8_t *bytes = needed(calloc(1, size)), *triage = bytes + (wide ? HEADER : HEADER / 2);
	memcpy(bytes, wide ? "PAGEDU64" : "PAGEDUMP", 8);
	rs_put32(bytes + (wide ? 0x30 : 0x20), machines[random_below(4)]);
	rs_put32(bytes + (wide ? 0xf98 : 0xf88), random_below(8) ? 4 : random_below(12));
	rs_put32(bytes + (wide ? 0x378 : 0x320), UINT32_MAX); /* the flags of the context */
	for (size_t at = 0; (size_t)(triage - bytes) + at + 4 <= size; at += 4)
		rs_put32(triage + at, random_below(4) ? random_below(MOST) : random_below(UINT32_MAX));
	const char *wrong = dumped_wrong(bytes, size);
	free(bytes);
	return wrong;
}

/* A dump whose only module has headers and a version in memory; a number of the COUNT of these is changed. */
static void versions(void)
{
	enum { SIZE = 0x1200 };
	struct case_file cases;
	/* Types 3 and 16, of which the second has a directory of one name, and that one of one language. */
	static const char text[] =
		"'MZ' >3c l80 >80 'PE' w0 w8664 >98 w20b >104 l10 >118 l1000 l200 "
		">100c l20000 l3 >1018 l10 l80000040 >104c l10000 l1 l80000060 >106c l10000 l409 l80 "
		">1080 l1100 l5c >1128 lfeef04bd >1130 la0002 l4a610007";
	const uint64_t base = UINT64_C(0xfffff80010000000);
	cases_open(&cases, "tests/dump/unit-dump.cases");
	while (cases_next(&cases, "versions")) {
		unsigned offset = 0, value = 0;
		sscanf(cases.input, "%x %x", &offset, &value);
		struct makekernel k;
		const struct bytes *sound = bytetext_bytes(text);
		uint8_t image[SIZE + 0x1000] = { 0 };
		memcpy(image, sound->b, sound->n);
		rs_put32(image + offset, value);
		makekernel_begin(&k, (struct makekernel_options){ .wide = true, .type = 5 });
		makekernel_module(&k, base, sizeof image, 0x5db90293, "m.sys");
		makekernel_copy(&k, base, image, sizeof image, 0);
		report_of_kernel(&k);
		ok((strstr(report.bytes, ", version 10.2.19041.7\n") != NULL) ==
				   (strcmp(cases.expected, "known") == 0) &&
			   strstr(report.bytes, "   m.sys   (deferred)   DateStamp "),
		   "the version of a module in memory: 0x%x at 0x%x", value, offset);
	}
	cases_close(&cases);
}

/* The dump of a 32-bit process by a program of 64 bits. */
static void wow64(void)
{
	struct makedump m = makedump(MAKEDUMP_AMD64);
	makedump_put(&m, MAKEDUMP_MODULES + 4 + 108, 0x77000000, 8);
	makedump_text(&m, MAKEDUMP_NAMES + MAKEDUMP_NAME, "C:\\Windows\\System32\\WOW64cpu.dll");
	report_of(m.bytes, m.size);
	has("\nA process of 32 bits: of its threads, only what runs in 64 bits is read.\n");
}

/* Of an entry of the list of modules the dump has only the link: the modules after it are known all the same. */
static void cut_entry(void)
{
	enum { CONTEXT = 0x348, FLAGS = 0x30, RIP = 0xf8 };
	const uint64_t base = UINT64_C(0xfffff80000400000), cut = UINT64_C(0xfffff80000702ff8);
	struct makekernel k;
	makekernel_begin(&k, (struct makekernel_options){ .wide = true, .type = 5 });
	makekernel_module(&k, base, 0x3000, 0x5db90293, "nt");
	makekernel_pointer(&k, k.last, cut);
	k.last = cut;
	makekernel_module(&k, base + 0x10000, 0x3000, 0x5db90294, "hal.dll");
	makekernel_end(&k);
	rs_put32(k.head + CONTEXT + FLAGS, UINT32_MAX);
	makepe_put(k.head + CONTEXT + RIP, base + 0x11010, 8);
	uint8_t *bytes = makekernel_file(&k);
	report_of(bytes, (size_t)k.size);
	has("\n 0  hal.dll + 0x1010\n");
	free(bytes);
	makekernel_free(&k);
}

/* Kernel dumps of all types, with and without images, of which numbers are changed: what the fuzz target makes of any bytes. */
static const char *try_pages(unsigned long seed)
{
	uint8_t description[600];
	for (size_t i = 0; i < sizeof description; i++)
		description[i] = (uint8_t)random_below(256);
	description[0] = seed % 2 ? 'I' : 'K';
	LLVMFuzzerTestOneInput(description, 1 + random_below(sizeof description));
	return NULL;
}

int main(void)
{
	processors();
	mutants_try("triage dumps", 1, try_triage);
	mutants_try("dumps with page tables", 3, try_pages);
	cut_entry();
	changes("changes", false);
	unlisted();
	changes("names", true);
	wow64();
	versions();
	limits();
	modules_limit();
	modules_at();
	frames_limit();
	words_limit();
	mutants_try("mutants", 1, try_mutant);
	mutants_try("dumps with images", 10, try_images);
	strbuf_clear(&report);
	strbuf_clear(&problems.text);
	return done_testing();
}
