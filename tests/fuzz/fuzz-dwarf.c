// SPDX-License-Identifier: GPL-2.0-or-later
/* DWARF, in the form of sections.h. */
#include "config.h"
#include "fuzz.h"
#include "sections.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	sections_try(data, size);
	return 0;
}
