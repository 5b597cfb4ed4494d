// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows from COFF symbols alone. */
#include "config.h"
#include "tests/lib/debugcases.h"

int main(void)
{
	return debugcases_run("tests/debuginfo/unit-coff.cases", "coff", NULL);
}
