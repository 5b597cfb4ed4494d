/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alloc.h - the only functions of the library that allocate memory
 *
 * A test program defines these functions itself, and lets each allocation fail in turn.
 */
#ifndef RS_ALLOC_H
#define RS_ALLOC_H

#include <stddef.h>
#include <string.h>

/* Returns COUNT zeroed elements of SIZE bytes, to be rs_free()d; NULL if there is no memory
   or the product overflows. */
void *rs_alloc(size_t count, size_t size);

/* Resize MEMORY, which is from rs_alloc() or NULL, to COUNT elements of SIZE bytes.  Old elements keep their content;
   new ones are not zeroed.  Returns the elements, which may have moved; NULL if there is no memory, or if the product
   is 0 or overflows; then MEMORY is unchanged. */
void *rs_resize(void *memory, size_t count, size_t size);

void rs_free(void *memory);

/* Returns a copy of TEXT, to be rs_free()d; NULL if there is no memory. */
static inline char *rs_copy_text(const char *text)
{
	const size_t size = strlen(text) + 1;
	char *copy = rs_alloc(size, 1);
	return copy ? memcpy(copy, text, size) : NULL;
}

#endif
