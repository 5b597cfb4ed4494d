/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every allocation of the library fails once, in every function that allocates: the function must say so, leak
 * nothing and leave the image as it was.  And no allocation is larger than the file justifies.
 */
#include "config.h"

#include "tests/lib/asks.h"
#include "tests/lib/failing.h"
#include "tests/lib/makepe.h"
#include "tests/lib/maketable.h"
#include "tests/lib/tap.h"

#include <fcntl.h>

static struct makepe m;
static uint8_t *bytes;
static size_t size;
static char path[4096];
static bool by_file;
static struct rossym_image *image;

/* ---------------------------------------------------------------------------------------------- the steps */

static const enum asks steps[] = { ASK_LOOKUP,	ASK_SECTION, ASK_ROWS, ASK_FIND, ASK_CHECK,
				   ASK_PREPARE, ASK_LOOKUP,  ASK_FIND, ASK_ROWS };
enum { STEPS = sizeof steps / sizeof *steps };

static int open_image(struct rossym_error *err)
{
	return by_file ? rossym_open(path, NULL, &image, err) : rossym_open_memory(bytes, size, NULL, &image, err);
}

/* The lowest free descriptor: one more than before if an open file was forgotten. */
static int free_descriptor(void)
{
	int fd = open("/dev/null", O_RDONLY);

	if (fd >= 0)
		close(fd);
	return fd;
}

/* --------------------------------------------------------------------------------------------- the sweep */

static bool fails_well(int r, const struct rossym_error *err)
{
	return r == -1 && err->code == ROSSYM_ENOMEM && err->what[0];
}

/* What each step gives when nothing fails. */
static struct asked expected[STEPS];

static void learn(const char *name)
{
	struct rossym_error err;

	fail_at = 0;
	if (!ok(open_image(&err) == 0, "%s opens", name)) {
		diag("at 0x%llx: %s", (unsigned long long)err.offset, err.what);
		return;
	}
	for (unsigned i = 0; i < STEPS; i++)
		expected[i] = ask(image, steps[i], &err);
	rossym_close(image);
}

static void sweep_open(const char *name)
{
	struct rossym_image *const untouched = (struct rossym_image *)(void *)&m;
	struct rossym_error err;
	unsigned wrong = 0, failures = 0;
	struct sweep sweep = { 0 };
	int fd = free_descriptor();
	while (sweep_next(&sweep)) {
		image = untouched;
		memset(&err, 0, sizeof err);
		int r = open_image(&err);
		sweep_stop(&sweep);
		failures += sweep.failed;
		wrong += sweep.failed &&
			 (!fails_well(r, &err) || image != untouched || live != 0 || free_descriptor() != fd);
		if (r == 0)
			rossym_close(image);
	}
	ok(wrong == 0 && failures > 0 && live == 0 && free_descriptor() == fd, "%s: opening, %u failures", name,
	   failures);
}

/* All steps one after the other on one image, of which step AT suffers each failure that it can. */
static void sweep_step(unsigned at, const char *name)
{
	struct rossym_error err;
	unsigned wrong = 0, failures = 0;

	fail_at = 0;
	if (open_image(&err) < 0)
		abort();
	for (unsigned i = 0; i < STEPS; i++) {
		for (fail_at = i == at;; fail_at++) {
			size_t live_before = live;

			allocations = 0;
			const struct asked result = ask(image, steps[i], &err);
			if (fail_at == 0 || allocations < fail_at) {
				wrong += !asked_same(result, expected[i]);
				break;
			}
			failures++;
			/* A string that was read before the failure may stay, for the next try. */
			wrong += !fails_well(result.returned, &err) || live > live_before + 1;
			/* The image works, without an index that is half done too. */
			fail_at = 0;
			wrong += !asked_same(ask(image, ASK_LOOKUP, &err), expected[0]);
			rossym_close(image);
			if (open_image(&err) < 0)
				abort();
			for (unsigned k = 0; k < i; k++)
				ask(image, steps[k], &err);
			fail_at = failures;
		}
		fail_at = 0;
	}
	rossym_close(image);
	ok(wrong == 0 && live == 0, "%s: step %u, %u failures", name, at, failures);
}

