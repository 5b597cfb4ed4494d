// SPDX-License-Identifier: GPL-2.0-or-later
/* mkdump x86|amd64|arm64[+names] FILE [OFFSET VALUE]...	writes the minidump of tests/lib/makedump.h, with these 32-bit numbers in it */
#include "tests/lib/makedump.h"

int main(int argc, char **argv)
{
	if (argc < 3 || argc % 2 == 0)
		return 2;
	struct makedump m = makedump(argv[1][0] == 'x'	 ? MAKEDUMP_X86
				     : argv[1][1] == 'm' ? MAKEDUMP_AMD64
							 : MAKEDUMP_ARM64);
	if (strchr(argv[1], '+'))
		makedump_names(&m);
	for (int i = 3; i < argc; i += 2) {
		unsigned long offset = strtoul(argv[i], NULL, 0);
		if (offset > m.size - 4)
			return 2;
		makedump_put(&m, offset, strtoul(argv[i + 1], NULL, 0), 4);
	}
	FILE *file = fopen(argv[2], "wb");
	if (!file || fwrite(m.bytes, 1, m.size, file) != m.size || fclose(file) != 0)
		return 1;
	return 0;
}
