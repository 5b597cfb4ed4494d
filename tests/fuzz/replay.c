// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replay - a fuzz target without a fuzzer: gives it each FILE, in a block that is not a byte longer
 *
 *	fuzz-x FILE...
 */
#include "fuzz.h"

#include <string.h>

static void replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	long size;
	if (!f || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET) != 0) {
		perror(path);
		exit(99);
	}
	uint8_t *bytes = malloc((size_t)size);
	if (size > 0 && (!bytes || fread(bytes, 1, (size_t)size, f) != (size_t)size)) {
		perror(path);
		exit(99);
	}
	fclose(f);
	LLVMFuzzerTestOneInput(bytes, (size_t)size);
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
