/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/paths.c */
#include "config.h"

#include "tests/lib/cases.h"
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
	is_str(paths_shown_path(&paths, file), want, file);
}

/* Takes the option TEXT, of which paths keeps a pointer. */
static void set(const char *text)
{
	static char kept[64][128];
	static unsigned count;
	if (count == sizeof kept / sizeof *kept || strlen(text) >= sizeof *kept)
		abort();
	const char *option = strcpy(kept[count++], text);
	if (strcmp(option, "--start") == 0)
		start(NULL, false);
	else if (strcmp(option, "--basenames") == 0)
		paths.basenames = true;
	else if (strncmp(option, "--source-root=", 14) == 0)
		paths.source_root = option + 14;
	else
		map(option + strlen("--path-map="));
}

int main(void)
{
	static const char file[] = "ntoskrnl/ke/bug.c";
	struct case_file cases;
	start(NULL, false);
	ok(paths_shown_path(&paths, file) == file, "without any wish a path is left alone");
	is_int(paths_add_map(&paths, "nothing"), PATHS_BAD_MAP, "no =");
	is_int(paths_add_map(&paths, "=new"), PATHS_BAD_MAP, "nothing to replace");
	is_int(paths_add_map(&paths, ""), PATHS_BAD_MAP, "nothing at all");
	is_uint(paths.map_count, 0, "none of them counts");

	cases_open(&cases, "tests/tool/unit-paths.cases");
	while (cases_next(&cases, "paths"))
		if (strncmp(cases.input, "--", 2) == 0)
			set(cases.input);
		else
			shows(cases.input, cases.expected);
	cases_close(&cases);

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
	paths_clear(&paths);
	return done_testing();
}
