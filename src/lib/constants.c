// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/constants.h"

#include <string.h>

bool rs_is_linker_constant(const char *name)
{
	static const char *const names[] = {
		"ImageBase",
		"image_base__",
		"dll__",
		"section_alignment__",
		"file_alignment__",
		"major_os_version__",
		"minor_os_version__",
		"major_image_version__",
		"minor_image_version__",
		"major_subsystem_version__",
		"minor_subsystem_version__",
		"subsystem__",
		"size_of_stack_reserve__",
		"size_of_stack_commit__",
		"size_of_heap_reserve__",
		"size_of_heap_commit__",
		"loader_flags__",
		"dll_characteristics__",
	};
	if (name[0] != '_')
		return false;	/* nearly every name ends here */
	name += strspn(name, "_");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}
