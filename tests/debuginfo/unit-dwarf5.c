// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows from DWARF 5 made by hand. */
#include "config.h"
#include "tests/lib/debugcases.h"

int main(void)
{
	return debugcases_run("tests/debuginfo/unit-dwarf5.cases", "dwarf5", NULL);
}
