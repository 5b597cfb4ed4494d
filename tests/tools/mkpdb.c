/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mkpdb - writes the small image of tests/lib/samplepdb.h, and its PDB file
 *
 *	mkpdb [wide] [omap] [stripped] [dotnet] [age=N] [block=N] IMAGE PDB
 */
#include "tests/lib/samplepdb.h"

int main(int argc, char **argv)
{
	struct made_options options = { .block_size = 0 };
	int i = 1;
	for (; i < argc - 2; i++) {
		options.wide |= strcmp(argv[i], "wide") == 0;
		options.omap |= strcmp(argv[i], "omap") == 0;
		options.stripped |= strcmp(argv[i], "stripped") == 0;
		options.dotnet |= strcmp(argv[i], "dotnet") == 0;
		if (strncmp(argv[i], "age=", 4) == 0)
			options.age = (uint32_t)strtoul(argv[i] + 4, NULL, 10);
		if (strncmp(argv[i], "block=", 6) == 0)
			options.block_size = (uint32_t)strtoul(argv[i] + 6, NULL, 10);
	}
	if (argc < 3)
		return 2;
	const struct made image = made_image(&options), pdb = made_pdb(&options);
	files_write(argv[i], image.bytes, image.size);
	files_write(argv[i + 1], pdb.bytes, pdb.size);
	free(image.bytes);
	free(pdb.bytes);
	return 0;
}
