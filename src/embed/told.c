// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/told.h"
#include "tool/array.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TEXTS = 1000 };

bool told_is_new(struct told *told, const char *text)
{
	for (size_t i = 0; i < told->count; i++)
		if (strcmp(told->texts[i], text) == 0)
			return false;
	size_t size = strlen(text) + 1;
	char **texts = told->count < MOST_TEXTS ? array_with_room(told->texts, &told->room, told->count, sizeof *texts) : NULL;
	char *copy = texts ? malloc(size) : NULL;
	if (texts)
		told->texts = texts;
	if (copy)
		told->texts[told->count++] = memcpy(copy, text, size);
	return true;
}

void told_clear(struct told *told)
{
	for (size_t i = 0; i < told->count; i++)
		free(told->texts[i]);
	free(told->texts);
}