/* The same, but the failures follow one another without the image being opened anew. */
static void sweep_retry(const char *name)
{
	struct rossym_error err;
	unsigned wrong = 0, failures = 0;

	fail_at = 0;
	if (open_image(&err) < 0)
		abort();
	for (unsigned i = 0; i < STEPS; i++) {
		struct sweep sweep = { 0 };
		while (sweep_next(&sweep)) {
			const struct asked result = ask(image, steps[i], &err);
			sweep_stop(&sweep);
			failures += sweep.failed;
			wrong += sweep.failed ? !fails_well(result.returned, &err) : !asked_same(result, expected[i]);
		}
	}
	rossym_close(image);
	ok(wrong == 0 && live == 0, "%s: each step until it succeeds, %u failures", name, failures);
}

/* Without an error to fill in. */
static void sweep_silent(const char *name)
{
	unsigned wrong = 0;

	for (unsigned at = 1; at < 40; at++) {
		allocations = 0;
		fail_at = at;
		image = NULL;
		if (open_image(NULL) == 0)
			for (unsigned i = 0; i < STEPS; i++) {
				const int r = ask(image, steps[i], NULL).returned;
				wrong += r != -1 && r != expected[i].returned;
			}
		rossym_close(image);
	}
	fail_at = 0;
	ok(wrong == 0 && live == 0, "%s: without an error to fill in", name);
}

static void sweep(enum makepe_kind kind, unsigned width, bool unterminated, const char *name)
{
	makepe_start(&m, kind);
	m.width = width;
	m.unterminated = unterminated;
	makepe_two_sections(&m);
	for (unsigned i = 0; i < 300; i++)
		makepe_row(&m, 0x1000 + 4 * i, i % 3 ? "f" : "_g@8", "a.c", i);
	bytes = makepe_build(&m, &size);
	if (!makepe_file(path, bytes, size)) {
		puts("Bail out! no temporary file");
		exit(99);
	}
	for (unsigned file = 0; file < 2; file++) {
		char full[64];

		by_file = file;
		snprintf(full, sizeof full, "%s, %s", name, file ? "file" : "memory");
		learn(full);
		sweep_open(full);
		for (unsigned i = 0; i < STEPS; i++)
			sweep_step(i, full);
		sweep_retry(full);
		sweep_silent(full);
	}
	unlink(path);
	free(bytes);
}

/* -------------------------------------------------------------------------------------- what a file justifies */

/* A small file in which one number is huge.  Whatever is done with it, the memory is a small multiple of the file. */
static void claims(size_t at, unsigned length, uint64_t value, const char *name)
{
	struct rossym_error err;
	uint64_t saved = makepe_get(bytes + at, length);

	makepe_put(bytes + at, value, length);
	image = NULL;
	allocated = 0;
	if (open_image(&err) == 0)
		for (unsigned i = 0; i < STEPS; i++)
			ask(image, steps[i], &err);
	rossym_close(image);
	if (!ok(allocated <= 4 * size + 2048 && live == 0, "%s", name))
		diag("%lu bytes of memory for a file of %lu", (unsigned long)allocated, (unsigned long)size);
	makepe_put(bytes + at, saved, length);
}

static void huge_claims(enum makepe_kind kind)
{
	static const uint64_t values[] = { 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff, 0x10000000, 0xffff };

	makepe_start(&m, kind);
	makepe_two_sections(&m);
	makepe_row(&m, 0x1000, "f", "a.c", 1);
	bytes = makepe_build(&m, &size);
	by_file = false;
	size_t table = m.table_at, section_headers = MAKEPE_HEADERS, names = table + makepe_table_size(&m);
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		claims(table, 4, values[i], "SymbolsOffset");
		claims(table + 4, 4, values[i], "SymbolsLength");
		claims(table + 4, 4, values[i] & ~UINT64_C(15), "SymbolsLength, a multiple of a row");
		claims(table + 8, 4, values[i], "StringsOffset");
		claims(table + 12, 4, values[i], "StringsLength");
		if (kind == MAKEPE_BARE)
			continue;
		claims(MAKEPE_PE + 6, 2, values[i] & 0xffff, "NumberOfSections");
		claims(MAKEPE_PE + 12, 4, values[i], "PointerToSymbolTable");
		claims(MAKEPE_PE + 16, 4, values[i], "NumberOfSymbols");
		claims(MAKEPE_PE + 20, 2, values[i] & 0xffff, "SizeOfOptionalHeader");
		claims(section_headers + 80 + 16, 4, values[i], "SizeOfRawData of .rossym");
		claims(section_headers + 80 + 20, 4, values[i], "PointerToRawData of .rossym");
		claims(names, 4, values[i], "the length of the long names");
	}
	/* Everything at once, as someone would who wants it. */
	makepe_put(bytes + table + 4, 0x40000000, 4);
	makepe_put(bytes + table + 8, 0x40000010, 4);
	makepe_put(bytes + table + 12, 0x7fffffff, 4);
	if (kind != MAKEPE_BARE)
		makepe_put(bytes + section_headers + 80 + 16, 0xffffffff, 4);
	claims(table, 4, 16, "a gigabyte of rows and two of strings");
	free(bytes);
}

