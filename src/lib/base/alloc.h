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

/* Returns COUNT zeroed elements of SIZE bytes, to be rs_free()d; NULL without memory, or if COUNT * SIZE overflows. */
void *rs_alloc(size_t count, size_t size);

/* Resize MEMORY, which is from rs_alloc() or NULL, to COUNT elements of SIZE bytes.  Old elements keep their content;
   new ones are not zeroed.  Returns the elements, which may have moved; NULL if there is no memory, or if
   COUNT * SIZE is 0 or overflows; then MEMORY is unchanged. */
void *rs_resize(void *memory, size_t count, size_t size);

void rs_free(void *memory);

/* Returns a copy of TEXT, to be rs_free()d; NULL if there is no memory. */
static inline char *rs_copy_text(const char *text)
{
	const size_t size = strlen(text) + 1;
	char *copy = rs_alloc(size, 1);
	return copy ? memcpy(copy, text, size) : NULL;
}

/* Returns an array with copies of the COUNT TEXTS.  The array and all copies are one block of memory: one rs_free() of
   the array frees them.  Returns NULL if there is no memory. */
static inline char **rs_copy_texts(const char *const *texts, size_t count)
{
	size_t size = count * sizeof *texts;
	for (size_t i = 0; i < count; i++)
		size += strlen(texts[i]) + 1;
	char **copies = rs_alloc(size, 1);
	if (!copies)
		return NULL;
	char *to = (char *)(copies + count);
	for (size_t i = 0; i < count; i++) {
		copies[i] = strcpy(to, texts[i]);
		to += strlen(to) + 1;
	}
	return copies;
}

#endif
