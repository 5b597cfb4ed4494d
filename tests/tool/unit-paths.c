/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/paths.c */
#include "config.h"

#include "tests/lib/tap.h"
#include "tool/paths.h"

static struct paths paths;

static void start(const char *source_root, bool basenames)
{
	paths_clear(&paths);
	paths = (struct paths){ .source_root = source_root, .basenames = basenames };
}

static void map(const char *text)
{
	ok(paths_add_map(&paths, text) == PATHS_OK, "%s", text);
}

static void shows(const char *file, const char *want)
{
	is_str(paths_show(&paths, file), want, file);
}

static void plain(void)
{
	static const char file[] = "ntoskrnl/ke/bug.c";

	start(NULL, false);
	ok(paths_show(&paths, file) == file, "without any wish a path is left alone");
	shows("", "");
	shows("/a/../b//c", "/a/../b//c");
}

static void basenames(void)
{
	start(NULL, true);
	shows("ntoskrnl/ke/bug.c", "bug.c");
	shows("/bug.c", "bug.c");
	shows("bug.c", "bug.c");
	shows("dir/", "");
	shows("c:\\dir\\bug.c", "c:\\dir\\bug.c");
	shows("c:\\dir/x\\bug.c", "x\\bug.c");
}

static void roots(void)
{
	start("/src", false);
	shows("ke/bug.c", "/src/ke/bug.c");
	shows("./bug.c", "/src/./bug.c");
	shows("../bug.c", "/src/../bug.c");
	shows("/abs/bug.c", "/abs/bug.c");
	shows("\\abs\\bug.c", "\\abs\\bug.c");
	shows("c:\\abs\\bug.c", "c:\\abs\\bug.c");
	shows("D:/abs/bug.c", "D:/abs/bug.c");
	shows("c:bug.c", "c:bug.c");
	shows("1:bug.c", "/src/1:bug.c");
	start("/src/", false);
	shows("ke/bug.c", "/src/ke/bug.c");
	start("c:\\src\\", false);
	shows("ke/bug.c", "c:\\src\\ke/bug.c");
	start("", false);
	shows("ke/bug.c", "ke/bug.c");
	start("/src", true);
	shows("ke/bug.c", "bug.c");
}

static void maps(void)
{
	start(NULL, false);
	is_int(paths_add_map(&paths, "nothing"), PATHS_BAD_MAP, "no =");
	is_int(paths_add_map(&paths, "=new"), PATHS_BAD_MAP, "nothing to replace");
	is_int(paths_add_map(&paths, ""), PATHS_BAD_MAP, "nothing at all");
	is_uint(paths.map_count, 0, "none of them counts");

	map("/build/reactos=/home/me");
	map("/build=/other");
	map("rel/=/r");
	map("C:\\ros\\=/c");
	map("/build/reactos/ke=/never");
	map("x=a=b");
	shows("/build/reactos/ke/bug.c", "/home/me/ke/bug.c");
	shows("/build/reactos", "/home/me");
	shows("/build/reactos2/bug.c", "/other/reactos2/bug.c");
	shows("/build/x", "/other/x");
	shows("/buildx", "/buildx");
	shows("/buil", "/buil");
	shows("", "");
	shows("\\build\\reactos\\ke\\bug.c", "/home/me\\ke\\bug.c");
	shows("/Build/x", "/Build/x");
	shows("rel/x.c", "/r/x.c");
	shows("rel", "/r");
	shows("relx", "relx");
	shows("c:\\ros\\x.c", "/c\\x.c");
	shows("C:/ros/x.c", "/c/x.c");
	shows("c:\\Ros\\x.c", "c:\\Ros\\x.c");
	shows("x/y", "a=b/y");

	start(NULL, false);
	map("/=/root");
	shows("/a", "/root/a");
	shows("\\a", "/root/a");
	shows("a", "a");

	start(NULL, false);
	map("/a=/new/");
	map("/b=");
	map("/c=n\\");
	shows("/a/x", "/new/x");
	shows("/a\\x", "/new/x");
	shows("/a", "/new/");
	shows("/b/x", "x");
	shows("/b", "");
	shows("/c/x", "n\\x");

	/* The result of a mapping may be relative; the source root is asked after it. */
	start("/src", false);
	map("/build=tree");
	shows("/build/ke/bug.c", "/src/tree/ke/bug.c");
	shows("/other", "/other");
	shows("tree/x", "/src/tree/x");
	paths.basenames = true;
	shows("/build/ke/bug.c", "bug.c");

	/* More than the first allocation has room for. */
	static char many[100][16];
	start(NULL, false);
	unsigned wrong = 0;
	for (unsigned i = 0; i < 100; i++) {
		snprintf(many[i], sizeof many[i], "/d%u=/n%u", i, i);
		wrong += paths_add_map(&paths, many[i]) != PATHS_OK;
	}
	is_uint(wrong, 0, "a hundred mappings");
	shows("/d99/x", "/n99/x");
	shows("/d9/x", "/n9/x");
}

int main(void)
{
	plain();
	basenames();
	roots();
	maps();
	paths_clear(&paths);
	return done_testing();
}
