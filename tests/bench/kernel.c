/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel - what the reader for kernels costs: look-ups with cold caches, creating, and nonpaged memory
 *
 *	kernel LOOK-UPS IMAGE BARE PACKED
 *
 * IMAGE is a PE image with a table, BARE the same without the block of inlined calls, PACKED the same with the table
 * packed.  All are laid out here as a loader does.  Prints the time for creating beside that of a plain copy of the table, the memory that was allocated,
 * and the time of a look-up: at a random address, after 64 MB of other memory were read.  "bisection" is
 * rossym_core_lookup() without what a Create function adds, "linear" is a search through all rows, once for the
 * function and once for the line.  Fails if two of them disagree.
 */
#include "tests/lib/files.h"
#include "tests/lib/random.h"
#include "rossym-core.h"
#include "rossym-kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLD = 64 << 20, SECTIONS_MAX = 32, TURNS = 25 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void fail(const char *what)
{
	fprintf(stderr, "kernel: %s\n", what);
	exit(1);
}

static uint32_t le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static int compare_times(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* ------------------------------------------------------------------------------------------------ memory */

static size_t allocated, peak;

static PVOID allocate(ULONG_PTR size)
{
	size_t *area = malloc(sizeof(double) + size);
	if (!area)
		return NULL;
	*area = size;
	allocated += size;
	peak = allocated > peak ? allocated : peak;
	return (char *)area + sizeof(double);
}

static VOID release(PVOID area)
{
	size_t *begin = (size_t *)(void *)((char *)area - sizeof(double));
	allocated -= *begin;
	free(begin);
}

/* ------------------------------------------------------------------------------------------------ the image */

struct image {
	uint8_t *bytes;
	size_t size;
	const uint8_t *table; /* the content of .rossym */
	uint32_t table_size;
};

/* Read a PE image of section and file alignments that mkimage and rossym-embed use, and lay it out as a loader does. */
static struct image load(const char *name)
{
	size_t size;
	uint8_t *raw = files_read(name, &size);
	const uint8_t *pe = raw + le32(raw + 60), *section = pe + 24 + (le32(pe + 20) & 0xffff);
	struct image image = { .size = le32(pe + 24 + 56) };
	image.bytes = calloc(1, image.size);
	if (!image.bytes)
		fail(name);
	memcpy(image.bytes, raw, le32(pe + 24 + 60));
	for (unsigned i = le32(pe + 4) >> 16; i > 0; i--, section += 40) {
		uint32_t length = le32(section + 8) < le32(section + 16) ? le32(section + 8) : le32(section + 16);
		memcpy(image.bytes + le32(section + 12), raw + le32(section + 20), length);
		if (memcmp(section, ".rossym", 8) == 0) {
			image.table = image.bytes + le32(section + 12);
			image.table_size = length;
		}
	}
	free(raw);
	return image;
}

/* ------------------------------------------------------------------------------------------------ creating */

/* Print the best of some runs, each after a plain copy.  Returns what the last one has made. */
static PROSSYM_INFO create(const char *what, const struct image *image)
{
	double best = 1e18, best_copy = 1e18;
	PROSSYM_INFO info = NULL;
	uint8_t *copy = malloc(image->table_size);
	if (!copy)
		fail("no memory");
	memset(copy, 1, image->table_size);
	allocated = peak = 0;
	for (int i = 0; i < TURNS; i++) {
		RosSymDelete(info);
		double start = now();
		memcpy(copy, image->table, image->table_size);
		double copied = now() - start;
		start = now();
		if (!RosSymCreateFromMem(image->bytes, image->size, &info))
			fail("no table");
		double created = now() - start;
		best = created < best ? created : best;
		best_copy = copied < best_copy ? copied : best_copy;
	}
	printf("%-28s %8u bytes in the image, %zu kept, %zu at the peak\n", what, image->table_size, allocated, peak);
	printf("  creating, best of %d        %8.0f us, %.1f times a copy, %.0f us\n", TURNS, best / 1e3,
	       best / best_copy, best_copy / 1e3);
	free(copy);
	return info;
}

/* ------------------------------------------------------------------------------------------------ looking up */

struct subject {
	PROSSYM_INFO info;
	struct rossym_core core; /* of the table in the image, so look-ups bisect its rows */
	const uint8_t *rows, *strings;
	uint32_t row_count;
};

struct result {
	ULONG line;
	char file[256], function[256];
};

static void nothing(const struct subject *s, uint32_t rva, struct result *r)
{
	(void)s;
	r->line = rva;
}

static void information(const struct subject *s, uint32_t rva, struct result *r)
{
	RosSymGetAddressInformation(s->info, rva, &r->line, r->file, r->function);
}

static void all_frames(const struct subject *s, uint32_t rva, struct result *r)
{
	struct result frame;
	for (ULONG i = 0; RosSymGetFrame(s->info, rva, i, &frame.line, frame.file, 256, frame.function, 256); i++)
		if (i == 0)
			*r = frame;
}

static void bisection(const struct subject *s, uint32_t rva, struct result *r)
{
	struct rossym_core_answer answer;
	struct rossym_fault fault;
	if (rossym_core_lookup(&s->core, rva, 0, &answer, &fault) <= 0 ||
	    rossym_core_string(&s->core, answer.file, r->file, 256, &fault) < 0 ||
	    rossym_core_string(&s->core, answer.function, r->function, 256, &fault) < 0)
		fail("no answer");
	r->line = answer.line;
}

/* One pass for the function, one for the line.  Every row is looked at. */
static void linear(const struct subject *s, uint32_t rva, struct result *r)
{
	const uint8_t *function = NULL, *line = NULL, *end = s->rows + (size_t)s->row_count * 16;
	for (const uint8_t *row = s->rows; row < end; row += 16)
		if (le32(row) <= rva && le32(row + 4) && (!function || le32(row) >= le32(function)))
			function = row;
	for (const uint8_t *row = s->rows; row < end; row += 16)
		if (le32(row) <= rva && le32(row + 12) && (!line || le32(row) >= le32(line)))
			line = row;
	if (!function || !line)
		fail("no answer");
	r->line = le32(line + 12);
	strcpy(r->file, (const char *)s->strings + le32(line + 8));
	strcpy(r->function, (const char *)s->strings + le32(function + 4));
}

static uint64_t read_all(const uint64_t *cold)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < COLD / sizeof *cold; i++)
		sum += cold[i];
	return sum;
}

