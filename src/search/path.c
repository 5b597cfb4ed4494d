// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "search/path.h"

#include <string.h>

#ifdef _WIN32
static const char separators[] = "/\\:";
#else
static const char separators[] = "/";
#endif

/* Returns the part of PATH after the last character that is in THOSE. */
static const char *after_last(const char *path, const char *those)
{
	const char *part = path;
	for (; *path; path++)
		if (strchr(those, *path))
			part = path + 1;
	return part;
}

const char *rs_path_base(const char *path)
{
	return after_last(path, separators);
}

const char *rs_path_last_part(const char *path)
{
	return after_last(path, "/\\");
}
