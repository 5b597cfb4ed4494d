// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replay - a fuzz target without a fuzzer: gives it each FILE, in a block that is not a byte longer
 *
 *	fuzz-x FILE...
 */
#include "fuzz.h"
#include "tests/lib/files.h"

static void replay(const char *path)
{
	size_t size;
	uint8_t *bytes = files_read(path, &size);
	LLVMFuzzerTestOneInput(bytes, size);
	free(bytes);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		/* What stands here last is the one that crashed. */
		printf("%s\n", argv[i]);
		fflush(stdout);
		replay(argv[i]);
	}
	return argc < 2;
}
