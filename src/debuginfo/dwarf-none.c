// SPDX-License-Identifier: GPL-2.0-or-later
/* dwarf-none.c - takes the place of dwarf.c in a build without libdwarf */
#include "config.h"
#include "debuginfo/dwarf.h"

int dwarf_read(struct reading *reading)
{
	struct section_bytes section;
	if (reading_section(reading, ".debug_info", &section) || reading_section(reading, ".zdebug_info", &section))
		reading_warn(reading, "the image has DWARF, which this program was built without libdwarf to read");
	return 0;
}
