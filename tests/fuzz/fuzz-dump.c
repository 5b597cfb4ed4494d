// SPDX-License-Identifier: GPL-2.0-or-later
/* Crash dumps. */
#include "config.h"
#include "fuzz.h"
#include "tests/lib/dumped.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *wrong = dumped_wrong(data, size);
	if (wrong)
		fprintf(stderr, "%s\n", wrong);
	must(!wrong);
	return 0;
}
