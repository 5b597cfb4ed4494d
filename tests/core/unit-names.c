/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rossym_find_function(): which spellings stand for each other, which of several functions is found, and what counts
   as several. */
#include "config.h"

#include "tests/lib/makepe.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"
#include "rossym.h"

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
	struct rossym_error err;
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
	struct rossym_error err;
	int r = image ? rossym_find_function(image, name, &f, &err) : -2;
	bool good = want ? r == 1 && strcmp(f.name, want) == 0 && f.rva == rva && f.places == places
			 : r == 0 && strcmp(f.name, "untouched") == 0;

	if (!ok(good, "'%s' is %s%s%s", name, want ? "'" : "", want ? want : "not there", want ? "'" : ""))
		diag("seen %d: '%s' at 0x%x in %u places", r, f.name, (unsigned)f.rva, (unsigned)f.places);
}

static void decorated_names(void)
{
	makepe_row(&m, 0x1000, "_plain", "a.c", 1);
	makepe_row(&m, 0x1010, "_std@8", "a.c", 2);
	makepe_row(&m, 0x1020, "@fast@12", "a.c", 3);
	makepe_row(&m, 0x1030, "bare", "a.c", 4);
	makepe_row(&m, 0x1040, "std2@4", "a.c", 5);
	makepe_row(&m, 0x1050, "_ZN3FooC1EPv@28", "a.c", 6);
	makepe_row(&m, 0x1060, "_imp_@KeX", "a.c", 7);
	makepe_row(&m, 0x1070, "__two", "a.c", 8);
	makepe_row(&m, 0x1080, "odd@x8", "a.c", 9);
	makepe_row(&m, 0x1090, "odd8", "a.c", 10);
	makepe_row(&m, 0x10a0, "at@", "a.c", 11);
	makepe_row(&m, 0x10b0, "@8", "a.c", 12);
	makepe_row(&m, 0x10c0, "two@1@2", "a.c", 13);
	makepe_row(&m, 0x10d0, "vector@@8", "a.c", 14);
}

static void undecorated(void)
{
	decorated_names();
	open_it();
	finds("_plain", "_plain", 0x1000, 1);
	finds("plain", "_plain", 0x1000, 1);
	finds("__plain", "_plain", 0x1000, 1);
	finds("___plain", NULL, 0, 0);
	finds("Plain", NULL, 0, 0);
	finds("plai", NULL, 0, 0);
	finds("plain1", NULL, 0, 0);
	finds("_std@8", "_std@8", 0x1010, 1);
	finds("_std", "_std@8", 0x1010, 1);
	finds("std", "_std@8", 0x1010, 1);
	finds("std@8", "_std@8", 0x1010, 1);
	finds("std@4", NULL, 0, 0);
	finds("_std@80", NULL, 0, 0);
	finds("std@", NULL, 0, 0);
	finds("@fast@12", "@fast@12", 0x1020, 1);
	finds("fast", "@fast@12", 0x1020, 1);
	finds("fast@12", "@fast@12", 0x1020, 1);
	finds("@fast", NULL, 0, 0);
	finds("fast@8", NULL, 0, 0);
	finds("bare", "bare", 0x1030, 1);
	finds("_bare", "bare", 0x1030, 1);
	finds("bare@16", "bare", 0x1030, 1);
	finds("_bare@16", "bare", 0x1030, 1);
	finds("@bare@16", "bare", 0x1030, 1);
	finds("std2", "std2@4", 0x1040, 1);
	finds("_std2@4", "std2@4", 0x1040, 1);
	finds("_ZN3FooC1EPv", "_ZN3FooC1EPv@28", 0x1050, 1);
	finds("ZN3FooC1EPv", "_ZN3FooC1EPv@28", 0x1050, 1);
	finds("_imp_@KeX", "_imp_@KeX", 0x1060, 1);
	finds("imp_@KeX", "_imp_@KeX", 0x1060, 1);
	finds("_imp_@KeX@4", "_imp_@KeX", 0x1060, 1);
	finds("_imp_", NULL, 0, 0);
	finds("two", NULL, 0, 0);
	finds("_two", "__two", 0x1070, 1);
	finds("odd", NULL, 0, 0);
	finds("odd@x8", "odd@x8", 0x1080, 1);
	finds("at", NULL, 0, 0);
	finds("at@", "at@", 0x10a0, 1);
	finds("@8", "@8", 0x10b0, 1);
	finds("8", NULL, 0, 0);
	finds("two@1@2", "two@1@2", 0x10c0, 1);
	finds("two@1", NULL, 0, 0);
	finds("vector@@8", "vector@@8", 0x10d0, 1);
	finds("vector", "vector@@8", 0x10d0, 1);
	finds("vector@@16", NULL, 0, 0);
	finds("vector@8", NULL, 0, 0);
	finds("bare@@16", "bare", 0x1030, 1);
	finds("@@8", NULL, 0, 0);
	finds("", NULL, 0, 0);
	finds("_", NULL, 0, 0);
	finds("@", NULL, 0, 0);
	drop();
}

