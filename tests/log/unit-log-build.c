// SPDX-License-Identifier: GPL-2.0-or-later
/* Which build of ReactOS a text names, and when two builds are the same. */
#include "config.h"
#include "log/read/build-name.h"
#include "tests/lib/cases.h"
#include "tests/lib/memory.h"
#include "tests/lib/tap.h"

#define NAME "20260924-0.4.17-dev-915-g3f5fd48"
#define COMMIT "3f5fd48b2da5f1c21ef4d53b4c938a4bb346defa"

/* Find the build named in the LENGTH bytes at TEXT, in a copy of just these bytes. */
static bool parse(const char *text, size_t length, struct build *build)
{
	char *copy = exact_copy(text, length);
	bool found = build_find_name(copy, length, build);
	free(copy);
	return found;
}

static const char *show(const char *text, size_t length)
{
	static char shown[512];
	struct build build;
	bool found = parse(text, length, &build);
	snprintf(shown, sizeof shown, "%s[%s|%s|%s]", found ? "" : "none ", build.version, build.name, build.commit);
	return shown;
}

static void test_texts(void)
{
	struct case_file cases;
	cases_open(&cases, "tests/log/unit-log-build.cases");
	while (cases_next(&cases, "builds"))
		is_str(show(cases.input, strlen(cases.input)), cases.expected,
		       cases.input[0] ? cases.input : "nothing");
	cases_close(&cases);
}

/* Each beginning of a banner says what it says, or nothing; it never says a part of the build name. */
static void test_beginnings(void)
{
	static const char text[] = "ReactOS 0.4.17-x86-dev (Build " NAME ") (Commit " COMMIT ")";
	unsigned wrong = 0, found = 0;
	for (size_t n = 0; n < sizeof text; n++) {
		struct build build;
		if (!parse(text, n, &build))
			continue;
		found++;
		wrong += strcmp(build.name, NAME) != 0 || (build.commit[0] && strcmp(build.commit, COMMIT) != 0);
	}
	is_uint(wrong, 0, "no beginning of a banner names another build");
	is_uint(found, strlen(" (Commit " COMMIT ")") + 1, "from the end of the build name on it is known");
}

static void test_same(void)
{
	static const struct build whole = { "0.4.17-x86-dev", NAME, COMMIT }, name = { "", NAME, "" },
				  commit = { "", "", COMMIT }, short_commit = { "", "", "3F5FD48" },
				  other_name = { "", "20260925-0.4.17-dev-915-g3f5fd48", COMMIT },
				  other_commit = { "", NAME, "4f5fd48" }, version = { "0.4.17-x86-dev", "", "" },
				  other_version = { "0.4.17-amd64-dev", NAME, COMMIT }, nothing = { "", "", "" };
	struct build disc, other_disc;
	static const char disc_name[] = "reactos-bootcd-0.4.17-dev-915-g3f5fd48-x86-gcc-lin-dbg.iso",
			  other_name_of_disc[] = "x/reactos-livecd-0.4.17-dev-999-gabcdef0-amd64-msvc-win-rel.7z";
	is_uint(parse(disc_name, sizeof disc_name - 1, &disc), true, "the name of a disc");
	is_str(show(disc_name, sizeof disc_name - 1), "[||3f5fd48]", "tells the commit");
	is_uint(parse(other_name_of_disc, sizeof other_name_of_disc - 1, &other_disc), true, "another one, in a path");
	is_str(show("reactos-bootcd-0.4.15.iso", 25), "none [||]", "that of a release tells none");
	is_str(show("reactos-bootcd-0.4.17-dev-915-g3f5fd4-x86", 41), "none [||]", "nor one that is too short");
	const struct {
		const char *what;
		const struct build *a, *b;
		enum build_same want;
	} cases[] = {
		{ "itself", &whole, &whole, BUILD_SAME },
		{ "the name alone", &whole, &name, BUILD_SAME },
		{ "the commit alone", &whole, &commit, BUILD_SAME },
		{ "the beginning of the commit", &whole, &short_commit, BUILD_SAME },
		{ "another name", &whole, &other_name, BUILD_OTHER },
		{ "another commit", &whole, &other_commit, BUILD_OTHER },
		{ "another architecture", &whole, &other_version, BUILD_OTHER },
		{ "the version alone", &whole, &version, BUILD_UNKNOWN },
		{ "a name and the commit that it has, too", &name, &commit, BUILD_SAME },
		{ "a name and another commit", &name, &(const struct build){ "", "", "4f5fd48" }, BUILD_OTHER },
		{ "the commit of a disc", &whole, &disc, BUILD_SAME },
		{ "the commit of a disc, and a name", &name, &disc, BUILD_SAME },
		{ "that of another disc", &name, &other_disc, BUILD_OTHER },
		{ "nothing", &whole, &nothing, BUILD_UNKNOWN },
		{ "no build", &whole, NULL, BUILD_UNKNOWN },
		{ "no builds", NULL, NULL, BUILD_UNKNOWN },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		is_uint(build_compare(cases[i].a, cases[i].b), cases[i].want, cases[i].what);
		ok(build_compare(cases[i].b, cases[i].a) == cases[i].want, "%s, the other way round", cases[i].what);
	}
}

int main(void)
{
	test_texts();
	test_beginnings();
	test_same();
	return done_testing();
}
