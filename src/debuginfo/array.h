/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.h - arrays that grow
 *
 * `items = array_grow(items, &room, count, sizeof *items)` makes room for one more element when COUNT of them fill the
 * array.  It grows by a factor, so that appending costs constant time.  Who knows how many come says so at once with
 * array_reserve(), and saves the memory that is in use twice while an array grows.
 */
#ifndef DEBUGINFO_ARRAY_H
#define DEBUGINFO_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/* ITEMS, or a larger copy of it (ITEMS is freed then).  NULL without memory, and ITEMS stays valid. */
void *array_grow(void *items, uint32_t *room, uint32_t count, size_t size);

/* The same for MORE elements. */
void *array_reserve(void *items, uint32_t *room, uint32_t count, uint64_t more, size_t size);

#endif