static void exact_first(void)
{
	start(MAKEPE_32);
	makepe_row(&m, 0x1000, "_f@8", "a.c", 1);
	makepe_row(&m, 0x1010, "_f", "a.c", 1);
	makepe_row(&m, 0x1020, "f", "a.c", 1);
	makepe_row(&m, 0x1030, "@f@8", "a.c", 1);
	makepe_row(&m, 0x1040, "g@8", "a.c", 1);
	makepe_row(&m, 0x1050, "_g@12", "a.c", 1);
	makepe_row(&m, 0x1060, "g@12", "a.c", 1);
	makepe_row(&m, 0x1070, "__h", "a.c", 1);
	makepe_row(&m, 0x1080, "h", "a.c", 1);
	open_it();
	finds("f", "f", 0x1020, 1);
	finds("_f", "_f", 0x1010, 1);
	finds("_f@8", "_f@8", 0x1000, 1);
	finds("@f@8", "@f@8", 0x1030, 1);
	finds("g", "g@8", 0x1040, 2); /* the lowest of what lacks a decoration only */
	finds("_g", "_g@12", 0x1050, 1);
	finds("_h", "h", 0x1080, 1); /* an underscore less comes before one more */
	finds("g@16", NULL, 0, 0);
	finds("_g@8", "g@8", 0x1040, 1);
	drop();
}

static void places(void)
{
	start(MAKEPE_32);
	makepe_row(&m, 0x0fff, "outside", "a.c", 1);
	makepe_row(&m, 0x1000, "a", "a.c", 1);
	makepe_row(&m, 0x1000, "alias", "", 0);
	makepe_row(&m, 0x1004, "a", "a.c", 2);
	makepe_row(&m, 0x1008, "a", "inlined.h", 3);
	makepe_row(&m, 0x100c, "", "a.c", 4);
	makepe_row(&m, 0x1010, "a", "a.c", 5);
	makepe_row(&m, 0x1014, "_subsystem__", "a.c", 5);
	makepe_row(&m, 0x1018, "a", "a.c", 6);
	makepe_row(&m, 0x1020, "b", "b.c", 1);
	makepe_row(&m, 0x1020, "a", "", 0);
	makepe_row(&m, 0x1024, "a", "a.c", 7);
	makepe_row(&m, 0x1030, "b", "b.c", 2);
	makepe_row(&m, 0x1034, "c", "c.c", 1);
	makepe_row(&m, 0x1038, "b", "b.c", 3);
	makepe_row(&m, 0x103c, "c", "c.c", 1);
	makepe_row(&m, 0x1040, "b", "b.c", 4);
	makepe_row(&m, 0x1fff, "last", "b.c", 4);
	makepe_row(&m, 0x2000, "outside", "a.c", 1);
	makepe_row(&m, 0x3000, "variable", "", 0);
	makepe_row(&m, 0x3010, "_rossym_end__", "", 0);
	makepe_row(&m, 0x3020, "_subsystem__", "", 0);
	makepe_row(&m, 0x400000, "__ImageBase", "", 0);
	makepe_row(&m, 0x400001, "outside", "", 0);
	open_it();
	/* rows without a function of their own divide nothing, aliases neither */
	finds("a", "a", 0x1000, 1);
	finds("alias", "alias", 0x1000, 1);
	finds("b", "b", 0x1020, 4); /* a's 0x1024 divides it as well as c's two rows */
	finds("c", "c", 0x1034, 2);
	finds("last", "last", 0x1fff, 1);
	finds("outside", NULL, 0, 0);
	finds("variable", "variable", 0x3000, 1);
	finds("_rossym_end__", NULL, 0, 0);
	finds("_subsystem__", NULL, 0, 0);
	finds("__ImageBase", NULL, 0, 0);
	drop();
}

static void other_kinds(void)
{
	start(MAKEPE_64);
	decorated_names();
	open_it();
	finds("_plain", "_plain", 0x1000, 1);
	finds("plain", NULL, 0, 0);
	finds("std", NULL, 0, 0);
	finds("_std@8", "_std@8", 0x1010, 1);
	finds("fast", NULL, 0, 0);
	finds("bare", "bare", 0x1030, 1);
	finds("_bare", NULL, 0, 0);
	drop();

	start(MAKEPE_64);
	m.width = 24;
	makepe_row(&m, 0x1000, "inside", "", 0);
	makepe_row(&m, UINT64_C(0x100001000), "beyond", "", 0);
	makepe_row(&m, UINT64_C(0x100001010), "inside", "", 0);
	open_it();
	finds("inside", "inside", 0x1000, 1);
	finds("beyond", NULL, 0, 0);
	drop();

	start(MAKEPE_BARE);
	makepe_row(&m, 0, "zero", "", 0);
	makepe_row(&m, 0x10, "_f@8", "", 0);
	makepe_row(&m, UINT32_MAX, "highest", "", 0);
	open_it();
	finds("f", "_f@8", 0x10, 1);
	finds("zero", "zero", 0, 1);
	finds("highest", "highest", UINT32_MAX, 1);
	drop();

	start(MAKEPE_32);
	open_it();
	finds("f", NULL, 0, 0);
	drop();
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
		struct rossym_error err;

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
	start(MAKEPE_32);
	undecorated();
	exact_first();
	places();
	other_kinds();
	odd_strings();
	many();
	return done_testing();
}
