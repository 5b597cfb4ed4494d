// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/diff.h"

#include <stdlib.h>
#include <string.h>

const char *const diff_class_names[DIFF_CLASSES] = {
	[DIFF_FUNCTION] = "function",
	[DIFF_DECORATION] = "decoration",
	[DIFF_LINE] = "line",
	[DIFF_PATH] = "path",
	[DIFF_SOURCE_ROOT] = "source-root",
	[DIFF_CUT] = "cut",
	[DIFF_INLINED] = "inlined",
	[DIFF_MISSING_HERE] = "missing-here",
	[DIFF_MISSING_THERE] = "missing-there",
	[DIFF_NOTHING_THERE] = "nothing-there",
	[DIFF_END] = "end",
};

#define IGNORED_BY_DEFAULT \
	(DIFF_BIT(DIFF_DECORATION) | DIFF_BIT(DIFF_SOURCE_ROOT) | DIFF_BIT(DIFF_CUT) | DIFF_BIT(DIFF_NOTHING_THERE) | \
	 DIFF_BIT(DIFF_END))

const struct diff_request diff_defaults = { .ignored = IGNORED_BY_DEFAULT, .timeout = 600 };

/* --------------------------------------------------------------------------------------------- options */

/* Returns the class whose name is the LENGTH bytes at NAME; DIFF_CLASSES if there is none. */
static size_t find_class(const char *name, size_t length)
{
	size_t i = 0;
	while (i < DIFF_CLASSES &&
	       (strncmp(name, diff_class_names[i], length) != 0 || diff_class_names[i][length] != '\0'))
		i++;
	return i;
}

const char *diff_set_ignored(struct diff_request *request, const char *names, size_t *length)
{
	for (;; names += *length + 1) {
		*length = strcspn(names, ",");
		size_t class = find_class(names, *length);
		if (class < DIFF_CLASSES)
			request->ignored |= DIFF_BIT(class);
		else if (*length == 4 && memcmp(names, "none", 4) == 0)
			request->ignored = 0;
		else
			return names;
		if (names[*length] == '\0')
			return NULL;
	}
}

bool diff_set_number(uint32_t *number, const char *text, uint32_t lowest)
{
	size_t digits = strspn(text, "0123456789");
	if (digits == 0 || digits > 10 || text[digits] != '\0')
		return false;
	uint64_t value = strtoull(text, NULL, 10);
	if (value < lowest || value > UINT32_MAX)
		return false;
	*number = (uint32_t)value;
	return true;
}

bool diff_set_all(struct diff_request *request, const char *argument)
{
	request->all = !argument ? DIFF_BYTES : strcmp(argument, "rows") == 0 ? DIFF_ROWS : DIFF_SPREAD;
	return request->all != DIFF_SPREAD || diff_set_number(&request->spread, argument, 1);
}

bool diff_is_requested(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strncmp(argv[i], "--diff", 6) == 0)
			return true;
	return false;
}