/* Make and open a bare table with one row. */
static void open_one_row(void)
{
	makepe_start(&m, MAKEPE_BARE);
	makepe_row(&m, 0x1000, "f", "a.c", 1);
	bytes = makepe_build(&m, &size);
	by_file = false;
	if (open_image(NULL) < 0)
		abort();
}

/* Without memory rossym_prepare_for() leaves the image as it was, and does not try again. */
static void prepare_for(void)
{
	open_one_row();
	allocations = 0;
	fail_at = 2;
	is_int(rossym_prepare_for(image, 1000000, NULL), 0, "rossym_prepare_for() without memory");
	is_uint(allocations, 2, "fails in an allocation");
	is_int(rossym_prepare_for(image, 1000000, NULL), 0, "and once more");
	is_uint(allocations, 2, "allocates nothing");
	fail_at = 0;
	is_int(ask(image, ASK_LOOKUP, NULL).returned, 1, "look-ups work");
	is_int(rossym_prepare(image, NULL), 0, "and it can be prepared");
	rossym_close(image);
	free(bytes);
}

/* A call that fails without memory writes no outputs. */
static void read_table(void)
{
	void *table = &m;
	size_t table_size = 1;
	open_one_row();
	allocations = 0;
	fail_at = 1;
	is_int(rossym_read_table(image, &table, &table_size, NULL), -1, "rossym_read_table() without memory");
	ok(table == &m && table_size == 1, "... does not write its outputs");
	fail_at = 0;
	rossym_close(image);
	free(bytes);
}

/* Let each allocation for frames fail once.  rossym_prepare_for() must return 1 all the same, and must not allocate
   again when it is called again; look-ups must give the same answers as without a failure. */
static void prepare_for_frames(void)
{
	enum { ALLOCATIONS = 5 };
	struct rossym_built built;
	struct rossym_frame frames[2];
	struct rossym_function function;
	const uint64_t rva = 0x1004;
	uint32_t end;

	fail_at = 0;
	if (maketable("frame g g.c 9\nrow 1000 f f.c 1 1\nfunction g 1000 8", 0, &built, NULL) < 0)
		abort();
	for (unsigned long i = 1; i <= ALLOCATIONS + 1; i++) {
		if (rossym_open_memory(built.bytes, built.bytes_size, NULL, &image, NULL) < 0 ||
		    rossym_read_block(image, NULL, NULL) != 1 || rossym_prepare(image, NULL) < 0)
			abort();
		allocations = 0;
		fail_at = i;
		is_int(rossym_prepare_for(image, 1000000, NULL), 1,
		       "prepared, whether or not there is memory for frames");
		fail_at = 0;
		const unsigned long tried = allocations;
		is_int(rossym_prepare_for(image, 1000000, NULL), 1, "and again");
		is_uint(allocations, tried, "without a second attempt");
		ok(i > ALLOCATIONS ? tried == ALLOCATIONS : tried >= i, "as many allocations as there are");
		ok(rossym_lookup_frames(image, &rva, 1, 0, frames, 2, &end, NULL) == 1 && end == 2 &&
			   strcmp(frames[0].function, "f") == 0 && strcmp(frames[1].function, "g") == 0 &&
			   frames[1].line == 9 && rossym_function_at(image, 0x1004, &function, NULL) == 1 &&
			   strcmp(function.name, "g") == 0,
		   "with the same answers");
		rossym_close(image);
	}
	rossym_free(built.bytes);
}

int main(void)
{
	prepare_for();
	prepare_for_frames();
	read_table();
	sweep(MAKEPE_32, 16, false, "PE32");
	sweep(MAKEPE_32, 16, true, "PE32, unterminated");
	sweep(MAKEPE_64, 24, true, "PE32+");
	sweep(MAKEPE_BARE, 16, false, "bare");
	huge_claims(MAKEPE_32);
	huge_claims(MAKEPE_64);
	huge_claims(MAKEPE_BARE);
	return done_testing();
}
