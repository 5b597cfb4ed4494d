/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recursion.h - kernel dumps of x86 with a stack of any depth, or any number of modules */
#ifndef TESTS_RECURSION_H
#define TESTS_RECURSION_H

#include "tests/lib/makekernel.h"

/* The file that K describes.  free() it. */
static inline uint8_t *file_of(const struct makekernel *k)
{
	uint8_t *bytes = calloc(1, (size_t)k->size);
	if (!bytes)
		abort();
	memcpy(bytes, k->head, k->head_size);
	for (size_t i = 0; i < k->count; i++)
		memcpy(bytes + makekernel_offset(k, k->pages[i].frame), k->pages[i].bytes, MAKEKERNEL_PAGE);
	return bytes;
}

#define BASE UINT32_C(0x80400000)
#define FUNCTION (BASE + 0x1000)
#define STACK UINT32_C(0x80500000)

/* A function of x86 that calls itself, and is there DEPTH times; *SIZE: of the dump.  free() it. */
static inline uint8_t *recursion(unsigned type, unsigned depth, size_t *size)
{
	static const uint8_t code[] = { 0x55, 0x89, 0xe5, 0xe8, 0xf8, 0xff, 0xff, 0xff, 0xc9, 0xc3 };
	struct makekernel k;
	makekernel_begin(&k, (struct makekernel_options){ .type = type });
	makekernel_module(&k, BASE, 0x3000, 0x5db90293, "nt");
	makekernel_write(&k, FUNCTION, code, sizeof code);
	for (uint32_t i = 0; i < depth; i++) {
		makekernel_pointer(&k, STACK + 8 * i, i + 1 < depth ? STACK + 8 * (i + 1) : 0);
		makekernel_pointer(&k, STACK + 8 * i + 4, i + 1 < depth ? FUNCTION + 8 : 0);
	}
	makekernel_end(&k);
	uint8_t *context = k.head + 0x320;
	rs_put32(context, 0x10003);
	rs_put32(context + 0xb4, STACK);
	rs_put32(context + 0xb8, FUNCTION + 3);
	rs_put32(context + 0xc4, STACK);
	rs_put32(k.head + 0x28, 0xd1);
	uint8_t *bytes = file_of(&k);
	*size = (size_t)k.size;
	makekernel_free(&k);
	return bytes;
}

#endif
