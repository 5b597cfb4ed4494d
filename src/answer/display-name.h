/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * display-name.h - a cache of demangled names and mapped paths
 *
 * Demangling a name or mapping a path takes a microsecond, fifty times as long as a look-up, and many answers have the
 * same name.  So results are cached, each in the slot that a hash of the pointer to the table's string selects.
 * Without the cache, a million addresses with --path-map take 1.3 times as long.
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

/* All zeros: empty. */
struct display_cache {
	struct display_slot *slots;
};

void display_cache_clear(struct display_cache *cache);

/* Return the demangled function, or the mapped file, of FRAME, which must have one.  BASE_ONLY: the function without the
   class or namespace that it is in.  The result is valid until the next call.  A TEXT of NULL: no memory. */
struct display_name display_function(struct display_cache *cache, const struct rossym_frame *frame, bool base_only,
				     bool no_recursion_limit);
struct display_name display_file(struct display_cache *cache, const struct rossym_frame *frame, struct paths *paths);

#endif
