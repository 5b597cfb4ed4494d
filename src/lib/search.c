// SPDX-License-Identifier: GPL-2.0-or-later
/* search.c - the public function that finds a function by its name, and the one that checks a table */
#include "config.h"
#include "lib/demand.h"
#include "core/layout.h"

#include <string.h>

/* Store NAMES at PLACE, and return NAMES.  If another thread has stored an index there before, free NAMES and return
   that index.  If NAMES is NULL, because building it failed, return NULL. */
static struct rs_names *publish_names(RS_ATOMIC(struct rs_names *) * place, struct rs_names *names)
{
	struct rs_names *published = NULL;
	if (!names || atomic_compare_exchange_strong_explicit(place, &published, names, memory_order_acq_rel,
							      memory_order_acquire))
		return names;
	rs_names_free(names);
	return published;
}

/* Find NAME in the block.  Returns as rs_names_find(), or -1. */
static int find_in_block(struct rossym_image *image, const char *name, struct rossym_function *function,
			 struct rossym_error *err)
{
	const struct rs_block *block = rs_image_block(image, err);
	if (!block)
		return -1;
	if (block->parts.functions.count + (uint64_t)block->names.count == 0)
		return 0;
	struct rs_names *names = atomic_load_explicit(&image->block_names, memory_order_acquire);
	if (!names)
		names = publish_names(&image->block_names,
				      rs_names_build(&image->core.table, block->table_strings, block,
						     rs_image_is_bare(image) ? NULL : &image->core.pe, err));
	if (!names)
		return -1;
	return rs_names_find(names, name, !image->core.pe.wide, function);
}

/* As rossym_find_function(), but without its second search for a NAME that begins with RS_OWN_SECTION.  IMAGE
   has all rows. */
static int find_function(struct rossym_image *image, const char *name, struct rossym_function *function,
			 struct rossym_error *err)
{
	struct rossym_function other;
	int found = find_in_block(image, name, function, err);
	if (found < 0 || found == RS_NAMES_EXACT)
		return found < 0 ? -1 : 1;
	struct rs_names *names = atomic_load_explicit(&image->names, memory_order_acquire);
	const char *strings = names ? NULL : rs_segments_whole(&image->strings, err);
	if (strings)
		names = publish_names(&image->names,
				      rs_names_build(&image->core.table, strings, NULL,
						     rs_image_is_bare(image) ? NULL : &image->core.pe, err));
	if (!names)
		return -1;
	/* A function that was inlined everywhere is named by rows only, and may fit better. */
	int found_in_rows = rs_names_find(names, name, !image->core.pe.wide, &other);
	if (found_in_rows > found)
		*function = other;
	return found_in_rows > 0 || found > 0;
}

int rossym_find_function(struct rossym_image *image, const char *name, struct rossym_function *function,
			 struct rossym_error *err)
{
	static const char prefix[] = RS_OWN_SECTION;
	if (rs_check_name(name, err) < 0 || rs_image_need_all(image, err) < 0)
		return -1;
	int found = find_function(image, name, function, err);
	if (found == 0 && strncmp(name, prefix, sizeof prefix - 1) == 0)
		found = find_function(image, name + sizeof prefix - 1, function, err);
	return found;
}
