// SPDX-License-Identifier: GPL-2.0-or-later
/* .stab and .stabstr, in the form of sections.h.  What differs from its siblings is what it begins with and
   its dictionary. */
#include "fuzz.h"
#include "sections.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	sections_try(data, size);
	return 0;
}
