// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/called.h"

#include <string.h>

void called_plainly(char **argv)
{
#ifdef _WIN32
	if (!argv[0])
		return;
	char *base = argv[0];
	for (char *p = base; *p; p++)
		if (*p == '/' || *p == '\\')
			base = p + 1;
	size_t length = strlen(base);
	if (length > 4 && _stricmp(base + length - 4, ".exe") == 0)
		base[length - 4] = '\0';
	argv[0] = base;
#else
	(void)argv;
#endif
}

/* The directory and ".exe" do not count. */
bool called_as(const char *program, const char *name)
{
	if (!program)
		return false;
	const char *base = program;
	for (const char *p = program; *p; p++)
		if (*p == '/' || *p == '\\')
			base = p + 1;
	size_t length = strlen(name);
	return strncmp(base, name, length) == 0 && (base[length] == '\0' || strcmp(base + length, ".exe") == 0);
}
