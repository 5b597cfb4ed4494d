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
	struct rossym_image *image;
	struct rossym_frame frame;
	if (argc < 2 || rossym_open(argv[1], &options, &image, NULL) < 0)
		return 1;
	for (int i = 2; i < argc; i++)
		if (rossym_lookup(image, strtoull(argv[i], NULL, 16), 0, &frame, NULL) > 0)
			printf("%s at %s:%u\n", frame.function ? frame.function : "??", frame.file ? frame.file : "??",
			       (unsigned)frame.line);
	rossym_close(image);
	return 0;
}
