/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shown.h - strings of a table as they are shown, made once while they are asked for again and again
 *
 * To demangle a name or to map a path takes a microsecond, fifty times as long as a look-up, and many answers have the
 * same name.  So the last results are kept, each in the slot that the address of the table's string determines.
 * Without this, a million addresses with --path-map take 1.3 times as long.
 */
#ifndef ANSWER_SHOWN_H
#define ANSWER_SHOWN_H

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

/* The function or file of FRAME, which has one, as it is shown.  Valid until the next call.  A text of NULL:
   no memory. */
struct shown shown_function(struct shown_cache *cache, const struct rossym_frame *frame, bool no_recursion_limit);
struct shown shown_file(struct shown_cache *cache, const struct rossym_frame *frame, struct paths *paths);

#endif
