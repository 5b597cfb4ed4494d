/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is cut while its image is open, at many lengths (in "make check-long", at all that end in its headers) and before every
 * function: the answer is the old one or ROSSYM_ECHANGED, never a signal, and once the file is whole again the image works again.
 */
#include "config.h"

#include "tests/lib/makepe.h"
#include "tests/lib/tap.h"
#include "rossym.h"

static struct makepe m;
static uint8_t *bytes;
static size_t size;
static char path[4096];

static int lookup(struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_frame frame = { .function = NULL };
	int r = rossym_lookup(image, 0x1000 + 4 * 50, 0, &frame, err);

	return r == 1 ? (int)frame.line : r == 0 ? -2 : r;
}

static int section(struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_section s = { NULL, 0, 0, 0, 0, 0, 0 };
	int r = rossym_get_section(image, 1, &s, err);

	return r == 1 ? (int)strlen(s.name) : r == 0 ? -2 : r;
}

static int rows(struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_rows rows;
	struct rossym_row row;
	int r = 1, count = -1;

	rossym_rows_begin(image, 100, &rows);
	for (; r > 0; count++)
		r = rossym_rows_next(&rows, &row, err);
	return r < 0 ? -1 : count;
}

static int find(struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_function f = { .name = NULL };
	int r = rossym_find_function(image, "f", &f, err);

	return r == 1 ? (int)f.rva : r == 0 ? -2 : r;
}

static int check(struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_report report = { .size = sizeof report };

	return rossym_check(image, &report, err) < 0 ? -1 : (int)report.rows;
}

static int prepare(struct rossym_image *image, struct rossym_error *err)
{
	return rossym_prepare(image, err);
}

static int (*const functions[])(struct rossym_image *, struct rossym_error *) = {
	lookup, section, rows, find, check, prepare,
};
static const char *const names[] = { "look-up", "section names", "rows", "functions", "check", "prepare" };
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void refill(void)
{
	FILE *f = fopen(path, "r+b");

	if (!f || fwrite(bytes, 1, size, f) != size || fclose(f) != 0)
		abort();
}

/* FIRST: what was used before the cut, or nothing if it is FUNCTIONS. */
static void cut_before(unsigned function, unsigned first)
{
	unsigned wrong = 0, changed = 0;

	for (size_t cut = 0; cut < size; cut += cut < 600 || cut > size - 60 ? amount(1, 5) : 97) {
		struct rossym_image *image = NULL;
		struct rossym_error err = { ROSSYM_OK, 0, 0, "" };

		if (rossym_open(path, NULL, &image, &err) < 0)
			abort();
		if (first < FUNCTIONS)
			functions[first](image, &err);
		int r, whole;
		if (truncate(path, (off_t)cut) < 0)
			abort();
		r = functions[function](image, &err);
		refill();
		whole = functions[function](image, NULL);
		wrong += whole == -1;
		if (r == -1) {
			changed++;
			wrong += err.code != ROSSYM_ECHANGED || err.offset < cut || err.offset > size || !err.what[0];
		} else {
			wrong += r != whole;
		}
		rossym_close(image);
	}
	/* What has been read once may be kept; a look-up after rossym_prepare() must not need the file. */
	bool memory_only = functions[function] == lookup && first < FUNCTIONS && functions[first] == prepare;
	ok(wrong == 0 && (memory_only ? changed == 0 : changed > 0 || first == function),
	   "%s after %s: %u of the cuts were noticed", names[function], first < FUNCTIONS ? names[first] : "nothing",
	   changed);
}

/* What has been prepared does not need the file any more. */
static void prepared(void)
{
	struct rossym_image *image = NULL;
	struct rossym_error err;

	if (rossym_open(path, NULL, &image, &err) < 0 || rossym_prepare(image, &err) < 0 || truncate(path, 0) < 0)
		abort();
	is_int(lookup(image, &err), 51, "after rossym_prepare a look-up cannot fail");
	rossym_close(image);
	ok(rossym_open(path, NULL, &image, &err) == -1 && err.code == ROSSYM_ENOTPE, "an empty file");
	refill();
}

int main(void)
{
	makepe_start(&m, MAKEPE_32);
	makepe_two_sections(&m);
	m.long_names_size = 12;
	for (unsigned i = 0; i < 300; i++)
		makepe_row(&m, 0x1000 + 4 * i, "f", "a.c", i + 1);
	bytes = makepe_build(&m, &size);
	if (!makepe_file(path, bytes, size))
		return skip_all("no temporary file");
	for (unsigned function = 0; function < FUNCTIONS; function++)
		for (unsigned first = 0; first <= FUNCTIONS; first++)
			cut_before(function, first);
	prepared();
	unlink(path);
	free(bytes);
	return done_testing();
}
