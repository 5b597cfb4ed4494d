/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/demangle.c, where there is a demangler; the names of the styles are known without one. */
#include "config.h"

#include "tests/lib/cases.h"
#include "tests/lib/tap.h"
#include "tool/demangle.h"

#include <time.h>

static void gives(const char *name, const char *want)
{
	for (unsigned no_limit = 0; no_limit < 2; no_limit++) {
		char *got = demangle(name, no_limit);
		is_str(got, want, *name ? name : "nothing");
		free(got);
	}
}

/* ------------------------------------------------------------------------------------------------ bombs */

/* Names whose size or cost doubles with each of their LEVELS. */

static char bomb[8192];

static char *append(char *at, const char *text)
{
	size_t length = strlen(text);
	memcpy(at, text, length + 1);
	return at + length;
}

/* S_, S0_ ... S9_, SA_ ... */
static char *substitution(char *at, unsigned number)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	*at++ = 'S';
	if (number > 36)
		*at++ = digits[(number - 1) / 36];
	if (number > 0)
		*at++ = digits[(number - 1) % 36];
	return append(at, "_");
}

/* a<X, X> for every X before; BASE is the number of the template's name, X the one after it. */
static char *doubled(char *at, unsigned base, unsigned levels)
{
	for (unsigned i = 0; i < levels; i++) {
		at = append(substitution(at, base), "I");
		at = append(substitution(substitution(at, base + 1 + i), base + 1 + i), "E");
	}
	return at;
}

static void long_result(unsigned levels)
{
	doubled(append(bomb, "_Z1f1aIiiE"), 0, levels);
}

/* What is searched for a parameter pack before the first byte is printed; the same in the names that compilers give to other things,
   and where only newer demanglers look. */
static const struct {
	const char *before, *behind;
	unsigned few, many;
} searches[] = { { "_Z1fDp1aI1bIiiE", "E", 4, 60 },
		 { "_ZGVZ1fDp1aI1bIiiE", "EE1x", 4, 26 },
		 { "_ZTIFvDp1aI1bIiiE", "EE", 4, 26 },
		 { "_ZZ1fvENKUlDp1aI1bIiiE", "EE_clEv", 4, 26 },
		 { "_Z1fDp1aIXu1e1bIiiE", "EEE", 0, 26 } };
static unsigned searched; /* which of them long_search() makes */

static void long_search(unsigned levels)
{
	append(doubled(append(bomb, searches[searched].before), 1, levels), searches[searched].behind);
}

/* What can be read in two ways. */
static void long_reading(unsigned levels)
{
	char *at = append(bomb, "_ZN1Acv");
	for (unsigned i = 0; i < levels; i++)
		at = append(at, "T_I");
	*at++ = 'i';
	for (unsigned i = 0; i < levels; i++)
		*at++ = 'E';
	append(at, "IiEEv");
}

/* (X, X) for every X before. */
static void long_rust(unsigned levels)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char *at = append(bomb, "_RINvC1a1fTuuE");
	size_t before = 8; /* where it begins, without _R */
	for (unsigned i = 0; i < levels; i++) {
		size_t here = (size_t)(at - bomb) - 2;
		char back[] = { 'B', digits[(before - 1) / 62 % 62], digits[(before - 1) % 62], '_', '\0' };
		if (before <= 62)
			memmove(back + 1, back + 2, 3);
		else
			back[1] = digits[(before - 1) / 62 - 1];
		at = append(append(append(append(at, "T"), back), back), "E");
		before = here;
	}
	append(at, "E");
}

/* X[X] for every X before. */
static void long_d(unsigned levels)
{
	char *at = append(bomb, "_D1aF"), *before = at;
	at = append(at, "Hii");
	for (unsigned i = 0; i < levels; i++) {
		char *here = at;
		*at++ = 'H';
		for (int twice = 0; twice < 2; twice++) {
			char back[] = { 'Q', (char)('a' + (at - before)), '\0' };
			at = append(at, back);
		}
		before = here;
	}
	append(at, "Zv");
}

/* Nested so deep that the stack must be deep, too. */
static void deep(unsigned levels)
{
	char *at = append(bomb, "_Z1f");
	memset(at, 'F', levels);
	append(at + levels, "i");
}

