// SPDX-License-Identifier: GPL-2.0-or-later
/* What the DWARF standard allows, in all versions. */
#include "config.h"
#include "tests/lib/debugcases.h"

int main(void)
{
	return debugcases_run("tests/debuginfo/unit-dwarf-standard.cases", "standard", NULL);
}