static void look_up(const char *what, void (*function)(const struct subject *, uint32_t, struct result *),
		    const struct subject *subject, const uint64_t *cold, size_t count)
{
	double *times = calloc(count, sizeof *times);
	uint32_t first = le32(subject->rows), last = le32(subject->rows + (size_t)(subject->row_count - 1) * 16);
	struct result result, wanted;
	uint64_t sum = 0;
	if (!times)
		fail("no memory");
	for (size_t i = 0; i < count; i++) {
		uint32_t rva = first + random_below(last - first);
		sum += read_all(cold);
		now(); /* so that the clock's own code is not cold */
		double start = now();
		function(subject, rva, &result);
		times[i] = now() - start;
		bisection(subject, rva, &wanted);
		if (function != nothing && (result.line != wanted.line || strcmp(result.file, wanted.file) != 0 ||
					    strcmp(result.function, wanted.function) != 0))
			fail(what);
	}
	qsort(times, count, sizeof *times, compare_times);
	printf("%-28s %8.0f ns [%.0f - %.0f]%s\n", what, times[count / 2], times[count / 4], times[count * 3 / 4],
	       sum ? "" : "!");
	free(times);
}

int main(int argc, char **argv)
{
	ROSSYM_CALLBACKS callbacks = { .AllocMemProc = allocate, .FreeMemProc = release };
	struct subject subject;
	struct rossym_fault fault;
	if (argc != 5)
		return 2;
	size_t count = strtoull(argv[1], NULL, 10);
	struct image image = load(argv[2]), bare = load(argv[3]), packed = load(argv[4]);
	RosSymInit(&callbacks);
	RosSymDelete(create("without the block", &bare));
	struct subject of_packed;
	subject.info = create("with the block", &image);
	PROSSYM_INFO packed_info = create("packed", &packed);

	const struct rossym_reader reader = { image.bytes, image.size, NULL, NULL };
	if (rossym_core_open_loaded(&subject.core, &reader, &fault) < 0)
		fail("not open");
	subject.rows = image.table + le32(image.table);
	subject.row_count = le32(image.table + 4) / 16;
	subject.strings = image.table + le32(image.table + 8);
	uint64_t *cold = malloc(COLD);
	if (!cold || count == 0)
		fail("no memory, or no look-ups");
	memset(cold, 1, COLD);
	printf("%zu look-ups, cold: median [quartiles]\n", count);
	look_up("nothing", nothing, &subject, cold, count);
	look_up("GetAddressInformation", information, &subject, cold, count);
	look_up("GetFrame, all frames", all_frames, &subject, cold, count);
	of_packed = subject;
	of_packed.info = packed_info;
	look_up("GetAddressInformation, packed", information, &of_packed, cold, count);
	look_up("GetFrame, all, packed", all_frames, &of_packed, cold, count);
	look_up("bisection, in place", bisection, &subject, cold, count);
	look_up("linear", linear, &subject, cold, count);
	RosSymDelete(subject.info);
	RosSymDelete(packed_info);
	free(packed.bytes);
	free(image.bytes);
	free(bare.bytes);
	free(cold);
	return 0;
}
