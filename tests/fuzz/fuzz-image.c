// SPDX-License-Identifier: GPL-2.0-or-later
/* An image, for which promises.h must hold.  A packed table is also asked with checksums that are right. */
#include "config.h"
#include "fuzz.h"
#include "packed.h"
#include "promises.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *packed = packed_seal(data, size);
	promises_must_hold(data, size);
	if (packed)
		promises_must_hold(packed, size);
	free(packed);
	return 0;
}
