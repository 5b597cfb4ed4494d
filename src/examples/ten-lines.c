/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ten-lines.c - answers for addresses of any PE image: from its .rossym table or from debug information in or beside it
 *
 *	ten-lines IMAGE RVA...
 */
#include <rossym.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	const struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_DEBUG_INFO };
	struct rossym_symbol symbols[ROSSYM_FRAMES_MAX] = { { .size = sizeof *symbols } };
	struct rossym_image *image;
	if (argc < 2 || rossym_open(argv[1], &options, &image, NULL) < 0)
		return 1;
	for (int i = 2; i < argc; i++) {
		const uint64_t rva = strtoull(argv[i], NULL, 16);
		int count = rossym_symbolize(image, rva, NULL, symbols, ROSSYM_FRAMES_MAX, NULL);
		for (struct rossym_symbol *symbol = symbols; symbol < symbols + count; symbol++)
			printf("%s at %s:%u\n", symbol->function ? symbol->function : "??",
			       symbol->file ? symbol->file : "??", (unsigned)symbol->line);
	}
	rossym_close(image);
	return 0;
}
