// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "core/constants.h"

#include <string.h>

enum { MOST_UNDERSCORES = 255 };

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
	/* Nearly every name ends here.  Names of a damaged table can be millions of ends of one endless string. */
	int underscores = 0;
	while (*name == '_' && underscores < MOST_UNDERSCORES) {
		name++;
		underscores++;
	}
	if (underscores == 0)
		return false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}