static void is_one(const char *style, void (*make)(unsigned levels), unsigned few, unsigned many)
{
	demangle_set_style(style);
	make(few);
	char *plain = few ? demangle(bomb, false) : NULL;
	ok(!few || plain, "%s: %s is a name", style, bomb);
	free(plain);
	make(many);
	for (unsigned no_limit = 0; no_limit < 2; no_limit++) {
		plain = demangle(bomb, no_limit);
		ok(!plain, "%s: %.60s... is too much", style, bomb);
		free(plain);
	}
	plain = demangle_without_parameters(bomb);
	ok(!plain || strlen(plain) <= 255, "and no short form is longer than a table's names");
	free(plain);
}

static void bombs(void)
{
	enum { SECONDS = 10 }; /* one that is not seen takes some */
	clock_t start = clock();
	is_one("auto", long_result, 4, 60);
	is_one("gnu-v3", long_result, 4, 60);
	is_one("java", long_result, 4, 60);
	for (; searched < sizeof searches / sizeof *searches; searched++)
		is_one("auto", long_search, searches[searched].few, searches[searched].many);
	searched = 0;
	is_one("auto", long_reading, 1, 60);
	is_one("auto", long_rust, 3, 60);
	is_one("rust", long_rust, 3, 60);
	is_one("dlang", long_d, 3, 60);
	is_one("auto", deep, 0, 4000);
	is_one("dlang", deep, 0, 4000);
	ok((clock() - start) / CLOCKS_PER_SEC < SECONDS, "no bomb costs much");

	/* GNAT makes something of every name. */
	static const char *const styles[] = { "auto", "gnu-v3", "java", "gnat", "dlang", "rust" };
	deep(5000);
	for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
		demangle_set_style(styles[i]);
		char *plain = demangle(bomb, true);
		ok(!plain, "%s: a name of %zu bytes is too long", styles[i], strlen(bomb));
		free(plain);
	}
	demangle_set_style("auto");
}

/* As many as an image of 10 MB has room for. */
static void many_bombs(void)
{
	enum { COUNT = 30000, SECONDS = 20 /* a sanitizer is slow */ };
	clock_t start = clock();
	ok(!demangle_gave_up(), "so far every name was judged by itself");
	for (int i = 0; i < COUNT; i++) {
		(i % 2 ? long_result : long_search)(28);
		free(demangle(bomb, false));
	}
	ok(demangle_gave_up(), "%d bombs together cost too much", COUNT);
	ok((clock() - start) / CLOCKS_PER_SEC < SECONDS, "and are left alone in time");
	gives("_ZNSt6vectorIiSaIiEE9push_backEOi", "std::vector<int, std::allocator<int> >::push_back(int&&)");
	gives("_Z1fv", "f()");
	gives("_Z1fIJicEEvDpT_", "void f<int, char>(int, char)");
}

int main(void)
{
	static const char *const styles[] = { "none", "gnu-v3", "java", "gnat", "dlang", "rust", "auto" };
	static const char *const none[] = { "gnu", "lucid", "GNU-V3", "", "Auto", "auto ", "autos", "au" };
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ok(!demangle_set_style(none[i]), "'%s' is no style", none[i]);
	for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
		ok(demangle_set_style(styles[i]), "'%s' is one", styles[i]);
	if (demangle_available) {
		struct case_file cases;
		cases_open(&cases, "tests/tool/unit-demangle.cases");
		while (cases_next(&cases, "names"))
			gives(cases.input, cases.expected[0] ? cases.expected : NULL);
		while (cases_next(&cases, "base names")) {
			char *base = demangle_to_base_name(cases.input, false);
			is_str(base, cases.expected[0] ? cases.expected : NULL, cases.input);
			free(base);
		}
		cases_close(&cases);
		bombs();
		many_bombs();
		demangle_set_style("none");
		gives("_Z1fv", "_Z1fv"); /* the demangler's own way not to demangle */
		gives("_Z1fv@4", "_Z1fv@4");
	} else {
		skip("names", "built without a demangler");
		gives("_Z1fv", NULL);
	}
	return done_testing();
}
