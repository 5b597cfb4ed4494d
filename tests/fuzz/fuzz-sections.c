// SPDX-License-Identifier: GPL-2.0-or-later
/* The targets dwarf, stabs and coff: debug information in the form of sections.h.  They differ in what they begin with and in their
   dictionaries. */
#include "fuzz.h"
#include "sections.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	sections_try(data, size);
	return 0;
}
