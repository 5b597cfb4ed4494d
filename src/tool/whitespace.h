/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whitespace.h - what C's isspace() takes for white space, whatever the locale */
#ifndef TOOL_WHITESPACE_H
#define TOOL_WHITESPACE_H

#include <stdbool.h>

static inline bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Returns the first character at or after P that is not white space. */
static inline char *skip_spaces(char *p)
{
	while (is_space(*p))
		p++;
	return p;
}

#endif
