/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alloc.h - the library's only door to the heap
 *
 * A test program that defines these two itself fails each allocation in turn.
 */
#ifndef RS_ALLOC_H
#define RS_ALLOC_H

#include <stddef.h>

/* COUNT zeroed elements of SIZE bytes, or NULL if there is no memory or the product overflows.  rs_free() it. */
void *rs_alloc(size_t count, size_t size);

/* MEMORY of rs_alloc(), or NULL, with room for COUNT elements of SIZE bytes instead of what it had.  What it had stays, and
   what is new is not zeroed.  NULL without memory: MEMORY is as it was then. */
void *rs_resize(void *memory, size_t count, size_t size);

void rs_free(void *memory);

#endif
