// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/command/argv0.h"
#include "search/path.h"

#include <string.h>

void argv0_shorten(char **argv)
{
#ifdef _WIN32
	if (!argv[0])
		return;
	char *base = argv[0] + (rs_path_last_part(argv[0]) - argv[0]);
	size_t length = strlen(base);
	if (length > 4 && _stricmp(base + length - 4, ".exe") == 0)
		base[length - 4] = '\0';
	argv[0] = base;
#else
	(void)argv;
#endif
}

bool argv0_is(const char *program, const char *name)
{
	if (!program)
		return false;
	const char *base = rs_path_last_part(program);
	size_t length = strlen(name);
	return strncmp(base, name, length) == 0 && (base[length] == '\0' || strcmp(base + length, ".exe") == 0);
}

/* The last part of the triplet, between the last two hyphens, is "mingw32", perhaps with a suffix:
   x86_64-w64-mingw32.static, i586-mingw32msvc. */
const char *argv0_as_addr2line(const char *program)
{
	static const char name[] = "addr2line", system[] = "-mingw32";
	if (!program)
		return NULL;
	if (argv0_is(program, name))
		return name;
	const char *base = rs_path_last_part(program), *last = NULL, *before = NULL;
	for (const char *p = base; *p; p++)
		if (*p == '-') {
			before = last;
			last = p;
		}
	const bool has_triplet = before && before > base;
	return has_triplet && strncmp(before, system, strlen(system)) == 0 && strcmp(last + 1, name) == 0 ? base : NULL;
}
