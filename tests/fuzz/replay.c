// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replay - a fuzz target without a fuzzer: gives it each FILE, in a block that is not a byte longer
 *
 *	fuzz-x FILE...
 */
#include "fuzz.h"
#include "tests/lib/files.h"

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		/* What stands here last is the one that crashed. */
		printf("%s\n", argv[i]);
		fflush(stdout);
		size_t size;
		uint8_t *bytes = files_read(argv[i], &size);
		LLVMFuzzerTestOneInput(bytes, size);
		free(bytes);
	}
	return argc < 2;
}
