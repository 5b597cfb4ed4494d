/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * linear - look-ups as they were done before 2005, against the library's
 *
 *	linear IMAGE COUNT
 *
 * For each of COUNT random addresses, two passes over all rows: one for the function that begins last at or below the
 * address, one for the line that does.  The same addresses by rossym_lookup_many() after rossym_prepare(), and both
 * together.  Prints microseconds: linear, prepare, look-ups.  Fails if the two disagree.
 */
#include "rossym.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* As on disk. */
struct entry {
	uint32_t address, function, file, line;
};

/* Not sorted, as far as they know: every entry has to be seen. */
static uint32_t find(const struct entry *entries, uint32_t count, uint32_t address, int want_line)
{
	uint32_t best = UINT32_MAX, best_address = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct entry *e = &entries[i];
		if (e->address <= address && e->address >= best_address && (want_line ? e->line : e->function)) {
			best = i;
			best_address = e->address;
		}
	}
	return best;
}

int main(int argc, char **argv)
{
	struct rossym_image *image;
	struct rossym_info info = { .size = sizeof info };
	struct rossym_error err;
	if (argc != 3)
		return 2;
	size_t count = strtoull(argv[2], NULL, 10);
	if (rossym_open(argv[1], NULL, &image, &err) < 0) {
		fprintf(stderr, "linear: %s: %s\n", argv[1], err.what);
		return 1;
	}
	rossym_get_info(image, &info, NULL);
	struct entry *entries = calloc(info.rows + 1, sizeof *entries);
	uint64_t *rvas = calloc(count + 1, sizeof *rvas);
	struct rossym_frame *frames = calloc(count + 1, sizeof *frames);
	struct rossym_rows rows;
	struct rossym_row row;
	if (!entries || !rvas || !frames)
		return 1;
	uint32_t first = 0, last = 0;
	rossym_rows_begin(image, 0, &rows);
	for (uint32_t i = 0; i < info.rows; i++) {
		if (rossym_rows_next(&rows, &row, &err) != 1)
			return 1;
		/* Any number that is not 0 stands for a string here. */
		entries[i] = (struct entry){ (uint32_t)row.rva, row.function[0] != 0, row.file[0] != 0, row.line };
		first = i == 0 ? (uint32_t)row.rva : first;
		last = (uint32_t)row.rva;
	}
	srand(2005);
	for (size_t i = 0; i < count; i++)
		rvas[i] = first + (uint64_t)rand() % (last - first + 1);

	double start = now();
	uint64_t lines = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t function = find(entries, info.rows, (uint32_t)rvas[i], 0);
		uint32_t line = find(entries, info.rows, (uint32_t)rvas[i], 1);
		lines += function != UINT32_MAX && line != UINT32_MAX ? entries[line].line : 0;
	}
	double linear = now() - start;

	start = now();
	if (rossym_prepare(image, &err) < 0)
		return 1;
	double prepare = now() - start;
	start = now();
	if (rossym_lookup_many(image, rvas, count, ROSSYM_LOOKUP_DATA, frames, &err) < 0)
		return 1;
	double look_ups = now() - start;
	for (size_t i = 0; i < count; i++)
		lines -= frames[i].line;
	printf("%.1f %.1f %.1f\n", linear, prepare, look_ups);
	rossym_close(image);
	free(entries);
	free(rvas);
	free(frames);
	return lines != 0;
}
