// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's reader: from a file, from memory and from raw bytes it accepts what the library's check finds sound, and
 * has the same answers.  The input is an image; if it is made of parts (block.h), also the image that they make, with
 * checksums that are right; so has a packed table.
 */
#include "config.h"
#include "block.h"
#include "fuzz.h"
#include "packed.h"
#include "tests/lib/kernel.h"

static void compare(const uint8_t *data, size_t size)
{
	struct kernel_test test = { .most = 40 };
	const char *what = kernel_differs(&test, data, size);
	if (what)
		fprintf(stderr, "%s, at 0x%llx: %s\n", test.way, (unsigned long long)test.rva, what);
	must(!what);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t made_size;
	bool sound;
	compare(data, size);
	uint8_t *packed = packed_seal(data, size);
	if (packed)
		compare(packed, size);
	free(packed);
	uint8_t *made = block_make(data, size, &made_size, &sound);
	if (made)
		compare(made, made_size);
	free(made);
	return 0;
}
