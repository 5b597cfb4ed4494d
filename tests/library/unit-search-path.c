/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/files/search-path.c: which directories environment variables list. */
#include "config.h"
#include "tool/files/search-path.h"
#include "tests/lib/cases.h"
#include "tests/lib/tap.h"

/* Whether the directories that READ takes from TEXT are WANTED, in which "|" is between them. */
static void takes(bool (*read)(struct search_path *path, const char *text), const char *text, const char *wanted)
{
	struct search_path path = { .items = NULL };
	char seen[400] = "";
	ok(read(&path, text), "%s: there is memory", text ? text : "NULL");
	for (size_t i = 0; i < path.count; i++) {
		strcat(seen, i ? "|" : "");
		strcat(seen, path.items[i]);
	}
	is_str(seen, wanted, text ? text : "NULL");
	search_path_clear(&path);
	ok(!path.items && path.count == 0, "it is cleared");
}

int main(void)
{
	struct case_file cases;
#ifdef _WIN32
	takes(search_path_add, ";C:\\a;;D:\\b c;", "C:\\a|D:\\b c");
#else
	takes(search_path_add, ":/a::/b c:", "/a|/b c");
#endif
	takes(search_path_add, NULL, "");
	takes(search_path_add, "", "");
	takes(search_path_add, "a", "a");
	takes(search_path_add_symbols, NULL, "");
	cases_open(&cases, "tests/library/unit-search-path.cases");
	while (cases_next(&cases, "symbols"))
		takes(search_path_add_symbols, cases.input, cases.expected);
	cases_close(&cases);
	return done_testing();
}
