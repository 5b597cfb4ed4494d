/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/files/search-path.c: which directories environment variables list. */
#include "config.h"
#include "tool/files/search-path.h"
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
	static const struct {
		const char *text, *wanted;
	} symbols[] = {
		{ NULL, "" },
		{ "", "" },
		{ ";;", "" },
		{ "C:\\sym", "C:\\sym" },
		{ "/a;/b", "/a|/b" },
		{ ";/a;;/b c;", "/a|/b c" },
		{ "srv*C:\\cache*https://msdl.microsoft.com/download/symbols", "C:\\cache" },
		{ "SRV*/near*/far*http://host/sym", "/near|/far" },
		{ "srv*https://host/sym", "" },
		{ "srv*", "" },
		{ "srv**/a", "/a" },
		{ "srv", "srv" },
		{ "srv*/a*", "/a" },
		{ "cache*/a;srv*http://host:80/sym", "/a" },
		{ "Cache*", "" },
		{ "cache*/a*/b", "/a|/b" },
		{ "symsrv*symsrv.dll*/a*http://host", "/a" },
		{ "SymSrv*symsrv.dll", "" },
		{ "symsrv*", "" },
		{ "symsrv*dll*", "" },
		{ "https://host/sym", "" },
		{ "file://host/sym;/a", "/a" },
		{ "\\\\host\\share;/a", "/a" },
		{ "//host/share", "" },
		{ "srv*\\\\host\\share*/a", "/a" },
		{ "srv*/cache*\\/host", "/cache" },
		{ "C://sym", "C://sym" },
		{ "server/a", "server/a" },
		{ "srv*/a;cache*/b;/c;symsrv*d*/d", "/a|/b|/c|/d" },
		{ "http:/", "http:/" },
		{ "a:", "a:" },
		{ "/", "/" },
	};
#ifdef _WIN32
	takes(search_path_add, ";C:\\a;;D:\\b c;", "C:\\a|D:\\b c");
#else
	takes(search_path_add, ":/a::/b c:", "/a|/b c");
#endif
	takes(search_path_add, NULL, "");
	takes(search_path_add, "", "");
	takes(search_path_add, "a", "a");
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
		takes(search_path_add_symbols, symbols[i].text, symbols[i].wanted);
	return done_testing();
}
