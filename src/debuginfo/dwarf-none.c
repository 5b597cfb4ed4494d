// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/dwarf.h"

int dwarf_read(struct reading *reading)
{
	const uint8_t *bytes;
	uint32_t size;
	if (reading_section(reading, ".debug_info", &bytes, &size) ||
	    reading_section(reading, ".zdebug_info", &bytes, &size))
		reading_warn(reading, "the image has DWARF, which this program was built without libdwarf to read");
	return 0;
}
