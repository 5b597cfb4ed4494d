/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * five.c - the five functions of libc that every kernel has
 *
 * Compile it with -fno-builtin, so that no loop is made into a call of the function that it is in.
 */
#include "core/mem.h"

void *memcpy(void *to, const void *from, size_t size)
{
	return memmove(to, from, size);
}

void *memmove(void *to, const void *from, size_t size)
{
	volatile char *target = to;
	const char *source = from;
	if (target <= source) {
		for (size_t i = 0; i < size; i++)
			target[i] = source[i];
	} else {
		while (size-- > 0)
			target[size] = source[size];
	}
	return to;
}

void *memset(void *to, int byte, size_t size)
{
	volatile char *target = to;
	for (size_t i = 0; i < size; i++)
		target[i] = (char)byte;
	return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
	const unsigned char *left = a;
	const unsigned char *right = b;
	for (size_t i = 0; i < size; i++) {
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	}
	return 0;
}

size_t strlen(const char *text)
{
	const volatile char *end = text;
	while (*end != '\0')
		end++;
	return (size_t)(end - text);
}
