// SPDX-License-Identifier: GPL-2.0-or-later
/* An image, for which promises.h must hold.  A packed table is also asked with checksums that are right. */
#include "config.h"
#include "fuzz.h"
#include "packed.h"
#include "promises.h"

static void ask(const uint8_t *data, size_t size)
{
	struct promises seen;
	const char *broken = promises_broken(data, size, &seen);
	if (broken)
		fuzz_broken(broken, "promises.c", 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *packed = packed_seal(data, size);
	ask(data, size);
	if (packed)
		ask(packed, size);
	free(packed);
	return 0;
}
