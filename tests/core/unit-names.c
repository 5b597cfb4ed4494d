/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rossym_find_function(): which spellings stand for each other, which of several functions is found, and what counts
   as several. */
#include "config.h"

#include "tests/lib/cases.h"
#include "tests/lib/makepe.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"
#include "rossym.h"

static struct rossym_error err;

static struct makepe m;
static uint8_t *bytes;
static struct rossym_image *image;

static void start(enum makepe_kind kind)
{
	makepe_start(&m, kind);
	makepe_section(&m, ".text", 0x1000, 0x1000, 0x1000, MAKEPE_CODE);
	makepe_section(&m, ".data", 0x3000, 0x1000, 0x1000, MAKEPE_DATA);
}

static void open_it(void)
{
	size_t size;

	image = NULL;
	bytes = makepe_build(&m, &size);
	if (rossym_open_memory(bytes, size, NULL, &image, &err) < 0)
		diag("0x%llx: %s", (unsigned long long)err.offset, err.what);
}

static void drop(void)
{
	rossym_close(image);
	free(bytes);
}

/* WANT: the name that is found, or NULL. */
static void finds(const char *name, const char *want, uint32_t rva, uint32_t places)
{
	struct rossym_function f = { .name = "untouched", .rva = 7, .places = 7 };
	int r = image ? rossym_find_function(image, name, &f, &err) : -2;
	bool good = want ? r == 1 && strcmp(f.name, want) == 0 && f.rva == rva && f.places == places
			 : r == 0 && strcmp(f.name, "untouched") == 0;

	if (!ok(good, "'%s' is %s%s%s", name, want ? "'" : "", want ? want : "not there", want ? "'" : ""))
		diag("seen %d: '%s' at 0x%x in %u places", r, f.name, (unsigned)f.rva, (unsigned)f.places);
}

/* Makes the rows of a section. */
static void read_table(struct case_file *cases, const char *section)
{
	while (cases_next(cases, section)) {
		char *function, *line = strrchr(cases->expected, ':');
		const uint64_t rva = strtoull(cases->input, &function, 16);
		function += *function == ' ';
		if (line)
			*line++ = '\0';
		makepe_row(&m, rva, function, cases->expected, line ? (uint32_t)strtoul(line, NULL, 10) : 0);
	}
}

/* Checks what a section finds in the image. */
static void find_all(struct case_file *cases, const char *section)
{
	open_it();
	while (cases_next(cases, section)) {
		char *name, *places;
		const uint32_t rva = (uint32_t)strtoul(cases->expected, &name, 16);
		if (*name)
			places = strchr(++name, ' ');
		else
			name = places = NULL;
		if (places)
			*places++ = '\0';
		finds(cases->input, name, rva, places ? (uint32_t)strtoul(places, NULL, 10) : 1);
	}
	drop();
}

static void tables(void)
{
	static const struct {
		enum makepe_kind kind;
		unsigned width; /* of a row; 0: as usual */
		const char *table, *section;
	} all[] = {
		{ MAKEPE_32, 0, "decorated table", "decorated" },
		{ MAKEPE_32, 0, "exact table", "exact" },
		{ MAKEPE_32, 0, "places table", "places" },
		{ MAKEPE_64, 0, "decorated table", "decorated, 64 bits" },
		{ MAKEPE_64, 24, "24 bytes a row table", "24 bytes a row" },
		{ MAKEPE_BARE, 0, "bare table", "bare" },
		{ MAKEPE_32, 0, NULL, "empty" },
	};
	struct case_file cases;
	cases_open(&cases, "tests/core/unit-names.cases");
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		start(all[i].kind);
		if (all[i].width)
			m.width = all[i].width;
		if (all[i].table)
			read_table(&cases, all[i].table);
		find_all(&cases, all[i].section);
	}
	cases_close(&cases);
}

/* Strings that are the ends of others, that lie outside, or that differ far behind their beginning. */
static void odd_strings(void)
{
	char long_a[400], long_b[400];

	memset(long_a, 'x', sizeof long_a - 1);
	long_a[sizeof long_a - 1] = '\0';
	memcpy(long_b, long_a, sizeof long_b);
	long_b[sizeof long_b - 2] = 'y';

	start(MAKEPE_32);
	uint32_t barfoo = makepe_string(&m, "barfoo");
	makepe_raw_row(&m, 0x1000, barfoo, 0, 1);
	makepe_raw_row(&m, 0x1010, barfoo + 3, 0, 1);
	makepe_raw_row(&m, 0x1020, UINT32_MAX, 0, 1);
	makepe_raw_row(&m, 0x1030, barfoo + 6, 0, 1);
	makepe_row(&m, 0x1040, long_a, "", 1);
	makepe_row(&m, 0x1050, long_b, "", 1);
	makepe_raw_row(&m, 0x1060, makepe_new_string(&m, "foo"), 0, 1);
	makepe_row(&m, 0x1070, "unterminated", "", 1);
	m.unterminated = true;
	open_it();
	finds("barfoo", "barfoo", 0x1000, 1);
	finds("foo", "foo", 0x1010, 2);
	finds(long_a, long_a, 0x1040, 1);
	finds(long_b, long_b, 0x1050, 1);
	finds("unterminated", "unterminated", 0x1070, 1);
	drop();
}

/* Many names, so that the index has many buckets and chains. */
static void many(void)
{
	unsigned wrong = 0;
	char name[32];

	start(MAKEPE_BARE);
	for (unsigned i = 0; i < 3000; i++) {
		snprintf(name, sizeof name, "Fn%u", i);
		makepe_raw_row(&m, i * 8, makepe_new_string(&m, name), 0, i);
	}
	open_it();
	for (unsigned i = 0; i < 3001; i++) {
		struct rossym_function f = { .name = NULL };

		snprintf(name, sizeof name, "Fn%u", i);
		int r = rossym_find_function(image, name, &f, &err);
		wrong += i == 3000 ? r != 0 : r != 1 || strcmp(f.name, name) != 0 || f.rva != i * 8 || f.places != 1;
		wrong += rossym_find_function(image, name + 1, &f, &err) != 0;
	}
	is_uint(wrong, 0, "3000 names");
	drop();
}

int main(void)
{
	tables();
	odd_strings();
	many();
	return done_testing();
}
