/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rossym_check() and rossym_rows_next(): each count, each error and where it is, and rows as they stand. */
#include "config.h"

#include "tests/lib/makepe.h"
#include "tests/lib/tap.h"
#include "rossym.h"

static struct rossym_error err;

static struct makepe m;
static uint8_t *bytes;
static size_t size;
static struct rossym_image *image;

static void start(enum makepe_kind kind, unsigned width)
{
	makepe_start(&m, kind);
	m.width = width;
	makepe_section(&m, ".text", 0x1000, 0x1000, 0x1000, MAKEPE_CODE);
	makepe_section(&m, ".data", 0x3000, 0x1000, 0x1000, MAKEPE_DATA);
}

static void open_it(void)
{
	image = NULL;
	bytes = makepe_build(&m, &size);
	if (rossym_open_memory(bytes, size, NULL, &image, &err) < 0) {
		printf("Bail out! 0x%llx: %s\n", (unsigned long long)err.offset, err.what);
		exit(99);
	}
}

static void drop(void)
{
	rossym_close(image);
	free(bytes);
}

/* What the image that is described has. */
static void report_is(const struct rossym_report *want, const char *name)
{
	struct rossym_report got = { .size = sizeof got };
	open_it();
	if (!ok(rossym_check(image, &got, &err) == 0, "%s", name))
		diag("at 0x%llx: %s", (unsigned long long)err.offset, err.what);
	is_uint(got.rows, want->rows, "rows");
	is_uint(got.linker_constants, want->linker_constants, "linker constants");
	is_uint(got.outside, want->outside, "outside");
	is_uint(got.in_data, want->in_data, "in data");
	is_uint(got.shadowed, want->shadowed, "shadowed");
	is_uint(got.constant_names, want->constant_names, "lines named after constants");
	is_uint(got.duplicates, want->duplicates, "duplicates");
	is_uint(got.line_without_file, want->line_without_file, "lines without a file");
	is_uint(got.file_without_line, want->file_without_line, "files without a line");
	is_uint(got.too_long, want->too_long, "strings that are too long");
	is_uint(got.unterminated, want->unterminated, "unterminated");
	is_uint(got.first_not_empty, want->first_not_empty, "first string not empty");
	drop();
}

static const char *repeated(char *buffer, size_t length)
{
	memset(buffer, 'n', length);
	buffer[length] = '\0';
	return buffer;
}

static void counts(void)
{
	char long_name[300];

	start(MAKEPE_32, 16);
	report_is(&(struct rossym_report){ .rows = 0 }, "an empty table");

	start(MAKEPE_32, 16);
	makepe_row(&m, 0, "_subsystem__", "", 0);
	makepe_row(&m, 0, "_dll__", "", 0);
	makepe_row(&m, 0x800, "outside", "", 0);
	makepe_row(&m, 0x1000, "f", "a.c", 1);
	makepe_row(&m, 0x1000, "alias", "", 0);
	makepe_row(&m, 0x1000, "___section_alignment__", "", 0);
	makepe_row(&m, 0x1000, "alias2", "", 0);
	makepe_row(&m, 0x1004, "f", "", 2);
	makepe_row(&m, 0x1008, "f", "a.c", 0);
	makepe_row(&m, 0x100c, "_size_of_heap_reserve__", "a.c", 5);
	makepe_row(&m, 0x1010, "_size_of_heap_reserve__", "a.c", 0);
	makepe_row(&m, 0x3000, "data", "", 0);
	makepe_row(&m, 0x3000, "data2", "", 0);
	makepe_row(&m, 0x3fff, "data", "", 3);
	makepe_row(&m, 0x4000, "outside", "", 0);
	makepe_row(&m, 0x4100, repeated(long_name, 255), "", 0);
	makepe_row(&m, 0x4100, repeated(long_name, 256), "", 0);
	makepe_row(&m, 0x4200, "f", repeated(long_name, 299), 1);
	m.unterminated = true;
	m.strings[0] = 'x';
	report_is(&(struct rossym_report){ .rows = 18,
					   .linker_constants = 3,
					   .outside = 5,
					   .in_data = 3,
					   .shadowed = 2,
					   .constant_names = 2,
					   .duplicates = 6,
					   .line_without_file = 2,
					   .file_without_line = 2,
					   .too_long = 2,
					   .unterminated = 1,
					   .first_not_empty = 1 },
		  "one of each");

	start(MAKEPE_BARE, 16);
	makepe_row(&m, 0, "f", "", 0);
	makepe_row(&m, 0, "g", "", 0);
	makepe_row(&m, UINT32_MAX, "h", "", 0);
	report_is(&(struct rossym_report){ .rows = 3, .duplicates = 1, .shadowed = 1 },
		  "in a bare table nothing is outside");

	/* Duplicates on both sides of the 256 rows that are read at a time. */
	start(MAKEPE_32, 16);
	for (unsigned i = 0; i < 600; i++)
		makepe_row(&m, 0x1000 + i / 3, "f", "a.c", 1);
	report_is(&(struct rossym_report){ .rows = 600, .duplicates = 400, .shadowed = 400 }, "three rows an address");
}

/* The image that is described is damaged at OFFSET of its table. */
static void damaged_at(size_t offset, const char *name)
{
	struct rossym_report report = { .size = sizeof report, .rows = 99 };
	open_it();
	err = (struct rossym_error){ ROSSYM_OK, 0, 0, "" };
	offset += m.table_at;
	int r = rossym_check(image, &report, &err);
	if (!ok(r == -1 && err.code == ROSSYM_EDAMAGED && err.offset == offset && err.what[0] && report.rows == 99,
		"%s", name))
		diag("seen %d, code %d at 0x%llx (not 0x%llx): %s", r, (int)err.code, (unsigned long long)err.offset,
		     (unsigned long long)offset, err.what);
	is_int(rossym_check(image, &report, NULL), -1, "without an error to fill in");
	drop();
}

