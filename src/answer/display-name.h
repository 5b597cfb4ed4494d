/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * display-name.h - strings of a table as they are shown, made once while they are asked for again and again
 *
 * To demangle a name or to map a path takes a microsecond, fifty times as long as a look-up, and many answers have the
 * same name.  So the last results are kept, each in the slot that the address of the table's string determines.
 * Without this, a million addresses with --path-map take 1.3 times as long.
 */
#ifndef ANSWER_DISPLAY_NAME_H
#define ANSWER_DISPLAY_NAME_H

#include "rossym.h"
#include "tool/paths.h"

#include <stdbool.h>
#include <stddef.h>

struct display_name {
	const char *text;
	size_t length;
};

struct display_slot;

/* All zeros: nothing is kept yet. */
struct display_cache {
	struct display_slot *slots;
};

void display_cache_clear(struct display_cache *cache);

/* The function or file of FRAME, which has one, as it is shown.  Valid until the next call.  A text of NULL:
   no memory. */
struct display_name display_function(struct display_cache *cache, const struct rossym_frame *frame,
				     bool no_recursion_limit);
struct display_name display_file(struct display_cache *cache, const struct rossym_frame *frame, struct paths *paths);

#endif
