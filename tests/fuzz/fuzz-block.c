// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The extension block: rows, strings and chunks in the form of block.h, behind checksums that are right.  The image must hold what
 * promises.h says; and if its numbers are right, the table and its block must be taken.
 */
#include "config.h"
#include "block.h"
#include "fuzz.h"
#include "promises.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t made_size;
	bool right;
	uint8_t *made = block_make(data, size, &made_size, &right);
	if (!made)
		return 0;
	const struct promises seen = promises_must_hold(made, made_size);
	must(!right || (seen.opened && seen.sound && seen.block == 1));
	free(made);
	return 0;
}