static void errors(void)
{
	static const unsigned widths[] = { 16, 20, 24 };
	uint32_t outside;

	for (size_t i = 0; i < 3; i++) {
		unsigned width = widths[i], wide = width == 16 ? 0 : 4;
		enum makepe_kind kind = wide ? MAKEPE_64 : MAKEPE_32;

		/* Enough rows for the one bad offset not to speak against the size of the rows. */
		for (unsigned bad_file = 0; bad_file < 2; bad_file++) {
			start(kind, width);
			for (unsigned k = 0; k < 401; k++)
				makepe_row(&m, 0x1000 + 4 * k, "f", "a.c", k + 1);
			outside = (uint32_t)m.strings_size;
			*(bad_file ? &m.rows[399].file : &m.rows[399].function) = outside;
			damaged_at(16 + 399 * width + 4 + wide + (bad_file ? 4 : 0),
				   bad_file ? "a file outside the strings" : "a function outside the strings");
			*(bad_file ? &m.rows[399].file : &m.rows[399].function) = outside - 1;
			report_is(&(struct rossym_report){ .rows = 401, .line_without_file = bad_file },
				  "the last NUL is inside");
		}
	}

	start(MAKEPE_32, 16);
	for (unsigned k = 0; k < 600; k++)
		makepe_row(&m, 0x1000 + k, "f", "a.c", 1);
	m.rows[256].address = 0x10fe;
	damaged_at(16 + 256 * 16, "the first row of the second batch out of order");

	start(MAKEPE_32, 16);
	makepe_row(&m, 0x1000, "f", "a.c", 1);
	m.strings_size = 0;
	m.rows[0].function = m.rows[0].file = 0;
	report_is(&(struct rossym_report){ .rows = 1, .line_without_file = 1 }, "no strings at all");
}

static void rows(void)
{
	enum { MANY = 1000 };
	static struct rossym_row got[MANY];

	start(MAKEPE_32, 16);
	for (unsigned i = 0; i < MANY; i++)
		makepe_row(&m, i % 7 * 100, "f", "a.c", i); /* the order is not judged */
	m.rows[0].function = 0;
	m.rows[1].function = UINT32_MAX;
	m.rows[2].file = (uint32_t)m.strings_size;
	m.rows[3].function = m.rows[3].file = UINT32_MAX;
	open_it();

	unsigned have = 0, wrong = 0;
	struct rossym_rows rows;
	int r = 1;
	rossym_rows_begin(image, 0, &rows);
	while (have < MANY && (r = rossym_rows_next(&rows, &got[have], &err)) > 0)
		have++;
	is_uint(have, MANY, "all rows");
	is_int(rossym_rows_next(&rows, &got[0], &err), 0, "then none");
	is_int(rossym_rows_next(&rows, &got[0], &err), 0, "and none");
	for (unsigned i = 4; i < MANY; i++)
		wrong += got[i].rva != i % 7 * 100 || strcmp(got[i].function, "f") || strcmp(got[i].file, "a.c") ||
			 got[i].line != i || got[i].damage;
	is_uint(wrong, 0, "as they stand in the table");
	is_str(got[0].function, "", "no function");
	is_uint(got[0].damage, 0, "is no damage");
	is_str(got[1].function, "", "a function outside the strings");
	is_uint(got[1].damage, ROSSYM_ROW_BAD_FUNCTION, "is");
	is_str(got[2].file, "", "a file outside the strings");
	is_uint(got[2].damage, ROSSYM_ROW_BAD_FILE, "too");
	is_uint(got[3].damage, ROSSYM_ROW_BAD_FUNCTION | ROSSYM_ROW_BAD_FILE, "both");

	got[0].line = 4711;
	const uint32_t beyond[] = { MANY, MANY + 1, UINT32_MAX };
	for (unsigned i = 0; i < sizeof beyond / sizeof *beyond; i++) {
		rossym_rows_begin(image, beyond[i], &rows);
		is_int(rossym_rows_next(&rows, &got[0], &err), 0, "from the end or behind it");
	}
	is_uint(got[0].line, 4711, "nothing is stored");
	rossym_rows_begin(image, MANY - 1, &rows);
	is_int(rossym_rows_next(&rows, &got[0], &err), 1, "from the last");
	is_uint(got[0].line, MANY - 1, "is the last");
	rossym_rows_begin(image, 5, &rows);
	is_int(rossym_rows_next(&rows, &got[0], &err), 1, "from one");
	is_uint(got[0].line, 5, "of the middle");
	struct rossym_rows copy = rows;
	is_int(rossym_rows_next(&rows, &got[0], &err), 1, "the next");
	is_int(rossym_rows_next(&copy, &got[1], &err), 1, "the next of a copy");
	ok(got[0].line == 6 && got[1].line == 6, "is the same");
	drop();

	start(MAKEPE_64, 24);
	makepe_row(&m, 0x1000, "f", "a.c", 1);
	makepe_row(&m, UINT64_C(0x123456789abcdef0), "g", "b.c", UINT32_MAX);
	open_it();
	rossym_rows_begin(image, 0, &rows);
	ok(rossym_rows_next(&rows, &got[0], &err) == 1 && rossym_rows_next(&rows, &got[1], &err) == 1,
	   "rows of 24 bytes");
	is_uint(got[1].rva, UINT64_C(0x123456789abcdef0), "have addresses of 64 bits");
	is_uint(got[1].line, UINT32_MAX, "and lines of 32");
	drop();
}

int main(void)
{
	counts();
	errors();
	rows();
	return done_testing();
}
