/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shown.h - strings of a table as they are shown, made once while they are asked for again and again
 *
 * A name is demangled, a path mapped, in a microsecond; a look-up takes a fiftieth of that, and many have the same name.
 * So the last strings are kept, each in the one slot that its place in memory gives it, with its length.
 */
#ifndef TOOL_SHOWN_H
#define TOOL_SHOWN_H

#include "rossym.h"
#include "tool/paths.h"

#include <stdbool.h>
#include <stddef.h>

struct shown {
	const char *text;
	size_t length;
};

struct shown_slot;

/* All zeros: nothing is kept yet. */
struct shown_cache {
	struct shown_slot *slots;
};

void shown_clear(struct shown_cache *cache);

/* The function or file of FRAME, which has one.  A text of NULL: there is no memory.  Valid until the next call. */
struct shown shown_function(struct shown_cache *cache, const struct rossym_frame *frame, bool no_recursion_limit);
struct shown shown_file(struct shown_cache *cache, const struct rossym_frame *frame, struct paths *paths);

#endif
