// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of a log, and the code addresses that are found in it. */
#include "fuzz.h"
#include "reads.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *wrong = size ? reads_wrong((const char *)data, size) : NULL;
	if (wrong)
		fprintf(stderr, "%s\n", wrong);
	must(!wrong);
	return 0;
}
